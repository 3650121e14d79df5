// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACTIVATION_HPP
#define INLAY_BACKEND_ACTIVATION_HPP

#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/elementwise_function.hpp>
#include <inlay/backend/float_constant.hpp>
#include <inlay/graph/concepts.hpp>

namespace inlay::detail {

/// An element-wise function of one value: `source` is what it is applied to, `functions` are applied in order, `calls` are the nodes it
/// is spelled with.
struct activation {
    value_id source = 0;
    std::vector<elementwise_function> functions;
    std::vector<value_id> calls;
};

/// How numbers are read where a function is spelled in several nodes.
struct activation_rules {
    double tolerance = 1e-3;  // relative
    bool scaled = false;      // hard swish with any slope and offset, and a number beside any of these functions, are read, too
};

/// A region as the reader of activations sees it.
struct region_nodes {
    const region_view& r;

    [[nodiscard]] bool is_call(value_id v) const { return r[v].kind == region_value::role::call; }
    [[nodiscard]] std::string_view op(value_id v) const { return r[v].op; }
    [[nodiscard]] std::size_t arity(value_id v) const { return r[v].operands.size(); }
    [[nodiscard]] value_id operand(value_id v, std::size_t i) const { return r[v].operands[i]; }
    [[nodiscard]] bool is_absent(value_id v) const { return r[v].kind == region_value::role::absent; }
    [[nodiscard]] const node_type& type(value_id v) const { return *r[v].type; }
    [[nodiscard]] const attribute_map& attributes(value_id v) const { return *r[v].attributes; }
    [[nodiscard]] const tensor* constant(value_id v) const { return float_constant(r, v); }
};

/// A graph as the reader of activations sees it.
template <attributed_graph G>
struct graph_nodes {
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
class activation_reader {
public:
    explicit activation_reader(Nodes nodes, activation_rules rules = {}) : n_(nodes), rules_(rules) {}

    /// The function whose last node is v; nothing where v is no element-wise function of one value. Spellings in several nodes come first.
    [[nodiscard]] std::optional<activation> read(value_id v) const {
        if (!n_.is_call(v) || !n_.type(v).is_tensor() || n_.arity(v) == 0) return std::nullopt;
        if (auto several = gated(v)) return several;
        if (auto one = single(v)) return one;
        return with_number(v);
    }

private:
    using form = elementwise_function::form;

    [[nodiscard]] bool is_call(value_id v, std::string_view op) const { return n_.is_call(v) && n_.op(v) == op; }
    [[nodiscard]] value_id operand(value_id v, std::size_t i) const { return n_.operand(v, i); }
    [[nodiscard]] std::size_t rank(value_id v) const { return n_.type(v).is_tensor() ? n_.type(v).of_tensor.rank() : 0; }

    /// The only element of a float32 constant that has one and that does not raise the rank of what it is combined with.
    [[nodiscard]] std::optional<double> scalar(value_id v, std::size_t most) const {
        const tensor* t = n_.constant(v);
        if (t == nullptr || t->element() != element_type::float32 || t->count() != 1 || t->rank() > most) return std::nullopt;
        return static_cast<double>(t->template as<float>()[0]);
    }
    [[nodiscard]] bool near(double a, double b) const { return std::abs(a - b) <= rules_.tolerance * std::abs(b); }

    /// Operators of one operand; bounds and attributes are constant.
    [[nodiscard]] std::optional<activation> single(value_id v) const {
        const auto made = [&](std::vector<elementwise_function> f) { return activation{operand(v, 0), std::move(f), {v}}; };
        if (n_.op(v) == "onnx.Clip") {
            double bounds[2] = {-elementwise_function::infinity, elementwise_function::infinity};
            for (std::size_t i = 1; i < n_.arity(v) && i < 3; ++i) {
                if (n_.is_absent(operand(v, i))) continue;
                const auto bound = scalar(operand(v, i), 0);
                if (!bound) return std::nullopt;
                bounds[i - 1] = *bound;
            }
            if (!(bounds[0] <= bounds[1])) return std::nullopt;
            return made({{form::clip, bounds[0], bounds[1]}});
        }
        if (n_.arity(v) != 1) return std::nullopt;
        if (n_.op(v) == "onnx.HardSigmoid") {
            const auto line = inlay::read<hard_sigmoid_attributes>(n_.attributes(v));
            return made({{form::linear, line.alpha, line.beta}, {form::clip, 0, 1}});
        }
        if (const auto f = function_of_operator(n_.op(v), n_.attributes(v))) return made({*f});
        return std::nullopt;
    }

