// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_DATAFLOW_HPP
#define INLAY_CANDIDATE_DATAFLOW_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/node_set.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/graph/users.hpp>

namespace inlay {

/// A graph as partition rules see it: a snapshot of what is read by whom, of blocks, of the kind of every node. It is a `graph` itself
/// and the same type for every graph, so that all of the rules that look at nothing else are compiled once. Linear in the graph.
class dataflow {
public:
    /// `owned`: by node, not 0 where it belongs to an existing part and is left alone; empty: none does.
    template <graph G, op_kind_source<G> Kinds>
    dataflow(const G& g, const Kinds& kind_of_op, std::vector<char> owned = {})
        : users_(g), results_(results_of(g)), owned_(std::move(owned)), leaves_(g.size()) {
        const std::size_t size = g.size();
        first_operand_.push_back(0);
        for (node_id n = 0; n < size; ++n) {
            for (std::size_t i = 0; i < g.arity(n); ++i) operands_.push_back(g.operand(n, i));
            first_operand_.push_back(operands_.size());
            const node_kind kind = kind_of(g, n);
            nodes_.push_back({kind, kind_of_node(g, n, kind, kind_of_op), block_of(g, n), travels_free(g, n, kind), label_of(g, n, kind)});
        }
        for (const node_id n : results_) leaves_[n] = 1;
    }

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    /// The operator of a call, where it is text; of other nodes a word for what they are: `const`, `scalar`, `tuple`, `proj`, ...
    [[nodiscard]] std::string_view op(node_id n) const { return nodes_[n].label; }
    [[nodiscard]] std::size_t arity(node_id n) const { return first_operand_[n + 1] - first_operand_[n]; }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return operands_[first_operand_[n] + i]; }
    [[nodiscard]] node_kind kind(node_id n) const { return nodes_[n].kind; }
    [[nodiscard]] block_id block(node_id n) const { return nodes_[n].block; }
    [[nodiscard]] const std::vector<node_id>& results() const { return results_; }

    [[nodiscard]] std::span<const node_id> operands(node_id n) const { return {operands_.data() + first_operand_[n], arity(n)}; }
    [[nodiscard]] const user_lists& users() const { return users_; }
    /// Of a call what the source of kinds says; elementwise for a constant; injective for a tuple of tensors and its fields; else opaque.
    [[nodiscard]] op_kind kind_of_op(node_id n) const { return nodes_[n].of_op; }
    /// Whether its value leaves the graph.
    [[nodiscard]] bool leaves(node_id n) const { return leaves_[n] != 0; }
    /// Whether it belongs to an existing part.
    [[nodiscard]] bool is_owned(node_id n) const { return !owned_.empty() && owned_[n] != 0; }
    /// Whether it is never an input of a subgraph, since each who reads it may have a copy: a function literal, an operand left out,
    /// and a scalar constant of booleans, floats of 16, 32 or 64 bits, or signed integers of as many.
    [[nodiscard]] bool is_inlined(node_id n) const { return nodes_[n].inlined; }

private:
    struct node {
        node_kind kind;
        op_kind of_op;
        block_id block;
        bool inlined;
        std::string label;
    };

    template <class G>
    static const tensor* constant_of(const G& g, node_id n) {
        if constexpr (requires {
                          { g.constant(n) } -> std::convertible_to<const tensor*>;
                      })
            return g.constant(n);
        else
            return nullptr;
    }
    template <class G>
    static bool is_of_tensors(const G& g, node_id tuple) {
        if constexpr (typed_graph<G>) {
            const node_type& t = g.type(tuple);
            if (!t.is_tuple()) return false;
            for (const node_type& f : t.fields)
                if (!f.is_tensor()) return false;
        }
        return true;
    }
    template <class G, class Kinds>
    static op_kind kind_of_node(const G& g, node_id n, node_kind kind, const Kinds& kind_of_op) {
        switch (kind) {
            case node_kind::call:
                return kind_of_op(g, n);
            case node_kind::constant:
                return op_kind::elementwise;
            case node_kind::tuple:
                return is_of_tensors(g, n) ? op_kind::injective : op_kind::opaque;
            case node_kind::projection:
                return is_of_tensors(g, g.operand(n, 0)) ? op_kind::injective : op_kind::opaque;
            default:
                return op_kind::opaque;
        }
    }
    template <class G>
    static bool is_simple_scalar(const G& g, node_id n) {
        const tensor* value = constant_of(g, n);
        if (value == nullptr || value->rank() != 0) return false;
        switch (value->element()) {
            case element_type::float16:
            case element_type::float32:
            case element_type::float64:
            case element_type::int16:
            case element_type::int32:
            case element_type::int64:
            case element_type::boolean:
                return true;
            default:
                return false;
        }
    }
    template <class G>
    static bool travels_free(const G& g, node_id n, node_kind kind) {
        return kind == node_kind::function || (kind == node_kind::tuple && g.arity(n) == 0) ||
               (kind == node_kind::constant && is_simple_scalar(g, n));
    }
    template <class G>
    static std::string label_of(const G& g, node_id n, node_kind kind) {
        switch (kind) {
            case node_kind::constant:
                return is_simple_scalar(g, n) ? "scalar" : "const";
            case node_kind::tuple:
                return "tuple";
            case node_kind::projection:
                return "proj";
            case node_kind::input:
                return "input";
            case node_kind::function:
                return "fn";
            case node_kind::let:
                return "let";
            case node_kind::if_else:
                return "if";
            case node_kind::match:
                return "match";
            default:
                break;
        }
        if constexpr (requires {
                          { g.op(n) } -> std::convertible_to<std::string_view>;
                      })
            return std::string(static_cast<std::string_view>(g.op(n)));
        else
            return "op";
    }

    std::vector<node> nodes_;
    std::vector<std::size_t> first_operand_;
    std::vector<node_id> operands_;
    user_lists users_;
    std::vector<node_id> results_;
    std::vector<char> owned_, leaves_;
};

/// The labels of the nodes, joined by `+` in their order: `onnx.Conv+onnx.Relu`.
[[nodiscard]] inline std::string label_of(const dataflow& flow, const node_set& nodes) {
    std::string text;
    for (const node_id n : nodes) {
        if (!text.empty()) text += '+';
        text += flow.op(n);
    }
    return text;
}

/// Whether a path of at least one edge leads from a node of one set to a node of the other. O(edges between the least node of the one and
/// the greatest of the other).
[[nodiscard]] inline bool flows(const dataflow& flow, const node_set& from, const node_set& into) {
    if (from.empty() || into.empty() || from.first() >= into.last()) return false;
    const node_id first = from.first(), last = into.last();
    std::vector<char> reached(last - first + 1);
    for (node_id n = first; n <= last; ++n) {
        const bool is_reached = reached[n - first] != 0;
        if (is_reached && into.has(n)) return true;
        if (!is_reached && !from.has(n)) continue;
        for (const node_id u : flow.users()[n])
            if (u <= last) reached[u - first] = 1;
    }
    return false;
}

}  // namespace inlay

#endif
