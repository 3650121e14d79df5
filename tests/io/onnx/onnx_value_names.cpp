// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_value_names.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>

using namespace inlay;
using namespace inlay::detail;

namespace {

/// Two nodes called "a", one without a name, a split whose second field is called "right", a tuple that is taken apart.
struct sample {
    node_id first = 0, second = 0, nameless = 0, split = 0, right = 0, taken_apart = 0;
    ir_module m;

    sample() {
        ir_builder b;
        b.open_block();
        const node_type vector = tensor_type(element_type::float32, {4});
        const node_id x = b.input("x", vector);
        first = b.call("onnx.Relu", {x}, {}, vector, "a");
        second = b.call("onnx.Abs", {first}, {}, vector, "a");
        nameless = b.call("onnx.Neg", {second}, {}, vector);
        split = b.call("onnx.Split", {nameless}, {}, node_type::tuple({tensor_type(element_type::float32, {1}), vector}), "s");
        const node_id left = b.projection(split, 0);
        right = b.projection(split, 1, "right");
        const node_id pair[] = {left, right};
        taken_apart = b.projection(b.tuple(pair), 1);
        b.declare(b.function(std::vector<node_id>{x}, b.call("onnx.Relu", {taken_apart}, {}, vector), "main"));
        m = b.finish();
    }
};

}  // namespace

TEST_CASE("values keep their names, and those that are not unique get a number") {
    const sample s;
    const auto outputs = call_outputs(s.m);
    onnx_value_names names(s.m, outputs);
    CHECK(names.of({s.first, 0}) == "a");
    CHECK(names.of({s.second, 0}) == "a_1");
    CHECK(names.of({s.first, 0}) == "a");
    CHECK(names.of({s.nameless, 0}) == "v" + std::to_string(s.nameless));
    CHECK(names.of({s.split, 0}) == "s_0");
    CHECK(names.of({s.split, 1}) == "right");
}

TEST_CASE("a name that is given or kept is nobody else's") {
    const sample s;
    const auto outputs = call_outputs(s.m);
    onnx_value_names names(s.m, outputs);
    names.take("a");
    names.give({s.second, 0}, "result");
    CHECK(names.of({s.first, 0}) == "a_1");
    CHECK(names.of({s.second, 0}) == "result");
    CHECK(names.fresh("result") == "result_1");
    CHECK(names.fresh("result") == "result_2");
}

TEST_CASE("a field of a tuple that was built from it is the value itself") {
    const sample s;
    CHECK(onnx_value_of(s.m, s.taken_apart) == onnx_value{s.split, 1});
    CHECK(onnx_value_of(s.m, s.first) == onnx_value{s.first, 0});
    CHECK(to_string(onnx_value_type(s.m, {s.split, 1})) == "float32[4]");
    CHECK(to_string(onnx_value_type(s.m, {s.first, 0})) == "float32[4]");
}
