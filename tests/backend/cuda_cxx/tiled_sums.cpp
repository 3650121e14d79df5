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
#include <inlay/loops/tensor_core.hpp>

#include "../../loops/half_on_host.hpp"
#include "../../loops/played_device.hpp"
#include "../../loops/played_mma.hpp"
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

TEST_CASE("where it is asked for, convolutions and ragged products go to tensor cores in tiles that are gathered") {
    std::size_t gathered = 0;
    CHECK(rc::check([&] {
        const auto rounded = *rc::gen::element(product_precision::float16, product_precision::tf32);
        const std::int64_t rank = *rc::gen::inRange(0, 3), batch = *rc::gen::inRange<std::int64_t>(1, 3);
        const auto extent = [](std::int64_t from, std::int64_t to) { return *rc::gen::inRange<std::int64_t>(from, to); };
        loop_nest before;
        if (rank == 0) {
            const std::int64_t m = extent(10, 70), k = extent(5, 50), n = extent(5, 70);
            before = lowered({{batch, m, k}, {batch, k, n}}, [](ir_builder& b, const auto& x) {
                return b.call("onnx.Relu", {b.call("onnx.MatMul", {x[0], x[1]})});
            });
        } else {
            const std::int64_t groups = *rc::gen::element<std::int64_t>(1, 1, 1, 2), channels = groups * extent(4, 40),
                               filters = groups * extent(8, 70), kernel = *rc::gen::element<std::int64_t>(1, 2, 3), pad = extent(0, 2),
                               stride = extent(1, 3);
            std::vector<std::int64_t> x{batch, channels}, w{filters, channels / groups}, pads, strides;
            for (std::int64_t d = 0; d < rank; ++d) {
                x.push_back(extent(5, rank == 1 ? 40 : 13));
                w.push_back(kernel);
                pads.insert(pads.end(), {pad, pad});
                strides.push_back(stride);
            }
            before = lowered({x, w, {filters}}, [&](ir_builder& b, const auto& v) {
                return b.call("onnx.Relu",
                              {b.call("onnx.Conv", {v[0], v[1], v[2]}, {{"pads", pads}, {"strides", strides}, {"group", groups}})});
            });
        }
        const loop_nest made = detail::with_tiled_sums(before, rounded);
        const auto text = to_cuda(made, tensor_core_calls());
        RC_ASSERT(text.has_value());
        const bool is_called = text->text.find(rounded == product_precision::float16 ? "inlay_warp_mma_m16n8k16(&"
                                                                                     : "inlay_warp_mma_m16n8k8(&") != std::string::npos;
        gathered += is_called ? 1 : 0;
        // Whatever is called is called by warps.
        RC_ASSERT(is_called == (to_text(made).find("call mma_") != std::string::npos));
        // The inputs are numbers that float16 holds.
        const std::string differs = difference(before, detail::with_spread_rounds(made));
        if (!differs.empty()) RC_FAIL(differs);
    }));
    CHECK(gathered > 20);
}

TEST_CASE("a convolution on tensor cores has tiles of two axes, and gathers what its window reaches") {
    const auto convolution = [](std::int64_t filters, std::int64_t channels, std::int64_t side) {
        return lowered({{1, channels, side, side}, {filters, channels, 3, 3}}, [](ir_builder& b, const auto& x) {
            return b.call("onnx.Conv", {x[0], x[1]}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        });
    };
    const std::string text = to_text(detail::with_tiled_sums(convolution(128, 64, 14), product_precision::float16));
    CHECK(text.find("shared r_tile: float32[64, 4, 16]") != std::string::npos);
    CHECK(text.find("shared x_tile: float16[32, 4, 16]") != std::string::npos);
    CHECK(text.find("shared x_1_tile: float16[64, 32]") != std::string::npos);
    CHECK(text.find("call mma_m16n8k16(") != std::string::npos);
    // Three channels would be mostly zeros.
    const loop_nest few = convolution(64, 3, 14);
    CHECK(detail::with_tiled_sums(few, product_precision::float16) == detail::with_tiled_sums(few));
}

TEST_CASE("printed kernels of gathered tiles compute what they are lowered to, warp by warp") {
    const loop_nest before = lowered({{1, 20, 9, 10}, {24, 20, 2, 2}, {24}}, [](ir_builder& b, const auto& x) {
        const std::vector<std::int64_t> pads{1, 0, 0, 1};
        return b.call("onnx.Relu", {b.call("onnx.Conv", {x[0], x[1], x[2]}, {{"pads", pads}})});
    });
    for (const product_precision rounded : {product_precision::float16, product_precision::tf32}) {
        const bool is_half = rounded == product_precision::float16;
        const loop_nest made = detail::with_spread_rounds(detail::with_tiled_sums(before, rounded));
        auto text = to_cuda(made, tensor_core_calls());
        REQUIRE(text);
        nests::play(*text, is_half ? detail::mma_float16_instruction : detail::mma_tf32_instruction,
                    is_half ? nests::played_mma_float16 : nests::played_mma_tf32);
        if (is_half) nests::play(*text, "#include <cuda_fp16.h>", nests::half_on_host);
        const std::vector<tensor> inputs = small_inputs(before), got = nests::by_played_device(made, *text, inputs);
        const auto meant = run_nest(before, inputs);
        REQUIRE(meant);
        REQUIRE(got.size() == 1);
        CHECK(compare(got[0], meant->front(), 0, 0).agrees);
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
            const loop_nest made = detail::with_spread_rounds(detail::with_tiled_sums(before, product_precision::float16, true));
            CHECK(difference(before, made) == "");
            const auto text = to_cuda(made, tensor_core_calls());
            REQUIRE(text);
            CHECK(text->alone.find("inlay_warpgroup_mma_m64n64(") != std::string::npos);
            CHECK(text->kernels.back().block == std::array<std::int64_t, 3>{128, 2, 1});
        }
    // Others are as without.
    for (const loop_nest& n : {product(64, 32, 64, false), product(96, 32, 128, false), product(64, 48, 128, true)})
        CHECK(detail::with_tiled_sums(n, product_precision::float16, true) == detail::with_tiled_sums(n, product_precision::float16));
    const loop_nest whole = product(64, 32, 128, false);
    CHECK(detail::with_tiled_sums(whole, product_precision::tf32, true) == detail::with_tiled_sums(whole, product_precision::tf32));
}
