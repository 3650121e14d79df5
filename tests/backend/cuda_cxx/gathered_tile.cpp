// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/gathered_tile.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/loop_nest.hpp>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

namespace {

loop_nest convolution(std::int64_t channels, std::int64_t filters, std::int64_t side) {
    return lowered({{1, channels, side, side}, {filters, channels, 3, 3}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.Conv", {x[0], x[1]}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    });
}

std::array<std::int64_t, 4> sizes(const detail::gathered_tile& t) { return {t.rows, t.height, t.width, t.depth}; }

}  // namespace

TEST_CASE("tiles of a convolution are as wide as its image lets them, and as deep as its channels") {
    using sides = std::array<std::int64_t, 4>;
    const auto of = [](std::int64_t channels, std::int64_t filters, std::int64_t side, product_precision rounded) {
        return detail::gathered_tile_of(convolution(channels, filters, side), "r", rounded);
    };
    const auto large = of(64, 128, 56, product_precision::float16), middle = of(48, 64, 28, product_precision::float16),
               small = of(64, 100, 14, product_precision::float16), smallest = of(512, 512, 7, product_precision::float16);
    REQUIRE((large && middle && small && smallest));
    CHECK(sizes(*large) == sides{64, 1, 64, 32});
    CHECK(sizes(*middle) == sides{64, 2, 32, 16});
    CHECK(sizes(*small) == sides{64, 4, 16, 32});
    CHECK(sizes(*smallest) == sides{64, 8, 8, 32});
    CHECK(large->right == 0);
    CHECK(large->of.axes[large->row].extent == 128);
    const auto by_eights = of(24, 40, 16, product_precision::tf32);
    REQUIRE(by_eights);
    CHECK(sizes(*by_eights) == sides{48, 4, 16, 8});
    CHECK(by_eights->step() == 8);
}

TEST_CASE("there is no tile of which more than half would be zeros, nor for what is no product") {
    CHECK_FALSE(detail::gathered_tile_of(convolution(3, 64, 56), "r", product_precision::float16));
    CHECK_FALSE(detail::gathered_tile_of(convolution(64, 6, 56), "r", product_precision::float16));
    CHECK_FALSE(detail::gathered_tile_of(convolution(64, 64, 3), "r", product_precision::float16));
    const loop_nest pooled = lowered({{1, 64, 64, 64}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.AveragePool", {x[0]}, {{"kernel_shape", std::vector<std::int64_t>{3, 3}}});
    });
    for (const nest_buffer& b : pooled.buffers) CHECK_FALSE(detail::gathered_tile_of(pooled, b.name, product_precision::tf32));
}
