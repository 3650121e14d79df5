// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_COMPARE_SAMPLES_HPP
#define INLAY_MEASURE_COMPARE_SAMPLES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/sample/evaluate_samples.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// Returns where element `i`, in row-major order, of a tensor of these extents is in a layout, in elements.
[[nodiscard]] INLAY_FUNCTION std::size_t stored_place(const std::vector<std::int64_t>& extents, const layout& l, std::int64_t i);

/// Compares elements of one result in memory with what they are to be. Returns the largest error, as a share of what is allowed, or a
/// sentence with the first element that is off by more. NaN where a number is expected is wrong; where NaN is expected, all is right, and
/// where infinity is, a number beyond all but a hundredth of the type's range. What fills the last block of channels has to be 0.
[[nodiscard]] INLAY_FUNCTION outcome<double> compare_samples(const expected_samples& expected, const void* found, const format& f,
                                                             const std::vector<std::int64_t>& extents, std::size_t result);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/measure/compare_samples.ipp>
#endif

#endif
