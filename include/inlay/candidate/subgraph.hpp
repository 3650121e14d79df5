// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_SUBGRAPH_HPP
#define INLAY_CANDIDATE_SUBGRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/node_set.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// Nodes of a subgraph that stand together under a name, and what is named among them in turn.
struct nested_part {
    enum class role : std::uint8_t {
        composite,  // one thing that a back end does as a whole; never joined with another one
        primitive   // compiled as one by the owner of that name; two of one owner become one when their subgraphs are joined
    };

    role what = role::composite;
    std::string name;
    node_set nodes;
    std::vector<nested_part> inside;

    friend bool operator==(const nested_part& a, const nested_part& b) {
        return a.what == b.what && a.nodes == b.nodes && a.name == b.name && a.inside == b.inside;
    }
    friend bool operator<(const nested_part& a, const nested_part& b) {
        if (!(a.nodes == b.nodes)) return a.nodes < b.nodes;
        if (a.name != b.name) return a.name < b.name;
        if (a.what != b.what) return a.what < b.what;
        for (std::size_t i = 0; i < a.inside.size() && i < b.inside.size(); ++i)
            if (!(a.inside[i] == b.inside[i])) return a.inside[i] < b.inside[i];
        return a.inside.size() < b.inside.size();
    }
};

/// A set of nodes with what its border is: where values come in and go out. All of it follows from nodes and graph and is computed once.
/// O(operands and users of the nodes, times the logarithm of the nodes).
class subgraph {
public:
    subgraph() = default;
    subgraph(const dataflow& flow, node_set nodes, std::vector<nested_part> nested = {})
        : nodes_(std::move(nodes)), nested_(std::move(nested)) {
        sort_list(nested_);
        std::vector<node_id> entries, exits, inputs, outputs, taps;
        std::vector<std::size_t> depth(nodes_.size());  // the longest path from an entry to the node; 0: from none
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            const node_id n = nodes_[at];
            bool is_entry = false, is_read_inside = false, is_exit = flow.leaves(n);
            for (const node_id from : flow.operands(n)) {
                const std::size_t before = lower_place(nodes_.list(), from);
                if (before < nodes_.size() && nodes_[before] == from) {
                    if (depth[before] >= depth[at] && depth[before] != 0) depth[at] = depth[before] + 1;
                } else if (!flow.is_inlined(from)) {
                    is_entry = true;
                    inputs.push_back(from);
                }
            }
            if (is_entry && depth[at] == 0) depth[at] = 1;
            for (const node_id u : flow.users()[n]) {
                const bool inside = nodes_.has(u);
                is_read_inside = is_read_inside || inside;
                is_exit = is_exit || !inside;
                if (!inside) outputs.push_back(u);
            }
            if (is_entry) entries.push_back(n);
            if (is_exit) exits.push_back(n);
            if (is_exit && is_read_inside) taps.push_back(n);
            if (is_exit && depth[at] > depth_) depth_ = depth[at];
            if (flow.kind_of_op(n) > kind_) kind_ = flow.kind_of_op(n);
        }
        entries_ = node_set(std::move(entries));
        exits_ = node_set(std::move(exits));
        inputs_ = node_set(std::move(inputs));
        outputs_ = node_set(std::move(outputs));
        taps_ = node_set(std::move(taps));
    }

    [[nodiscard]] const node_set& nodes() const { return nodes_; }
    /// Nodes of it that read from outside what is not inlined.
    [[nodiscard]] const node_set& entries() const { return entries_; }
    /// Nodes of it that are read outside, or leave the graph.
    [[nodiscard]] const node_set& exits() const { return exits_; }
    /// Nodes outside that it reads and that are not inlined.
    [[nodiscard]] const node_set& inputs() const { return inputs_; }
    /// Nodes outside that read from it.
    [[nodiscard]] const node_set& outputs() const { return outputs_; }
    /// Exits that are read inside as well.
    [[nodiscard]] const node_set& taps() const { return taps_; }
    /// The nodes on the longest path inside from an entry to an exit; 0 where there is none.
    [[nodiscard]] std::size_t depth() const { return depth_; }
    /// The greatest kind of its nodes.
    [[nodiscard]] op_kind kind() const { return kind_; }
    [[nodiscard]] const std::vector<nested_part>& nested() const { return nested_; }

    /// Whether they are the same nodes, named in the same way.
    friend bool operator==(const subgraph& a, const subgraph& b) { return a.nodes_ == b.nodes_ && a.nested_ == b.nested_; }
    friend bool operator<(const subgraph& a, const subgraph& b) {
        if (!(a.nodes_ == b.nodes_)) return a.nodes_ < b.nodes_;
        for (std::size_t i = 0; i < a.nested_.size() && i < b.nested_.size(); ++i)
            if (!(a.nested_[i] == b.nested_[i])) return a.nested_[i] < b.nested_[i];
        return a.nested_.size() < b.nested_.size();
    }

private:
    node_set nodes_, entries_, exits_, inputs_, outputs_, taps_;
    std::size_t depth_ = 0;
    op_kind kind_ = op_kind::elementwise;
    std::vector<nested_part> nested_;
};

[[nodiscard]] inline bool disjoint(const subgraph& a, const subgraph& b) { return disjoint(a.nodes(), b.nodes()); }

/// Whether `b` reads what `a` makes, with nothing in common and no path from the one to the other through nodes of neither. Their union is
/// then convex if both are. O(edges in the range of their nodes).
[[nodiscard]] inline bool touching(const dataflow& flow, const subgraph& a, const subgraph& b) {
    return !disjoint(a.outputs(), b.entries()) && disjoint(a, b) && !flows(flow, a.outputs() - b.nodes(), b.entries()) &&
           !flows(flow, b.outputs() - a.nodes(), a.entries());
}

/// Whether all that `a` makes goes into `b`, and all that `b` reads comes from `a`.
[[nodiscard]] inline bool self_contained(const subgraph& a, const subgraph& b) {
    return is_subset(a.outputs(), b.entries()) && is_subset(b.inputs(), a.exits());
}

/// What is named in two disjoint subgraphs, in their union: primitive parts of one owner become one.
[[nodiscard]] inline std::vector<nested_part> joined_parts(std::vector<nested_part> parts, const std::vector<nested_part>& more) {
    for (const nested_part& p : more) {
        nested_part* same = nullptr;
        for (nested_part& q : parts)
            if (same == nullptr && q.what == nested_part::role::primitive && p.what == q.what && p.name == q.name) same = &q;
        if (same == nullptr) {
            parts.push_back(p);
            continue;
        }
        same->nodes = same->nodes | p.nodes;
        same->inside = joined_parts(std::move(same->inside), p.inside);
    }
    sort_list(parts);
    return parts;
}

/// Both together, which may not be valid. The error says that they overlap.
[[nodiscard]] inline outcome<subgraph> disjoint_union(const dataflow& flow, const subgraph& a, const subgraph& b) {
    if (!disjoint(a, b))
        return error{"the subgraphs " + to_string(a.nodes()) + " and " + to_string(b.nodes()) + " have " +
                     to_string(a.nodes() & b.nodes()) + " in common; only disjoint ones are joined"};
    return subgraph(flow, a.nodes() | b.nodes(), joined_parts(a.nested(), b.nested()));
}

/// The same nodes under a name.
[[nodiscard]] inline subgraph named(const dataflow& flow, const subgraph& s, nested_part::role what, std::string name) {
    std::vector<nested_part> whole;
    whole.push_back({what, std::move(name), s.nodes(), s.nested()});
    return subgraph(flow, s.nodes(), std::move(whole));
}

}  // namespace inlay

#endif
