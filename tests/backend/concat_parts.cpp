// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/concat_parts.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

outcome<detail::concat_parts> read(small_graph& s, node_id y) {
    const whole_region whole(s.finish(y));
    return detail::read_concat_parts(whole.view());
}

}  // namespace

TEST_CASE("parts stand in order, repeated ones and constants included, and the axis counts from the front") {
    small_graph s;
    const node_id a = s.input({2, 3}), c = s.random({2, 4});
    const auto p = read(s, s.call("onnx.Concat", {a, c, a}, {{"axis", std::int64_t{-1}}}));
    REQUIRE(p.has_value());
    CHECK(p->axis == 1);
    CHECK(p->parts == std::vector<value_id>{0, 1, 0});
    CHECK(p->extents == std::vector<std::int64_t>{2, 10});
}

TEST_CASE("other regions and constants without elements are refused with the reason") {
    small_graph s;
    const auto relu = read(s, s.call("onnx.Relu", {s.input({3})}));
    REQUIRE_FALSE(relu.has_value());
    CHECK(relu.failure().message == "the region is no concatenation");
    small_graph t;
    const node_id joined = t.call("onnx.Concat", {t.input({3}), t.input({3})}, {{"axis", std::int64_t{0}}});
    CHECK_FALSE(read(t, t.call("onnx.Abs", {joined})).has_value());
    small_graph u;
    const auto empty = read(u, u.call("onnx.Concat", {u.input({3}), u.random({0})}, {{"axis", std::int64_t{0}}}));
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.failure().message.find("has no elements") != std::string::npos);
}
