// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/label.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/matcher.hpp>

#include "graph/two_vectors.hpp"
#include "pattern/random_terms.hpp"

using namespace inlay;

namespace {

using acceptance = std::vector<std::vector<std::uint32_t>>;

template <class G>
acceptance accepted_in(const G& g, const automaton& a, const labels& l) {
    acceptance made;
    for (node_id n = 0; n < g.size(); ++n) {
        const auto list = a.accepted(l[n]);
        made.emplace_back(list.begin(), list.end());
    }
    return made;
}

/// A seed is as good as any other: there is nothing to shrink.
std::uint32_t any_seed() { return *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30))); }

/// A set of random patterns, its inventory, and what a matcher finds.
struct random_set {
    std::vector<owned_pattern> owned;
    std::vector<pattern_view> views;
    std::vector<const pattern_view*> pointers;
    sub_patterns inventory;

    random_set(std::uint32_t seed, std::size_t count)
        : owned(random_patterns(seed, count)), views(views_of(owned)), pointers(pointers_to(views)), inventory(pointers) {}
};

struct tally {
    std::size_t accepted = 0, found = 0, exact = 0, given_up = 0;
};

/// Holds what an automaton accepts against what a matcher finds.
template <class G>
void check_against_matcher(const random_set& set, const G& g, const automaton& a, const labels& l, tally& t) {
    const user_lists users(g);
    matcher<G> m(g, users, {3000});
    for (node_id n = 0; n < g.size(); ++n) {
        RC_ASSERT(l[n] != 0u);
        std::vector<int> says(set.views.size(), 0);
        std::uint32_t last = 0;
        a.for_each_accepted(l[n], [&](std::uint32_t pattern, bool exact) {
            RC_ASSERT(pattern < says.size());
            RC_ASSERT(pattern >= last);
            last = pattern;
            says[pattern] = exact ? 2 : 1;
            ++t.accepted;
            t.exact += exact;
        });
        for (std::size_t p = 0; p < says.size(); ++p) {
            const bool found = m.matches(set.views[p], n);
            if (m.gave_up()) {
                ++t.given_up;
                continue;
            }
            t.found += found;
            if (found && says[p] == 0) RC_LOG() << "pattern " << p << " matches at node " << n << " and is not accepted\n";
            RC_ASSERT(!found || says[p] != 0);
            if (!found && says[p] == 2) RC_LOG() << "pattern " << p << " is accepted as exact at node " << n << " and does not match\n";
            RC_ASSERT(found || says[p] != 2);
            if (a.patterns()[p].exact) RC_ASSERT(found == (says[p] == 2));
        }
    }
}

}  // namespace

TEST_CASE("what a matcher finds is accepted, and what is accepted as exact is found") {
    tally t;
    CHECK(rc::check("random patterns of all kinds over random graphs", [&] {
        const auto seed = any_seed();
        const random_set set(seed, 6);
        const auto g = random_kinds_graph(seed + 1, 60);
        automaton a(set.inventory.view());
        check_against_matcher(set, g, a, label(g, a), t);
    }));
    // The random cases reach what they are to reach.
    CHECK(t.found > 500);
    CHECK(t.exact > 500);
    CHECK(t.accepted > t.found);
}

TEST_CASE("a graph that numbers its operators is labelled like one that does not") {
    CHECK(rc::check("labels", [] {
        const auto seed = any_seed();
        const random_set set(seed, 6);
        const auto g = random_kinds_graph(seed + 1, 60);
        const auto same = random_kinds_graph<interned_kinds_graph>(seed + 1, 60);
        automaton a(set.inventory.view());
        const labels l = label(g, a), m = label(same, a);
        for (node_id n = 0; n < g.size(); ++n) RC_ASSERT(l[n] == m[n]);
        // Numbers that are too large for a table, of one operator or of all.
        auto sparse = same;
        sparse.beyond = seed % 2 == 0 ? 1u << 20 : 65533;
        const labels o = label(sparse, a);
        for (node_id n = 0; n < g.size(); ++n) RC_ASSERT(l[n] == o[n]);
    }));
}

TEST_CASE("what an automaton saw before makes no difference") {
    CHECK(rc::check("a used automaton accepts what a fresh one does", [] {
        const auto seed = any_seed();
        const random_set set(seed, 5);
        const auto g = random_kinds_graph(seed + 1, 80);
        automaton fresh(set.inventory.view()), used(set.inventory.view());
        for (std::uint32_t i = 0; i < 3; ++i) (void)label(random_kinds_graph(seed + 10 + i, 100), used);
        RC_ASSERT(accepted_in(g, fresh, label(g, fresh)) == accepted_in(g, used, label(g, used)));
        automaton copied(used);
        RC_ASSERT(accepted_in(g, fresh, label(g, fresh)) == accepted_in(g, copied, label(g, copied)));
    }));
}

