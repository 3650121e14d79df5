// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rule_index.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "../pattern/by_text.hpp"
#include "../pattern/random_pattern.hpp"

using namespace pattern_test;
using inlay::rule_index;
using inlay::rule_row;

namespace {

std::vector<std::size_t> rules_at(rule_index<ir_module>& index, const ir_module& g, node_id n) {
    std::vector<std::size_t> list;
    CHECK_FALSE(index.each(g, n, [&](std::size_t r) {
        list.push_back(r);
        return false;
    }));
    return list;
}

}  // namespace

TEST_CASE(
    "over random programs no rule is left out that matches, rules stand in their order, and a fifth of those that do not match is left "
    "out") {
    std::size_t asked = 0, offered = 0, matching = 0;
    CHECK(rc::check("random rules", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
        dice d(seed);
        // So many that the share that is left out hardly varies from run to run.
        for (int program = 0; program < 10; ++program) {
            const ir_module g = pattern_test::random_program(d, 5 + d.below(15)).finish();
            const user_lists users(g);
            matcher<ir_module> m(g, users);
            std::vector<pattern_value> lefts;
            for (int i = 0; i < 12; ++i) {
                auto made = random_pattern(d, g, true).at(d.below(g.size()));
                RC_ASSERT(made.has_value());
                lefts.push_back(std::move(*made));
            }
            std::vector<pattern_view> views;
            for (const pattern_value& p : lefts) views.push_back(p.view());
            std::vector<rule_row<ir_module>> rows(views.size());
            for (std::size_t r = 0; r < rows.size(); ++r) rows[r].left = &views[r];
            rule_index<ir_module> index(rows);
            for (node_id n = 0; n < g.size(); ++n) {
                const std::vector<std::size_t> list = rules_at(index, g, n);
                RC_ASSERT(std::is_sorted(list.begin(), list.end()));
                asked += rows.size();
                offered += list.size();
                for (std::size_t r = 0; r < rows.size(); ++r) {
                    if (!m.matches(views[r], n)) continue;
                    ++matching;
                    if (!std::binary_search(list.begin(), list.end(), r))
                        RC_FAIL("seed " + std::to_string(seed) + ": " + inlay::to_text(views[r]) + " matches at " + std::to_string(n) +
                                " and is not offered");
                }
            }
        }
    }));
    MESSAGE(asked << " asked, " << offered << " offered, " << matching << " match");
    CHECK(matching > 0);
    CHECK(5 * (asked - offered) > asked - matching);
}

TEST_CASE("an operand's operator decides as the root's does; of unordered operands one has to be it") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", {});
    const node_id relu = b.call("relu", {x}), twice = b.call("relu", {relu});
    const node_id sum = b.call("add", {x, relu}), other = b.call("add", {x, x});
    b.declare(b.function(std::vector{x}, b.tuple(std::vector{twice, sum, other}), "main"));
    const ir_module g = b.finish();
    const pattern_value fixed = read("relu(relu(*))"), loose = read("add~(*, relu(*))"), any = read("*");
    const std::vector<pattern_view> views{fixed.view(), loose.view(), any.view()};
    std::vector<rule_row<ir_module>> rows(3);
    for (std::size_t r = 0; r < 3; ++r) rows[r].left = &views[r];
    rule_index<ir_module> index(rows);
    using list = std::vector<std::size_t>;
    CHECK(rules_at(index, g, relu) == list{2});
    CHECK(rules_at(index, g, twice) == list{0, 2});
    CHECK(rules_at(index, g, sum) == list{1, 2});
    CHECK(rules_at(index, g, other) == list{2});
    CHECK(rules_at(index, g, x) == list{2});
    CHECK(index.each(g, twice, [](std::size_t r) { return r == 0; }));
}
