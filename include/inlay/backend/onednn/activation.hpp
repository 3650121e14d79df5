// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_ACTIVATION_HPP
#define INLAY_BACKEND_ONEDNN_ACTIVATION_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/onednn/memory.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>

namespace inlay::detail {

/// One of the library's element-wise functions with its two parameters.
struct onednn_eltwise {
    dnnl::algorithm function = dnnl::algorithm::eltwise_linear;
    float alpha = 0;
    float beta = 0;
};

/// An element-wise function of one value: `source` is what it is applied to, `functions` are applied in order, `calls` are the nodes it
/// is spelled with.
struct onednn_activation {
    value_id source = 0;
    std::vector<onednn_eltwise> functions;
    std::vector<value_id> calls;
};

/// A region as the reader of activations sees it.
struct onednn_region_nodes {
    const region_view& r;

    [[nodiscard]] bool is_call(value_id v) const { return r[v].kind == region_value::role::call; }
    [[nodiscard]] std::string_view op(value_id v) const { return r[v].op; }
    [[nodiscard]] std::size_t arity(value_id v) const { return r[v].operands.size(); }
    [[nodiscard]] value_id operand(value_id v, std::size_t i) const { return r[v].operands[i]; }
    [[nodiscard]] bool is_absent(value_id v) const { return r[v].kind == region_value::role::absent; }
    [[nodiscard]] const node_type& type(value_id v) const { return *r[v].type; }
    [[nodiscard]] const attribute_map& attributes(value_id v) const { return *r[v].attributes; }
    [[nodiscard]] const tensor* constant(value_id v) const { return r[v].kind == region_value::role::constant ? r[v].value : nullptr; }
};

/// A graph as the reader of activations sees it.
template <attributed_graph G>
struct onednn_graph_nodes {
    const G& g;

    [[nodiscard]] bool is_call(node_id n) const { return kind_of(g, n) == node_kind::call; }
    [[nodiscard]] std::string_view op(node_id n) const { return g.op(n); }
    [[nodiscard]] std::size_t arity(node_id n) const { return g.arity(n); }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return g.operand(n, i); }
    [[nodiscard]] bool is_absent(node_id n) const { return kind_of(g, n) == node_kind::tuple && g.arity(n) == 0; }
    [[nodiscard]] const node_type& type(node_id n) const { return g.type(n); }
    [[nodiscard]] const attribute_map& attributes(node_id n) const { return g.attributes(n); }
    [[nodiscard]] const tensor* constant(node_id n) const { return g.constant(n); }
};

/// Reads element-wise functions off a region or a graph: single operators, operators with a number, and the spellings of swish, hard
/// swish, mish and GELU in several nodes that exporters use. One reader serves patterns and emitters, so that they agree on the spellings.
template <class Nodes>
class onednn_activation_reader {
public:
    explicit onednn_activation_reader(Nodes nodes) : n_(nodes) {}

    /// The function whose last node is v; nothing where v is no element-wise function of one value. Spellings in several nodes come first.
    [[nodiscard]] std::optional<onednn_activation> read(value_id v) const {
        if (!n_.is_call(v) || !n_.type(v).is_tensor()) return std::nullopt;
        if (auto several = gated(v)) return several;
        if (auto one = single(v)) return one;
        return with_number(v);
    }

private:
    using algorithm = dnnl::algorithm;
    static constexpr float lowest = std::numeric_limits<float>::lowest();
    static constexpr float highest = std::numeric_limits<float>::max();

    [[nodiscard]] bool is_call(value_id v, std::string_view op) const { return n_.is_call(v) && n_.op(v) == op; }
    [[nodiscard]] value_id operand(value_id v, std::size_t i) const { return n_.operand(v, i); }
    [[nodiscard]] std::size_t rank(value_id v) const { return n_.type(v).of_tensor.rank(); }

