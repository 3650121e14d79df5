// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/takes_what_it_can.hpp>

#include <doctest/doctest.h>

#include <inlay/core/outcome.hpp>

namespace {

struct even_alone {
    [[nodiscard]] inlay::outcome<void> can(int region) const {
        if (region % 2 != 0) return inlay::error{"it is odd"};
        return {};
    }
};
struct match_of_number {
    int number;
    [[nodiscard]] int region() const { return number; }
};

}  // namespace

TEST_CASE("a predicate says what the back end can, and why not") {
    const inlay::takes_what_it_can when;
    CHECK(when(even_alone(), match_of_number{2}).taken);
    const inlay::verdict no = when(even_alone(), match_of_number{3});
    CHECK(!no.taken);
    CHECK(no.reason == "it is odd");
}
