// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_CACHE_WINDOW_HPP
#define INLAY_LOOPS_SCHEDULE_CACHE_WINDOW_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>

namespace inlay::detail {

/// Whether a window is small enough for the stack.
[[nodiscard]] INLAY_FUNCTION outcome<void> fits_on_stack(const nest_buffer& b, const std::vector<std::int64_t>& extents);

/// Has each round of a loop work on a copy of the part of a buffer that it touches.
[[nodiscard]] INLAY_FUNCTION outcome<void> cache_window(nest_edit& n, buffer_id b, statement_id loop, const std::string& name,
                                                        std::vector<std::size_t> order);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/cache_window.ipp>
#endif

#endif
