// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/sub_pattern_check.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>
#include <inlay/pattern/match/matcher.hpp>

#include "graph/two_vectors.hpp"
#include "pattern/random_terms.hpp"

using namespace inlay;
using answer = sub_pattern_answer;

namespace {

constexpr auto nothing_known = [](sub_pattern_id, node_id) { return answer::unknown; };

}  // namespace

TEST_CASE("an exact pattern's root holds where a matcher finds the pattern") {
    std::size_t found = 0, told = 0;
    CHECK(rc::check("random patterns over random graphs", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const auto owned = random_patterns(seed, 5);
        const auto views = views_of(owned);
        const auto pointers = pointers_to(views);
        const sub_patterns set(pointers);
        const kinds_graph g = random_kinds_graph(seed, 30);
        const user_lists users(g);
        matcher<kinds_graph> m(g, users, {3000});
        sub_pattern_check check(g, set.view(), nothing_known, 4000);
        for (std::size_t p = 0; p < views.size(); ++p)
            for (node_id n = 0; n < g.size(); ++n) {
                const bool matches = m.matches(views[p], n);
                const answer a = check.holds(set.view().patterns[p].root, n);
                if (m.gave_up() || a == answer::unknown) continue;
                ++told;
                found += matches;
                RC_ASSERT(!matches || a == answer::yes);
                if (set.view().patterns[p].exact) RC_ASSERT(matches == (a == answer::yes));
            }
    }));
    CHECK(found > 200);
    CHECK(told > 5000);
}

TEST_CASE("what is known is not asked again, and too many questions give no answer") {
    const sub_pattern_view& set = sub_patterns_of(dsl::repeat<1>(dsl::op<"f">(dsl::hole), dsl::op<"g">(dsl::rest)));
    two_vectors g;
    g.add("x");
    g.add("g", {0});
    for (node_id n = 1; n < 20; ++n) g.add("f", {n});
    const sub_pattern_id root = set.patterns[0].root;
    CHECK(sub_pattern_check(g, set, nothing_known).holds(root, 20) == answer::yes);
    CHECK(sub_pattern_check(g, set, nothing_known).holds(root, 1) == answer::no);
    CHECK(sub_pattern_check(g, set, nothing_known, 9).holds(root, 20) == answer::unknown);
    const auto from_10 = [](sub_pattern_id, node_id n) { return n == 10 ? answer::no : answer::unknown; };
    CHECK(sub_pattern_check(g, set, from_10).holds(root, 20) == answer::no);
}
