// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CPU_SIMD_TAKE_HPP
#define INLAY_TESTS_BACKEND_CPU_SIMD_TAKE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <inlay/backend/cpu_simd/backend.hpp>

#include "../../core/executors.hpp"
#include "../take.hpp"

namespace cpu_simd_test {

using namespace inlay_test;
using extents = std::vector<std::int64_t>;

/// Numbers between two bounds, both included.
struct picker {
    std::mt19937 random;
    std::int64_t operator()(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); }
};

/// The instruction sets that this processor has and this build knows, widest first, by name.
[[nodiscard]] std::vector<std::string> instruction_sets();

/// Those with which kernels are held against the interpreter: all of them, or where INLAY_INSTRUCTION_SET is set that one alone, since an
/// emulator need not repeat what the processor has run.
[[nodiscard]] std::vector<std::string> tested_sets();

/// The largest match at the program's result, run in every format tuple with each of `tested_sets`, alone and shared out in pieces: it is
/// of `nodes` operators and taken in at least one way. What the widest instruction set gave. Compiled once for all tests.
taken expect_taken(const inlay::ir_module& g, std::size_t nodes, double tolerance = 2e-5, float low = -2, float high = 2);

/// Calls `check(number)` with what is no number and both infinities.
template <class Check>
void for_each_special(Check&& check) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float number : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
        CAPTURE(number);
        check(number);
    }
}

/// An input to which a tensor is added that holds `special` at place `at` and zeros elsewhere: what matches behind it reads the sum.
[[nodiscard]] inlay::node_id input_with(small_graph& t, extents shape, float special, std::size_t at);

/// The refusal of the largest match at the result; empty where there is no match or it is taken.
[[nodiscard]] std::string why_not(const inlay::ir_module& g);

}  // namespace cpu_simd_test

#endif
