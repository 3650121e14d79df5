// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/tiled_sums.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/backend/cuda_cxx/spread_rounds.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

namespace {

/// Holds the tiled nest to the lowered one; whether it was tiled.
bool holds_tiled(const loop_nest& n) {
    const loop_nest made = detail::with_tiled_sums(n);
    const std::string differs = difference(n, made);
    if (!differs.empty()) RC_FAIL(differs);
    return made != n;
}

}  // namespace

TEST_CASE("matrix products in tiles compute what they are lowered to, whatever their extents") {
    std::size_t tiled = 0;
    CHECK(rc::check([&] {
        const auto extent = [] { return *rc::gen::inRange<std::int64_t>(1, 45); };
        const std::int64_t m = extent(), k = extent(), n = extent(), batch = *rc::gen::inRange<std::int64_t>(1, 4);
        const bool turned = *rc::gen::arbitrary<bool>(), is_batched = *rc::gen::arbitrary<bool>();
        const loop_nest nest = is_batched
                                   ? lowered({{batch, m, k}, {batch, k, n}},
                                             [](ir_builder& b, const auto& x) {
                                                 return b.call("onnx.Relu", {b.call("onnx.MatMul", {x[0], x[1]})});
                                             })
                                   : lowered({{m, k}, turned ? std::vector<std::int64_t>{n, k} : std::vector<std::int64_t>{k, n}, {n}},
                                             [&](ir_builder& b, const auto& x) {
                                                 return b.call("onnx.Gemm", {x[0], x[1], x[2]}, {{"transB", std::int64_t{turned}}});
                                             });
        tiled += holds_tiled(nest) ? 1 : 0;
    }));
    CHECK(tiled > 50);
}

TEST_CASE("convolutions in tiles compute what they are lowered to, whatever their extents") {
    std::size_t tiled = 0;
    CHECK(rc::check([&] {
        const std::int64_t groups = *rc::gen::element<std::int64_t>(1, 1, 1, 2), channels = groups * *rc::gen::inRange<std::int64_t>(1, 6),
                           filters = groups * *rc::gen::inRange<std::int64_t>(1, 20), kernel = *rc::gen::element<std::int64_t>(1, 3),
                           height = *rc::gen::inRange<std::int64_t>(3, 12), width = *rc::gen::inRange<std::int64_t>(3, 24),
                           pad = *rc::gen::inRange<std::int64_t>(0, 2), stride = *rc::gen::inRange<std::int64_t>(1, 3),
                           batch = *rc::gen::inRange<std::int64_t>(1, 3);
        const loop_nest nest = lowered(
            {{batch, channels, height, width}, {filters, channels / groups, kernel, kernel}, {filters}}, [&](ir_builder& b, const auto& x) {
                const std::vector<std::int64_t> pads{pad, pad, pad, pad}, strides{stride, stride};
                return b.call("onnx.Relu",
                              {b.call("onnx.Conv", {x[0], x[1], x[2]}, {{"pads", pads}, {"strides", strides}, {"group", groups}})});
            });
        tiled += holds_tiled(nest) ? 1 : 0;
    }));
    CHECK(tiled > 30);
}

TEST_CASE("a large product has sums in registers, operands in shared memory and enough blocks") {
    const loop_nest made = detail::with_tiled_sums(lowered({{1000, 64}, {64, 500}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.MatMul", {x[0], x[1]});
    }));
    const std::string text = to_text(made);
    CHECK(text.find("stack r: float32[64, 64]") != std::string::npos);
    CHECK(text.find("shared x_tile: float32[64, 16]") != std::string::npos);
    CHECK(text.find("shared x_1_tile: float32[16, 64]") != std::string::npos);
    const auto launches = launches_of(made);
    REQUIRE(launches);
    REQUIRE(launches->size() == 1);
    CHECK((*launches)[0].grid[0] == 16 * 8);
    CHECK((*launches)[0].block[0] * (*launches)[0].block[1] == 256);
}

