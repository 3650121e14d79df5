// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_TENSOR_CORE_IPP
#define INLAY_LOOPS_TEXT_TENSOR_CORE_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/text/tensor_core.hpp>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/loops/text/c_text.hpp>
#include <inlay/loops/text/wgmma.hpp>

namespace inlay {

namespace detail {

/// A 16 x depth by depth x 8 product of operands of one element type, added to float32.
[[nodiscard]] inline loop_nest mma_nest(const char* name, element_type of, std::int64_t depth) {
    nest_builder b(name);
    // Any strides will do: the windows say theirs.
    const buffer_id x = b.buffer(buffer_scope::input, "x", of, {16, depth}), y = b.buffer(buffer_scope::input, "y", of, {depth, 8}),
                    z = b.buffer(buffer_scope::output, "z", element_type::float32, {16, 8});
    const variable_id i = b.variable("i"), j = b.variable("j"), k = b.variable("k");
    const affine row = affine::of(i), column = affine::of(j), deep = affine::of(k);
    const auto operand = [&](buffer_id from, std::vector<affine> at) {
        const expression_id load = b.load(from, std::move(at));
        return of == element_type::float32 ? load : b.cast(load, element_type::float32);
    };
    const expression_id left = operand(x, {row, deep}), right = operand(y, {deep, column});
    const statement_id add = b.update(z, {row, column}, scalar_function::add, b.apply(scalar_function::multiply, {left, right}));
    const statement_id whole = b.loop(i, 16, b.loop(j, 8, b.loop(k, depth, add)));
    return std::move(b).finish(whole);
}

std::string for_bfloat16(std::string_view text) {
    std::string made(text);
    for (const auto& [half, other] : {std::pair<std::string_view, std::string_view>{"__half_as_ushort", "__bfloat16_as_ushort"},
                                      {"__half", "__nv_bfloat16"},
                                      {".f16.f16", ".bf16.bf16"},
                                      {"inlay_", "inlay_bf16_"}})
        for (std::size_t at = 0; (at = made.find(half, at)) != std::string::npos; at += other.size()) made.replace(at, half.size(), other);
    return made;
}

/// The same call on operands of bfloat16.
[[nodiscard]] inline printed_call for_bfloat16(printed_call of) {
    of.name += "_bf16";
    for (std::string* text : {&of.text, &of.before, &of.behind_writes}) *text = for_bfloat16(*text);
    return of;
}

}  // namespace detail

loop_nest mma_float16() { return detail::mma_nest("mma_m16n8k16", element_type::float16, 16); }
loop_nest mma_bfloat16() { return detail::mma_nest("mma_m16n8k16_bf16", element_type::bfloat16, 16); }
loop_nest mma_tf32() { return detail::mma_nest("mma_m16n8k8", element_type::float32, 8); }

loop_nest mma_of(product_precision p) {
    return p == product_precision::float16 ? mma_float16() : p == product_precision::bfloat16 ? mma_bfloat16() : mma_tf32();
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
    for (const printed_call& one : {mma, wgmma_call()}) {
        calls.push_back(one);
        calls.push_back(detail::for_bfloat16(one));
    }
    calls.push_back(std::move(by_tf32));
    return calls;
}

}  // namespace inlay

#endif
