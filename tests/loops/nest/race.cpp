// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/race.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {
/// The loop over that variable.
statement_id loop_of(const loop_nest& n, const std::string& variable) {
    for (statement_id s = 0; s < n.statements.size(); ++s)
        if (n.statements[s].kind == nest_statement::form::loop && n.variables[n.statements[s].variable] == variable) return s;
    FAIL("there is no such loop");
    return 0;
}
std::optional<buffer_id> race(const std::string& statements, const std::string& variable) {
    const loop_nest n = nests::parsed("nest n { input x: float32[8] output y: float32[8, 8] " + statements + " }");
    return race_of(n, loop_of(n, variable));
}
}  // namespace

TEST_CASE("rounds that write places of their own do not meet, tiles neither [loops.race.apart]") {
    CHECK_FALSE(race("for i < 8 { y[i, 0] = x[0] }", "i"));
    CHECK_FALSE(race("for i < 2 { for j < 4 { y[0, 4*i + j] = 1.0 } }", "i"));
    CHECK_FALSE(race("for i < 2 { for j < 4 { y[0, 4*i + j] = 1.0 } }", "j"));
    CHECK_FALSE(race("for j < 8 { for i < 8 { y[j, 7 - i] = y[j, 7 - i] * 2.0 } }", "i"));
    CHECK_FALSE(race("for i < 4 { for j < 2 { y[0, 4*j + i] = 1.0 } }", "i"));
    CHECK_FALSE(race("for i < 2 { for j < 2 { for k < 2 { y[0, 4*j + 2*i + k] = 1.0 } } }", "i"));
    CHECK_FALSE(race("for i < 1 { y[0, 0] += x[i] }", "i"));
    CHECK_FALSE(race("for o < 2 { for i < 2 { y[2*o + i, 0] = 0.0 y[2*o + i, 1] = y[2*o + i, 0] } }", "i"));
}

TEST_CASE("rounds that may meet are said to [loops.race.meet]") {
    CHECK(race("for i < 8 { y[0, 0] = x[i] }", "i") == 1u);
    CHECK(race("for i < 2 { for j < 5 { y[0, 3*i + j] = 1.0 } }", "i") == 1u);
    CHECK(race("for i < 4 { for j < 2 { y[0, 3*j + i] = 1.0 } }", "i") == 1u);
    CHECK(race("for i < 2 { for j < 2 { y[0, 2*j + i] = y[0, 2*j + i + 1] } }", "i") == 1u);
    CHECK(race("for i < 7 { y[i + 1, 0] = y[i, 0] }", "i") == 1u);
    CHECK(race("for k < 8 { for i < 8 { y[i, 0] += x[k] } }", "k") == 1u);
    CHECK_FALSE(race("for k < 8 { for i < 8 { y[i, 0] += x[k] } }", "i"));
}

TEST_CASE("sums may be summed in any order, though not at one time [loops.race.reductions]") {
    const loop_nest n = nests::parsed(nests::product);
    CHECK(race_of(n, loop_of(n, "k")) == 2u);
    CHECK_FALSE(order_of(n, loop_of(n, "k")));
    const loop_nest mixed = nests::parsed("nest n { output y: float32[1] for k < 3 { y[0] += 1.0 y[0] *= 2.0 } }");
    CHECK(order_of(mixed, loop_of(mixed, "k")) == 0u);
    const loop_nest read = nests::parsed("nest n { output y: float32[4] for k < 3 { y[0] += y[k] } }");
    CHECK(order_of(read, loop_of(read, "k")) == 0u);
}

