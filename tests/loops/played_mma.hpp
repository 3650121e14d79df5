// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_PLAYED_MMA_HPP
#define INLAY_TESTS_LOOPS_PLAYED_MMA_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/loops/text/tensor_core.hpp>

namespace inlay::nests {

/// What PTX says that lanes have of the matrices, put together, multiplied and taken apart, where all threads of a block call it; of eight
/// warps along y, and eight along z.
inline constexpr std::string_view played_mma_float16 = R"(
static float inlay_a[64][16][16], inlay_b[64][16][8], inlay_c[64][16][8];
static void inlay_mma_m16n8k16(float* z, const unsigned* x, const unsigned* y) {
    const unsigned lane = threadIdx.x % 32, group = lane >> 2, in_group = lane % 4, w = threadIdx.y + 8 * threadIdx.z;
    const auto value = [](unsigned pair, int i) { return __half2float(__half{(unsigned short)(pair >> 16 * i)}); };
    for (int i = 0; i < 8; ++i) {
        const unsigned row = i < 2 || (i >= 4 && i < 6) ? group : group + 8, column = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        inlay_a[w][row][column] = value(x[i / 2], i & 1);
    }
    for (int i = 0; i < 4; ++i) inlay_b[w][in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0)][group] = value(y[i / 2], i & 1);
    for (int i = 0; i < 4; ++i) inlay_c[w][i < 2 ? group : group + 8][in_group * 2 + (i & 1)] = z[i];
    pthread_barrier_wait(&inlay_barrier);
    for (int i = 0; i < 4; ++i) {
        const unsigned row = i < 2 ? group : group + 8, column = in_group * 2 + (i & 1);
        float sum = inlay_c[w][row][column];
        for (int k = 0; k < 16; ++k) sum += inlay_a[w][row][k] * inlay_b[w][k][column];
        z[i] = sum;
    }
    pthread_barrier_wait(&inlay_barrier);
}
)";

/// The same of operands of bfloat16.
inline std::string played_mma_bfloat16() {
    std::string made = detail::for_bfloat16(played_mma_float16);
    for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"__nv_bfloat162float", "__bfloat162float"},
                                   {"inlay_bf16_barrier", "inlay_barrier"}})
        for (std::size_t at = 0; (at = made.find(from, at)) != std::string::npos;) made.replace(at, from.size(), to);
    return made;
}

/// The same of operands of tf32.
inline constexpr std::string_view played_mma_tf32 = R"(
#include <string.h>
#define __forceinline__ inline
static unsigned inlay_tf32(float a) {
    unsigned made;
    memcpy(&made, &a, 4);
    return (made + 0x1000) & 0xffffe000;
}
static float inlay_a[64][16][8], inlay_b[64][8][8], inlay_c[64][16][8];
static void inlay_mma_m16n8k8(float* z, const unsigned* x, const unsigned* y) {
    const unsigned lane = threadIdx.x % 32, group = lane >> 2, in_group = lane % 4, w = threadIdx.y + 8 * threadIdx.z;
    const auto value = [](unsigned bits) { float made; memcpy(&made, &bits, 4); return made; };
    for (int i = 0; i < 4; ++i) inlay_a[w][i == 0 || i == 2 ? group : group + 8][i < 2 ? in_group : in_group + 4] = value(x[i]);
    for (int i = 0; i < 2; ++i) inlay_b[w][i == 0 ? in_group : in_group + 4][group] = value(y[i]);
    for (int i = 0; i < 4; ++i) inlay_c[w][i < 2 ? group : group + 8][in_group * 2 + (i & 1)] = z[i];
    pthread_barrier_wait(&inlay_barrier);
    for (int i = 0; i < 4; ++i) {
        const unsigned row = i < 2 ? group : group + 8, column = in_group * 2 + (i & 1);
        float sum = inlay_c[w][row][column];
        for (int k = 0; k < 8; ++k) sum += inlay_a[w][row][k] * inlay_b[w][k][column];
        z[i] = sum;
    }
    pthread_barrier_wait(&inlay_barrier);
}
)";

}  // namespace inlay::nests

#endif
