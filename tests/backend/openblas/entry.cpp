// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/entry.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace openblas_test;

TEST_CASE("an entry tells why it does not read a match, and makes code of the plan for the formats that it lists") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const ir_module g = s.finish(y);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const shared_region body = shared_region::of(region(g, users, results, results));
    const backend_vtable& table = backend_vtable_of<openblas>();
    const openblas self;
    std::size_t taken = 0, refused = 0;
    for (std::uint32_t c = 0; c < table.count; ++c) {
        const auto plan = table[c].read(&self, body.view(), {}, {});
        if (!plan) {
            CHECK_FALSE(plan.failure().message.empty());
            ++refused;
            continue;
        }
        ++taken;
        const auto listed = table[c].formats(&self, *plan, body.view());
        CHECK(listed.size() == 2);
        for (const border_formats& f : listed) CHECK(emit_composite(self, {c, &*plan, body.view(f.inputs, f.results)}).has_value());
    }
    CHECK(taken == 1);
    CHECK(refused == 2);
}

TEST_CASE("emit refuses formats that were not chosen or not offered, and a thread count that is not usable") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({4, 3}), t.random({3, 5})}));
    const sized_match best = largest_match(openblas(), g);
    REQUIRE_FALSE(best.ways.empty());
    const candidate& c = best.ways[0];
    const auto emit = [&](const openblas& self, std::span<const format> inputs, std::span<const format> results) {
        return emit_composite(self, {c.composite, &c.match->plan, c.match->body.view(inputs, results)});
    };
    CHECK_FALSE(emit(openblas(), {}, {}).has_value());
    format matrix = plain_format(element_type::float32);
    CHECK(emit(openblas(), {&matrix, 1}, {&matrix, 1}).has_value());
    openblas none;
    none.threads = -3;
    CHECK_FALSE(emit(none, {&matrix, 1}, {&matrix, 1}).has_value());
    matrix.order = layout::channels_last();
    const auto last = emit(openblas(), {&matrix, 1}, {&matrix, 1});
    REQUIRE_FALSE(last.has_value());
    CHECK(last.failure().message.find("float32:channels_last") != std::string::npos);
}
