// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/live_sub_patterns.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

#include "pattern/random_terms.hpp"

namespace d = inlay::dsl;
using inlay::live_sub_patterns;
using inlay::node_kind;
using inlay::sub_pattern_id;
using form = inlay::sub_pattern::form;

TEST_CASE("operators are told apart as far as patterns name them") {
    live_sub_patterns set(inlay::sub_patterns_of(d::op<"f">(d::op<"g">(d::any), d::any), d::input));
    const auto f = set.operator_of(node_kind::call, "f"), other = set.operator_of(node_kind::call, "h");
    CHECK(f != other);
    CHECK(f != set.operator_of(node_kind::call, "g"));
    CHECK(set.operator_of(node_kind::call, "i") == other);
    CHECK(set.asks_name(node_kind::call));
    CHECK_FALSE(set.asks_name(node_kind::input));
    CHECK(set.operator_of(node_kind::input, "f") == set.operator_of(node_kind::input, "x"));
    CHECK(set.nodes_of_operator(f).size() == 1);
    CHECK(set.nodes_of_operator(other).empty());
    CHECK(set.arity_bound(f) == 3);
    CHECK(set.arity_bound(other) == 0);
    CHECK(set.nodes_of(0) == 2);
}

TEST_CASE("each sub-pattern stands behind what it hangs on at the same node, before patterns are truncated and after") {
    std::size_t looked_at = 0;
    CHECK(rc::check("order", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const auto owned = random_patterns(seed, 6);
        const auto views = views_of(owned);
        const auto pointers = pointers_to(views);
        const inlay::sub_patterns made(pointers);
        live_sub_patterns set(made.view());
        for (int round = 0; round < 2; ++round) {
            std::vector<char> seen(set.forms().size());
            for (const sub_pattern_id s : set.order()) {
                RC_ASSERT(seen[s] == 0);
                // Around a loop nothing can stand behind all that it hangs on.
                if (set[s].kind != form::node && set[s].kind != form::loop)
                    for (const sub_pattern_id c : set.children(s)) RC_ASSERT(seen[c] != 0 || c <= 1 || set[c].kind == form::loop);
                seen[s] = 1;
                ++looked_at;
            }
            for (const sub_pattern_id s : set.visible()) RC_ASSERT(seen[s] != 0 && set.is_visible(s));
            RC_ASSERT(std::is_sorted(set.visible().begin(), set.visible().end()));
            const std::uint32_t some[] = {seed % 6, (seed / 6) % 6};
            set.truncate(some);
            for (const std::uint32_t p : some) RC_ASSERT(!set.patterns()[p].exact);
        }
    }));
    CHECK(looked_at > 1000);
}

TEST_CASE("of a truncated pattern its root's operators, kind and number of operands are left") {
    live_sub_patterns set(inlay::sub_patterns_of(d::op<"f", "h">(d::op<"g">(d::any)), d::op<"f">(d::op<"g">(d::any)) | d::op<"g">(d::any)));
    const std::uint32_t both[] = {0, 1};
    set.truncate(both);
    const auto root = set.patterns()[0].root;
    CHECK(set[root].kind == form::node);
    CHECK(set[root].names == 2);
    CHECK(set[root].arity == 1);
    CHECK(set[root].count == 0);
    REQUIRE(set.accepted_at(root).size() == 1);
    CHECK(set.accepted_at(root)[0] == 0);
    CHECK(set[set.patterns()[1].root].kind == form::either);
    CHECK(set.nodes_of(0) == 1);
    CHECK(set.nodes_of(1) == 2);
}
