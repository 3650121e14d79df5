// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_TENSOR_CORE_IPP
#define INLAY_LOOPS_TEXT_TENSOR_CORE_IPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/text/tensor_core.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/loops/text/c_text.hpp>
#include <inlay/loops/text/wgmma.hpp>

namespace inlay {

loop_nest mma_float16() {
    nest_builder b("mma_m16n8k16");
    const buffer_id x = b.buffer(buffer_scope::input, "x", element_type::float16, {16, 16}),
                    y = b.buffer(buffer_scope::input, "y", element_type::float16, {16, 8}),
                    z = b.buffer(buffer_scope::output, "z", element_type::float32, {16, 8});
    // Any strides will do: the windows say theirs.
    const variable_id i = b.variable("i"), j = b.variable("j"), k = b.variable("k");
    const affine row = affine::of(i), column = affine::of(j), depth = affine::of(k);
    const expression_id left = b.cast(b.load(x, {row, depth}), element_type::float32),
                        right = b.cast(b.load(y, {depth, column}), element_type::float32);
    const statement_id add = b.update(z, {row, column}, scalar_function::add, b.apply(scalar_function::multiply, {left, right}));
    const statement_id whole = b.loop(i, 16, b.loop(j, 8, b.loop(k, 16, add)));
    return std::move(b).finish(whole);
}

loop_nest mma_tf32() {
    nest_builder b("mma_m16n8k8");
    const buffer_id x = b.buffer(buffer_scope::input, "x", element_type::float32, {16, 8}),
                    y = b.buffer(buffer_scope::input, "y", element_type::float32, {8, 8}),
                    z = b.buffer(buffer_scope::output, "z", element_type::float32, {16, 8});
    const variable_id i = b.variable("i"), j = b.variable("j"), k = b.variable("k");
    const affine row = affine::of(i), column = affine::of(j), depth = affine::of(k);
    const expression_id product = b.apply(scalar_function::multiply, {b.load(x, {row, depth}), b.load(y, {depth, column})});
    const statement_id add = b.update(z, {row, column}, scalar_function::add, product);
    const statement_id whole = b.loop(i, 16, b.loop(j, 8, b.loop(k, 8, add)));
    return std::move(b).finish(whole);
}

namespace detail {

/// What each lane loads for it and stores behind it. A row or column of a lane's group is that of its number by 4, and it has pairs of
/// neighbours.
inline constexpr std::string_view mma_float16_fragments = R"(static __device__ __forceinline__ unsigned inlay_pair(__half a, __half b) {
    return (unsigned)__half_as_ushort(a) | (unsigned)__half_as_ushort(b) << 16;
}
static __device__ __forceinline__ void inlay_warp_mma_m16n8k16(const __half* x, int x0, int x1, const __half* y, int y0, int y1, float* z, int z0, int z1) {
    const int group = (int)(threadIdx.x % 32) / 4, pair = (int)(threadIdx.x % 4) * 2;
    unsigned a[4], b[2];
    float c[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const __half* const at = x + (group + i % 2 * 8) * x0 + (pair + i / 2 * 8) * x1;
        a[i] = inlay_pair(at[0], at[x1]);
        c[i] = z[(group + i / 2 * 8) * z0 + (pair + i % 2) * z1];
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const __half* const at = y + (pair + i * 8) * y0 + group * y1;
        b[i] = inlay_pair(at[0], at[y0]);
    }
    inlay_mma_m16n8k16(c, a, b);
#pragma unroll
    for (int i = 0; i < 4; ++i) z[(group + i / 2 * 8) * z0 + (pair + i % 2) * z1] = c[i];
}
)";
inline constexpr std::string_view mma_tf32_fragments =
    R"(static __device__ __forceinline__ void inlay_warp_mma_m16n8k8(const float* x, int x0, int x1, const float* y, int y0, int y1, float* z, int z0, int z1) {
    const int group = (int)(threadIdx.x % 32) / 4, one = (int)(threadIdx.x % 4);
    unsigned a[4], b[2];
    float c[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        a[i] = inlay_tf32(x[(group + i % 2 * 8) * x0 + (one + i / 2 * 4) * x1]);
        c[i] = z[(group + i / 2 * 8) * z0 + (one * 2 + i % 2) * z1];
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) b[i] = inlay_tf32(y[(one + i * 4) * y0 + group * y1]);
    inlay_mma_m16n8k8(c, a, b);
#pragma unroll
    for (int i = 0; i < 4; ++i) z[(group + i / 2 * 8) * z0 + (one * 2 + i % 2) * z1] = c[i];
}
)";

}  // namespace detail

std::vector<printed_call> tensor_core_calls() {
    printed_call mma{"mma_m16n8k16", "inlay_warp_mma_m16n8k16($0, $0.0, $0.1, $1, $1.0, $1.1, $2, $2.0, $2.1)",
                     std::string(detail::mma_float16_instruction) + std::string(detail::mma_float16_fragments)};
    printed_call by_tf32{"mma_m16n8k8", "inlay_warp_mma_m16n8k8($0, $0.0, $0.1, $1, $1.0, $1.1, $2, $2.0, $2.1)",
                         std::string(detail::mma_tf32_instruction) + std::string(detail::mma_tf32_fragments)};
    mma.threads = by_tf32.threads = 32;
    std::vector<printed_call> calls;
    calls.push_back(std::move(mma));
    calls.push_back(std::move(by_tf32));
    calls.push_back(wgmma_call());
    return calls;
}

}  // namespace inlay

#endif
