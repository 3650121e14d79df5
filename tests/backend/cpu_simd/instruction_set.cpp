// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/instruction_set.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("instruction sets have the names that options take") {
    CHECK(name_of(instruction_set::scalar) == "scalar");
    CHECK(name_of(instruction_set::avx512) == "avx512");
    CHECK(processor_has(instruction_set::scalar));
    // What is wider has what is narrower.
    if (processor_has(instruction_set::avx512)) CHECK(processor_has(instruction_set::avx2));
    if (processor_has(instruction_set::avx2)) CHECK(processor_has(instruction_set::sse4));
    if (processor_has_bf16_pairs()) CHECK(processor_has(instruction_set::avx512));
}
