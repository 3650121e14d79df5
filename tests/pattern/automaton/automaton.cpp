// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/automaton.hpp>

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/automaton/label.hpp>
#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/matcher.hpp>

#include "graph/two_vectors.hpp"
#include "pattern/random_terms.hpp"

using namespace inlay;

namespace {

/// The verified matches: pattern and root.
template <class G>
std::vector<std::pair<std::uint32_t, node_id>> verified(const G& g, automaton& a, const std::vector<pattern_view>& views) {
    const labels l = label(g, a);
    const user_lists users(g);
    matcher<G> m(g, users, {3000});
    std::vector<std::pair<std::uint32_t, node_id>> made;
    for (node_id n = 0; n < g.size(); ++n)
        a.for_each_accepted(l[n], [&](std::uint32_t p, bool exact) {
            if (m.matches(views[p], n) || (exact && m.gave_up())) made.push_back({p, n});
        });
    return made;
}

std::size_t truncated_in(const automaton& a) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < a.patterns().size(); ++p) count += a.is_truncated(p);
    return count;
}

}  // namespace

TEST_CASE("patterns that are truncated because tables may not grow are found all the same") {
    std::size_t truncated = 0, whole = 0;
    CHECK(rc::check("matches with and without room", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const auto owned = random_patterns(seed, 8);
        const auto views = views_of(owned);
        const auto pointers = pointers_to(views);
        const sub_patterns set(pointers);
        const auto g = random_kinds_graph(seed + 1, 150);
        automaton roomy(set.view()), tight(set.view(), {1500 + seed % 1500});
        const auto all = verified(g, roomy, views);
        RC_ASSERT(truncated_in(roomy) == 0u);
        // What the matcher gives up on is accepted for certain by the one and not by the other.
        const user_lists users(g);
        matcher<kinds_graph> m(g, users, {3000});
        std::vector<std::pair<std::uint32_t, node_id>> found, expected;
        for (const auto& [p, n] : verified(g, tight, views))
            if (m.matches(views[p], n)) found.push_back({p, n});
        for (const auto& [p, n] : all)
            if (m.matches(views[p], n)) expected.push_back({p, n});
        RC_ASSERT(found == expected);
        truncated += truncated_in(tight);
        whole += views.size() - truncated_in(tight);
    }));
    CHECK(truncated > 20);
    CHECK(whole > 20);
}

TEST_CASE("an automaton that truncated says which patterns, the largest first") {
    namespace d = inlay::dsl;
    constexpr auto small = d::op<"f">(d::input);
    constexpr auto large = d::op<"f">(d::op<"g">(d::op<"h">(d::op<"f">(d::input), d::op<"f">(d::op<"g">, d::any)), d::op<"g">(d::op<"h">)),
                                      d::op<"h">(d::op<"h">));
    const two_vectors g = random_two_vectors(1, 2000);
    automaton roomy(sub_patterns_of(small, large));
    (void)label(g, roomy);
    CHECK(truncated_in(roomy) == 0);
    automaton a(sub_patterns_of(small, large), {roomy.entries() - 50});
    (void)label(g, a);
    CHECK(a.is_truncated(1));
    CHECK_FALSE(a.is_truncated(0));
    CHECK_FALSE(a.patterns()[1].exact);
}

TEST_CASE("a thousand patterns of wildcards at different depths, and a thousand operands, neither blow up nor hang") {
    // f(any, f(any, ... leaf)): at each depth another side, another leaf.
    std::mt19937 random(5);
    std::vector<owned_pattern> owned(1000);
    for (owned_pattern& p : owned) {
        pattern_term t;
        t.kind = term_kind::node;
        const auto name = [&] { t.names = std::span<const std::string_view>(random_names).subspan(random() % 3, 1); };
        name();
        t.open = true;
        term_id below = p.add(t);
        t.open = false;
        for (std::size_t depth = 1 + random() % 12; depth-- > 0;) {
            name();
            t.unordered = random() % 3 == 0;
            const term_id any = p.add({});
            below = random() % 2 == 0 ? p.add(t, {any, below}) : p.add(t, {below, any});
        }
        p.root = below;
    }
    owned_pattern wide;
    pattern_term leaf, call;
    leaf.kind = call.kind = term_kind::node;
    leaf.names = std::span<const std::string_view>(random_names).first(1);
    leaf.open = true;
    call.names = std::span<const std::string_view>(random_names).subspan(1, 1);
    std::vector<term_id> operands;
    for (int i = 0; i < 1000; ++i) operands.push_back(wide.add(i % 2 == 0 ? leaf : pattern_term{}));
    wide.root = wide.add(call, operands);
    owned.push_back(wide);

    const auto views = views_of(owned);
    const auto pointers = pointers_to(views);
    const sub_patterns set(pointers);
    two_vectors g = random_two_vectors(3, 3000);
    const node_id f = g.add("f", {2});
    g.add("g", std::vector<node_id>(1000, f));
    g.add("g", std::vector<node_id>(999, f));
    const auto start = std::chrono::steady_clock::now();
    automaton a(set.view());
    const labels l = label(g, a);
    CHECK(a.entries() < 3 * (std::size_t{1} << 16));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
    const user_lists users(g);
    matcher<two_vectors> m(g, users);
    std::size_t found = 0;
    for (node_id n = 0; n < g.size(); n += n + 10 < g.size() ? 7 : 1) {
        std::vector<char> accepted(views.size());
        a.for_each_accepted(l[n], [&](std::uint32_t p, bool) { accepted[p] = 1; });
        std::size_t missed = 0;
        for (std::size_t p = 0; p < views.size(); ++p)
            if (m.matches(views[p], n)) {
                ++found;
                missed += accepted[p] == 0;
            }
        CHECK(missed == 0);
    }
    CHECK(found > 1000);
}
