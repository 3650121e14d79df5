// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/patterns.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/match.hpp>

#include "trial.hpp"

using namespace inlay;
using namespace xnnpack_test;

namespace {
constexpr auto add_of_relu = detail::xnnpack_on<2, "onnx.Add", "onnx.Sub">(dsl::op<"onnx.Relu">);
constexpr auto maybe_relu = detail::xnnpack_maybe_on<1, "onnx.Relu">(dsl::op<"onnx.Abs">);

template <class P>
std::size_t size_of_first(P p, const ir_module& g) {
    const user_lists users(g);
    const auto found = match(p, g, users, g.results()[0]);
    return found ? found->nodes.size() : 0;
}
}  // namespace

static_assert(pattern<decltype(add_of_relu)> && pattern<decltype(maybe_relu)>);

TEST_CASE("patterns print themselves") {
    CHECK(decltype(add_of_relu)::text() == "onnx.Add/onnx.Sub(onnx.Relu, ...) | onnx.Add/onnx.Sub(*, onnx.Relu, ...)");
    CHECK(decltype(maybe_relu)::text() == "onnx.Relu(onnx.Abs, ...) | onnx.Abs");
}

TEST_CASE("an operand is looked for in each of the places, and the operator among the names") {
    for (const bool first : {true, false})
        for (const char* op : {"onnx.Add", "onnx.Sub", "onnx.Mul"}) {
            trial t;
            const node_id x = t.input({3}), y = t.call("onnx.Relu", {x});
            const ir_module g = t.finish(first ? t.call(op, {y, x}) : t.call(op, {x, y}));
            CHECK(size_of_first(add_of_relu, g) == (std::string(op) == "onnx.Mul" ? 0 : 2));
        }
}

TEST_CASE("what may be left out is matched first where it is there") {
    trial t;
    CHECK(size_of_first(maybe_relu, t.finish(t.call("onnx.Relu", {t.call("onnx.Abs", {t.input({3})})}))) == 2);
    trial u;
    CHECK(size_of_first(maybe_relu, u.finish(u.call("onnx.Abs", {u.input({3})}))) == 1);
}
