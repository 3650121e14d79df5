// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_PARSE_SCHEDULE_HPP
#define INLAY_LOOPS_SCHEDULE_PARSE_SCHEDULE_HPP

#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>

namespace inlay {

/// A schedule from its text, as `to_text` writes it; blanks, ends of lines and comments behind `//` mean nothing. Whether a nest has what
/// it names, `scheduled` tells. The error names the place in the text, or what is not sound of a function.
[[nodiscard]] INLAY_FUNCTION outcome<loop_schedule> parse_schedule(std::string_view text);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/parse_schedule.ipp>
#endif

#endif