    /// The only element of a float32 constant that has one and that does not raise the rank of what it is combined with.
    [[nodiscard]] std::optional<double> scalar(value_id v, std::size_t most) const {
        const tensor* t = n_.constant(v);
        if (t == nullptr || t->element() != element_type::float32 || t->count() != 1 || t->rank() > most) return std::nullopt;
        return static_cast<double>(t->template as<float>()[0]);
    }
    [[nodiscard]] static bool near(double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); }

    static onednn_eltwise linear(double scale, double shift) {
        return {algorithm::eltwise_linear, static_cast<float>(scale), static_cast<float>(shift)};
    }

    /// Operators of one operand.
    [[nodiscard]] std::optional<onednn_activation> single(value_id v) const {
        const std::string_view op = n_.op(v);
        const std::size_t arity = n_.arity(v);
        const attribute_map& attributes = n_.attributes(v);
        const auto made = [&](std::vector<onednn_eltwise> f) { return onednn_activation{operand(v, 0), std::move(f), {v}}; };
        if (arity == 0) return std::nullopt;
        if (op == "onnx.Clip") {
            float bounds[2] = {lowest, highest};
            for (std::size_t i = 1; i < arity && i < 3; ++i) {
                if (n_.is_absent(operand(v, i))) continue;
                const auto bound = scalar(operand(v, i), 0);
                if (!bound) return std::nullopt;
                bounds[i - 1] = static_cast<float>(*bound);
            }
            if (!(bounds[0] <= bounds[1])) return std::nullopt;
            return made({{algorithm::eltwise_clip, bounds[0], bounds[1]}});
        }
        if (arity != 1) return std::nullopt;
        if (op == "onnx.Relu") return made({{algorithm::eltwise_relu, 0, 0}});
        if (op == "onnx.LeakyRelu")
            return made({{algorithm::eltwise_relu, static_cast<float>(inlay::read<leaky_relu_attributes>(attributes).alpha), 0}});
        if (op == "onnx.Sigmoid") return made({{algorithm::eltwise_logistic, 0, 0}});
        if (op == "onnx.Tanh") return made({{algorithm::eltwise_tanh, 0, 0}});
        if (op == "onnx.Elu") return made({{algorithm::eltwise_elu, static_cast<float>(inlay::read<elu_attributes>(attributes).alpha), 0}});
        if (op == "onnx.HardSwish") return made({{algorithm::eltwise_hardswish, 0, 0}});
        if (op == "onnx.HardSigmoid") {
            const hard_sigmoid_attributes line = inlay::read<hard_sigmoid_attributes>(attributes);
            return made({{algorithm::eltwise_linear, static_cast<float>(line.alpha), static_cast<float>(line.beta)},
                         {algorithm::eltwise_clip, 0, 1}});
        }
        if (op == "onnx.Gelu")
            return made({{inlay::read<gelu_attributes>(attributes).approximate == "tanh" ? algorithm::eltwise_gelu_tanh
                                                                                         : algorithm::eltwise_gelu_erf,
                          0, 0}});
        if (op == "onnx.Softplus") return made({{algorithm::eltwise_soft_relu, 0, 0}});
        if (op == "onnx.Mish") return made({{algorithm::eltwise_mish, 0, 0}});
        if (op == "onnx.Abs") return made({{algorithm::eltwise_abs, 0, 0}});
        if (op == "onnx.Sqrt") return made({{algorithm::eltwise_sqrt, 0, 0}});
        if (op == "onnx.Exp") return made({{algorithm::eltwise_exp, 0, 0}});
        if (op == "onnx.Log") return made({{algorithm::eltwise_log, 0, 0}});
        if (op == "onnx.Neg") return made({linear(-1, 0)});
        if (op == "onnx.Identity") return made({linear(1, 0)});
        if (op == "onnx.Reciprocal") return made({{algorithm::eltwise_pow, 1, -1}});
        return std::nullopt;
    }

    /// Binary operators whose other operand is a number, or the same value again.
    [[nodiscard]] std::optional<onednn_activation> with_number(value_id v) const {
        const std::string_view op = n_.op(v);
        if (n_.arity(v) != 2) return std::nullopt;
        const value_id a = operand(v, 0), b = operand(v, 1);
        const auto made = [&](value_id source, onednn_eltwise f) { return onednn_activation{source, {f}, {v}}; };
        if (a == b) {
            if (op == "onnx.Mul") return made(a, {algorithm::eltwise_square, 0, 0});
            if (op == "onnx.Add" || op == "onnx.Sum") return made(a, linear(2, 0));
            return std::nullopt;
        }
        if (const auto n = scalar(b, rank(a))) {
            if (op == "onnx.Add" || op == "onnx.Sum") return made(a, linear(1, *n));
            if (op == "onnx.Sub") return made(a, linear(1, -*n));
            if (op == "onnx.Mul") return made(a, linear(*n, 0));
            if (op == "onnx.Div") return made(a, linear(1 / *n, 0));
            if (op == "onnx.Max") return made(a, {algorithm::eltwise_clip, static_cast<float>(*n), highest});
            if (op == "onnx.Min") return made(a, {algorithm::eltwise_clip, lowest, static_cast<float>(*n)});
            if (op == "onnx.Pow") {
                if (*n == 2) return made(a, {algorithm::eltwise_square, 0, 0});
                if (*n == 0.5) return made(a, {algorithm::eltwise_sqrt, 0, 0});
                return made(a, {algorithm::eltwise_pow, 1, static_cast<float>(*n)});
            }
        }
        if (const auto n = scalar(a, rank(b))) {
            if (op == "onnx.Add" || op == "onnx.Sum") return made(b, linear(1, *n));
            if (op == "onnx.Sub") return made(b, linear(-1, *n));
            if (op == "onnx.Mul") return made(b, linear(*n, 0));
            if (op == "onnx.Div") return made(b, {algorithm::eltwise_pow, static_cast<float>(*n), -1});
            if (op == "onnx.Max") return made(b, {algorithm::eltwise_clip, static_cast<float>(*n), highest});
            if (op == "onnx.Min") return made(b, {algorithm::eltwise_clip, lowest, static_cast<float>(*n)});
        }
        return std::nullopt;
    }

    /// A product of values and numbers, however it is nested.
    struct product {
        double number = 1;
        std::vector<value_id> factors;
        std::vector<value_id> calls;
    };
    void multiply(value_id v, value_id stop, product& p) const {
        if (v != stop && (is_call(v, "onnx.Mul") || is_call(v, "onnx.Div")) && n_.arity(v) == 2) {
            const value_id a = operand(v, 0), b = operand(v, 1);
            const auto divisor = scalar(b, rank(a));
            if (is_call(v, "onnx.Mul")) {
                p.calls.push_back(v);
                multiply(a, stop, p);
                multiply(b, stop, p);
                return;
            }
            if (divisor) {
                p.calls.push_back(v);
                p.number /= *divisor;
                multiply(a, stop, p);
                return;
            }
        }
        if (const auto n = scalar(v, 8))
            p.number *= *n;
        else
            p.factors.push_back(v);
    }

    /// `number * x`, where x alone is left over.
    [[nodiscard]] bool is_scaled(value_id v, value_id x, double number, std::vector<value_id>& calls) const {
        product p;
        multiply(v, x, p);
        calls.insert(calls.end(), p.calls.begin(), p.calls.end());
        return p.factors.size() == 1 && p.factors[0] == x && near(p.number, number);
    }

    /// The operand of v that stands beside a number, where v is their sum.
    [[nodiscard]] std::optional<value_id> beside_number(value_id v, double number) const {
        if (!is_call(v, "onnx.Add") || n_.arity(v) != 2) return std::nullopt;
        for (const std::size_t i : {0u, 1u}) {
            const auto n = scalar(operand(v, 1 - i), rank(operand(v, i)));
            if (n && near(*n, number)) return operand(v, i);
        }
        return std::nullopt;
    }

    /// What gates x in `x * gate(x)`: the function of the whole, and which number the product must hold.
    struct gate {
        algorithm whole;
        double number;
        std::vector<value_id> calls;
    };
    [[nodiscard]] std::optional<gate> gate_of(value_id g, value_id x) const {
        if (is_call(g, "onnx.Sigmoid") && operand(g, 0) == x) return gate{algorithm::eltwise_swish, 1, {g}};
        if (is_call(g, "onnx.HardSigmoid") && operand(g, 0) == x &&
            near(inlay::read<hard_sigmoid_attributes>(n_.attributes(g)).alpha, 1.0 / 6) &&
            near(inlay::read<hard_sigmoid_attributes>(n_.attributes(g)).beta, 0.5))
            return gate{algorithm::eltwise_hardswish, 1, {g}};
        if (is_call(g, "onnx.Clip")) {
            const auto clip = single(g);
            if (!clip || clip->functions[0].alpha != 0 || clip->functions[0].beta != 6) return std::nullopt;
            const auto inner = beside_number(clip->source, 3);
            if (inner && *inner == x) return gate{algorithm::eltwise_hardswish, 1.0 / 6, {g, clip->source}};
            return std::nullopt;
        }
        if (is_call(g, "onnx.Tanh") && is_call(operand(g, 0), "onnx.Softplus") && operand(operand(g, 0), 0) == x)
            return gate{algorithm::eltwise_mish, 1, {g, operand(g, 0)}};
        const auto inner = beside_number(g, 1);
        if (!inner) return std::nullopt;
        std::vector<value_id> calls{g, *inner};
        if (is_call(*inner, "onnx.Erf") && is_scaled(operand(*inner, 0), x, 0.70710678118654752, calls))
            return gate{algorithm::eltwise_gelu_erf, 0.5, calls};
        if (is_call(*inner, "onnx.Tanh") && is_tanh_argument(operand(*inner, 0), x, calls))
            return gate{algorithm::eltwise_gelu_tanh, 0.5, calls};
        return std::nullopt;
    }

    /// `sqrt(2 / pi) * (x + 0.044715 * x^3)`
    [[nodiscard]] bool is_tanh_argument(value_id v, value_id x, std::vector<value_id>& calls) const {
        product p;
        multiply(v, x, p);
        calls.insert(calls.end(), p.calls.begin(), p.calls.end());
        if (p.factors.size() != 1 || !near(p.number, 0.79788456080286536) || !is_call(p.factors[0], "onnx.Add")) return false;
        const value_id sum = p.factors[0];
        calls.push_back(sum);
        for (const std::size_t i : {0u, 1u}) {
            if (operand(sum, i) != x) continue;
            product cube;
            multiply(operand(sum, 1 - i), x, cube);
            if (!near(cube.number, 0.044715)) continue;
            calls.insert(calls.end(), cube.calls.begin(), cube.calls.end());
            if (cube.factors == std::vector<value_id>{x, x, x}) return true;
            if (cube.factors.size() != 1 || !is_call(cube.factors[0], "onnx.Pow") || operand(cube.factors[0], 0) != x) continue;
            const auto exponent = scalar(operand(cube.factors[0], 1), rank(x));
            calls.push_back(cube.factors[0]);
            return exponent && *exponent == 3;
        }
        return false;
    }

    [[nodiscard]] std::optional<onednn_activation> gated(value_id v) const {
        if (!is_call(v, "onnx.Mul") && !is_call(v, "onnx.Div")) return std::nullopt;
        product all;
        multiply(v, v + 1, all);
        // x may itself be a product: every operand that stands below is tried as x, and the product opened down to it only.
        std::vector<value_id> tried;
        for (const value_id call : all.calls)
            for (std::size_t i = 0; i < n_.arity(call); ++i) tried.push_back(operand(call, i));
        for (const value_id x : tried) {
            product p;
            multiply(v, x, p);
            if (p.factors.size() != 2 || (p.factors[0] != x && p.factors[1] != x)) continue;
            const auto g = gate_of(p.factors[p.factors[0] == x ? 1 : 0], x);
            if (!g || !near(p.number, g->number)) continue;
            p.calls.insert(p.calls.end(), g->calls.begin(), g->calls.end());
            return onednn_activation{x, {{g->whole, g->whole == algorithm::eltwise_swish ? 1.0f : 0.0f, 0}}, std::move(p.calls)};
        }
        return std::nullopt;
    }

    Nodes n_;
};

}  // namespace inlay::detail

#endif