TEST_CASE("over random accesses, no two rounds of what is said to be apart meet [loops.race.sufficient]") {
    std::size_t apart = 0;
    const bool holds = rc::check([&] {
        nest_builder b("random");
        const buffer_id y = b.buffer(buffer_scope::output, "y", element_type::float32, {40, 40});
        const variable_id i = b.variable("i"), j = b.variable("j"), k = b.variable("k");
        const auto index = [&] {
            return affine(*rc::gen::inRange<std::int64_t>(0, 3)) + affine::of(i, *rc::gen::inRange<std::int64_t>(0, 4)) +
                   affine::of(j, *rc::gen::inRange<std::int64_t>(0, 4)) +
                   affine::of(k, *rc::gen::element<std::int64_t>(0, 1, 2, 3, 5, 6, 9));
        };
        std::vector<std::vector<affine>> places;
        const int count = *rc::gen::inRange(1, 3);
        std::vector<statement_id> parts;
        for (int p = 0; p < count; ++p) {
            places.push_back({index(), *rc::gen::arbitrary<bool>() ? affine() : index()});
            parts.push_back(b.store(y, places.back(), b.number(1)));
        }
        const statement_id inner = b.loop(k, 3, b.block(parts)), middle = b.loop(j, 3, inner), outer = b.loop(i, 3, middle);
        const loop_nest n = std::move(b).finish(outer);
        if (race_of(n, middle)) return;
        ++apart;
        // With i fixed, by place: the rounds of j that touch it.
        for (std::int64_t fixed = 0; fixed < 3; ++fixed) {
            std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>> rounds;
            for (std::int64_t at = 0; at < 3; ++at)
                for (std::int64_t in = 0; in < 3; ++in)
                    for (const auto& place : places) {
                        const std::vector<std::int64_t> values{fixed, at, in};
                        rounds[{place[0].at(values), place[1].at(values)}].insert(at);
                    }
            for (const auto& [place, by] : rounds) RC_ASSERT(by.size() == 1u);
        }
    });
    CHECK(holds);
    CHECK(apart > 0);
}

TEST_CASE("a call touches the windows that it is given [loops.race.calls]") {
    const std::string put = "intrinsic put { input a: float32[2] output b: float32[3] for k < 2 { b[k] = a[k] } } ";
    const std::string add = "intrinsic add { input a: float32[2] output b: float32[3] for k < 2 { b[k] += a[k] } } ";
    CHECK_FALSE(race(put + "for i < 2 { call put(x[i], y[i, 0]) }", "i"));
    CHECK_FALSE(race(put + "for i < 2 { call put(x[i], y[0, 3*i]) }", "i"));
    CHECK(race(put + "for i < 2 { call put(x[i], y[0, 2*i]) }", "i").has_value());
    CHECK(race(put + "for i < 2 { stack s: float32[2] { s[0] = y[0, 2*i + 2] s[1] = 0.0 call put(s[0], y[0, 2*i]) } }", "i").has_value());
    // Along another axis, by steps.
    const std::string far = "intrinsic far { output b: float32[3] strides [2] for k < 3 { b[k] = 1.0 } } ";
    CHECK_FALSE(race(far + "for i < 2 { call far(y[0, i] along [0]) }", "i"));
    CHECK(race(far + "for i < 2 { call far(y[0, i]) }", "i").has_value());
    CHECK_FALSE(race(far + "for i < 2 { call far(y[3*i, 0] along [0]) }", "i"));
    CHECK(race(far + "for i < 2 { call far(y[3*i, 0] along [0 by 2]) }", "i").has_value());
    const auto order = [](const std::string& statements) {
        const loop_nest n = nests::parsed("nest n { input x: float32[8] output y: float32[8, 8] " + statements + " }");
        return order_of(n, loop_of(n, "i"));
    };
    CHECK(order(put + "for i < 2 { call put(x[i], y[0, 0]) }").has_value());
    CHECK_FALSE(order(add + "for i < 2 { call add(x[i], y[0, 0]) }"));
    CHECK(order(add + "for i < 2 { call add(x[i], y[0, 0]) y[0, i] = 1.0 }").has_value());
    CHECK(order("external f { output b: float32[3] } for i < 2 { call f(y[0, 0]) }").has_value());
}
