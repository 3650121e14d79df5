// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/cost_network.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

struct maps {
    inlay::arena memory;
    inlay::class_mapper mapper;

    inlay::class_map classes(const std::vector<std::uint32_t>& of, std::uint32_t count) {
        return {memory.copy(std::span<const std::uint32_t>(of)), count};
    }
    inlay::class_map refine(const inlay::class_map& a, const inlay::class_map& b) { return mapper.refine(a, b, memory); }
};

}  // namespace

TEST_CASE("refining keeps apart what either map keeps apart, in order of first appearance") {
    maps m;
    const auto a = m.classes({0, 0, 1, 1, 2}, 3);
    const auto b = m.classes({0, 1, 0, 0, 0}, 2);
    CHECK(m.refine(a, b) == m.classes({0, 1, 2, 2, 3}, 4));
    CHECK(m.refine(a, inlay::one_class(5, m.memory)) == a);
    CHECK(m.refine(inlay::one_class(5, m.memory), b) == b);
    CHECK(m.refine(a, a) == a);
    CHECK(m.refine(m.refine(a, b), a) == m.refine(a, b));
}

TEST_CASE("a restricted model costs what the original does on the values that are left") {
    inlay::cost_network m;
    m.unary.items = {1, 2, 3, 10, 20};
    m.unary.begin = {0, 3, 5};
    m.constant = 1000;
    maps made;
    const std::vector<inlay::fixed_cost> prices{0, 100, 200, inlay::infinite_cost};
    m.pairs.push_back({0, 1, made.classes({0, 1, 1}, 2), made.classes({0, 1}, 2), prices});
    CHECK(inlay::evaluate(m, std::vector<std::uint32_t>{0, 1}) == 1121);
    CHECK(inlay::evaluate(m, std::vector<std::uint32_t>{1, 1}) == inlay::infinite_cost);
    const auto all = inlay::restricted(m, std::vector<std::uint8_t>{1, 1, 1, 1, 1});
    CHECK(all.m.pairs.size() == 1);
    const auto some = inlay::restricted(m, std::vector<std::uint8_t>{0, 1, 1, 1, 0});
    // One class is left on a side: the table became a price.
    CHECK(some.m.pairs.empty());
    CHECK(std::vector<std::uint32_t>(some.values[0].begin(), some.values[0].end()) == std::vector<std::uint32_t>{1, 2});
    CHECK(inlay::evaluate(some.m, std::vector<std::uint32_t>{1, 0}) == inlay::evaluate(m, std::vector<std::uint32_t>{2, 0}));
    const auto none = inlay::restricted(m, std::vector<std::uint8_t>{0, 0, 0, 1, 1});
    CHECK(none.m.unary[0].empty());
}

TEST_CASE("a table is stored in its smallest form: classes that nobody has are dropped, and those that nobody tells apart are one") {
    inlay::cost_network m;
    m.unary.items = {0, 0, 0, 0, 0};
    m.unary.begin = {0, 3, 5};
    inlay::detail::table_maker tables;
    std::vector<std::uint32_t> a{2, 0, 3}, b{1, 0};
    // Nobody has class 1 of the first; its classes 2 and 3 cost the same.
    const std::vector<inlay::fixed_cost> cost{1, 2, 50, 60, 7, 8, 7, 8};
    tables.add(m, 0, 1, a, 4, b, 2, cost);
    REQUIRE(m.pairs.size() == 1);
    CHECK(m.pairs[0].a_map.count == 2);
    CHECK(m.pairs[0].at(0, 0) == 8);
    CHECK(m.pairs[0].at(0, 1) == 7);
    CHECK(m.pairs[0].at(1, 0) == 2);
    CHECK(m.pairs[0].at(2, 1) == 7);
    // One class on a side: a price of the other's values.
    std::vector<std::uint32_t> same{0, 0, 0}, each{0, 1};
    const std::vector<inlay::fixed_cost> line{5, 9};
    tables.add(m, 0, 1, same, 1, each, 2, line);
    CHECK(m.pairs.size() == 1);
    CHECK(m.unary[1][0] == 5);
    CHECK(m.unary[1][1] == 9);
}

TEST_CASE("a table of a variable that has no value left says nothing") {
    inlay::cost_network m;
    m.unary.items = {7, 8};
    m.unary.begin = {0, 0, 2};
    inlay::detail::table_maker maker;
    std::vector<std::uint32_t> none, both{0, 1};
    maker.add(m, 0, 1, none, 1, both, 2, std::vector<inlay::fixed_cost>{5, 6});
    CHECK(m.pairs.empty());
    CHECK(m.unary.items == std::vector<inlay::fixed_cost>{7, 8});
    std::vector<std::uint32_t> again{1, 0};
    maker.add(m, 1, 0, again, 2, none, 1, std::vector<inlay::fixed_cost>{5, 6});
    CHECK(m.pairs.empty());
    CHECK(m.unary.items == std::vector<inlay::fixed_cost>{7, 8});
}
