// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/rebuild.hpp>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Copying every node gives the same program, block for block") {
    for (std::uint8_t seed = 0; seed < 30; ++seed) {
        std::vector<std::uint8_t> choices;
        for (unsigned i = 0; i < 45; ++i) choices.push_back(static_cast<std::uint8_t>((i * 91u + seed * 57u + i * i * 7u) % 253u));
        const ir_module m = random_program(choices);
        CHECK(same(m, rebuild(m, [](module_rebuilder& r, node_id n) { r.copy(n); })));
    }
}

TEST_CASE("Nodes are replaced, and blocks dissolved") {
    const ir_module m = program({f32({}), tensor_type(element_type::boolean, {})}, [](ir_builder& b, auto& x) {
        b.open_block();
        const node_id yes = b.call("onnx.Neg", {x[0]}, {}, {}, "yes");
        b.close_block();
        return b.call("onnx.Exp", {b.if_else(x[1], yes, x[0], "chosen")});
    });
    module_rebuilder r(m);
    r.dissolve(m.block(named(m, "yes")));
    for (node_id n = 0; n < m.size(); ++n) {
        r.go_to(n);
        if (n == named(m, "chosen"))
            r.set_made(n, r.made(named(m, "yes")));
        else
            r.copy(n);
    }
    const ir_module f = r.finish();
    CHECK(f.size() == m.size() - 1);
    CHECK(f.block(named(f, "yes")) == f.block(named(f, "x0")));
    CHECK(named(f, "chosen") == no_node);
}

TEST_CASE("what is made anew is in the place of the node that it stands for") {
    ir_builder b;
    const node_id x = b.input("x", f32({})), y = b.call("onnx.Neg", {x}, {}, f32({}), "y"), z = b.call("onnx.Exp", {y}, {}, f32({}), "z");
    b.set_where(y, placement::on(device_type::cuda));
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, z, "main"));
    const ir_module m = b.finish_in_blocks();
    const ir_module made = rebuild(m, [&](module_rebuilder& r, node_id n) {
        if (m.kind(n) != node_kind::call)
            r.copy(n);
        else
            r.set_made(n, r.builder().call("onnx.Abs", {r.made(m.operand(n, 0))}, {}, m.type(n), m.name(n)));
    });
    CHECK(made.where(named(made, "y")) == placement::on(device_type::cuda));
    CHECK(made.where(named(made, "z")).is_free());
    CHECK(made.where(named(made, "x")).is_free());
}
