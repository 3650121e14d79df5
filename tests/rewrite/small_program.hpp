// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_REWRITE_SMALL_PROGRAM_HPP
#define INLAY_TESTS_REWRITE_SMALL_PROGRAM_HPP

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/passes/infer_types.hpp>

/// The operators that the tests of this room use: fewer are quicker to compile.
using few_ops = inlay::op_table<inlay::onnx_arithmetic<>, inlay::onnx_math<>>;

/// Builds a program of ONNX operators with one function.
class small_program {
public:
    small_program() { b.open_block(); }

    inlay::node_id input(std::vector<std::int64_t> extents, const std::string& name) {
        inlay::shape s(extents.begin(), extents.end());
        parameters.push_back(b.input(name, inlay::node_type(inlay::tensor_type(inlay::element_type::float32, s))));
        return parameters.back();
    }
    inlay::node_id scalar(float value) { return b.constant(inlay::tensor::scalar(value)); }
    inlay::node_id call(std::string_view op, std::vector<inlay::node_id> operands, const inlay::attribute_map& attributes = {},
                        std::string_view name = {}) {
        return b.call("onnx." + std::string(op), operands, attributes, {}, name);
    }
    /// The program that gives these results, with its types.
    inlay::ir_module finish(std::vector<inlay::node_id> results) {
        const inlay::node_id result = results.size() == 1 ? results[0] : b.tuple(results);
        b.declare(b.function(parameters, result, "main"));
        return *inlay::infer_types(b.finish(), {}, few_ops{});
    }

    inlay::ir_builder b;
    std::vector<inlay::node_id> parameters;
};

/// How many calls of an operator there are.
inline std::size_t calls(const inlay::ir_module& m, std::string_view op) {
    std::size_t count = 0;
    for (inlay::node_id n = 0; n < m.size(); ++n)
        count += m.kind(n) == inlay::node_kind::call && m.op(n) == "onnx." + std::string(op) ? 1 : 0;
    return count;
}

/// A random program of unary and binary operators on tensors of shape [3].
inline inlay::ir_module random_program(std::uint32_t seed, std::size_t size) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    small_program p;
    std::vector<inlay::node_id> nodes{p.input({3}, "x"), p.input({3}, "y"), p.scalar(0), p.scalar(1), p.scalar(2)};
    const std::vector<std::string_view> unary{"Neg", "Abs", "Floor", "Ceil"}, binary{"Add", "Sub", "Mul"};
    while (nodes.size() < size) {
        const auto pick = [&] { return below(2) == 0 ? nodes[nodes.size() - 1 - below(2)] : nodes[below(nodes.size())]; };
        const std::string name = "n" + std::to_string(nodes.size());
        nodes.push_back(below(2) == 0 ? p.call(unary[below(4)], {pick()}, {}, name) : p.call(binary[below(3)], {pick(), pick()}, {}, name));
    }
    std::vector<inlay::node_id> results{nodes.back()};
    if (below(2) == 0) results.push_back(nodes[nodes.size() - 1 - below(size / 2)]);
    return p.finish(results);
}

#endif
