// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/lifted_region.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

#include <inlay/candidate/region.hpp>

using namespace inlay;

TEST_CASE("lifted constants are inputs behind the region's own, and what is left out stays left out") {
    // Clip(x, left out, c) + d: constants and an operand that is left out in turns.
    const tensor c = tensor::scalar(1.5f), d = tensor::of({1, 3, 2, 2}, std::vector<float>(12, 2.0f));
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id clipped = b.call("onnx.Clip", {x, b.unit(), b.constant(c)}, {}, toys::image());
        return b.call("onnx.Add", {b.constant(d), clipped}, {}, toys::image());
    });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    std::vector<node_id> calls;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call) calls.push_back(n);
    const region r(m, users, results, calls);
    const border_formats formats = plain_borders(r.view());
    const region_view before = r.view(formats.inputs, formats.results);
    REQUIRE(before.constant_count == 3);

    const lifted_region lifted(before);
    const region_view v = lifted.view();
    CHECK(v.input_count == 3);
    CHECK(v.constant_count == 1);
    CHECK(v.constants()[0].kind == region_value::role::absent);
    REQUIRE(lifted.constants().size() == 2);
    CHECK(lifted.constants()[0].content() == c.content());
    CHECK(lifted.constants()[1].content() == d.content());
    REQUIRE(v.input_formats.size() == 3);
    CHECK(v.input_formats[1] == plain_format(element_type::float32));
    for (const region_value& i : v.inputs()) {
        CHECK(i.kind == region_value::role::input);
        CHECK(i.value == nullptr);
    }
    REQUIRE(v.calls().size() == 2);
    const region_value &clip = v.calls()[0], &add = v.calls()[1];
    CHECK(clip.operands[0] == 0);
    CHECK_FALSE(v.has_operand(clip, 1));
    CHECK(clip.operands[2] == 1);
    CHECK(add.operands[0] == 2);
    CHECK(&v.operand(add, 1) == &clip);
    CHECK(v.results[0] == before.results[0]);

    const lifted_region unchosen(r.view());
    CHECK(unchosen.view().input_formats.empty());
}
