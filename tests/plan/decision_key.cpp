// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/decision_key.hpp>

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

/// y = op(x, w), with a weight or a shape as second operand.
ir_module program(const std::string& op, const std::string& name, const tensor& second, std::int64_t extent = 4) {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", node_type(tensor_type{element_type::float32, {extent}}));
    const node_id w = b.constant(second);
    const node_id y = b.call(op, {x, w}, {}, node_type(tensor_type{element_type::float32, {extent}}), name);
    b.declare(b.function(std::vector<node_id>{x}, y, "main"));
    return b.finish();
}
tensor weights(float first) { return tensor::of<float>({4}, std::vector<float>{first, 2, 3, 4}); }
tensor numbers(std::int64_t first) { return tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{first, 2}); }

}  // namespace

TEST_CASE("the key of a decision changes with what it rests on, and with nothing else") {
    const std::vector<recorded_target> targets{{"onednn -threads=2", "2.6"}, {"reference", "1"}};
    const digest asked{1, 2};
    const auto key = [&](const ir_module& m) { return decision_key(m, targets, asked); };
    const digest first = key(program("onnx.Add", "y", weights(1)));
    CHECK(first == key(program("onnx.Add", "y", weights(1))));
    CHECK(first == key(program("onnx.Add", "y", weights(9))));  // weights count by type

    std::set<digest> others{first};
    const auto is_new = [&](const digest& d) { return others.insert(d).second; };
    CHECK(is_new(key(program("onnx.Mul", "y", weights(1)))));
    CHECK(is_new(key(program("onnx.Add", "z", weights(1)))));
    CHECK(is_new(key(program("onnx.Add", "y", weights(1), 1))));
    CHECK(is_new(key(program("onnx.Reshape", "y", numbers(1)))));
    CHECK(is_new(key(program("onnx.Reshape", "y", numbers(2)))));

    const ir_module m = program("onnx.Add", "y", weights(1));
    CHECK(is_new(decision_key(m, targets, digest{1, 3})));
    CHECK(is_new(decision_key(m, std::vector<recorded_target>{targets[0]}, asked)));
    CHECK(is_new(decision_key(m, std::vector<recorded_target>{targets[1], targets[0]}, asked)));
    CHECK(is_new(decision_key(m, std::vector<recorded_target>{{"onednn -threads=2", "2.7"}, targets[1]}, asked)));
    CHECK(is_new(decision_key(m, std::vector<recorded_target>{{"onednn -threads=1", "2.6"}, targets[1]}, asked)));
}
