// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_TENSOR_CORE_HPP
#define INLAY_LOOPS_TEXT_TENSOR_CORE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// What the operands of a product are rounded to: float32 is exact and takes no tensor core; tf32 has the exponents of float32 and ten bits
/// of mantissa. Sums are float32 throughout.
enum class product_precision : std::uint8_t { float32, tf32, float16, bfloat16 };

/// Who calls a device's tensor cores: warps, from sm_80 on, and warpgroups too, of sm_90a.
enum class tensor_cores : std::uint8_t { none, of_warps, of_warpgroups };

/// What operands are stored as that are rounded so.
[[nodiscard]] constexpr element_type operand_element(product_precision p) {
    return p == product_precision::float16    ? element_type::float16
           : p == product_precision::bfloat16 ? element_type::bfloat16
                                              : element_type::float32;
}

/// What the 32 threads of a warp do at once on a tensor core: a 16 x 16 by 16 x 8 product of float16, added to float32. Its printed form
/// rounds as the tensor core does, which adds up the sixteen products in an order and with a precision of its own.
[[nodiscard]] INLAY_FUNCTION loop_nest mma_float16();

/// The same with operands of bfloat16.
[[nodiscard]] INLAY_FUNCTION loop_nest mma_bfloat16();

/// The same with operands of float32, a 16 x 8 by 8 x 8 product. Its printed form rounds the operands to tf32, to nearest, ties away from
/// zero; its meaning as a nest does not.
[[nodiscard]] INLAY_FUNCTION loop_nest mma_tf32();

namespace detail {

/// One instruction of PTX on what each lane has of the three matrices ("PTX ISA", mma.m16n8k16).
inline constexpr std::string_view mma_float16_instruction =
    R"(static __device__ __forceinline__ void inlay_mma_m16n8k16(float* z, const unsigned* x, const unsigned* y) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}
)";
/// The same of mma.m16n8k8, and the conversion of what it takes (cvt.rna.tf32).
inline constexpr std::string_view mma_tf32_instruction =
    R"(static __device__ __forceinline__ unsigned inlay_tf32(float a) {
    unsigned made;
    asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(made) : "f"(a));
    return made;
}
static __device__ __forceinline__ void inlay_mma_m16n8k8(float* z, const unsigned* x, const unsigned* y) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}
)";

/// A text in CUDA C++ on float16 as one on bfloat16, under names of its own.
[[nodiscard]] INLAY_FUNCTION std::string for_bfloat16(std::string_view text);

}  // namespace detail

/// What a warp does at once with operands that are rounded so; of float32 there is nothing.
[[nodiscard]] INLAY_FUNCTION loop_nest mma_of(product_precision p);

/// How calls of these, and of a warpgroup's, are written in CUDA C++, for `to_cuda`: by all threads of a warp together, for sm_80 and
/// later, or of a warpgroup, for sm_90a.
[[nodiscard]] INLAY_FUNCTION std::vector<printed_call> tensor_core_calls();

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/tensor_core.ipp>
#endif

#endif
