// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match/matcher.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/text/pattern_text.hpp>

#include "pattern/naive_matcher.hpp"
#include "pattern/random_pattern.hpp"

using namespace pattern_test;

TEST_CASE("over random programs a naive matcher finds the same matches in the same order [pattern.enumeration.all-in-order]") {
    std::size_t pairs = 0, matches = 0, several = 0, matching = 0, skipped = 0;
    std::vector<std::size_t> kinds(15);
    // RC_PARAMS=max_success=5000 makes 10^5 pairs of a graph and a pattern.
    CHECK(rc::check("random graphs and patterns", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
        dice d(seed);
        const ir_module g = random_program(d, 5 + d.below(15)).finish();
        const user_lists users(g);
        matcher<ir_module> fast(g, users);
        for (int i = 0; i < 20; ++i) {
            const auto made = random_pattern(d, g, true).at(d.below(g.size()));
            RC_ASSERT(made.has_value());
            const pattern_view p = made->view();
            naive_matcher naive(g, users, p, 20'000);
            std::size_t here = 0;
            for (node_id root = 0; root < g.size(); ++root) {
                const auto expected = naive.at(root);
                if (!expected) {
                    ++skipped;
                    continue;
                }
                partials found;
                fast.each(p, root, [&](const found_match& m) {
                    found.push_back({{m.bound.begin(), m.bound.end()}, {m.covered.begin(), m.covered.end()}});
                    return found.size() > expected->size() + 1;
                });
                if (found != *expected)
                    RC_FAIL("seed " + std::to_string(seed) + ", pattern " + std::to_string(i) + " at " + std::to_string(root) + ": " +
                            to_text(p) + " has " + std::to_string(found.size()) + " matches and not " + std::to_string(expected->size()));
                here += found.size();
                several += found.size() > 1 ? 1u : 0u;
            }
            ++pairs;
            matches += here;
            if (here != 0) {
                ++matching;
                for (const pattern_term& t : p.terms) ++kinds[static_cast<std::size_t>(t.kind)];
            }
        }
    }));
    MESSAGE(pairs << " pairs, " << matching << " of them match, " << matches << " matches; several at " << several << " roots; " << skipped
                  << " roots skipped");
    CHECK(matching > pairs / 3);
    CHECK(several > pairs / 10);
    CHECK(skipped < pairs);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        CAPTURE(k);
        CHECK(kinds[k] > 5);
    }
}
