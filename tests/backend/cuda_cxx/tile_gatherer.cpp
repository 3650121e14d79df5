// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/tile_gatherer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/backend/cuda_cxx/spread_rounds.hpp>
#include <inlay/backend/cuda_cxx/tiled_sums.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "../../loops/half_on_host.hpp"
#include "../../loops/played_device.hpp"
#include "../../loops/played_mma.hpp"
#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

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
    CHECK(gathered > 5);
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
    const loop_nest before = lowered({{1, 30, 12, 15}, {24, 30, 2, 2}, {24}}, [](ir_builder& b, const auto& x) {
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