    /// Binary operators whose other operand is a number, or the same value again.
    [[nodiscard]] std::optional<activation> with_number(value_id v) const {
        if (n_.arity(v) != 2) return std::nullopt;
        const std::string_view op = n_.op(v);
        const value_id a = operand(v, 0), b = operand(v, 1);
        if (a == b) {
            if (op == "onnx.Mul") return activation{a, {{form::square}}, {v}};
            if (op == "onnx.Add" || op == "onnx.Sum") return activation{a, {{form::linear, 2}}, {v}};
            return std::nullopt;
        }
        for (const bool turned : {false, true})
            if (const auto n = scalar(turned ? a : b, rank(turned ? b : a)))
                if (const auto f = function_with_number(op, *n, turned)) return activation{turned ? b : a, {*f}, {v}};
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
            if (n_.op(v) == "onnx.Mul" || divisor) {
                p.calls.push_back(v);
                multiply(a, stop, p);
                if (n_.op(v) == "onnx.Mul")
                    multiply(b, stop, p);
                else
                    p.number /= *divisor;
                return;
            }
        }
        if (const auto n = scalar(v, 8))
            p.number *= *n;
        else
            p.factors.push_back(v);
    }
    /// The number in `number * x`, where x alone is left over; the calls of the product are added to the list.
    [[nodiscard]] std::optional<double> factor_of(value_id v, value_id x, std::vector<value_id>& calls) const {
        product p;
        multiply(v, x, p);
        calls.insert(calls.end(), p.calls.begin(), p.calls.end());
        if (p.factors.size() != 1 || p.factors[0] != x) return std::nullopt;
        return p.number;
    }
    /// The number in `x + number`.
    [[nodiscard]] std::optional<double> term_of(value_id v, value_id x) const {
        if (!is_call(v, "onnx.Add") || n_.arity(v) != 2) return std::nullopt;
        for (const std::size_t i : {0u, 1u})
            if (operand(v, i) == x)
                if (const auto n = scalar(operand(v, 1 - i), rank(x))) return n;
        return std::nullopt;
    }

    /// What gates x in `x * gate(x)`: the function of the whole, and which number the product must hold.
    struct gate {
        elementwise_function whole;
        double number;
        std::vector<value_id> calls;
    };
    [[nodiscard]] std::optional<gate> hard_gate(double slope, double offset, double number, std::vector<value_id> calls) const {
        if (!rules_.scaled && !(near(slope, 1.0 / 6) && near(offset, 0.5))) return std::nullopt;
        return gate{{form::hard_swish, slope, offset}, number, std::move(calls)};
    }
    [[nodiscard]] std::optional<gate> gate_of(value_id g, value_id x) const {
        if (is_call(g, "onnx.Sigmoid") && operand(g, 0) == x) return gate{{form::swish}, 1, {g}};
        if (is_call(g, "onnx.HardSigmoid") && operand(g, 0) == x) {
            const auto line = inlay::read<hard_sigmoid_attributes>(n_.attributes(g));
            return hard_gate(line.alpha, line.beta, 1, {g});
        }
        if (is_call(g, "onnx.Clip")) {
            // min(max(x + c, 0), h) is h times the unit ramp of x / h + c / h.
            const auto clip = single(g);
            if (!clip || clip->functions[0].alpha != 0 || !(clip->functions[0].beta > 0)) return std::nullopt;
            const double high = clip->functions[0].beta;
            const auto term = term_of(clip->source, x);
            if (!term || high == elementwise_function::infinity) return std::nullopt;
            return hard_gate(1 / high, *term / high, 1 / high, {g, clip->source});
        }
        if (is_call(g, "onnx.Tanh") && is_call(operand(g, 0), "onnx.Softplus") && operand(operand(g, 0), 0) == x)
            return gate{{form::mish}, 1, {g, operand(g, 0)}};
        for (std::size_t i = 0; i < n_.arity(g); ++i) {
            const value_id inner = operand(g, i);
            const auto one = term_of(g, inner);
            if (!one || !near(*one, 1) || !n_.is_call(inner) || n_.arity(inner) != 1) continue;
            std::vector<value_id> calls{g, inner};
            if (n_.op(inner) == "onnx.Erf") {
                const auto root = factor_of(operand(inner, 0), x, calls);
                if (root && near(*root, 0.70710678118654752)) return gate{{form::gelu}, 0.5, std::move(calls)};
            }
            if (n_.op(inner) == "onnx.Tanh" && is_tanh_argument(operand(inner, 0), x, calls))
                return gate{{form::gelu_tanh}, 0.5, std::move(calls)};
        }
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

    [[nodiscard]] std::optional<activation> gated(value_id v) const {
        if (!is_call(v, "onnx.Mul") && !is_call(v, "onnx.Div")) return std::nullopt;
        product all;
        multiply(v, v + 1, all);
        // x may itself be a product: every operand that stands below is tried as x, and the product opened down to it only.
        for (const value_id call : all.calls)
            for (std::size_t i = 0; i < n_.arity(call); ++i) {
                const value_id x = operand(call, i);
                // No number on the way adds axes.
                if (rank(x) != rank(v)) continue;
                product p;
                multiply(v, x, p);
                if (p.factors.size() != 2 || (p.factors[0] != x && p.factors[1] != x)) continue;
                const auto g = gate_of(p.factors[p.factors[0] == x ? 1 : 0], x);
                if (!g || (!rules_.scaled && !near(p.number, g->number))) continue;
                activation found{x, {g->whole}, std::move(p.calls)};
                if (!near(p.number, g->number)) found.functions.push_back({form::linear, p.number / g->number});
                found.calls.insert(found.calls.end(), g->calls.begin(), g->calls.end());
                return found;
            }
        return std::nullopt;
    }

    Nodes n_;
    activation_rules rules_;
};

}  // namespace inlay::detail

#endif
