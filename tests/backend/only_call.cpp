// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/only_call.hpp>

#include <doctest/doctest.h>

#include "small_graph.hpp"

TEST_CASE("a call stands alone beside its projections, and not beside another one") {
    inlay_test::small_graph t, u;
    const inlay::node_id halves = t.call("onnx.Split", {t.input({4})}, {{"num_outputs", std::int64_t{2}}}, 2);
    const inlay_test::whole_region one(t.finish({t.output(halves, 0), t.output(halves, 1)}));
    REQUIRE(inlay::detail::only_call(one.view()) != nullptr);
    CHECK(inlay::detail::only_call(one.view())->op == "onnx.Split");
    const inlay_test::whole_region two(u.finish(u.call("onnx.Relu", {u.call("onnx.Neg", {u.input({4})})})));
    CHECK(inlay::detail::only_call(two.view()) == nullptr);
}
