// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/number_hash.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using inlay::number_hash;

TEST_CASE("each item has the number that it was given first, whatever hashes collide") {
    CHECK(rc::check("items", [](const std::vector<std::uint16_t>& items) {
        for (const std::uint32_t hashes : {1u, 5u, 0xFFFFu}) {
            number_hash hash;
            std::vector<std::uint16_t> kept;
            for (const std::uint16_t item : items) {
                const auto same = [&](std::uint32_t n) { return kept[n] == item; };
                const auto at = std::find(kept.begin(), kept.end(), item);
                const auto expected = at == kept.end() ? number_hash::none : static_cast<std::uint32_t>(at - kept.begin());
                RC_ASSERT(hash.find(item % hashes, same) == expected);
                RC_ASSERT(hash.find_or_add(item % hashes, static_cast<std::uint32_t>(kept.size()), same) == expected);
                if (expected == number_hash::none) kept.push_back(item);
                RC_ASSERT(hash.find(item % hashes, same) != number_hash::none);
            }
            hash.clear();
            RC_ASSERT(hash.find(0, [](std::uint32_t) { return true; }) == number_hash::none);
        }
    }));
}
