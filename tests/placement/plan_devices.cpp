// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/plan_devices.hpp>

#include "planned.hpp"

TEST_CASE("nesting a hundred thousand deep is planned") {
    inlay::ir_builder b;
    const inlay::tensor_type one(inlay::element_type::float32, inlay::shape{}), flag(inlay::element_type::boolean, inlay::shape{});
    const inlay::node_id x = b.input("x", one), c = b.input("c", flag);
    inlay::node_id now = x;
    for (int i = 0; i < 100'000; ++i) {
        const inlay::node_id v = b.input("v", one);
        now = b.let(v, b.call("negative", {now}, {}, one), b.if_else(c, v, x));
    }
    const inlay::node_id parameters[] = {x, c};
    b.declare(b.function(parameters, now, "main"));
    const auto placed = inlay::plan_devices(b.finish_in_blocks(), planned::two_devices());
    REQUIRE(placed);
    CHECK(placed->where(placed->inputs()[0]).device == inlay::device_type::cuda);
}
