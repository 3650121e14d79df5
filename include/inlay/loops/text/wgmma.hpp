// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_WGMMA_HPP
#define INLAY_LOOPS_TEXT_WGMMA_HPP

#include <cstdint>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// What the 128 threads of a warpgroup do at once on a tensor core of sm_90a: a 64 x depth by depth x 64 product of float16, added to
/// float32. Either operand stands eight depths by eight: for each eight its 64 rows or columns, and for each of these the eight numbers, so
/// that eight rows are one of the 128 bytes that the instruction reads at once ("core matrix"). The printed form adds up in an order and
/// with a precision of its own. Precondition: the depth is a positive multiple of 16.
[[nodiscard]] INLAY_FUNCTION loop_nest wgmma_float16(std::int64_t depth = 32);

/// The same with operands of bfloat16.
[[nodiscard]] INLAY_FUNCTION loop_nest wgmma_bfloat16(std::int64_t depth = 32);

/// How calls of the first are written in CUDA C++ where a warpgroup lies along x and both operands are shared.
[[nodiscard]] INLAY_FUNCTION printed_call wgmma_call();

namespace detail {

/// Instructions of PTX ("PTX ISA", wgmma.mma_async.m64n64k16): what makes writes to shared memory seen by them, what stands before and
/// behind them, and one of them on descriptors of its operands and on what each thread has of the sums.
inline constexpr std::string_view wgmma_instruction =
    R"(#define INLAY_EACH_SUM(z) \
    "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3]), "+f"(z[4]), "+f"(z[5]), "+f"(z[6]), "+f"(z[7]), \
    "+f"(z[8]), "+f"(z[9]), "+f"(z[10]), "+f"(z[11]), "+f"(z[12]), "+f"(z[13]), "+f"(z[14]), "+f"(z[15]), \
    "+f"(z[16]), "+f"(z[17]), "+f"(z[18]), "+f"(z[19]), "+f"(z[20]), "+f"(z[21]), "+f"(z[22]), "+f"(z[23]), \
    "+f"(z[24]), "+f"(z[25]), "+f"(z[26]), "+f"(z[27]), "+f"(z[28]), "+f"(z[29]), "+f"(z[30]), "+f"(z[31])
static __device__ __forceinline__ void inlay_wgmma_behind_writes() { asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory"); }
static __device__ __forceinline__ void inlay_wgmma_begin(float* z) {
    asm volatile("wgmma.fence.sync.aligned;\n"
                 : INLAY_EACH_SUM(z)
                 :
                 : "memory");
}
static __device__ __forceinline__ void inlay_wgmma_m64n64k16(float* z, unsigned long long x, unsigned long long y) {
    asm volatile("{\n.reg .pred adds;\nsetp.ne.b32 adds, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, adds, 1, 1, 0, 0;\n}\n"
                 : INLAY_EACH_SUM(z)
                 : "l"(x), "l"(y)
                 : "memory");
}
static __device__ __forceinline__ void inlay_wgmma_end(float* z) {
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
                 : INLAY_EACH_SUM(z)
                 :
                 : "memory");
}
)";

}  // namespace detail

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/wgmma.ipp>
#endif

#endif
