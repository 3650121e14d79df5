// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/entry.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

TEST_CASE("an entry tells why it does not read a match, and makes code of the plan for the formats that it lists") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const ir_module g = s.finish(y);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const shared_region body = shared_region::of(region(g, users, results, results));
    const backend_vtable& table = backend_vtable_of<xnnpack>();
    const xnnpack self;
    std::size_t taken = 0, refused = 0;
    for (std::uint32_t c = 0; c < table.count; ++c) {
        const auto plan = table[c].read(&self, body.view(), {}, {});
        if (!plan) {
            CHECK_FALSE(plan.failure().message.empty());
            ++refused;
            continue;
        }
        ++taken;
        for (const border_formats& f : table[c].formats(&self, *plan, body.view()))
            CHECK(emit_composite(self, {c, &*plan, body.view(f.inputs, f.results)}).has_value());
    }
    CHECK(taken == 3);
    CHECK(refused == table.count - 3);
}
