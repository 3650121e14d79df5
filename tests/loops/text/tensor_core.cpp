// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/tensor_core.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/text/cuda_text.hpp>

#include "../half_on_host.hpp"
#include "../nests.hpp"
#include "../played_device.hpp"
#include "../played_mma.hpp"

using namespace inlay;

namespace {

/// Two warps, each with two instructions one behind the other, on a matrix that is turned and one that is not.
loop_nest two_warps(product_precision of = product_precision::float16) {
    const std::string mma = to_text(mma_of(of)), half(name_of(operand_element(of)));
    const std::string declared = "intrinsic" + mma.substr(mma.find(' ')), called = mma.substr(5, mma.find(' ', 5) - 5);
    return nests::parsed(R"(nest two_warps {
        input a: float32[16, 32]
        input b: float32[32, 16]
        output y: float32[16, 16]
        )" + declared + R"(
        shared x: )" + half +
                         R"([16, 32] { shared w: )" + half + R"([32, 16] { shared z: float32[16, 16] {
            for u < 32 thread_x { for i < 16 { x[i, u] = )" +
                         half + R"((a[i, u]) } }
            for v < 16 thread_x { for i_1 < 32 { w[i_1, v] = )" +
                         half + R"((b[i_1, v]) } for i_2 < 16 { z[i_2, v] = 0.5 } }
            for warp < 2 thread_y { for k < 2 { call )" +
                         called + R"((x[0, 16*k], w[16*k, 8*warp], z[0, 8*warp]) } }
            for s < 16 thread_x { for i_3 < 16 { y[i_3, s] = z[i_3, s] } }
        } } }
    })");
}

/// The same with operands of float32, and four instructions.
loop_nest two_warps_of_tf32() {
    const std::string mma = to_text(mma_tf32());
    const std::string declared = "intrinsic" + mma.substr(mma.find(' '));
    return nests::parsed(R"(nest two_warps {
        input a: float32[16, 32]
        input b: float32[32, 16]
        output y: float32[16, 16]
        )" + declared + R"(
        shared x: float32[16, 32] { shared w: float32[32, 16] { shared z: float32[16, 16] {
            for u < 32 thread_x { for i < 16 { x[i, u] = a[i, u] } }
            for v < 16 thread_x { for i_1 < 32 { w[i_1, v] = b[i_1, v] } for i_2 < 16 { z[i_2, v] = 0.5 } }
            for warp < 2 thread_y { for k < 4 { call mma_m16n8k8(x[0, 8*k], w[8*k, 8*warp], z[0, 8*warp]) } }
            for s < 16 thread_x { for i_3 < 16 { y[i_3, s] = z[i_3, s] } }
        } } }
    })");
}

/// Holds what a nest's played text computes to the nest.
void check_lanes(const loop_nest& n, const cuda_text& played) {
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs);
    REQUIRE(meant);
    const std::vector<tensor> got = nests::by_played_device(n, played, inputs);
    REQUIRE(got.size() == 1);
    for (std::size_t i = 0; i < 256; ++i) CHECK(got[0].as<float>()[i] == (*meant)[0].as<float>()[i]);
}

}  // namespace

TEST_CASE("a call on a tensor core is one instruction of a warp, and its meaning elsewhere [loops.tensor_core.text]") {
    CHECK(check_nest(mma_float16()).has_value());
    const loop_nest n = two_warps();
    const auto calls = tensor_core_calls();
    const auto made = to_cuda(n, calls);
    REQUIRE(made);
    CHECK(made->text.find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") != std::string::npos);
    CHECK(made->text.find("inlay_warp_mma_m16n8k16(&x[16 * k], 32, 1, &w[8 * warp + 256 * k], 16, 1, &z[8 * warp], 16, 1);") !=
          std::string::npos);
    // Beside something else one thread would be alone with it.
    const std::string text = to_text(n), call = "call mma_m16n8k16(";
    std::string mixed = text;
    mixed.insert(mixed.find(call), "z[0, 8*warp] += 1.0 ");
    const auto alone = to_cuda(nests::parsed(mixed), calls);
    REQUIRE(alone);
    CHECK(alone->text.find("inlay_warp_mma_m16n8k16") == std::string::npos);
}

TEST_CASE("what the lanes of a warp load and store is the product [loops.tensor_core.lanes]") {
    const loop_nest n = two_warps();
    const auto calls = tensor_core_calls();
    auto made = to_cuda(n, calls);
    REQUIRE(made);
    nests::play(*made, detail::mma_float16_instruction, nests::played_mma_float16);
    nests::play(*made, "#include <cuda_fp16.h>", nests::half_on_host);
    check_lanes(n, *made);
}

TEST_CASE("what the lanes of a warp load and store for operands of bfloat16 is the product [loops.tensor_core.lanes]") {
    const loop_nest n = two_warps(product_precision::bfloat16);
    const auto calls = tensor_core_calls();
    auto made = to_cuda(n, calls);
    REQUIRE(made);
    CHECK(made->text.find("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") != std::string::npos);
    nests::play(*made, detail::for_bfloat16(detail::mma_float16_instruction), nests::played_mma_bfloat16());
    nests::play(*made, "#include <cuda_bf16.h>", nests::bfloat16_on_host);
    check_lanes(n, *made);
}

TEST_CASE("what the lanes of a warp load and store for operands of tf32 is the product [loops.tensor_core.lanes]") {
    const loop_nest n = two_warps_of_tf32();
    const auto calls = tensor_core_calls();
    auto made = to_cuda(n, calls);
    REQUIRE(made);
    nests::play(*made, detail::mma_tf32_instruction, nests::played_mma_tf32);
    check_lanes(n, *made);
}
