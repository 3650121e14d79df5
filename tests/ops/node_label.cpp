// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/node_label.hpp>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("A node is called by its name, else by its number") {
    const ir_module m =
        program({f32({})}, [](ir_builder& b, auto& x) { return b.call("onnx.Neg", {b.call("onnx.Exp", {x[0]})}, {}, {}, "last"); });
    CHECK(label_of(m, named(m, "last")) == "node 'last' (Neg)");
    CHECK(label_of(m, 1) == "node 1 (Exp)");
    CHECK(label_of(m, 0) == "node 'x0' (input)");
    CHECK(at_node(m, 1, error{"is wrong"}).message == "node 1 (Exp): is wrong");
}
