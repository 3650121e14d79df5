// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/wgmma.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/run/run_phases.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "../half_on_host.hpp"
#include "../nests.hpp"
#include "../played_device.hpp"

using namespace inlay;

namespace {

/// Two warpgroups, each with 64 of the columns, and two calls one behind the other.
std::string two_warpgroups() {
    const std::string mma = to_text(wgmma_float16());
    return R"(nest two_warpgroups {
        input a: float32[64, 64]
        input b: float32[64, 128]
        output c: float32[64, 128]
        intrinsic)" +
           mma.substr(mma.find(' ')) + R"(
        shared z: float32[64, 128] {
            for s < 128 thread_x { for t < 2 thread_y { for i < 32 { z[32*t + i, s] = 0.5 } } }
            for k < 2 {
                shared x: float16[4, 64, 8] { shared y: float16[4, 128, 8] {
                    for u < 64 thread_x { for i_1 < 4 { for l < 8 { x[i_1, u, l] = float16(a[u, 32*k + 8*i_1 + l]) } } }
                    for v < 128 thread_x { for i_2 < 4 { for m < 8 { y[i_2, v, m] = float16(b[32*k + 8*i_2 + m, v]) } } }
                    for group < 2 thread_y { call wgmma_m64n64(x[0, 0, 0], y[0, 64*group, 0], z[0, 64*group]) }
                } }
            }
            for w < 128 thread_x { for i_3 < 64 { c[i_3, w] = z[i_3, w] } }
        }
    })";
}

}  // namespace

TEST_CASE("a call of a warpgroup is instructions on shared memory behind a fence, and its meaning elsewhere [loops.wgmma.text]") {
    CHECK(check_nest(wgmma_float16(16)).has_value());
    const auto calls = tensor_core_calls();
    const auto made = to_cuda(nests::parsed(two_warpgroups()), calls);
    REQUIRE(made);
    CHECK(made->text.find("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16") != std::string::npos);
    const std::string call = "inlay_warpgroup_mma_m64n64(&x[0], 512, 4, &y[512 * group], 1024, &z[64 * group], 128, 1);";
    const std::size_t at = made->alone.find(call), fence = made->alone.find("inlay_wgmma_behind_writes();\n        __syncthreads();");
    REQUIRE(at != std::string::npos);
    CHECK(fence < at);
    CHECK(made->kernels.front().block == std::array<std::int64_t, 3>{128, 2, 1});
    // The same of bfloat16, beside it.
    std::string text = two_warpgroups(), mma = to_text(wgmma_bfloat16());
    for (std::size_t i = 0; (i = text.find("float16", i)) != std::string::npos; i += 8) text.replace(i, 7, "bfloat16");
    text.replace(text.find("call wgmma_m64n64("), 17, "call wgmma_m64n64_bf16");
    const std::size_t declared = text.find("intrinsic wgmma_m64n64");
    text.replace(declared, 22, "intrinsic wgmma_m64n64_bf16");
    CHECK(text.find(mma.substr(mma.find('{'), 60)) != std::string::npos);
    const auto other_half = to_cuda(nests::parsed(text), calls);
    REQUIRE(other_half);
    CHECK(other_half->text.find("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16") != std::string::npos);
    CHECK(other_half->alone.find("inlay_bf16_warpgroup_mma_m64n64(&x[0], 512, 4, &y[512 * group], 1024, &z[64 * group], 128, 1);") !=
          std::string::npos);
    CHECK(other_half->alone.find("inlay_bf16_wgmma_behind_writes();\n        __syncthreads();") != std::string::npos);
    // Rows that do not stand behind each other, or do not begin at 16 bytes, are no core matrices.
    for (const auto& [from, to] :
         {std::pair{"y: float16[4, 128, 8]", "y: float16[4, 128, 16]"}, {"shared x: float16[4, 64, 8]", "shared x: float16[4, 64, 9]"}}) {
        std::string other = two_warpgroups();
        other.replace(other.find(from), std::string(from).size(), to);
        const auto alone = to_cuda(nests::parsed(other), calls);
        REQUIRE(alone);
        CHECK(alone->text.find("inlay_warpgroup_mma_m64n64") == std::string::npos);
    }
}

TEST_CASE("what a warpgroup reads by descriptors and stores is the product [loops.wgmma.lanes]") {
    const loop_nest n = nests::parsed(two_warpgroups());
    const auto calls = tensor_core_calls();
    auto made = to_cuda(n, calls);
    REQUIRE(made);
    // In the instruction's place: where PTX says that operands stand by a descriptor, and which sums a thread has. An address in shared
    // memory is that of the process behind an array of its own, less what may stand before that.
    nests::play(*made, detail::wgmma_instruction, R"(
#include <assert.h>
alignas(16) static char inlay_first[16];
static unsigned long long __cvta_generic_to_shared(const void* p) { return (unsigned long long)((const char*)p - inlay_first) + 0x20000; }
static float inlay_at(unsigned long long of, int row, int depth) {
    const unsigned long long start = (of & 0x3fff) << 4, leading = (of >> 16 & 0x3fff) << 4, stride = (of >> 32 & 0x3fff) << 4;
    assert(of >> 46 == 0);
    const unsigned long long at = start + row / 8 * stride + row % 8 * 16 + depth / 8 * leading + depth % 8 * 2;
    return __half2float(*(const __half*)(inlay_first + at - 0x20000));
}
static void inlay_wgmma_behind_writes() {}
static void inlay_wgmma_begin(float*) {}
static void inlay_wgmma_m64n64k16(float* z, unsigned long long x, unsigned long long y) {
    const unsigned warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned row = 16 * warp + lane / 4 + ((i & 2) != 0 ? 8 : 0), column = i / 4 * 8 + lane % 4 * 2 + (i & 1);
        for (int k = 0; k < 16; ++k) z[i] += inlay_at(x, row, k) * inlay_at(y, column, k);
    }
}
static void inlay_wgmma_end(float*) {}
)");
    nests::play(*made, "#include <cuda_fp16.h>", nests::half_on_host);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs), by_phases = run_phases(n, inputs);
    REQUIRE(meant);
    REQUIRE(by_phases);
    const std::vector<tensor> got = nests::by_played_device(n, *made, inputs);
    REQUIRE(got.size() == 1);
    for (std::size_t i = 0; i < 64 * 128; ++i) {
        CHECK(got[0].as<float>()[i] == (*meant)[0].as<float>()[i]);
        CHECK((*by_phases)[0].as<float>()[i] == (*meant)[0].as<float>()[i]);
    }
}
