// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/ranged_call.hpp>

#include <string>

#include "small_graph.hpp"

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("what Relu and Clip leave of a result is one range") {
    inlay_test::small_graph t, u, v;
    const inlay_test::whole_region whole(t.finish(
        t.call("onnx.Clip", {t.call("onnx.Relu", {t.call("onnx.Add", {t.input({2}), t.input({2})})}), t.scalar(-3), t.scalar(6)})));
    const auto read = detail::ranged_call_of(whole.view(), "a sum");
    REQUIRE(read);
    CHECK(read->call->op == "onnx.Add");
    CHECK(read->range.low == 0);
    CHECK(read->range.high == 6);
    const inlay_test::whole_region other(u.finish(u.call("onnx.Tanh", {u.call("onnx.Neg", {u.input({2})})})));
    CHECK(detail::ranged_call_of(other.view(), "a sum").failure().message == "onnx.Tanh behind a sum is none of Relu and Clip");
    const inlay_test::whole_region computed(v.finish(v.call("onnx.Clip", {v.call("onnx.Neg", {v.input({2})}), v.input({})})));
    CHECK(detail::ranged_call_of(computed.view(), "a sum").failure().message ==
          "the range of the Clip behind a sum is not known before the run");
}
