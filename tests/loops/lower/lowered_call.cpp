// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/lowered_call.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("an operand of fewer or shorter axes is read where it is broadcast from [loops.lower.broadcast]") {
    lowering made("n");
    const lowered_tensor x = made.input("x", tensor_type(element_type::float32, shape{extent(1), extent(3)}));
    const lowered_call call{made, {}, {x}, {2, 4, 3}};
    const std::vector<affine> at{affine::of(0), affine::of(1), affine::of(2)};
    const nest_expression& e = made.build().so_far().expressions[call.broadcast(0, at)];
    CHECK(e.kind == nest_expression::form::load);
    CHECK(e.indices == std::vector<affine>{affine(), affine::of(2)});
}
