// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// The networks of the tutorials, small enough to be looked at, with made-up weights.
#ifndef INLAY_EXAMPLES_UMA_NETWORKS_HPP
#define INLAY_EXAMPLES_UMA_NETWORKS_HPP

#include <cstdint>
#include <random>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/infer_types.hpp>

namespace uma {

using namespace inlay;

[[nodiscard]] inline tensor some_values(const tensor_type& type, std::uint32_t seed) {
    std::mt19937 random(seed);
    tensor made(type.element, static_shape(type));
    for (float& v : made.as<float>()) v = static_cast<float>(random() % 33) / 16 - 1;
    return made;
}

/// Three convolutions: one with many products, one with few, and one by strides of two.
[[nodiscard]] inline ir_module convolutions() {
    ir_builder b;
    b.open_block();
    std::uint32_t seed = 1;
    const auto weights = [&](shape extents) { return b.constant(some_values(tensor_type(element_type::float32, extents), ++seed)); };
    const attribute_map same{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, 3, 16, 16}))};
    const node_id wide = b.call("onnx.Conv", {x[0], weights({16, 3, 3, 3})}, same, {}, "wide");
    const node_id narrow = b.call("onnx.Conv", {b.call("onnx.Relu", {wide}, {}, {}, "relu"), weights({1, 16, 1, 1})}, {}, {}, "narrow");
    const attribute_map halved{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}, {"strides", std::vector<std::int64_t>{2, 2}}};
    b.declare(b.function(x, b.call("onnx.Conv", {narrow, weights({2, 1, 3, 3})}, halved, {}, "shrunk"), "main"));
    return *infer_types(b.finish());
}

/// Two convolutions, the second around which a sum goes, and two layers of products.
[[nodiscard]] inline ir_module small_residual_network() {
    ir_builder b;
    b.open_block();
    std::uint32_t seed = 1;
    const auto weights = [&](shape extents) { return b.constant(some_values(tensor_type(element_type::float32, extents), ++seed)); };
    const auto call = [&](const char* op, std::vector<node_id> of, const char* name, const attribute_map& attributes = {}) {
        return b.call(op, of, attributes, {}, name);
    };
    const attribute_map same{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
    const attribute_map halved{{"kernel_shape", std::vector<std::int64_t>{2, 2}}, {"strides", std::vector<std::int64_t>{2, 2}}};
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, 3, 16, 16}))};
    const node_id first = call("onnx.Relu", {call("onnx.Conv", {x[0], weights({8, 3, 3, 3}), weights({8})}, "conv", same)}, "first");
    const node_id second = call("onnx.Conv", {first, weights({8, 8, 3, 3}), weights({8})}, "second", same);
    const node_id small = call("onnx.MaxPool", {call("onnx.Add", {second, first}, "sum")}, "small", halved);
    const node_id flat = call("onnx.Flatten", {small}, "flat");
    const node_id product = call("onnx.MatMul", {flat, weights({512, 32})}, "product");
    const node_id wide = call("onnx.Relu", {call("onnx.Add", {product, weights({32})}, "shifted")}, "wide");
    const node_id scores = call("onnx.Add", {call("onnx.MatMul", {wide, weights({32, 4})}, "last"), weights({4})}, "scores");
    b.declare(b.function(x, call("onnx.LogSoftmax", {scores}, "y"), "main"));
    return *infer_types(b.finish());
}

}  // namespace uma

#endif
