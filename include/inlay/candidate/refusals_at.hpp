// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_REFUSALS_AT_HPP
#define INLAY_CANDIDATE_REFUSALS_AT_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/pattern/match/near_miss.hpp>

namespace inlay {

namespace detail {

/// The nearest miss (`is_nearer`) of a back end's patterns at a node: of a pattern that begins there, or of one that begins further on and
/// fails there.
template <graph G>
class nearest_pattern {
public:
    nearest_pattern(const G& g, node_id node) : g_(g), users_(g), node_(node), roots_{node} {
        // Those that read the node, and those that read these: no pattern of a back end is deeper than a handful of nodes.
        constexpr std::size_t most = 64;
        for (std::size_t i = 0; i < roots_.size() && roots_.size() < most; ++i)
            for (const node_id u : users_[roots_[i]])
                if (std::find(roots_.begin(), roots_.end(), u) == roots_.end() && roots_.size() < most) roots_.push_back(u);
    }

    /// A composite, most preferred first.
    void ask(std::string_view composite, const pattern_view& p) {
        for (const node_id root : roots_) {
            auto miss = near_miss(p, g_, users_, root);
            if (!miss || miss->taken == 0 || (root != node_ && miss->node != node_)) continue;
            if (best_ && !is_nearer(*miss, *best_)) continue;
            best_ = std::move(miss);
            composite_ = composite;
        }
    }

    /// `name(n)` is a node in words.
    template <class Name>
    [[nodiscard]] refusal tell(backend_id backend, Name& name) && {
        refusal r;
        r.root = node_;
        r.nodes = {node_};
        r.backend = backend;
        r.composite = composite_;
        r.why = refusal::cause::no_pattern;
        if (!best_) {
            r.reason = "no pattern of it begins or goes on at " + std::string(g_.op(node_));
            return r;
        }
        if (best_->root != node_) r.root = best_->root;
        r.reason = "nearest, from " + std::string(name(best_->root)) + ": at " + std::string(name(best_->node)) + " it asks for " +
                   best_->expected + ", and finds " + best_->found + " (" + best_->path + ")";
        return r;
    }

private:
    const G& g_;
    user_lists users_;
    node_id node_;
    std::vector<node_id> roots_;
    std::optional<missed_match> best_;
    std::string_view composite_;
};

}  // namespace detail

/// Why a back end has no more ways of covering a node: each match that has the node and was refused, in the order of enumeration; and
/// where there is neither such a match nor a candidate, that no pattern matches, with the nearest miss. `backends` is a
/// `backend_list`, `set` what `enumerate` made of the graph with it; `name(n)` is a node in words. The search for the nearest pattern looks
/// at the node and at the next 64 nodes that rest on it.
template <attributed_graph G, class List, class Name>
[[nodiscard]] std::vector<refusal> refusals_at(const G& g, const List& backends, const candidate_set& set, backend_id backend, node_id node,
                                               Name&& name) {
    std::vector<refusal> found;
    for (const refusal& r : set.refusals)
        if (r.backend == backend && (r.root == node || sorted_has(r.nodes, node))) found.push_back(r);
    bool is_taken = !found.empty();
    for (const candidate& c : set.candidates) is_taken = is_taken || (c.backend == backend && sorted_has(c.nodes, node));
    if (is_taken) return found;
    detail::nearest_pattern nearest(g, node);
    backends.visit(backend, [&](const auto& b) {
        const backend_vtable& rows = vtable_of(b);
        for (std::size_t i = 0; i < rows.count; ++i) nearest.ask(rows.composites[i].name, *rows.composites[i].pattern);
    });
    found.push_back(std::move(nearest).tell(backend, name));
    return found;
}
template <attributed_graph G, class List>
[[nodiscard]] std::vector<refusal> refusals_at(const G& g, const List& backends, const candidate_set& set, backend_id backend,
                                               node_id node) {
    return refusals_at(g, backends, set, backend, node, [&](node_id n) { return shown_node(g, n); });
}

}  // namespace inlay

#endif
