// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_depthwise.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("weights stand place by place in whole vectors of channels, in 16 bits") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::uint8, {1, 3, 4, 4})), none = t.constant(tensor::scalar(std::uint8_t{0}));
    tensor w(element_type::int8, {3, 1, 2, 2});
    w.as<std::int8_t>()[2 * 4 + 3] = -5;
    const inlay_test::whole_region region(t.finish(
        t.call("onnx.QLinearConv",
               {x, t.scalar(1), none, t.constant(w), t.scalar(0.5f), t.constant(tensor::scalar(std::int8_t{0})), t.scalar(1), none},
               {{"group", std::int64_t{3}}})));
    const auto read = detail::quantized_layer::read(region.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    const auto k = simd::byte_depthwise::of(*cpu_simd().table(), *read);
    CHECK(k.stored % static_cast<std::ptrdiff_t>(k.table->lanes) == 0);
    CHECK(k.weights.size() == static_cast<std::size_t>(4 * k.stored));
    CHECK(k.weights[static_cast<std::size_t>(3 * k.stored + 2)] == 0xFFFB);
    CHECK(k.scales[2] == 0.5f);
}
