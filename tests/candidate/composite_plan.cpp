// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/composite_plan.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Counts how many of its kind there are.
struct counted {
    int* alive;
    explicit counted(int& count) : alive(&count) { ++*alive; }
    counted(const counted& other) : alive(other.alive) { ++*alive; }
    ~counted() { --*alive; }
};

}  // namespace

TEST_CASE("a plan is given back as the type that it was made of, and as no other") {
    const composite_plan none;
    CHECK_FALSE(none);
    CHECK(none.as<int>() == nullptr);
    const composite_plan text = composite_plan::of(std::string("winograd"));
    REQUIRE(text);
    REQUIRE(text.as<std::string>() != nullptr);
    CHECK(*text.as<std::string>() == "winograd");
    CHECK(text.as<int>() == nullptr);
    CHECK(text.as<const char*>() == nullptr);
}

TEST_CASE("copies of a plan share the value, and the last one ends it") {
    int alive = 0;
    {
        std::vector<composite_plan> copies(1, composite_plan::of(counted(alive)));
        CHECK(alive == 1);
        for (int i = 0; i < 10; ++i) copies.push_back(copies[0]);
        CHECK(alive == 1);
        CHECK(copies[3].as<counted>() == copies[7].as<counted>());
        composite_plan kept = std::move(copies[5]);
        copies.clear();
        CHECK(alive == 1);
        kept = {};
        CHECK(alive == 0);
    }
    CHECK(alive == 0);
}
