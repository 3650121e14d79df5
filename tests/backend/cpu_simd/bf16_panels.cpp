// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/bf16_panels.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include <inlay/ops/loops/half_float.hpp>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("numbers are rounded to the nearest bfloat16, halves to even") {
    CHECK(bf16_bits(1.0f) == 0x3F80);
    CHECK(bf16_bits(1.0f + 1.0f / 256) == 0x3F80);
    CHECK(bf16_bits(1.0f + 3.0f / 256) == 0x3F82);
    CHECK(bf16_bits(std::numeric_limits<float>::infinity()) == 0x7F80);
    CHECK(bf16_bits(-std::numeric_limits<float>::infinity()) == 0xFF80);
    CHECK(bf16_bits(std::numeric_limits<float>::max()) == 0x7F80);
    // The one bit that makes it none lies in the lower half.
    CHECK((bf16_bits(std::bit_cast<float>(0x7F80'0001u)) & 0x7FFF) > 0x7F80);
    CHECK((bf16_bits(std::bit_cast<float>(0xFFFF'FFFFu)) & 0x7FFF) > 0x7F80);
    std::mt19937 random(5);
    for (int i = 0; i < 200000; ++i) {
        const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (x == x) REQUIRE(bf16_bits(x) == bfloat16_bits::narrowed(static_cast<double>(x)).bits);
    }
}

TEST_CASE("panels hold two rows of depth in one of words, an odd one beside zeros, and biases as they are") {
    const auto value = [](std::size_t k, std::size_t c) { return static_cast<float>(10 * k + c); };
    const bf16_panels b = bf16_panels::filled(3, 9, 2, 4, nullptr, {}, value, [](std::size_t c) { return 0.1f * static_cast<float>(c); });
    CHECK(b.count() == 2);
    CHECK(b.vectors(1) == 1);
    CHECK(b.columns(1) == 1);
    CHECK(b.at(0)[3] == (bf16_bits(3) | bf16_bits(13) << 16));
    CHECK(b.at(0)[8 + 3] == bf16_bits(23));
    CHECK(b.at(1)[0] == (bf16_bits(8) | bf16_bits(18) << 16));
    CHECK(b.at(1)[1] == 0);
    CHECK(b.at(1)[4] == bf16_bits(28));
    CHECK(b.bias(1)[0] == 0.1f * 8);
    CHECK(bf16_panels().is_empty());
}

TEST_CASE("the same numbers share one packing, another depth in as many words has its own") {
    weight_store store;
    const auto make = [&](std::size_t depth) {
        return bf16_panels::filled(
            depth, 21, 2, 4, &store, digest_builder().add(std::uint64_t{1}).finish(),
            [](std::size_t k, std::size_t c) { return static_cast<float>(k + c); }, [](std::size_t) { return 0.0f; });
    };
    const bf16_panels first = make(4), second = make(4), shorter = make(3);
    CHECK(first.at(0) == second.at(0));
    CHECK(first.at(0) != shorter.at(0));
    CHECK(store.count() == 2);
}
