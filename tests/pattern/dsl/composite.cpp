// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/composite.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>

namespace {

using namespace inlay::dsl;

struct square_only {
    template <class Backend, class Match>
    inlay::verdict operator()(const Backend&, const Match& m) const {
        return m == 4 ? inlay::verdict::yes() : inlay::verdict::no("it has " + std::to_string(m) + " corners; the library takes 4");
    }
};
constexpr auto first = inlay::composite<"conv_relu">(op<"relu">(op<"conv">));
constexpr auto second = inlay::composite<"square">(op<"f">, square_only{});

struct with_patterns {
    static constexpr auto patterns() { return inlay::pattern_table(first, second); }
};
struct with_member_patterns {
    auto patterns() const { return inlay::pattern_table(first); }
};
struct with_number {
    static int patterns() { return 1; }
};

static_assert(std::is_empty_v<decltype(first)>, "a composite is known at compile time");
static_assert(decltype(first)::name == "conv_relu");
static_assert(std::is_same_v<decltype(first)::predicate_type, inlay::always>);
static_assert(inlay::pattern<decltype(first)::pattern_type>);
static_assert(inlay::has_patterns<with_patterns>);
static_assert(!inlay::has_patterns<with_member_patterns>, "the table belongs to the type");
static_assert(!inlay::has_patterns<with_number> && !inlay::has_patterns<int>);
static_assert(inlay::pattern_table<>::size == 0);

}  // namespace

TEST_CASE("a table gives its composites in order of priority, with their numbers") {
    std::vector<std::string> seen;
    with_patterns::patterns().for_each([&](auto c, std::size_t i) { seen.push_back(std::string(c.name) + " " + std::to_string(i)); });
    CHECK(seen == std::vector<std::string>{"conv_relu 0", "square 1"});
    inlay::pattern_table<>::for_each([&](auto, std::size_t) { seen.clear(); });
    CHECK(seen.size() == 2);
}

TEST_CASE("a predicate says yes, or no with its reason; without one every match is taken") {
    const decltype(second)::predicate_type when{};
    CHECK(when(0, 4).taken);
    CHECK_FALSE(when(0, 3).taken);
    CHECK(when(0, 3).reason == "it has 3 corners; the library takes 4");
    CHECK(inlay::always()(0, 3).taken);
    CHECK(inlay::verdict::yes().reason.empty());
}
