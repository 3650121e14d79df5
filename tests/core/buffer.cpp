// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/buffer.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <doctest/doctest.h>

static_assert(std::is_nothrow_move_constructible_v<inlay::buffer>);
static_assert(std::is_copy_constructible_v<inlay::buffer>);
static_assert(!std::is_convertible_v<std::size_t, inlay::buffer>, "a size alone is no buffer");

TEST_CASE("an empty buffer has no block and no bytes") {
    const inlay::buffer none;
    CHECK(none.size() == 0);
    CHECK(none.data() == nullptr);
    CHECK(inlay::buffer(0).data() == nullptr);
}

TEST_CASE("a block is aligned to 64 and zero, the slack behind it too") {
    for (const std::size_t size : {1u, 63u, 64u, 65u, 1000u}) {
        CAPTURE(size);
        const inlay::buffer b(size);
        REQUIRE(b.size() == size);
        CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % inlay::buffer::alignment == 0);
        bool zero = true;
        for (std::size_t i = 0; i < size + inlay::buffer::slack; ++i) zero = zero && b.data()[i] == std::byte{0};
        CHECK(zero);
    }
}

TEST_CASE("a large block begins on a huge page, a smaller one anywhere, and both are zero") {
    const std::size_t page = inlay::buffer::huge_page;
    for (const std::size_t size : {page - 1, page, 2 * page + 5}) {
        CAPTURE(size);
        inlay::buffer b(size);
        REQUIRE(b.size() == size);
        // The block's own bytes stand in front.
        if (size >= page) CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % page == inlay::buffer::alignment);
        std::size_t set = 0;
        for (std::size_t i = 0; i < size + inlay::buffer::slack; ++i) set += b.data()[i] != std::byte{0};
        CHECK(set == 0);
        b.data()[size - 1] = std::byte{1};
    }
}

TEST_CASE("copies share the block, and the last one keeps it alive") {
    inlay::buffer last;
    {
        inlay::buffer first(16);
        first.data()[3] = std::byte{7};
        const inlay::buffer second = first;
        CHECK(second.data() == first.data());
        first.data()[4] = std::byte{9};
        CHECK(second.data()[4] == std::byte{9});
        last = second;
    }
    CHECK(last.size() == 16);
    CHECK(last.data()[3] == std::byte{7});
}

TEST_CASE("a moved buffer leaves an empty one behind") {
    inlay::buffer from(8);
    const std::byte* const block = from.data();
    inlay::buffer to = std::move(from);
    CHECK(to.data() == block);
    CHECK(from.size() == 0);
    to = inlay::buffer(4);
    CHECK(to.size() == 4);
    inlay::buffer& same = to;
    to = same;
    CHECK(to.size() == 4);
}

TEST_CASE("a buffer of more bytes than there are is empty") {
    CHECK(inlay::buffer(static_cast<std::size_t>(-1)).size() == 0);
    CHECK(inlay::buffer(static_cast<std::size_t>(-1) / 2).size() == 0);
    CHECK(inlay::buffer(static_cast<std::size_t>(-1) / 2 + 1).data() == nullptr);
}

TEST_CASE("a block in given memory gives it back when the last copy goes") {
    using inlay::buffer;
    alignas(buffer::alignment) static std::byte memory[buffer::alignment + 100 + buffer::slack]{};
    static std::size_t given_back = 0;
    memory[buffer::alignment + 3] = std::byte{5};
    {
        buffer last;
        {
            const buffer first = buffer::in(memory, 100, [](void* of, std::size_t size) { given_back = of == memory ? size : 0; });
            CHECK(first.size() == 100);
            CHECK(first.data() == memory + buffer::alignment);
            CHECK(first.data()[3] == std::byte{5});
            CHECK(first.is_alone());
            last = first;
            CHECK(!first.is_alone());
        }
        CHECK(given_back == 0);
    }
    CHECK(given_back == 100);
    CHECK(!buffer().is_alone());
}

TEST_CASE("a buffer around somebody's bytes shows them, and leaves them where they are") {
    using inlay::buffer;
    alignas(buffer::alignment) std::byte bytes[8 + buffer::slack]{};
    bytes[7] = std::byte{9};
    buffer last;
    {
        const buffer first = buffer::around(bytes, 8);
        CHECK(first.size() == 8);
        CHECK(first.data() == bytes);
        CHECK(first.is_alone());
        last = first;
        CHECK(!first.is_alone());
    }
    CHECK(last.is_alone());
    CHECK(last.data()[7] == std::byte{9});
    last = buffer();
    CHECK(bytes[7] == std::byte{9});
}
