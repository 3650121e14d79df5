// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/stored_operands.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/backend/cuda_cxx/spread_rounds.hpp>
#include <inlay/backend/cuda_cxx/tiled_sums.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "../../loops/half_on_host.hpp"
#include "../../loops/played_device.hpp"
#include "../../loops/played_mma.hpp"
#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

namespace {

constexpr std::array halves{element_type::float16, element_type::bfloat16};

loop_nest product(std::int64_t m, std::int64_t k, std::int64_t n, element_type e) {
    return lowered(
        {{m, k}, {k, n}},
        [](ir_builder& b, const auto& x) {
            return b.call("onnx.MatMul", {x[0], x[1]});
        },
        e);
}

loop_nest convolution(std::int64_t channels, std::int64_t filters, std::int64_t side, element_type e) {
    return lowered(
        {{1, channels, side, side}, {filters, channels, 3, 3}, {filters}},
        [](ir_builder& b, const auto& x) {
            const std::vector<std::int64_t> pads{1, 1, 1, 1};
            return b.call("onnx.Relu", {b.call("onnx.Conv", {x[0], x[1], x[2]}, {{"pads", pads}})});
        },
        e);
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
}

}  // namespace

TEST_CASE("inputs of half precision are read as they are stored, each element cast where it is read") {
    for (const element_type e : halves) {
        const loop_nest before = product(9, 20, 7, e), made = detail::with_stored_operands(before);
        CHECK(count(to_text(before), "scratch") == 3);
        // The sums alone are left.
        CHECK(count(to_text(made), "scratch") == 1);
        CHECK(to_text(made).find("float32(x[") != std::string::npos);
        CHECK(difference(before, made) == "");
        // What another operator reads too, and what it reads elsewhere.
        const loop_nest both = lowered(
            {{6, 6}},
            [](ir_builder& b, const auto& x) {
                return b.call("onnx.MatMul", {x[0], b.call("onnx.Softmax", {x[0]})});
            },
            e);
        CHECK(difference(both, detail::with_stored_operands(both)) == "");
        CHECK(count(to_text(detail::with_stored_operands(both)), "scratch") < count(to_text(both), "scratch"));
    }
}

TEST_CASE("what is float32, is computed, or is a result, is stored as before") {
    const loop_nest wide = product(9, 20, 7, element_type::float32);
    CHECK(detail::with_stored_operands(wide) == wide);
    const loop_nest cast = lowered(
        {{4, 5}},
        [](ir_builder& b, const auto& x) {
            return b.call("onnx.Cast", {x[0]}, {{"to", std::int64_t{1}}});
        },
        element_type::float16);
    CHECK(detail::with_stored_operands(cast) == cast);
    // The second product's operand is the first one's result.
    const loop_nest two = lowered(
        {{6, 6}, {6, 6}},
        [](ir_builder& b, const auto& x) {
            return b.call("onnx.MatMul", {b.call("onnx.MatMul", {x[0], x[1]}), x[1]});
        },
        element_type::float16);
    const loop_nest made = detail::with_stored_operands(two);
    CHECK(difference(two, made) == "");
    std::size_t exact = 0, sums = 0;
    for (const nest_buffer& b : made.buffers) {
        if (b.scope != buffer_scope::scratch || !detail::product_sums_of(made, b.name)) continue;
        ++sums;
        exact += detail::stored_precision(made, b.name) == product_precision::float16 ? 1 : 0;
    }
    CHECK(sums == 2);
    CHECK(exact == 1);
}

TEST_CASE("the precision of products is known where both operands are stored alike") {
    CHECK(detail::stored_precision(detail::with_stored_operands(product(9, 20, 7, element_type::float16)), "r") ==
          product_precision::float16);
    CHECK(detail::stored_precision(detail::with_stored_operands(product(9, 20, 7, element_type::bfloat16)), "r") ==
          product_precision::bfloat16);
    CHECK(detail::stored_precision(detail::with_stored_operands(convolution(4, 5, 6, element_type::float16)), "r") ==
          product_precision::float16);
    CHECK(detail::stored_precision(product(9, 20, 7, element_type::float32), "r") == product_precision::float32);
    CHECK(detail::stored_precision(product(9, 20, 7, element_type::float16), "r") == product_precision::float32);
    CHECK(detail::stored_precision(product(9, 20, 7, element_type::float32), "nobody") == product_precision::float32);
    const loop_nest mixed = detail::with_stored_operands(lowered(
        {{9, 20}, {20, 7}},
        [](ir_builder& b, const auto& x) {
            return b.call("onnx.MatMul", {b.call("onnx.Cast", {x[0]}, {{"to", std::int64_t{1}}}),
                                          b.call("onnx.Exp", {b.call("onnx.Cast", {x[1]}, {{"to", std::int64_t{1}}})})});
        },
        element_type::float16));
    for (const nest_buffer& b : mixed.buffers) CHECK(detail::stored_precision(mixed, b.name) == product_precision::float32);
}

