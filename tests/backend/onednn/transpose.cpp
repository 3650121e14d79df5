// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/transpose.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using order_list = std::vector<std::int64_t>;

TEST_CASE("axes are reordered, row-major on both sides") {
    const std::vector<std::pair<order_list, order_list>> forms{
        {{5, 7}, {1, 0}}, {{2, 3, 5}, {2, 0, 1}}, {{2, 20, 5, 6}, {0, 2, 1, 3}}, {{2, 3, 4, 5, 6}, {4, 1, 3, 0, 2}}};
    for (const auto& [x, order] : forms) {
        small_graph s;
        const taken t = expect_taken(s.finish(s.call("onnx.Transpose", {s.input(x)}, {{"perm", order}})), 1);
        CHECK(t.has("plain->plain"));
    }
}

TEST_CASE("from channels last to row-major, and back, a change of names is a view") {
    for (const bool back : {false, true}) {
        small_graph s;
        const order_list x = back ? order_list{2, 5, 6, 20} : order_list{2, 20, 5, 6},
                         order = back ? order_list{0, 3, 1, 2} : order_list{0, 2, 3, 1};
        const ir_module g = s.finish(s.call("onnx.Transpose", {s.input(x)}, {{"perm", order}}));
        const std::string way = back ? "plain->channels_last" : "channels_last->plain";
        const taken t = expect_taken(g, 1);
        CHECK(t.note(way) == "view");
        for (const candidate& c : largest_match(onednn(), g).ways) {
            const auto k = emit_composite(onednn(), {c.composite, &c.match->plan, c.view()});
            REQUIRE(k.has_value());
            CHECK(k->view_of.empty() == (c.formats.inputs[0].order == c.formats.results[0].order));
        }
    }
}
