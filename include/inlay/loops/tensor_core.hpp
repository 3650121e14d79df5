// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TENSOR_CORE_HPP
#define INLAY_LOOPS_TENSOR_CORE_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/c_text.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/nest_builder.hpp>

namespace inlay {

/// What the 32 threads of a warp do at once on a tensor core: a 16 x 16 by 16 x 8 product of float16, added to float32. Its printed form
/// rounds as the tensor core does, which adds up the sixteen products in an order and with a precision of its own.
[[nodiscard]] inline loop_nest mma_float16() {
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

namespace detail {

/// One instruction of PTX on what each lane has of the three matrices ("PTX ISA", mma.m16n8k16).
inline constexpr std::string_view mma_float16_instruction =
    R"(static __device__ __forceinline__ void inlay_mma_m16n8k16(float* z, const unsigned* x, const unsigned* y) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}
)";

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

}  // namespace detail

/// How calls of these are written in CUDA C++, for `to_cuda`: by all threads of a warp together, for sm_80 and later.
[[nodiscard]] inline std::vector<printed_call> tensor_core_calls() {
    printed_call mma{"mma_m16n8k16", "inlay_warp_mma_m16n8k16($0, $0.0, $0.1, $1, $1.0, $1.1, $2, $2.0, $2.1)",
                     std::string(detail::mma_float16_instruction) + std::string(detail::mma_float16_fragments)};
    mma.is_for_warp = true;
    return {std::move(mma)};
}

}  // namespace inlay

#endif
