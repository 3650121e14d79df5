// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_SAMPLE_PROGRAM_HPP
#define INLAY_TESTS_OPS_SAMPLE_PROGRAM_HPP

#include <string>
#include <vector>

#include <inlay/ir/ir_builder.hpp>

#include "sample_call.hpp"

namespace inlay_test {

/// A program of one function with inputs `x0`, `x1`, ...; `body(builder, inputs)` gives its result.
template <class Body>
inlay::ir_module program(const std::vector<inlay::tensor_type>& inputs, Body body) {
    inlay::ir_builder b;
    b.open_block();
    std::vector<inlay::node_id> parameters;
    for (std::size_t i = 0; i < inputs.size(); ++i) parameters.push_back(b.input("x" + std::to_string(i), inputs[i]));
    const inlay::node_id result = body(b, parameters);
    b.declare(b.function(parameters, result, "main"));
    return b.finish();
}

/// Equal node for node: kinds, operators, operands, names, origins, types, attributes, values, blocks.
inline bool same(const inlay::ir_module& a, const inlay::ir_module& b) {
    if (a.size() != b.size() || a.functions().size() != b.functions().size() || a.result_names() != b.result_names()) return false;
    for (inlay::node_id n = 0; n < a.size(); ++n) {
        if (a.kind(n) != b.kind(n) || a.op(n) != b.op(n) || a.symbol(n) != b.symbol(n) || a.name(n) != b.name(n) ||
            a.origins(n) != b.origins(n))
            return false;
        if (a.type(n) != b.type(n) || !(a.attributes(n) == b.attributes(n)) || a.block(n) != b.block(n) || a.arity(n) != b.arity(n))
            return false;
        if (a.kind(n) == inlay::node_kind::projection && a.field(n) != b.field(n)) return false;
        for (std::size_t i = 0; i < a.arity(n); ++i)
            if (a.operand(n, i) != b.operand(n, i)) return false;
        if (a.constant(n) != nullptr && a.constant(n)->content() != b.constant(n)->content()) return false;
    }
    return true;
}

/// How many calls of an operator stand in a program.
inline std::size_t calls_of(const inlay::ir_module& m, std::string_view op) {
    std::size_t count = 0;
    for (inlay::node_id n = 0; n < m.size(); ++n) count += m.kind(n) == inlay::node_kind::call && m.op(n) == op ? 1 : 0;
    return count;
}

/// The node of that name, or `no_node`.
inline inlay::node_id named(const inlay::ir_module& m, std::string_view name) {
    for (inlay::node_id n = 0; n < m.size(); ++n)
        if (m.name(n) == name) return n;
    return inlay::no_node;
}

/// The type of the program's result, as text.
inline std::string result_type(const inlay::ir_module& m) { return to_string(m.type(m.result(m.main()))); }

/// A program that a sequence of numbers decides: elementwise calls, shared and repeated, on two inputs of three elements, with constants,
/// identities, tuples and a branch here and there. The same numbers give the same program.
inline inlay::ir_module random_program(const std::vector<std::uint8_t>& choices) {
    using namespace inlay;
    const tensor_type vector = f32({3});
    return program({vector, vector}, [&](ir_builder& b, const std::vector<node_id>& x) {
        std::vector<node_id> made{x[0], x[1], b.constant(list_of(floats{0.5f, -1, 2}), "c0"),
                                  b.constant(list_of(floats{1, 1, 0.25f}), "c1")};
        for (std::size_t i = 0; i + 2 < choices.size(); i += 3) {
            const node_id p = made[choices[i + 1] % made.size()], q = made[choices[i + 2] % made.size()];
            const std::string name = "n" + std::to_string(i / 3);
            switch (choices[i] % 9) {
                case 0:
                    made.push_back(b.call("onnx.Add", {p, q}, {}, {}, name));
                    break;
                case 1:
                    made.push_back(b.call("onnx.Mul", {p, q}, {}, {}, name));
                    break;
                case 2:
                    made.push_back(b.call("onnx.Tanh", {p}, {}, {}, name));
                    break;
                case 3:
                    made.push_back(b.call("onnx.Identity", {p}, {}, {}, name));
                    break;
                case 4:
                    made.push_back(b.call("onnx.Cast", {p}, {{"to", std::int64_t{1}}}, {}, name));
                    break;
                case 5:
                    made.push_back(b.constant(list_of(floats{static_cast<float>(choices[i + 1] % 4), 1, 2}), name));
                    break;
                case 6: {
                    const node_id pair[] = {p, q};
                    made.push_back(b.projection(b.tuple(pair), choices[i + 1] % 2));
                    break;
                }
                case 7: {
                    const node_id same = b.call("onnx.Equal", {p, p}),
                                  flag = b.call("onnx.ReduceMin", {b.call("onnx.Cast", {same}, {{"to", std::int64_t{6}}})},
                                                {{"keepdims", std::int64_t{0}}});
                    const node_id condition = b.call("onnx.Cast", {flag}, {{"to", std::int64_t{9}}});
                    b.open_block();
                    const node_id yes = b.call("onnx.Neg", {q}, {}, {}, name + ".yes");
                    b.close_block();
                    b.open_block();
                    const node_id no = b.call("onnx.Add", {q, p}, {}, {}, name + ".no");
                    b.close_block();
                    made.push_back(b.if_else(condition, yes, no, name));
                    break;
                }
                default:
                    made.push_back(b.call("onnx.Sub", {p, q}, {}, {}, name));
                    break;
            }
        }
        const node_id results[] = {made.back(), made[made.size() / 2]};
        return b.tuple(results);
    });
}

}  // namespace inlay_test

#endif
