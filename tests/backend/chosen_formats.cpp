// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/chosen_formats.hpp>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("chosen formats are told, and are among those that are offered") {
    small_graph t;
    const whole_region w(t.finish(t.call("onnx.Relu", {t.input({2, 3})})));
    const region_view bare = w.view();
    CHECK(detail::chosen_formats(bare, "Somebody").failure().message ==
          "Somebody emits a region whose border formats are chosen; this one has 0 for 1 inputs");
    const format plain = plain_format(element_type::float32);
    format last = plain;
    last.order = layout::channels_last();
    const region_view view{bare.values, bare.input_count, bare.constant_count, bare.results, {&plain, 1}, {&last, 1}};
    const auto chosen = detail::chosen_formats(view, "Somebody");
    REQUIRE(chosen.has_value());
    CHECK(*chosen == border_formats{{plain}, {last}});
    CHECK(detail::check_offered(*chosen, {*chosen, {{plain}, {plain}}}, "Somebody"));
    CHECK(detail::check_offered(*chosen, {{{plain}, {plain}}}, "Somebody").failure().message ==
          "Somebody does not take this region with a result in the format float32:channels_last and these inputs; ask it for its formats");
}
