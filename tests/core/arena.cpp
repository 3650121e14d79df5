// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/arena.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using inlay::arena;

static_assert(!std::is_copy_constructible_v<arena> && std::is_nothrow_move_constructible_v<arena>);

TEST_CASE("pieces are apart, aligned, and stay where they are, also when the arena moves") {
    arena memory;
    std::vector<std::span<std::uint64_t>> pieces;
    for (std::size_t i = 0; i < 2000; ++i) pieces.push_back(memory.take<std::uint64_t>(i % 37, i));
    const auto characters = memory.take<char>(3, 'x');
    const auto numbers = memory.take<double>(2, 0.5);
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double) == 0);
    const arena other = std::move(memory);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (const std::uint64_t number : pieces[i]) CHECK(number == i);
    CHECK(characters[2] == 'x');
    CHECK(numbers[1] == 0.5);
}

TEST_CASE("a piece larger than any block before it, and an empty one") {
    arena memory;
    CHECK(memory.take<int>(0).empty());
    const auto large = memory.take<std::byte>(std::size_t{5} << 20);
    std::memset(large.data(), 7, large.size());
    const auto small = memory.take<int>(1, 3);
    CHECK(small[0] == 3);
    CHECK(large.back() == std::byte{7});
}

TEST_CASE("what is known to be needed stands in one block, and more may follow") {
    const std::size_t bytes = arena::bytes_of<std::uint64_t>(3) + arena::bytes_of<char>(5);
    CHECK(arena::bytes_of<char>(0) == 0);
    arena memory(bytes);
    const auto numbers = memory.take<std::uint64_t>(3, 7);
    const auto letters = memory.take<char>(5, 'x');
    CHECK(static_cast<const void*>(letters.data()) == numbers.data() + arena::bytes_of<std::uint64_t>(3) / sizeof(std::uint64_t));
    const auto more = memory.take<std::uint64_t>(1000, 9);
    CHECK(numbers[2] == 7);
    CHECK(letters[4] == 'x');
    CHECK(more[999] == 9);
    CHECK(arena(0).take<int>(1, 2)[0] == 2);
}

TEST_CASE("cleared, an arena gives out its memory again") {
    arena memory;
    memory.clear();
    for (int round = 0; round < 3; ++round) {
        const auto first = memory.take<int>(10000, round);
        const auto second = memory.take<int>(10, -1);
        CHECK(first[9999] == round);
        CHECK(second[9] == -1);
        memory.clear();
    }
    const std::vector<int> list{1, 2, 3};
    const auto copied = memory.copy(std::span<const int>(list));
    CHECK(std::vector<int>(copied.begin(), copied.end()) == list);
}
