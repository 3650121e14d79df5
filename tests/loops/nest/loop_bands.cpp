// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/loop_bands.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {

/// Names of loops, a blank between.
std::string names(const loop_nest& n, const std::vector<statement_id>& loops) {
    std::string all;
    for (const statement_id loop : loops) all += (all.empty() ? "" : " ") + n.variables[n.statements[loop].variable];
    return all;
}

const std::string text = R"(
nest n {
    input x: float32[4, 6]
    output y: float32[4, 6]
    scratch s: float32[4] {
        for a < 4 { for b < 6 { y[a, b] = 0.0 } }
        y[0, 0] = 1.0
        for c < 4 {
            s[c] = 0.0
            for d < 6 { if 1 <= d < 6 { s[c] += x[c, d] } }
        }
        for e < 4 { for f < 1 { for g < 6 { y[e, g] += s[e] } } }
    }
}
)";

}  // namespace

TEST_CASE("bands are the loops directly in each other, in the order in which they run") {
    const loop_nest n = nests::parsed(text);
    const std::vector<loop_band> bands = outermost_bands(n);
    REQUIRE(bands.size() == 3);
    CHECK(names(n, bands[0].loops) == "a b");
    CHECK(names(n, bands[1].loops) == "c");
    CHECK(names(n, bands[2].loops) == "e f g");
    CHECK(n.statements[bands[0].body].kind == nest_statement::form::store);
    CHECK(n.statements[bands[1].body].kind == nest_statement::form::block);
    CHECK(names(n, band_from(n, bands[2].loops[1]).loops) == "f g");
    CHECK(band_from(n, bands[0].body).loops.empty());
}

TEST_CASE("innermost loops are those without a loop in them, wherever they stand") {
    const loop_nest n = nests::parsed(text);
    std::vector<std::string> found;
    for (const statement_id loop : innermost_loops(n)) found.push_back(names(n, {loop}));
    std::sort(found.begin(), found.end());
    CHECK(found == std::vector<std::string>{"b", "d", "g"});
    CHECK(has_loop(n, n.root));
    CHECK(has_loop(n, outermost_bands(n)[1].body));
    CHECK_FALSE(has_loop(n, outermost_bands(n)[0].body));
}

TEST_CASE("a nest without loops has no bands") {
    const loop_nest n = nests::parsed("nest n { output y: float32[1] y[0] = 2.0 }");
    CHECK(outermost_bands(n).empty());
    CHECK(innermost_loops(n).empty());
}