TEST_CASE("products and convolutions of half precision go to tensor cores as they are, whatever their extents") {
    std::size_t called = 0;
    CHECK(rc::check([&] {
        const auto e = *rc::gen::elementOf(halves);
        // Small ones, which come first otherwise, are mostly zeros in a tile.
        const auto extent = [](std::int64_t from, std::int64_t to) {
            return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(from, to));
        };
        const loop_nest before = *rc::gen::arbitrary<bool>() ? product(extent(9, 50), extent(9, 40), extent(9, 50), e)
                                                             : convolution(extent(9, 24), extent(9, 34), extent(5, 9), e);
        const auto cores = *rc::gen::element(tensor_cores::of_warps, tensor_cores::of_warpgroups);
        const loop_nest made =
            detail::with_spread_rounds(detail::with_tiled_sums(detail::with_stored_operands(before), product_precision::float32, cores));
        const std::string differs = difference(before, made);
        if (!differs.empty()) RC_FAIL(differs);
        const bool is_called =
            to_text(made).find(e == element_type::float16 ? "call mma_m16n8k16(" : "call mma_m16n8k16_bf16(") != std::string::npos;
        called += is_called ? 1 : 0;
    }));
    CHECK(called > 15);
    const loop_nest whole = detail::with_stored_operands(product(64, 32, 128, element_type::float16));
    const loop_nest by_loops = detail::with_tiled_sums(whole, product_precision::float16, tensor_cores::none);
    CHECK(by_loops == detail::with_tiled_sums(whole, product_precision::float32, tensor_cores::none));
    CHECK(to_text(by_loops).find("call ") == std::string::npos);
}

TEST_CASE("whole tiles of half precision need no stage before them, but for a warpgroup's order") {
    for (const element_type e : halves) {
        const loop_nest before = product(64, 32, 128, e), stored = detail::with_stored_operands(before);
        const auto arranged = [&](tensor_cores cores) {
            return detail::with_spread_rounds(detail::with_tiled_sums(stored, product_precision::float32, cores));
        };
        const loop_nest by_warps = arranged(tensor_cores::of_warps), by_warpgroups = arranged(tensor_cores::of_warpgroups);
        CHECK(difference(before, by_warps) == "");
        CHECK(difference(before, by_warpgroups) == "");
        const auto one = launches_of(by_warps), more = launches_of(by_warpgroups);
        REQUIRE((one && more));
        CHECK(one->size() == 1);
        CHECK(more->size() == 3);
        const std::string suffix = e == element_type::bfloat16 ? "_bf16(" : "(";
        CHECK(to_text(by_warps).find("call mma_m16n8k16" + suffix) != std::string::npos);
        CHECK(to_text(by_warps).find("shared x_tile: " + std::string(name_of(e)) + "[64, 32]") != std::string::npos);
        CHECK(to_text(by_warpgroups).find("call wgmma_m64n64" + suffix) != std::string::npos);
        CHECK(to_text(by_warpgroups).find("scratch x_half: " + std::string(name_of(e)) + "[4, 64, 8]") != std::string::npos);
    }
}

TEST_CASE("printed kernels of stored halves compute what they are lowered to, warp by warp") {
    for (const loop_nest& before : {product(64, 32, 64, element_type::float16), convolution(30, 24, 12, element_type::float16)}) {
        const loop_nest made = detail::with_spread_rounds(detail::with_tiled_sums(detail::with_stored_operands(before)));
        auto text = to_cuda(made, tensor_core_calls());
        REQUIRE(text);
        nests::play(*text, detail::mma_float16_instruction, nests::played_mma_float16);
        nests::play(*text, "#include <cuda_fp16.h>", nests::half_on_host);
        const std::vector<tensor> inputs = small_inputs(before), got = nests::by_played_device(made, *text, inputs);
        const auto meant = run_nest(before, inputs);
        REQUIRE(meant);
        REQUIRE(got.size() == 1);
        CHECK(compare(got[0], meant->front(), 0, 0).agrees);
    }
}
