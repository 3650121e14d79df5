// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/conv_weights.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "../grouped_convolution.hpp"

using namespace inlay;
using namespace inlay::detail;
using inlay_test::counted;
using inlay_test::grouped;
using list = std::vector<std::int64_t>;

TEST_CASE("weights have an axis for groups, and inputs before outputs where the convolution is transposed") {
    const tensor straight = tensor::of({2, 2, 3}, counted()), turned = tensor::of({4, 1, 3}, counted());
    CHECK(onednn_weight_extents(grouped(straight, false)) == list{2, 1, 2, 3});
    CHECK(onednn_weight_extents(grouped(turned, true)) == list{2, 1, 2, 3});
    const dnnl::memory::desc expected(list{2, 1, 2, 3}, dnnl::memory::data_type::f32, list{6, 3, 3, 1});
    CHECK((onednn_weight_order(grouped(turned, true)) == expected));
    anchored_convolution one = grouped(straight, false);
    one.groups = 1;
    one.x_extents[1] = 2;
    CHECK(onednn_weight_extents(one) == list{2, 2, 3});
}
