// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_EVALUATE_SAMPLES_HPP
#define INLAY_OPS_SAMPLE_EVALUATE_SAMPLES_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/sample/term_sizes.hpp>

namespace inlay {

/// What chosen elements of one result are to be: `values[k]` for element `places[k]` in row-major order, and `errors[k]`, how far off a
/// right kernel may be. The bound follows the absolute terms of sums and the slope of functions, so that it is tight where digits are and
/// wide where they cancel. An infinite bound says that nothing is known.
struct expected_samples {
    std::vector<std::int64_t> places;
    std::vector<double> values, errors;
};

/// Computes chosen elements of a region's results from its inputs, in float64: only what they depend on is evaluated, each element once.
/// Sums of products and poolings are computed element by element, moves by where elements come from, all else by the operators' own
/// meanings, applied to the elements or rows that matter. `find` gives the meanings. One entry of `places` for each result; `inputs` in
/// row-major order, each of their elements to within an entry of `input_errors`, where there are some. The operands of products may be
/// rounded by `rounding` of each. `sizes` says what the inputs are like, which bounds of sums follow.
///
/// Error: an operator has no meaning, its meaning refuses, or more than `most_operations` would be needed, in multiplications about.
/// Linear in what the wanted elements depend on, and in the count of partly computed tensors by 64.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<expected_samples>> evaluate_samples(
    const region_view& region, op_finder find, std::span<const tensor> inputs, std::span<const std::vector<std::int64_t>> places,
    double most_operations = 5e7, term_sizes sizes = term_sizes::random, std::span<const double> input_errors = {}, double rounding = 0);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/sample/evaluate_samples.ipp>
#endif

#endif
