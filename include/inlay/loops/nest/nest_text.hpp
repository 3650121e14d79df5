// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_TEXT_HPP
#define INLAY_LOOPS_NEST_NEST_TEXT_HPP

#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

namespace detail {

/// Writes what C and the text of nests have in common: numbers of loops, bounds of them.
class nest_writer {
public:
    explicit nest_writer(const loop_nest& n) : n_(n) {}

    /// `2*i + j - 1`; 0 for nothing.
    [[nodiscard]] INLAY_FUNCTION std::string text(const affine& a) const;
    [[nodiscard]] INLAY_FUNCTION std::string text(const std::vector<affine>& indices) const;

protected:
    const loop_nest& n_;
};

}  // namespace detail

/// A nest as text that `parse_nest` reads back:
///
///     nest shifted_relu {
///         input x: float32[8, 16]
///         output y: float32[8, 16]
///         for i < 8 parallel {
///             for j < 16 vector {
///                 y[i, j] = max(within(0 <= j - 1 < 16, x[i, j - 1], 0.0), 0.0)
///             }
///         }
///     }
///
/// Precondition: the nest is sound.
[[nodiscard]] INLAY_FUNCTION std::string to_text(const loop_nest& n);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/nest_text.ipp>
#endif

#endif