TEST_CASE("stretches of a large graph that take turns give what going through it does") {
    CHECK(rc::check("acceptance", [] {
        const auto seed = any_seed();
        const random_set set(seed, 4);
        const auto far = *rc::gen::arbitrary<bool>();
        auto g = random_kinds_graph(seed + 1, 6000);
        // Far operands make stretches wait for each other; near ones seldom.
        if (!far)
            for (node_id n = 0; n < g.size(); ++n)
                for (node_id& o : g.nodes[n].reads) o = o + 20 < n ? n - 1 : o;
        automaton a(set.inventory.view()), b(set.inventory.view());
        const labels l = label(g, a);
        labels one_by_one;
        relabel(g, b, one_by_one, std::vector<std::vector<node_id>>(g.size()), {});
        RC_ASSERT(one_by_one.size() == g.size());
        RC_ASSERT(accepted_in(g, a, l) == accepted_in(g, b, one_by_one));
    }));
}

TEST_CASE("what is told while a graph is labelled is what its labels say, each node's once and in order") {
    CHECK(rc::check("graphs small and large, near operands and far ones, tight tables and roomy ones", [] {
        const auto seed = any_seed();
        const random_set set(seed, 5);
        auto g = random_kinds_graph(seed + 1, seed % 3 == 0 ? 50 : 6000);
        if (seed % 2 == 0)
            for (node_id n = 0; n < g.size(); ++n)
                for (node_id& o : g.nodes[n].reads) o = o + 20 < n ? n - 1 : o;
        automaton a(set.inventory.view(), {seed % 5 == 0 ? 3000u : 1u << 16});
        labels l;
        acceptance told(g.size());
        std::vector<char> is_over(g.size());
        node_id last = no_node;
        labeller<kinds_graph>(g, a).all(l, [&](node_id n, std::uint32_t pattern, bool exact) {
            if (n != last && last != no_node) is_over[last] = 1;
            last = n;
            RC_ASSERT(is_over[n] == 0);
            told[n].push_back(2 * pattern + exact);
        });
        const bool is_same = told == accepted_in(g, a, l);
        RC_ASSERT(is_same);
    }));
}

TEST_CASE("labels that are brought up to date are labels made anew") {
    CHECK(rc::check("changes of operators, attributes and operands, and new nodes", [] {
        const auto seed = any_seed();
        const random_set set(seed, 6);
        auto g = random_kinds_graph(seed + 1, 80);
        automaton a(set.inventory.view());
        labels l = label(g, a);
        std::mt19937 random(seed + 2);
        for (int round = 0; round < 4; ++round) {
            std::vector<node_id> changed;
            for (int i = 0; i < 3; ++i) {
                const auto n = static_cast<node_id>(random() % g.size());
                kinds_graph::node& node = g.nodes[n];
                changed.push_back(n);
                set_properties(node, random);
                if (node.kind != node_kind::call) continue;
                node.name = random_names[random() % random_names.size()];
                node.reads[random() % node.reads.size()] = static_cast<node_id>(random() % n);
                if (random() % 3 == 0) node.reads.push_back(static_cast<node_id>(random() % n));
            }
            for (std::size_t i = random() % 3; i-- > 0;) {
                const auto last = static_cast<node_id>(g.size() - 1);
                g.nodes.push_back({node_kind::call, "f", {last, last - 1}, {}, {}, {}, 0});
            }
            relabel(g, a, l, user_lists(g), changed);
            const labels anew = label(g, a);
            RC_ASSERT(l.size() == anew.size());
            for (node_id n = 0; n < g.size(); ++n) RC_ASSERT(l[n] == anew[n]);
        }
    }));
}

TEST_CASE("a change goes up no farther than states change") {
    namespace d = inlay::dsl;
    const sub_pattern_view& set = sub_patterns_of(d::op<"f">(d::op<"g">));
    two_vectors g;
    g.add("x");
    g.add("g", {0});
    g.add("f", {1});
    for (node_id n = 2; n < 100; ++n) g.add("f", {n});
    automaton a(set);
    labels l = label(g, a);
    CHECK(a.accepted(l[2]).size() == 1);
    CHECK(a.accepted(l[3]).empty());

    struct counted {
        const user_lists& users;
        std::size_t& asked;
        std::span<const node_id> operator[](node_id n) const {
            ++asked;
            return users[n];
        }
    };
    g.ops[1] = "h";
    const user_lists users(g);
    std::size_t asked = 0;
    const node_id changed[] = {1};
    relabel(g, a, l, counted{users, asked}, changed);
    CHECK(a.accepted(l[2]).empty());
    CHECK(asked == 2);  // node 1, and node 2, which is no match any more
}

TEST_CASE("a graph that numbers nodes and knows operators and no more is labelled") {
    namespace d = inlay::dsl;
    const sub_pattern_view& set =
        sub_patterns_of(d::op<"f">(d::op<"g">, d::rest), d::commutative<"f">(d::as<"x">, d::op<"f">(d::as<"x">, d::rest)), d::input);
    const two_vectors g = random_two_vectors(7, 300);
    automaton a(set);
    const labels l = label(g, a);
    const user_lists users(g);
    matcher<two_vectors> m(g, users);
    std::size_t certain = 0;
    for (node_id n = 0; n < g.size(); ++n)
        a.for_each_accepted(l[n], [&](std::uint32_t pattern, bool exact) {
            CHECK(exact == (pattern != 1));
            certain += exact;
        });
    CHECK(certain > 10);
    CHECK(label(two_vectors(), a).size() == 0);
}
