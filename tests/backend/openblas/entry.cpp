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
    const entries_asked asked = ask_entries(openblas(), g, [](const auto& listed) { CHECK(listed.size() == 2); });
    CHECK(asked.taken == 1);
    CHECK(asked.refused == 2);
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
