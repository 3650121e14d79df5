// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/call_outputs.hpp>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Outputs are counted by the type, else by the projections") {
    node_id typed = 0, untyped = 0, plain = 0;
    const ir_module m = program({f32({})}, [&](ir_builder& b, auto& x) {
        typed = b.call("my.A", {x[0]}, {}, node_type::tuple(std::vector<node_type>(3)));
        untyped = b.call("my.B", {x[0]});
        plain = b.call("my.C", {x[0]});
        return b.tuple(std::vector<node_id>{b.projection(typed, 1), b.projection(untyped, 1), plain});
    });
    const auto outputs = call_outputs(m);
    CHECK(outputs[typed] == 3);
    CHECK(outputs[untyped] == 2);
    CHECK(outputs[plain] == 1);
    CHECK(outputs[0] == 0);
}
