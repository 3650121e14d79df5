// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_REGION_HPP
#define INLAY_CANDIDATE_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <span>
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
    /// the logarithm of the operands.
    template <attributed_graph G>
    region(const G& g, const user_lists& users, std::span<const node_id> results_of_graph, std::span<const node_id> nodes)
        : nodes_(nodes.size()) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = nodes[i];
        const std::span<const node_id> set = this->nodes();
        std::vector<node_id> read;
        for (const node_id n : nodes_)
            for (std::size_t i = 0; i < g.arity(n); ++i)
                if (const node_id from = g.operand(n, i); !sorted_has(set, from)) read.push_back(from);
        sort_unique(read);
        const std::span<const node_id> outside(read.data(), read.size());
        std::vector<region_value> values(outside.size() + nodes_.size());

        // What is read from outside is numbered in the order of reading, inputs before the others.
        std::vector<value_id> number(outside.size());
        value_id next = 0;
        for (int pass = 0; pass < 2; ++pass) {
            for (const node_id n : nodes_)
                for (std::size_t i = 0; i < g.arity(n); ++i) {
                    const node_id from = g.operand(n, i);
                    const std::size_t at = lower_place(outside, from);
                    if (at == outside.size() || outside[at] != from) continue;
                    const region_value::role role = role_outside(g, from);
                    if ((role == region_value::role::input) != (pass == 0) || (number[at] < next && values[number[at]].origin == from))
                        continue;
                    number[at] = next;
                    describe(g, from, role, values[next++]);
                }
            (pass == 0 ? input_count_ : constant_count_) = next;
        }
        constant_count_ -= input_count_;

        for (const node_id n : nodes_)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                const std::size_t at = lower_place(set, from);
                const bool inside = at != set.size() && set[at] == from;
                const value_id operand = inside ? static_cast<value_id>(outside.size() + at) : number[lower_place(outside, from)];
                operands_.push_back(operand);
            }
        std::size_t first_operand = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const node_id n = nodes_[i];
            const auto place = static_cast<value_id>(outside.size() + i);
            region_value& v = values[place];
            describe(g, n, kind_of(g, n) == node_kind::projection ? region_value::role::projection : region_value::role::call, v);
            v.operands = std::span<const value_id>(operands_.data() + first_operand, g.arity(n));
            first_operand += v.operands.size();
            if (v.kind == region_value::role::projection) {
                if constexpr (functional_graph<G>) v.field = static_cast<std::uint32_t>(g.field(n));
            } else {
                v.op = g.op(n);
            }
            bool leaves = has_item(results_of_graph, n);
            for (const node_id u : users[n]) leaves = leaves || !sorted_has(set, u);
            if (leaves) results_.push_back(place);
        }
        values_.swap(values);
    }

    region(region&&) noexcept = default;
    region& operator=(region&&) noexcept = default;
    region(const region&) = delete;
    region& operator=(const region&) = delete;

    /// The view, with these formats at the border (empty spans: none chosen yet).
    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return {{values_.data(), values_.size()}, input_count_, constant_count_, {results_.data(), results_.size()}, inputs, results};
    }
    [[nodiscard]] std::span<const node_id> nodes() const { return {nodes_.data(), nodes_.size()}; }

private:
    /// The unit value stands for an operand that is left out.
    template <class G>
    static region_value::role role_outside(const G& g, node_id n) {
        if (kind_of(g, n) == node_kind::tuple && g.arity(n) == 0) return region_value::role::absent;
        return g.constant(n) != nullptr ? region_value::role::constant : region_value::role::input;
    }
    template <class G>
    static void describe(const G& g, node_id n, region_value::role role, region_value& v) {
        v.kind = role;
        v.attributes = &static_cast<const attribute_map&>(g.attributes(n));
        v.type = &static_cast<const node_type&>(g.type(n));
        v.value = g.constant(n);
        v.origin = n;
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
