// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/near_stages.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

#include <inlay/loops/nest_text.hpp>
#include <inlay/loops/run_nest.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

/// Rows divided by their sums.
loop_nest rows(int count, int length) {
    const std::string r = std::to_string(count), c = std::to_string(length);
    return nests::parsed("nest rows { input x: float32[" + r + ", " + c + "] output y: float32[" + r + ", " + c + "] scratch s: float32[" +
                         r + "] { scratch t: float32[" + r + ", " + c + "] { for a < " + r + " { for b < " + c +
                         " { t[a, b] = exp(x[a, b]) } } " + "for c < " + r + " { s[c] = 0.0 for d < " + c +
                         " { s[c] += t[c, d] } } for e < " + r + " { for f < " + c + " { y[e, f] = t[e, f] / s[e] } } } } }");
}

void check_same(const loop_nest& before, const loop_nest& after) {
    const std::vector<tensor> inputs = nests::some_inputs(before);
    const auto meant = run_nest(before, inputs), got = run_nest(after, inputs);
    REQUIRE(meant);
    REQUIRE(got);
    CHECK(compare(got->front(), meant->front(), 1e-6, 1e-6).agrees);
}

}  // namespace

TEST_CASE("what is made for a row is computed right before the row is read") {
    const loop_nest before = rows(20, 9), after = detail::with_near_stages(before);
    CHECK(outermost_bands(before).size() == 3);
    CHECK(outermost_bands(after).size() == 1);
    for (const nest_buffer& b : after.buffers) CHECK(b.scope != buffer_scope::scratch);
    check_same(before, after);
}

TEST_CASE("stages stay where their reader would have too few rounds, and rows that are too long for the stack in memory") {
    const loop_nest few = rows(3, 50);
    CHECK(detail::with_near_stages(few) == few);
    const loop_nest after = detail::with_near_stages(rows(16, 10000));
    std::size_t in_memory = 0;
    for (const nest_buffer& b : after.buffers) {
        in_memory += b.scope == buffer_scope::scratch;
        if (b.scope == buffer_scope::stack) CHECK(element_span(b) * size_of(b.element) <= std::size_t{32} << 10);
    }
    CHECK(in_memory == 1);
}

TEST_CASE("a stage that several others read, or whose reader would compute it anew in each round, stays") {
    const loop_nest shared = nests::parsed(R"(
nest shared {
    input x: float32[32, 4]
    output y: float32[32, 4]
    output z: float32[32, 4]
    scratch s: float32[32] {
        for a < 32 { s[a] = 0.0 for b < 4 { s[a] += x[a, b] } }
        for c < 32 { for d < 4 { y[c, d] = s[c] } }
        for e < 32 { for f < 4 { z[e, f] = s[e] } }
    }
}
)");
    CHECK(detail::with_near_stages(shared) == shared);
    const loop_nest across = nests::parsed(R"(
nest across {
    input x: float32[4, 32]
    output y: float32[32, 4]
    scratch s: float32[4] {
        for a < 4 { s[a] = 0.0 for b < 32 { s[a] += x[a, b] } }
        for c < 32 { for d < 4 { for e < 1 { y[c, d + e] = s[d] } } }
    }
}
)");
    CHECK(detail::with_near_stages(across) == across);
}
