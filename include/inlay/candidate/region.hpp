// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_REGION_HPP
#define INLAY_CANDIDATE_REGION_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/users.hpp>

namespace inlay {

/// A set of nodes of a graph with what its border needs: owns the arrays that a `region_view` shows. Types, attributes and
/// constants stay the graph's, which must outlive it.
class region {
public:
    /// The region of these nodes (ascending, calls and projections of one block). Linear in the nodes and their operands, times
    /// the logarithm of the set's size.
    template <attributed_graph G>
    region(const G& g, const user_lists& users, std::span<const node_id> results_of_graph, std::span<const node_id> nodes)
        : nodes_(nodes.begin(), nodes.end()) {
        const auto inside = [&](node_id n) { return sorted_has(nodes_, n); };
        std::vector<node_id> inputs, others;
        for (const node_id n : nodes_)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                if (inside(from)) continue;
                auto& list = is_absent(g, from) || g.constant(from) != nullptr ? others : inputs;
                if (!has_item(list, from)) list.push_back(from);
            }
        std::vector<std::pair<node_id, value_id>> number;
        const auto append = [&](node_id n, region_value::role role) {
            region_value v;
            v.kind = role;
            v.attributes = &static_cast<const attribute_map&>(g.attributes(n));
            v.type = &static_cast<const node_type&>(g.type(n));
            v.value = g.constant(n);
            v.origin = n;
            number.emplace_back(n, static_cast<value_id>(values_.size()));
            values_.push_back(v);
        };
        for (const node_id n : inputs) append(n, region_value::role::input);
        for (const node_id n : others) append(n, is_absent(g, n) ? region_value::role::absent : region_value::role::constant);
        input_count_ = inputs.size();
        constant_count_ = others.size();
        sort_list(number);
        const std::size_t outside = values_.size();
        for (const node_id n : nodes_) append(n, kind_of(g, n) == node_kind::projection ? region_value::role::projection : region_value::role::call);
        for (const node_id n : nodes_)
            for (std::size_t i = 0; i < g.arity(n); ++i) operands_.push_back(value_of(number, outside, g.operand(n, i)));
        std::size_t first_operand = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            region_value& v = values_[outside + i];
            v.operands = std::span<const value_id>(operands_.data() + first_operand, g.arity(nodes_[i]));
            first_operand += v.operands.size();
            if (v.kind == region_value::role::projection) {
                if constexpr (functional_graph<G>) v.field = static_cast<std::uint32_t>(g.field(nodes_[i]));
            } else {
                v.op = g.op(nodes_[i]);
            }
            bool leaves = has_item(results_of_graph, nodes_[i]);
            for (const node_id u : users[nodes_[i]]) leaves = leaves || !inside(u);
            if (leaves) results_.push_back(static_cast<value_id>(outside + i));
        }
    }

    region(region&&) noexcept = default;
    region& operator=(region&&) noexcept = default;
    region(const region&) = delete;
    region& operator=(const region&) = delete;

    /// The view, with these formats at the border (empty spans: none chosen yet).
    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return {values_, input_count_, constant_count_, results_, inputs, results};
    }
    [[nodiscard]] std::span<const node_id> nodes() const { return nodes_; }

private:
    /// The unit value stands for an operand that is left out.
    template <class G>
    static bool is_absent(const G& g, node_id n) {
        return kind_of(g, n) == node_kind::tuple && g.arity(n) == 0;
    }
    value_id value_of(const std::vector<std::pair<node_id, value_id>>& number, std::size_t outside, node_id n) const {
        const std::size_t in = lower_place(nodes_, n);
        if (in != nodes_.size() && nodes_[in] == n) return static_cast<value_id>(outside + in);
        const auto others = std::span(number).first(outside);
        return others[lower_place(others, std::pair<node_id, value_id>(n, 0))].second;
    }

    std::vector<node_id> nodes_;
    std::vector<region_value> values_;
    std::vector<value_id> operands_, results_;
    std::size_t input_count_ = 0, constant_count_ = 0;
};

/// Calls `use(call)` with a region's call as a `call_view`, for type rules, meanings and work counts.
template <class F>
auto with_call_view(const region_view& r, const region_value& v, F&& use) {
    std::vector<const node_type*> types;
    std::vector<const tensor*> constants;
    for (const value_id o : v.operands) {
        types.push_back(r[o].type);
        constants.push_back(r[o].value);
    }
    const std::size_t outputs = v.type->is_tuple() ? v.type->fields.size() : 1;
    return use(call_view{v.op, v.attributes, types, constants, outputs});
}

}  // namespace inlay

#endif
