// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/fused_operator_rules.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/normalization.hpp>
#include <inlay/ops/onnx/reduction.hpp>

#include "ops/rewritten_alike.hpp"

using namespace inlay;
using ops_here =
    op_table<onnx_arithmetic<>, onnx_math<>, onnx_activations<>, onnx_normalizations<>, onnx_reductions<>, onnx_clip_and_where<>>;

namespace {

/// How often an operator stands in what becomes of a program on a tensor of shape [2,3,4].
template <class Build>
std::size_t made(const char* op, Build&& build) {
    rewriting_program p;
    const node_id x = p.input({2, 3, 4});
    const auto after = rewritten_alike<ops_here>(p.finish<ops_here>(build(p, x)), fused_operator_rules(), 1e-4);
    std::size_t count = 0;
    for (node_id n = 0; n < after.graph.size(); ++n) count += after.graph.op(n) == "onnx." + std::string(op) ? 1 : 0;
    return count;
}

node_id normal(rewriting_program& p, node_id x, const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& second,
               bool by_power) {
    const node_id d = p.call("Sub", {x, p.call("ReduceMean", {x, p.list(axes)})});
    const node_id square = by_power ? p.call("Pow", {d, p.filled({}, 2)}) : p.call("Mul", {d, d});
    return p.call("Div", {d, p.call("Sqrt", {p.call("Add", {p.call("ReduceMean", {square, p.list(second)}), p.filled({}, 0.01f)})})});
}

}  // namespace

TEST_CASE("a layer normalisation that is written out becomes the operator") {
    for (const bool by_power : {false, true}) {
        CHECK(made("LayerNormalization", [&](auto& p, node_id x) {
                  return p.call("Add", {p.call("Mul", {normal(p, x, {-1}, {2}, by_power), p.varied({4})}), p.varied({4})});
              }) == 1);
        CHECK(made("LayerNormalization", [&](auto& p, node_id x) {
                  return p.call("Mul", {p.varied({3, 4}), normal(p, x, {1, 2}, {-1, -2}, by_power)});
              }) == 1);
        CHECK(made("LayerNormalization", [&](auto& p, node_id x) { return normal(p, x, {-1}, {-1}, by_power); }) == 1);
    }
}

TEST_CASE("means over other axes, and scales of another shape, are no layer normalisation of that form") {
    CHECK(made("LayerNormalization", [](auto& p, node_id x) { return normal(p, x, {1}, {1}, true); }) == 0);
    CHECK(made("LayerNormalization", [](auto& p, node_id x) { return normal(p, x, {-1}, {1, 2}, true); }) == 0);
    // The scale stays outside.
    CHECK(made("Mul", [](auto& p, node_id x) { return p.call("Mul", {normal(p, x, {-1}, {-1}, true), p.varied({3, 4})}); }) == 1);
}

TEST_CASE("a scale lies along the normalised axes, whatever its extents are [graph.broadcast.axes]") {
    const auto square = [](std::vector<std::int64_t> extents, std::vector<std::int64_t> scale) {
        rewriting_program p;
        const node_id x = p.input(std::move(extents));
        const node_id y = p.call("Mul", {normal(p, x, {-1}, {-1}, true), p.varied(std::move(scale))});
        const auto after = rewritten_alike<ops_here>(p.finish<ops_here>(y), fused_operator_rules(), 1e-4);
        std::size_t left = 0;
        for (node_id n = 0; n < after.graph.size(); ++n) left += after.graph.op(n) == "onnx.Mul" ? 1 : 0;
        return left == 0;
    };
    CHECK(square({2, 4, 4}, {4}));
    CHECK(square({2, 4, 4}, {1, 1, 4}));
    CHECK(square({2, 4, 4}, {}));
    CHECK_FALSE(square({2, 4, 4}, {4, 1}));
    CHECK_FALSE(square({4, 4, 4}, {4, 1, 1}));
    CHECK_FALSE(square({1, 4, 4}, {1, 4, 1}));
    CHECK_FALSE(square({4, 1}, {4, 1}));
}

TEST_CASE("a GELU that is written out becomes the operator, in whatever order it is multiplied") {
    const auto gate = [](auto& p, node_id x) {
        return p.call("Add", {p.call("Erf", {p.call("Div", {x, p.filled({}, 1.41421356f)})}), p.filled({}, 1)});
    };
    const auto inverse = [](auto& p, node_id x) {
        return p.call("Add", {p.filled({}, 1), p.call("Erf", {p.call("Mul", {x, p.filled({}, 0.70710678f)})})});
    };
    CHECK(made("Gelu", [&](auto& p, node_id x) { return p.call("Mul", {p.call("Mul", {x, gate(p, x)}), p.filled({}, 0.5f)}); }) == 1);
    CHECK(made("Gelu", [&](auto& p, node_id x) { return p.call("Mul", {gate(p, x), p.call("Mul", {p.filled({}, 0.5f), x})}); }) == 1);
    CHECK(made("Gelu", [&](auto& p, node_id x) { return p.call("Mul", {x, p.call("Mul", {p.filled({}, 0.5f), inverse(p, x)})}); }) == 1);
    CHECK(made("Gelu", [&](auto& p, node_id x) { return p.call("Mul", {x, p.call("Mul", {p.filled({}, 0.25f), inverse(p, x)})}); }) == 0);
    const auto tangent = [](auto& p, node_id x) {
        const node_id bent = p.call("Add", {x, p.call("Mul", {p.filled({}, 0.044715f), p.call("Pow", {x, p.filled({}, 3)})})});
        return p.call("Add", {p.call("Tanh", {p.call("Mul", {p.filled({}, 0.7978846f), bent})}), p.filled({}, 1)});
    };
    CHECK(made("Gelu", [&](auto& p, node_id x) { return p.call("Mul", {p.call("Mul", {p.filled({}, 0.5f), x}), tangent(p, x)}); }) == 1);
}

TEST_CASE("a hard swish that is written out becomes the operator") {
    const auto clipped = [](auto& p, node_id x) {
        return p.call("Clip", {p.call("Add", {x, p.filled({}, 3)}), p.filled({}, 0), p.filled({}, 6)});
    };
    CHECK(made("HardSwish", [&](auto& p, node_id x) { return p.call("Div", {p.call("Mul", {x, clipped(p, x)}), p.filled({}, 6)}); }) == 1);
    CHECK(made("HardSwish", [&](auto& p, node_id x) { return p.call("Mul", {p.call("Div", {clipped(p, x), p.filled({}, 6)}), x}); }) == 1);
}
