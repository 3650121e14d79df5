// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

inlay::class_map classes(std::vector<std::uint32_t> of, std::uint32_t count) { return {std::move(of), count}; }

}  // namespace

TEST_CASE("refining keeps apart what either map keeps apart, in order of first appearance") {
    const auto a = classes({0, 0, 1, 1, 2}, 3);
    const auto b = classes({0, 1, 0, 0, 0}, 2);
    CHECK(inlay::refine(a, b) == classes({0, 1, 2, 2, 3}, 4));
    CHECK(inlay::refine(a, inlay::one_class(5)) == a);
    CHECK(inlay::refine(inlay::one_class(5), b) == b);
    CHECK(inlay::refine(a, a) == a);
}

TEST_CASE("a restricted model costs what the original does on the values that are left") {
    inlay::model m;
    m.unary.items = {1, 2, 3, 10, 20};
    m.unary.begin = {0, 3, 5};
    m.constant = 1000;
    m.pairs.push_back({0, 1, classes({0, 1, 1}, 2), classes({0, 1}, 2), {0, 100, 200, inlay::never}});
    CHECK(inlay::evaluate(m, std::vector<std::uint32_t>{0, 1}) == 1121);
    CHECK(inlay::evaluate(m, std::vector<std::uint32_t>{1, 1}) == inlay::never);
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
