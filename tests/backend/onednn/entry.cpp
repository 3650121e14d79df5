// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/entry.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;

TEST_CASE("an entry tells why it does not read a match, and lists no tuple that only a plain loop of the library takes") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 3, 3})});
    const ir_module g = s.finish(y);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const shared_region body = shared_region::of(region(g, users, results, results));
    const backend_vtable& table = backend_vtable_of<onednn>();
    onednn self;
    self.winograd = false;
    std::size_t taken = 0;
    for (std::uint32_t c = 0; c < 3; ++c) {
        const auto plan = table[c].read(&self, c, body.view(), {}, {});
        if (table[c].name == "convolution_winograd") {
            REQUIRE_FALSE(plan.has_value());
            CHECK(plan.failure().message == "the option -winograd=false forbids Winograd's form");
        }
        if (table[c].name == "convolution_as_product") CHECK_FALSE(plan.has_value());
        if (!plan) continue;
        ++taken;
        for (const border_formats& f : table[c].formats(&self, *plan, body.view())) {
            const auto made = emit_composite(self, {c, &*plan, body.view(f.inputs, f.results)});
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            CHECK_FALSE(detail::onednn_is_reference(made->note));
        }
    }
    CHECK(taken == 1);
}
