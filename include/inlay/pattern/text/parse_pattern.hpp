// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PARSE_PATTERN_HPP
#define INLAY_PATTERN_TEXT_PARSE_PATTERN_HPP

#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>

namespace inlay {

/// Reads a pattern from its text. The error has line, column and a caret. O(text).
[[nodiscard]] INLAY_FUNCTION outcome<pattern_value> parse_pattern(std::string_view text, const pattern_text_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/pattern/text/parse_pattern.ipp>
#endif

#endif
