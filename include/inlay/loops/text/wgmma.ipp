// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_WGMMA_IPP
#define INLAY_LOOPS_TEXT_WGMMA_IPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/loops/text/wgmma.hpp>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline loop_nest wgmma_nest(const char* name, element_type of, std::int64_t depth) {
    nest_builder b(name);
    const buffer_id x = b.buffer(buffer_scope::input, "x", of, {depth / 8, 64, 8}),
                    y = b.buffer(buffer_scope::input, "y", of, {depth / 8, 64, 8}),
                    z = b.buffer(buffer_scope::output, "z", element_type::float32, {64, 64});
    const variable_id i = b.variable("i"), j = b.variable("j"), k = b.variable("k"), one = b.variable("one");
    const affine row = affine::of(i), column = affine::of(j), eight = affine::of(k), in_eight = affine::of(one);
    const expression_id left = b.cast(b.load(x, {eight, row, in_eight}), element_type::float32),
                        right = b.cast(b.load(y, {eight, column, in_eight}), element_type::float32);
    const statement_id add = b.update(z, {row, column}, scalar_function::add, b.apply(scalar_function::multiply, {left, right}));
    const statement_id whole = b.loop(i, 64, b.loop(j, 64, b.loop(k, depth / 8, b.loop(one, 8, add))));
    return std::move(b).finish(whole);
}

}  // namespace detail

loop_nest wgmma_float16(std::int64_t depth) { return detail::wgmma_nest("wgmma_m64n64", element_type::float16, depth); }
loop_nest wgmma_bfloat16(std::int64_t depth) { return detail::wgmma_nest("wgmma_m64n64_bf16", element_type::bfloat16, depth); }

namespace detail {

/// Descriptors ("PTX ISA", matrix-descriptor): in units of 16 bytes where the first core matrix stands, from bit 16 on how far behind it
/// the next eight depths do, from bit 32 on the next eight rows; no swizzle. Of the sums a thread has pairs of neighbours: of two rows for
/// each eight columns.
inline constexpr std::string_view wgmma_fragments =
    R"(static __device__ __forceinline__ unsigned long long inlay_core_matrices(const __half* first, int next) {
    const unsigned long long at = (unsigned long long)__cvta_generic_to_shared(first);
    return (at & 0x3ffff) >> 4 | (unsigned long long)(next / 8) << 16 | 8ull << 32;
}
static __device__ __forceinline__ void inlay_warpgroup_mma_m64n64(const __half* x, int x0, int eights, const __half* y, int y0, float* z, int z0, int z1) {
    const int lane = (int)(threadIdx.x % 32), row = (int)(threadIdx.x / 32) * 16 + lane / 4, column = lane % 4 * 2;
    float c[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) c[i] = z[(row + i / 2 % 2 * 8) * z0 + (column + i / 4 * 8 + i % 2) * z1];
    inlay_wgmma_begin(c);
#pragma unroll
    for (int k = 0; k < eights; k += 2)
        inlay_wgmma_m64n64k16(c, inlay_core_matrices(x + k * x0, x0), inlay_core_matrices(y + k * y0, y0));
    inlay_wgmma_end(c);
#pragma unroll
    for (int i = 0; i < 32; ++i) z[(row + i / 2 % 2 * 8) * z0 + (column + i / 4 * 8 + i % 2) * z1] = c[i];
}
)";

}  // namespace detail

printed_call wgmma_call() {
    printed_call made{"wgmma_m64n64", "inlay_warpgroup_mma_m64n64($0, $0.0, $0#0, $1, $1.0, $2, $2.0, $2.1)",
                      std::string(detail::wgmma_instruction) + std::string(detail::wgmma_fragments)};
    made.threads = 128;
    made.core_matrices = 2;
    made.behind_writes = "inlay_wgmma_behind_writes()";
    return made;
}

}  // namespace inlay

#endif
