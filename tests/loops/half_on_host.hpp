// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_HALF_ON_HOST_HPP
#define INLAY_TESTS_LOOPS_HALF_ON_HOST_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <inlay/loops/text/cuda_text.hpp>

namespace inlay::nests {

/// What cuda_fp16.h has, on the host.
inline constexpr std::string_view half_on_host = R"(#include <string.h>
#define __forceinline__ inline
struct __half { unsigned short bits; };
static unsigned short __half_as_ushort(__half a) { return a.bits; }
// Of numbers that half precision holds exactly, without those too small for a normal exponent.
static float __half2float(__half a) {
    unsigned wide = (unsigned)(a.bits & 0x8000) << 16 | ((unsigned)(a.bits & 0x7fff) == 0 ? 0 : ((unsigned)(a.bits & 0x7fff) + (112u << 10)) << 13);
    float made;
    memcpy(&made, &wide, 4);
    return made;
}
static __half __float2half_rn(float a) {
    unsigned wide;
    memcpy(&wide, &a, 4);
    return {(unsigned short)((wide >> 16 & 0x8000) | ((wide & 0x7fffffff) == 0 ? 0 : ((wide & 0x7fffffff) >> 13) - (112u << 10)))};
}
)";

/// What cuda_bf16.h has, on the host; of numbers that bfloat16 holds exactly.
inline constexpr std::string_view bfloat16_on_host = R"(#include <string.h>
#define __forceinline__ inline
struct __nv_bfloat16 { unsigned short bits; };
static unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
static float __bfloat162float(__nv_bfloat16 a) {
    const unsigned wide = (unsigned)a.bits << 16;
    float made;
    memcpy(&made, &wide, 4);
    return made;
}
static __nv_bfloat16 __float2bfloat16_rn(float a) {
    unsigned wide;
    memcpy(&wide, &a, 4);
    return {(unsigned short)(wide >> 16)};
}
)";

/// Puts one text in another's place, as what the host has for what a device has.
inline void play(cuda_text& in, std::string_view of_device, std::string_view of_host) {
    const std::size_t at = in.text.find(of_device);
    REQUIRE(at != std::string::npos);
    in.text.replace(at, of_device.size(), of_host);
}

}  // namespace inlay::nests

#endif
