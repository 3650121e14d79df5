// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_ENUMERATE_HPP
#define INLAY_CANDIDATE_ENUMERATE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// How far enumeration goes.
struct enumerate_options {
    std::size_t matches_per_root = 64;  // of one composite; the rest is not looked at
    std::vector<char> owned;            // by node, not 0: belongs to an existing part and is left alone; empty: none does
};

namespace detail {

/// One graph being searched for candidates.
template <attributed_graph G>
class enumerator {
public:
    enumerator(const G& g, const enumerate_options& options) : g_(g), options_(options), users_(g), results_(results_of(g)) {
        for (node_id n = 0; n < g.size(); ++n)
            if (is_work(n)) set_.to_cover.push_back(n);
    }

    template <class Backend>
    void ask(const Backend& b, backend_id number, node_id root) {
        std::vector<std::vector<node_id>> taken;
        b.patterns().for_each([&](auto composite, std::size_t index) {
            using pattern_type = typename decltype(composite)::pattern_type;
            std::size_t seen = 0;
            for_each_match(pattern_type{}, g_, users_, root, [&](auto&& found) {
                std::vector<node_id> nodes = with_projections(found.nodes);
                const question asked{found.root, number, static_cast<std::uint32_t>(index), composite.name};
                if (!has_item(taken, nodes) && consider(b, composite, asked, found.captures, nodes)) taken.push_back(std::move(nodes));
                return ++seen >= options_.matches_per_root;
            });
        });
    }

    [[nodiscard]] candidate_set finish() { return std::move(set_); }
    [[nodiscard]] bool is_call(node_id n) const { return kind_of(g_, n) == node_kind::call && is_work(n); }

private:
    [[nodiscard]] bool is_work(node_id n) const {
        const node_kind k = kind_of(g_, n);
        return (k == node_kind::call || k == node_kind::projection) && (options_.owned.empty() || options_.owned[n] == 0);
    }

    /// The projections of a tuple go where the tuple is made: a tuple never crosses a border.
    std::vector<node_id> with_projections(std::vector<node_id> nodes) const {
        const std::size_t matched = nodes.size();
        for (std::size_t i = 0; i < matched; ++i) {
            if (!static_cast<const node_type&>(g_.type(nodes[i])).is_tuple()) continue;
            for (const node_id u : users_[nodes[i]])
                if (kind_of(g_, u) == node_kind::projection) nodes.push_back(u);
        }
        sort_unique(nodes);
        return nodes;
    }

    /// What a match is asked about: who may take it, as which composite.
    struct question {
        node_id root;
        backend_id backend;
        std::uint32_t composite;
        std::string_view name;
    };

    bool refuse(const question& asked, refusal::cause why, std::string reason) {
        set_.refusals.push_back({asked.root, asked.backend, asked.name, why, std::move(reason)});
        return false;
    }

    // Only what the composite decides is compiled for each composite.
    template <class Backend, class Composite, class Captures>
    bool consider(const Backend& b, Composite, const question& asked, const Captures& captures, const std::vector<node_id>& nodes) {
        if (!is_work(nodes) || !is_in_one_block(asked, nodes)) return false;
        const region r(g_, users_, results_, nodes);
        const region_view view = r.view();
        if (!can_be_a_part(asked, nodes, view)) return false;
        if (!within_limits(b, view)) return refuse(asked, refusal::cause::over_a_limit, "the match is larger than what the back end takes at once");
        const match_view<typename Captures::names> match(view, captures);
        if (verdict answer = typename Composite::predicate_type{}(b, match); !answer.taken) return refuse(asked, refusal::cause::predicate, std::move(answer.reason));
        return take(asked, nodes, view, b.formats(view));
    }

    [[nodiscard]] bool is_work(const std::vector<node_id>& nodes) const {
        for (const node_id n : nodes)
            if (!is_work(n)) return false;
        return true;
    }

    bool is_in_one_block(const question& asked, const std::vector<node_id>& nodes) {
        for (const node_id n : nodes)
            if (block_of(g_, n) != block_of(g_, asked.root)) return refuse(asked, refusal::cause::crosses_blocks, "the match crosses basic blocks");
        return true;
    }

    bool can_be_a_part(const question& asked, const std::vector<node_id>& nodes, const region_view& view) {
        for (const value_id v : view.results) {
            const node_id n = view[v].origin;
            const bool of_root = n == asked.root || (view[v].kind == region_value::role::projection && view.operand(view[v], 0).origin == asked.root);
            if (!of_root)
                return refuse(asked, refusal::cause::duplicates_a_node, "the value of node " + std::to_string(n) + " inside the match is read outside it as well");
        }
        for (const region_value& v : view.values)
            if (v.kind != region_value::role::absent && !v.type->is_static())
                return refuse(asked, refusal::cause::unknown_shape, "the type of node " + std::to_string(v.origin) + " is " + to_string(*v.type) + ": bind its shape");
        for (const region_value& v : view.inputs())
            if (!v.type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "it reads a tuple, which cannot cross a border");
        for (const value_id v : view.results)
            if (!view[v].type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "its result is a tuple, which cannot cross a border");
        return is_convex(g_, users_, nodes) || refuse(asked, refusal::cause::not_convex, "a path leaves the match and comes back");
    }

    bool take(const question& asked, const std::vector<node_id>& nodes, const region_view& view, std::vector<border_formats> formats) {
        if (formats.empty()) return refuse(asked, refusal::cause::no_format, "the back end takes it in no border format");
        for (border_formats& f : formats) {
            candidate c;
            c.nodes = nodes;
            c.root = asked.root;
            c.backend = asked.backend;
            c.composite = asked.composite;
            c.name = asked.name;
            for (const region_value& v : view.inputs()) c.inputs.push_back(v.origin);
            for (const value_id v : view.results) c.results.push_back(view[v].origin);
            c.formats = std::move(f);
            set_.candidates.push_back(std::move(c));
        }
        return true;
    }

    template <class Backend>
    static bool within_limits(const Backend& b, const region_view& view) {
        if constexpr (requires { limits(b.limits()); }) {
            const limits most = b.limits();
            std::uint64_t bytes = 0;
            const auto count = [&](const node_type& t) { bytes += stored_bytes(static_shape(t.of_tensor), plain_format(t.of_tensor.element)); };
            for (const region_value& v : view.inputs()) count(*v.type);
            for (const region_value& v : view.constants())
                if (v.type->is_tensor()) count(*v.type);
            for (const value_id v : view.results) count(*view[v].type);
            return (most.nodes == 0 || view.calls().size() <= most.nodes) && (most.bytes == 0 || bytes <= most.bytes);
        } else {
            return true;
        }
    }

    const G& g_;
    const enumerate_options& options_;
    user_lists users_;
    std::vector<node_id> results_;
    candidate_set set_;
};

}  // namespace detail

/// The candidates that the chosen back ends of a list have for a graph: every match of every composite whose predicate takes it, in
/// every format tuple that the back end lists. Of two composites of one back end that take the same nodes the first counts.
/// Linear in the nodes for fixed patterns. `backends` is a `backend_list`.
template <attributed_graph G, class List>
[[nodiscard]] candidate_set enumerate(const G& g, const List& backends, const enumerate_options& options = {}) {
    detail::enumerator<G> work(g, options);
    for (node_id n = 0; n < g.size(); ++n) {
        if (!work.is_call(n)) continue;
        for (const std::size_t number : backends.chosen())
            backends.visit(number, [&](const auto& b) { work.ask(b, static_cast<backend_id>(number), n); });
    }
    return work.finish();
}

}  // namespace inlay

#endif
