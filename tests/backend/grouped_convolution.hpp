// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_GROUPED_CONVOLUTION_HPP
#define INLAY_TESTS_BACKEND_GROUPED_CONVOLUTION_HPP

#include <vector>

#include <inlay/backend/anchored_convolution.hpp>

namespace inlay_test {

/// Two groups of 2 inputs and 1 output, a window of 3: weights 0, 1, 2, ...
[[nodiscard]] inline inlay::detail::anchored_convolution grouped(const inlay::tensor& weights, bool transposed) {
    inlay::detail::anchored_convolution p;
    p.transposed = transposed;
    p.weights = &weights;
    p.groups = 2;
    p.x_extents = {1, 4, 5};
    p.y_extents = {1, 2, 3};
    p.line = inlay::detail::channel_line::of(2);
    p.line.scale = {1, 10};
    return p;
}

/// 0, 1, 2, ...
[[nodiscard]] inline std::vector<float> counted() {
    std::vector<float> numbers;
    for (int i = 0; i < 12; ++i) numbers.push_back(static_cast<float>(i));
    return numbers;
}

}  // namespace inlay_test

#endif
