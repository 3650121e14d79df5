// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/conv_weights.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using list = std::vector<std::int64_t>;

namespace {

/// Two groups of 2 inputs and 1 output, a window of 3: weights 0, 1, 2, ...
anchored_convolution grouped(const tensor& weights, bool transposed) {
    anchored_convolution p;
    p.transposed = transposed;
    p.weights = &weights;
    p.groups = 2;
    p.x_extents = {1, 4, 5};
    p.y_extents = {1, 2, 3};
    p.line = channel_line::of(2);
    p.line.scale = {1, 10};
    return p;
}

std::vector<float> counted() {
    std::vector<float> numbers;
    for (int i = 0; i < 12; ++i) numbers.push_back(static_cast<float>(i));
    return numbers;
}

}  // namespace

TEST_CASE("weights have an axis for groups, and inputs before outputs where the convolution is transposed") {
    const tensor straight = tensor::of({2, 2, 3}, counted()), turned = tensor::of({4, 1, 3}, counted());
    CHECK(onednn_weight_extents(grouped(straight, false)) == list{2, 1, 2, 3});
    CHECK(onednn_weight_extents(grouped(turned, true)) == list{2, 1, 2, 3});
    const dnnl::memory::desc order = onednn_weight_order(grouped(turned, true));
    const auto& strides = order.data.format_desc.blocking.strides;
    CHECK(list(strides, strides + 4) == list{6, 3, 3, 1});
    anchored_convolution one = grouped(straight, false);
    one.groups = 1;
    one.x_extents[1] = 2;
    CHECK(onednn_weight_extents(one) == list{2, 2, 3});
}

TEST_CASE("weights are scaled by the factor of their output channel") {
    for (const bool transposed : {false, true}) {
        const tensor weights = tensor::of(transposed ? list{4, 1, 3} : list{2, 2, 3}, counted());
        std::vector<float> wanted = counted();
        for (std::size_t i = 6; i < 12; ++i) wanted[i] *= 10;
        CHECK(onednn_scaled_weights(grouped(weights, transposed)) == wanted);
    }
    // One group, transposed: outputs are the second axis.
    const tensor weights = tensor::of({3, 2, 2}, counted());
    anchored_convolution p = grouped(weights, true);
    p.groups = 1;
    p.x_extents[1] = 3;
    const std::vector<float> scaled = onednn_scaled_weights(p);
    for (std::size_t i = 0; i < 12; ++i) CHECK(scaled[i] == (i / 2 % 2 == 1 ? 10 : 1) * static_cast<float>(i));
}
