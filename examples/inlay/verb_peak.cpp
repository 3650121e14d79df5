// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <optional>
#include <thread>

#include <inlay/core/buffer.hpp>
#include <inlay/io/json/json.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

using clock = std::chrono::steady_clock;

/// The best rate of several tries: `work()` does `amount` of something.
template <class Work>
double best_rate(double amount, Work&& work) {
    double best = 0;
    for (int i = 0; i < 15; ++i) {
        const auto start = clock::now();
        work();
        best = std::max(best, amount / std::chrono::duration<double>(clock::now() - start).count());
    }
    return best;
}

// Enough independent chains to cover a latency of 4 cycles on two units, in registers that the compiler cannot fold away.
constexpr int chains = 12, rounds = 200'000;

#if defined(__x86_64__)
#define INLAY_CHAINS(OPERATION)                                                                                                \
    for (int r = 0; r < rounds; ++r) {                                                                                         \
        OPERATION(0)                                                                                                           \
        OPERATION(1)                                                                                                           \
        OPERATION(2)                                                                                                           \
        OPERATION(3) OPERATION(4) OPERATION(5) OPERATION(6) OPERATION(7) OPERATION(8) OPERATION(9) OPERATION(10) OPERATION(11) \
    }

// Functions of their own, since a lambda does not take over the instruction sets of the function around it.
__attribute__((target("avx2,fma"))) void run_fp32_avx2() {
    __m256 sum[chains], x = _mm256_set1_ps(1.0f), y = _mm256_set1_ps(1e-9f);
    for (auto& s : sum) s = _mm256_setzero_ps();
#define STEP(I) asm volatile("vfmadd231ps %1, %2, %0" : "+x"(sum[I]) : "x"(x), "x"(y));
    INLAY_CHAINS(STEP)
#undef STEP
}

__attribute__((target("avx512f"))) void run_fp32_avx512() {
    __m512 sum[chains], x = _mm512_set1_ps(1.0f), y = _mm512_set1_ps(1e-9f);
    for (auto& s : sum) s = _mm512_setzero_ps();
#define STEP(I) asm volatile("vfmadd231ps %1, %2, %0" : "+v"(sum[I]) : "v"(x), "v"(y));
    INLAY_CHAINS(STEP)
#undef STEP
}

__attribute__((target("avx512f"))) void run_bf16_avx512() {
    __m512 sum[chains], x = _mm512_setzero_ps(), y = _mm512_setzero_ps();
    for (auto& s : sum) s = _mm512_setzero_ps();
#define STEP(I) asm volatile("vdpbf16ps %1, %2, %0" : "+v"(sum[I]) : "v"(x), "v"(y));
    INLAY_CHAINS(STEP)
#undef STEP
}

__attribute__((target("avx512f"))) void run_int8_avx512() {
    __m512i sum[chains], x = _mm512_setzero_si512(), y = _mm512_setzero_si512();
    for (auto& s : sum) s = _mm512_setzero_si512();
#define STEP(I) asm volatile("vpdpbusd %1, %2, %0" : "+v"(sum[I]) : "v"(x), "v"(y));
    INLAY_CHAINS(STEP)
#undef STEP
}
#undef INLAY_CHAINS

std::optional<double> fp32_peak() {
    std::optional<double> best;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) best = best_rate(2.0 * 8 * chains * rounds, run_fp32_avx2);
    if (__builtin_cpu_supports("avx512f")) best = std::max(best.value_or(0), best_rate(2.0 * 16 * chains * rounds, run_fp32_avx512));
    return best;
}
std::optional<double> bf16_peak() {
    return __builtin_cpu_supports("avx512bf16") ? std::optional(best_rate(2.0 * 32 * chains * rounds, run_bf16_avx512)) : std::nullopt;
}
std::optional<double> int8_peak() {
    return __builtin_cpu_supports("avx512vnni") ? std::optional(best_rate(2.0 * 64 * chains * rounds, run_int8_avx512)) : std::nullopt;
}
#else
std::optional<double> fp32_peak() { return std::nullopt; }
std::optional<double> bf16_peak() { return std::nullopt; }
std::optional<double> int8_peak() { return std::nullopt; }
#endif

/// Bytes read plus bytes written per second when a block of half this size is copied onto the other half again and again.
double copy_rate(std::size_t bytes) {
    buffer memory(bytes);
    if (memory.size() != bytes) return 0;
    const std::size_t half = bytes / 2, times = std::max<std::size_t>(1, (std::size_t{64} << 20) / bytes);
    return best_rate(static_cast<double>(2 * half * times), [&] {
        for (std::size_t i = 0; i < times; ++i) {
            std::memcpy(memory.data(), memory.data() + half, half);
            asm volatile("" ::: "memory");
        }
    });
}

std::size_t cache_bytes(int name, std::size_t otherwise) {
    const long size = sysconf(name);
    return size > 0 ? static_cast<std::size_t>(size) : otherwise;
}

}  // namespace

answer verb_peak(const verb_options& o) {
    const auto number = [](const std::optional<double>& rate) { return rate ? json_output(*rate * 1e-9) : json_output(nullptr); };
    const std::size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10), l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10),
                      l3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 8 << 20);
    json_output whole{{"version", 1},
                      {"fp32_gflops_per_core", number(fp32_peak())},
                      {"bf16_gflops_per_core", number(bf16_peak())},
                      {"int8_gops_per_core", number(int8_peak())}};
    whole["copy_gbps"] = {{"L1", copy_rate(l1 / 2) * 1e-9},
                          {"L2", copy_rate(l2 / 2) * 1e-9},
                          {"L3", copy_rate(std::max(l3 / 4, l2 * 2)) * 1e-9},
                          {"DRAM", copy_rate(std::max<std::size_t>(l3 * 8, std::size_t{256} << 20)) * 1e-9}};
    whole["cores"] = std::max(1u, std::thread::hardware_concurrency());
    if (o.json) {
        std::cout << write_json(whole, 2) << "\n";
        return answer::done;
    }
    for (const auto& [name, value] : whole.items())
        if (name != "version") std::cout << name << "\t" << value.dump() << "\n";
    return answer::done;
}

}  // namespace tool
