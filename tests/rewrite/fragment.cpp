// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/fragment.hpp>

#include <doctest/doctest.h>

#include <inlay/passes/infer_call.hpp>

#include "small_program.hpp"

using namespace inlay;

namespace {

struct fixture {
    small_program p;
    node_id x = p.input({2}, "x");
    ir_module m = p.finish({p.call("Abs", {x})});
    working_graph<ir_module> w{m};
};

}  // namespace

TEST_CASE("calls get their types from their operands") {
    fixture g;
    fragment f(g.w, &infer_call<few_ops>);
    const node_id two = f.constant(tensor::scalar(2.0f)), sum = f.call("onnx.Add", {g.x, two});
    CHECK(f.from() == two);
    CHECK(to_string(g.w.type(sum)) == "float32[2]");
    CHECK_FALSE(f.has_failed());
    f.forget();
    CHECK(g.w.size() == g.m.size());
}

TEST_CASE("a call whose type does not follow fails the fragment, which keeps the first reason") {
    fixture g;
    fragment f(g.w, &infer_call<few_ops>);
    const node_id three = f.constant(tensor(element_type::float32, {3}));
    f.call("onnx.Add", {g.x, three});
    CHECK(f.has_failed());
    CHECK(f.reason().starts_with("onnx.Add on these operands: "));
    f.fail("later");
    CHECK(f.reason() != "later");
}

TEST_CASE("tuples and their fields have the types of what they are made of") {
    fixture g;
    fragment f(g.w, nullptr);
    const node_id fields[] = {g.x, g.x}, t = f.tuple(fields);
    CHECK(to_string(g.w.type(t)) == "(float32[2], float32[2])");
    CHECK(to_string(g.w.type(f.projection(t, 1))) == "float32[2]");
    CHECK(g.w.type(f.call("onnx.Abs", {g.x})).kind == node_type::form::unknown);
    f.also(3, 4);
    CHECK(f.extra().size() == 1);
}