TEST_CASE("what is no sum of products of two operands, or is read elsewhere, stays") {
    for (const loop_nest& n : {lowered({{40, 30}}, [](ir_builder&b, const auto&x) { return b.call("onnx.Softmax", {x[0]}); }),
                               lowered({{1, 30}, {30, 1}},
                                       [](ir_builder&b, const auto&x) {
                                           return b.call("onnx.MatMul", {x[0], x[1]});
                                       }),
                               lowered({{1, 8, 9, 9}}, [](ir_builder&b, const auto&x) {
                                   return b.call("onnx.MaxPool", {x[0]}, {{"kernel_shape", std::vector<std::int64_t>{3, 3}}});
                               })})
        CHECK(detail::with_tiled_sums(n) == n);
}

TEST_CASE("where it is asked for, products of whole tiles go to tensor cores, in float16 or tf32") {
    const auto product = [](std::int64_t m, std::int64_t k, std::int64_t n) {
        return lowered({{m, k}, {k, n}}, [](ir_builder& b, const auto& x) {
            return b.call("onnx.Relu", {b.call("onnx.MatMul", {x[0], x[1]})});
        });
    };
    for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{64, 32, 64}, {128, 64, 64}}) {
        for (const product_precision rounded : {product_precision::float16, product_precision::tf32}) {
            const bool is_half = rounded == product_precision::float16;
            const loop_nest before = product(m, k, n), made = detail::with_tiled_sums(before, rounded);
            CHECK(to_text(made).find(is_half ? "call mma_m16n8k16(" : "call mma_m16n8k8(") != std::string::npos);
            // The inputs are numbers that float16 holds.
            CHECK(difference(before, detail::with_spread_rounds(made)) == "");
            const auto launches = launches_of(detail::with_spread_rounds(made));
            REQUIRE(launches);
            // Two that halve the operands come first.
            CHECK(launches->size() == (is_half ? 3 : 1));
            CHECK(launches->back().block == std::array<std::int64_t, 3>{32, 8, 1});
        }
    }
}

TEST_CASE("where the device has warpgroups, products of whole tiles are theirs in float16") {
    const auto product = [](std::int64_t m, std::int64_t k, std::int64_t n, bool turned) {
        return lowered({{m, k}, turned ? std::vector<std::int64_t>{n, k} : std::vector<std::int64_t>{k, n}, {n}},
                       [&](ir_builder& b, const auto& x) {
                           return b.call("onnx.Relu", {b.call("onnx.Gemm", {x[0], x[1], x[2]}, {{"transB", std::int64_t{turned}}})});
                       });
    };
    for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{64, 32, 128}, {128, 64, 128}, {64, 96, 256}})
        for (const bool turned : {false, true}) {
            const loop_nest before = product(m, k, n, turned);
            const loop_nest made =
                detail::with_spread_rounds(detail::with_tiled_sums(before, product_precision::float16, tensor_cores::of_warpgroups));
            CHECK(difference(before, made) == "");
            const auto text = to_cuda(made, tensor_core_calls());
            REQUIRE(text);
            CHECK(text->alone.find("inlay_warpgroup_mma_m64n64(") != std::string::npos);
            CHECK(text->kernels.back().block == std::array<std::int64_t, 3>{128, 2, 1});
        }
    // Others are as without.
    for (const loop_nest& n : {product(64, 32, 64, false), product(96, 32, 128, false), product(64, 48, 128, true)})
        CHECK(detail::with_tiled_sums(n, product_precision::float16, tensor_cores::of_warpgroups) ==
              detail::with_tiled_sums(n, product_precision::float16));
    const loop_nest whole = product(64, 32, 128, false);
    CHECK(detail::with_tiled_sums(whole, product_precision::tf32, tensor_cores::of_warpgroups) ==
          detail::with_tiled_sums(whole, product_precision::tf32));
}
