// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/fenced_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

#include <doctest/doctest.h>

using inlay::detail::fenced_memory;

TEST_CASE("a byte that is written before or behind a tensor is found [measure.guard.bytes]") {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{4095}, std::size_t{4096}, std::size_t{10000}}) {
        fenced_memory m;
        REQUIRE(m.make({bytes, 8, bytes}, true));
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& p = m.pieces()[i];
            CHECK(reinterpret_cast<std::uintptr_t>(p.data) % 64 == 0);
            CHECK(p.bytes == (i == 1 ? 8 : bytes));
            CHECK(m.touched(i) == std::nullopt);
            p.data[-1] = std::byte{0};
            CHECK(m.touched(i) == std::optional<std::ptrdiff_t>(-1));
        }
        fenced_memory::pattern zeros{};
        REQUIRE(m.make({bytes}, false, {zeros}));
        CHECK(m.pieces()[0].data[bytes] == std::byte{0});
        CHECK(m.touched(0) == std::nullopt);
        m.pieces()[0].data[bytes] = std::byte{1};
        CHECK(m.touched(0) == std::optional<std::ptrdiff_t>(bytes));
        CHECK(m.place_of(0, *m.touched(0), "it") == "1 byte beyond it");
        // Without a wall more than the slack is watched.
        m.pieces()[0].data[bytes + 3000] = std::byte{1};
        CHECK(m.place_of(0, *m.touched(0), "it") == "3001 bytes beyond it");
    }
}
