// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_TOUCHED_WINDOW_HPP
#define INLAY_LOOPS_SCHEDULE_TOUCHED_WINDOW_HPP

#include <cstdint>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>

namespace inlay::detail {

/// The part of a buffer that one round of a loop may touch: where it begins, and how far it goes along each axis. It may hang over the
/// buffer's ends, where what touches it stands within bounds.
struct touched_window {
    std::vector<affine> origin;
    std::vector<std::int64_t> extents;

    /// Indices of the window for indices of the buffer.
    [[nodiscard]] INLAY_FUNCTION std::vector<affine> inside(const std::vector<affine>& at) const;
    /// Indices of the buffer for indices of the window.
    [[nodiscard]] INLAY_FUNCTION std::vector<affine> outside(const std::vector<affine>& at) const;
    /// What indices of the buffer must keep to, along the axes where the window may hang over.
    [[nodiscard]] INLAY_FUNCTION std::vector<affine_bound> bounds(const nest_buffer& b, const std::vector<affine>& at,
                                                                  const std::vector<std::int64_t>& loops) const;
};

/// The window of a buffer that a round of a loop touches. The error says why there is none: places that follow the loops outside in
/// different ways, or a buffer that is not touched.
[[nodiscard]] INLAY_FUNCTION outcome<touched_window> window_in(const nest_edit& n, statement_id loop, buffer_id b);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/touched_window.ipp>
#endif

#endif
