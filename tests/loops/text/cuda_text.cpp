// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/cuda_text.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/loops/run/run_nest.hpp>

#include "../nests.hpp"
#include "../played_device.hpp"

using namespace inlay;

namespace {

std::string no_cuda(const std::string& text) {
    const auto made = to_cuda(nests::parsed(text));
    return made ? "" : made.failure().message;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a nest in CUDA C++ is what a person would write [loops.cuda.readable]") {
    const auto made = to_cuda(nests::parsed(R"(nest backwards {
        input x: float32[6, 8]
        output y: float32[6, 8]
        for row < 6 block_x {
            shared line: float32[8] {
                stack twice: float32[8] {
                    for t < 4 thread_x { for part < 2 {
                        line[4*part + t] = x[row, 4*part + t]
                        twice[4*part + t] = x[row, 4*part + t] * 2.0
                    } }
                    for u < 4 thread_x { for w < 2 unrolled { y[row, u + 4*w] = line[7 - 4*w - u] + twice[u + 4*w] } }
                    for v < 2 thread_x { y[row, v] = 0.0 }
                }
            }
        }
    })"));
    REQUIRE(made);
    CHECK(made->text == R"(#include <math.h>
#include <stdint.h>


extern "C" __global__ void __launch_bounds__(4) backwards_0(const float* __restrict__ x, float* __restrict__ y) {
    const int row = blockIdx.x;
    (void)row;
    __shared__ __align__(16) float line[8];
    float twice[2];
    {
        const int t = threadIdx.x;
        (void)t;
        for (int part = 0; part < 2; ++part) {
            line[t + 4 * part] = x[8 * row + t + 4 * part];
            twice[part] = (x[8 * row + t + 4 * part] * 0x1p+1f);
        }
    }
    __syncthreads();
    {
        const int u = threadIdx.x;
        (void)u;
#pragma unroll
        for (int w = 0; w < 2; ++w) {
            y[8 * row + u + 4 * w] = (line[(-1) * u + (-4) * w + 7] + twice[w]);
        }
    }
    if (threadIdx.x < 2) {
        const int v = threadIdx.x;
        (void)v;
        y[8 * row + v] = 0x0p+0f;
    }
}
)");
    CHECK(has(made->launcher, R"(extern "C" int backwards(const float* x, float* y, cudaStream_t inlay_stream) {)"));
    CHECK(has(made->launcher, "backwards_0<<<dim3(6, 1, 1), dim3(4, 1, 1), 0, inlay_stream>>>(x, y);"));
    REQUIRE(made->kernels.size() == 1);
    CHECK(made->kernels[0].grid == std::array<std::int64_t, 3>{6, 1, 1});
}

TEST_CASE("launches hand on what stands in scratch memory [loops.cuda.launches]") {
    const auto made = to_cuda(nests::parsed(R"(nest two {
        input x: float32[300]
        output y: float32[300]
        scratch s: float32[300] { scratch t: float32[300] {
            for b < 3 block_x { for u < 100 thread_x { s[100*b + u] = x[100*b + u] } }
            for c < 3 block_x { for v < 100 thread_x { t[100*c + v] = s[299 - 100*c - v] } }
            for d < 3 block_x { for w < 100 thread_x { y[100*d + w] = t[100*d + w] } }
        } }
    })"));
    REQUIRE(made);
    CHECK(made->workspace_bytes == 2560);
    REQUIRE(made->kernels.size() == 3);
    CHECK(made->kernels[1].name == "two_1");
    REQUIRE(made->kernels[1].arguments.size() == 2);
    CHECK(made->kernels[1].arguments[1].workspace == 1280u);
    CHECK(has(made->text, "two_1(const float* __restrict__ s, float* __restrict__ t)"));
    CHECK(has(made->launcher, "(float*)(void*)(inlay_workspace + 1280)"));
}

TEST_CASE("launches larger than a device's are refused, and more shared memory is asked for [loops.cuda.limits]") {
    CHECK(no_cuda("nest n { output y: float32[2048] for t < 2048 thread_x { y[t] = 0.0 } }") ==
          "loop nest 'n': a block has 2048 x 1 x 1 threads where CUDA takes 1024, and 64 along z; split the loops over threads");
    CHECK(has(no_cuda("nest n { output y: float32[65536] for b < 65536 block_y { y[b] = 0.0 } }"), "a launch has 1 x 65536 x 1 blocks"));
    CHECK(has(no_cuda("nest n { output y: float32[3000000000] for b < 3000000000 block_x { y[b] = 0.0 } }"),
              "a launch has 3000000000 x 1 x 1"));
    const auto shares = [](int floats) {
        return "nest n { output y: float32[1] shared s: float32[" + std::to_string(floats) + "] { s[0] = 1.0 y[0] = s[0] } }";
    };
    CHECK(has(no_cuda(shares(60000)), "a block shares 240000 bytes where CUDA has 232448"));
    const auto large = to_cuda(nests::parsed(shares(20000)));
    REQUIRE(large);
    CHECK(large->kernels[0].shared_bytes == 80000);
    CHECK(has(large->text, "float* const s = (float*)(void*)(inlay_shared + 0);"));
    CHECK(has(large->launcher, "cudaFuncSetAttribute(n_0, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000)"));
}

TEST_CASE("indices are as wide as they have to be, and what runs no round is not launched [loops.cuda.extents]") {
    const auto wide = to_cuda(nests::parsed(
        "nest n { output y: float32[8000000000] for b < 8000000 block_x { for t < 1000 thread_x { y[1000*b + t] = 0.0 } } }"));
    REQUIRE(wide);
    CHECK(has(wide->text, "const int64_t b = blockIdx.x;"));
    const auto none = to_cuda(nests::parsed("nest n { output y: float32[0] for b < 0 block_x { y[b] = 0.0 } }"));
    REQUIRE(none);
    CHECK(none->kernels.empty());
}

TEST_CASE("bounds that always hold are left out [loops.cuda.bounds]") {
    const auto made =
        to_cuda(nests::parsed("nest n { input x: float32[10] output y: float32[10] for b < 3 block_x { for t < 4 thread_x { if 0 <= 4*b + "
                              "t < 10 { y[4*b + t] = x[4*b + "
                              "t] } } } }"));
    REQUIRE(made);
    CHECK(has(made->text, "if (4 * b + t < 10) {"));
}

TEST_CASE("float16 and bfloat16 are converted where nests have them [loops.cuda.half]") {
    const auto made = to_cuda(nests::parsed(
        "nest n { input x: float16[8] output y: bfloat16[8] for t < 8 thread_x { y[t] = bfloat16(max(x[t] * 2.0:float16, x[t])) } }"));
    REQUIRE(made);
    CHECK(has(made->text, "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"));
    CHECK(has(made->text, "__float2half_rn((__half2float(x[t]) * __half2float(__float2half_rn(0x1p+1f))))"));
}

TEST_CASE("a call is what its function means, as a function of the device's [loops.cuda.calls]") {
    const auto made = to_cuda(nests::parsed(nests::by_tiles));
    REQUIRE(made);
    CHECK(has(made->text, "static __device__ void inlay_mma("));
    const printed_call own{"mma", "tile($0, $0.0)", "#include \"tile.h\"\n"};
    const auto called = to_cuda(nests::parsed(nests::by_tiles), std::span(&own, 1));
    REQUIRE(called);
    CHECK(has(called->text, "tile(&a[48 * m + 3 * k], 12);"));
}

TEST_CASE("the kernels compute what the nest does, on threads of this machine that play a device's [loops.cuda.same]") {
    const std::vector<std::string> texts{R"(nest backwards {
        input x: float32[6, 8]
        output y: float32[6, 8]
        for row < 6 block_x {
            shared line: float32[8] {
                stack twice: float32[8] {
                    for t < 4 thread_x { for part < 2 {
                        line[4*part + t] = x[row, 4*part + t]
                        twice[4*part + t] = x[row, 4*part + t] * 2.0
                    } }
                    for u < 4 thread_x { for w < 2 unrolled { y[row, u + 4*w] = line[7 - 4*w - u] + twice[u + 4*w] } }
                    for v < 2 thread_x { y[row, v] += 1.0 }
                }
            }
        }
    })",
                                         R"(nest two {
        input x: float32[5, 9]
        output y: float32[5, 9]
        output z: int32[2, 3, 4]
        scratch s: float32[5, 9] {
            for b < 5 block_x { for u < 9 thread_x { s[b, u] = max(x[b, u], 0.0) } }
            for c < 5 block_x { stack sum: float32[1] { sum[0] = 0.0 for k < 9 { sum[0] += s[c, k] } for v < 1 thread_x { y[c, 0] = sum[0] } }
                for w < 8 thread_y { y[c, w + 1] = s[4 - c, 8 - w] } }
        }
        for d < 2 block_y { for e < 3 block_x { for f < 2 block_x { for g < 2 thread_z { z[d, e, 2*f + g] = int32(index(100*d + 10*e + 2*f + g)) } } } }
    })",
                                         nests::by_tiles};
    for (const std::string& text : texts) {
        const loop_nest n = nests::parsed(text);
        const std::vector<tensor> inputs = nests::some_inputs(n);
        const auto made = to_cuda(n);
        REQUIRE(made);
        const auto meant = run_nest(n, inputs);
        const std::vector<tensor> got = nests::by_played_device(n, *made, inputs);
        REQUIRE(got.size() == meant->size());
        for (std::size_t i = 0; i < got.size(); ++i)
            CHECK(std::memcmp(std::as_const(got[i]).data(), (*meant)[i].data(), got[i].bytes()) == 0);
    }
}
