// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_ENUMERATE_HPP
#define INLAY_CANDIDATE_ENUMERATE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/backend_row.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/rule_options.hpp>
#include <inlay/core/plain_list.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/pattern/label.hpp>
#include <inlay/pattern/matcher.hpp>
#include <inlay/pattern/sub_patterns.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// How far enumeration goes.
struct enumerate_options {
    std::size_t matches_per_root = 64;  // of one composite; the rest is not looked at
    std::vector<char> owned;            // by node, not 0: belongs to an existing part and is left alone; empty: none does
    std::size_t labelled_from = 64;     // a graph of as many nodes is labelled first; in a smaller one the matcher is asked for everything
    automaton_limits tables;            // of labelling; where they are reached the matcher is asked for more
    rule_options joining;               // how far the rules of back ends go
};

namespace detail {

/// What a match is asked about: who may take it, as which composite.
struct question {
    node_id root = no_node;
    backend_id backend = 0;
    std::uint32_t composite = 0;
    std::string_view name;
};

/// A back end that takes part: what it is asked through, the instance that is asked, and its number.
struct asked_backend {
    const backend_row* row = nullptr;
    const void* instance = nullptr;
    backend_id number = 0;
};

/// One graph being searched for candidates.
template <attributed_graph G>
class enumerator {
public:
    enumerator(const G& g, const enumerate_options& options, candidate_set& set)
        : g_(g), options_(options), users_(g), results_(results_of(g)), matcher_(g_, users_), set_(set) {
        for (node_id n = 0; n < g.size(); ++n)
            if (is_work(n)) set_.to_cover.push_back(n);
    }

    /// Asks back ends, the first first, for all their composites at every call. Where the graph is large enough, one pass of an automaton
    /// tells which composites the matcher need not be asked for; what comes of it is the same.
    void ask(std::span<const asked_backend> backends) {
        plain_list<place> places;
        plain_list<const pattern_view*> patterns;
        for (std::size_t b = 0; b < backends.size(); ++b)
            for (std::uint32_t i = 0; i < backends[b].row->count; ++i) {
                places.push_back({&backends[b], i});
                patterns.push_back(backends[b].row->composites[i].pattern);
            }
        turn now{*this, nullptr, {}, 0, {}};
        if (g_.size() < options_.labelled_from) {
            for (node_id n = 0; n < g_.size(); ++n)
                if (is_call(n))
                    for (const place& p : places) now.ask(p, n);
            return;
        }
        const sub_patterns inventory(patterns.all());
        automaton likely(inventory.view(), options_.tables);
        const labels states = label(g_, likely);
        // Patterns are numbered in the order in which composites are asked for, and are accepted in this order.
        for (node_id n = 0; n < g_.size(); ++n)
            if (is_call(n)) likely.for_each_accepted(states[n], [&](std::uint32_t pattern, bool) { now.ask(places[pattern], n); });
    }

    /// Adds a set of nodes that a back end's rule joined, unless that is no part or no format fits.
    void propose(const asked_backend& backend, const std::vector<node_id>& nodes, const std::string& name) {
        const std::size_t refused = set_.refusals.size();
        consider(backend, {nodes.back(), backend.number, static_cast<std::uint32_t>(backend.row->count), name}, nodes);
        if (set_.refusals.size() != refused) set_.refusals.back().nodes.assign(nodes.begin(), nodes.end());
    }

    [[nodiscard]] const G& source() const { return g_; }
    [[nodiscard]] const enumerate_options& options() const { return options_; }
    [[nodiscard]] candidate_set& found() { return set_; }

private:
    /// A composite of a back end.
    struct place {
        const asked_backend* backend = nullptr;
        std::uint32_t composite = 0;
    };
    /// A back end at a root.
    struct turn {
        enumerator& all;
        const asked_backend* backend;
        question asked;
        std::size_t seen;            // matches of this composite
        std::vector<node_id> taken;  // the node lists of its candidates one after the other, each behind its length

        void ask(const place& p, node_id root) {
            if (backend != p.backend || asked.root != root) taken.clear();
            backend = p.backend;
            const composite_row& composite = backend->row->composites[p.composite];
            asked = {root, backend->number, p.composite, composite.name};
            seen = 0;
            all.matcher_.each(*composite.pattern, root, [this](const found_match& found) { return take(found); });
        }
        bool take(const found_match& found) {
            const std::vector<node_id> nodes = all.with_projections(found.covered);
            if (has_taken(nodes)) return ++seen >= all.options_.matches_per_root;
            const std::size_t refused = all.set_.refusals.size();
            if (all.consider(*this, found, nodes)) {
                const auto count = static_cast<node_id>(nodes.size());
                taken.push_back(count);
                for (const node_id n : nodes) taken.push_back(n);
            }
            if (all.set_.refusals.size() != refused) all.set_.refusals.back().nodes.assign(nodes.begin(), nodes.end());
            return ++seen >= all.options_.matches_per_root;
        }
        [[nodiscard]] bool has_taken(const std::vector<node_id>& nodes) const {
            for (std::size_t at = 0; at < taken.size(); at += 1 + taken[at]) {
                if (taken[at] != nodes.size()) continue;
                std::size_t same = 0;
                while (same < nodes.size() && taken[at + 1 + same] == nodes[same]) ++same;
                if (same == nodes.size()) return true;
            }
            return false;
        }
    };

    [[nodiscard]] bool is_call(node_id n) const { return kind_of(g_, n) == node_kind::call && is_work(n); }
    [[nodiscard]] bool is_work(node_id n) const {
        const node_kind k = kind_of(g_, n);
        return (k == node_kind::call || k == node_kind::projection) && (options_.owned.empty() || options_.owned[n] == 0);
    }

    /// The nodes of a match, ascending. The projections of a tuple go where the tuple is made: a tuple never crosses a border.
    std::vector<node_id> with_projections(std::span<const node_id> covered) const {
        std::vector<node_id> nodes(covered.begin(), covered.end());
        for (const node_id n : covered) {
            if (!static_cast<const node_type&>(g_.type(n)).is_tuple()) continue;
            for (const node_id u : users_[n])
                if (kind_of(g_, u) == node_kind::projection) nodes.push_back(u);
        }
        sort_unique(nodes);
        return nodes;
    }

    /// Notes why something is not a candidate; false.
    bool refuse(const question& asked, refusal::cause why, std::string reason) {
        refusal& r = set_.refusals.emplace_back();
        r.root = asked.root;
        r.backend = asked.backend;
        r.composite = asked.name;
        r.why = why;
        r.reason.swap(reason);
        return false;
    }

    bool consider(const turn& now, const found_match& found, const std::vector<node_id>& nodes) {
        const question& asked = now.asked;
        if (!is_work(nodes) || !is_in_one_block(asked, nodes)) return false;
        const region r(g_, users_, all_of(results_), all_of(nodes));
        const region_view view = r.view();
        if (!can_be_a_part(asked, nodes, view)) return false;
        const backend_row& row = *now.backend->row;
        const void* instance = now.backend->instance;
        if (!within(row.most(instance), view)) return refuse(asked, refusal::cause::over_a_limit, "the match is larger than what the back end takes at once");
        verdict answer = row.composites[asked.composite].when(instance, view, found);
        if (!answer.taken) return refuse(asked, refusal::cause::predicate, std::move(answer.reason));
        return take(asked, nodes, view, row.formats(instance, view));
    }

    /// The same for what a rule joined: it may have several results, and its predicates have been asked.
    bool consider(const asked_backend& backend, const question& asked, const std::vector<node_id>& nodes) {
        if (!is_work(nodes) || !is_in_one_block(asked, nodes)) return false;
        const region r(g_, users_, all_of(results_), all_of(nodes));
        const region_view view = r.view();
        if (!is_of_known_tensors(asked, view) || !is_part(asked, nodes)) return false;
        if (!within(backend.row->most(backend.instance), view))
            return refuse(asked, refusal::cause::over_a_limit, "what was joined is larger than what the back end takes at once");
        return take(asked, nodes, view, backend.row->formats(backend.instance, view));
    }

    static std::span<const node_id> all_of(const std::vector<node_id>& nodes) { return {nodes.data(), nodes.size()}; }

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
            const region_value& value = view[v];
            const bool of_root = value.origin == asked.root || (value.kind == region_value::role::projection && view.operand(value, 0).origin == asked.root);
            if (!of_root) return refuse(asked, refusal::cause::duplicates_a_node, sentence("the value of node ", value, " inside the match is read outside it as well"));
        }
        return is_of_known_tensors(asked, view) && is_part(asked, nodes);
    }
    bool is_part(const question& asked, const std::vector<node_id>& nodes) {
        return is_convex(g_, users_, all_of(nodes)) || refuse(asked, refusal::cause::not_convex, "a path leaves the match and comes back");
    }
    bool is_of_known_tensors(const question& asked, const region_view& view) {
        for (const region_value& v : view.values)
            if (v.kind != region_value::role::absent && !v.type->is_static())
                return refuse(asked, refusal::cause::unknown_shape, sentence("the type of node ", v, " is ", to_string(*v.type).c_str(), ": bind its shape"));
        for (const region_value& v : view.inputs())
            if (!v.type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "it reads a tuple, which cannot cross a border");
        for (const value_id v : view.results)
            if (!view[v].type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "its result is a tuple, which cannot cross a border");
        return true;
    }
    static std::string sentence(const char* before, const region_value& v, const char* behind, const char* then = "", const char* last = "") {
        std::string text(before);
        text += std::to_string(static_cast<std::int64_t>(v.origin));
        text += behind;
        text += then;
        text += last;
        return text;
    }

    bool take(const question& asked, const std::vector<node_id>& nodes, const region_view& view, std::vector<border_formats> formats) {
        if (formats.empty()) return refuse(asked, refusal::cause::no_format, "the back end takes it in no border format");
        for (border_formats& f : formats) {
            candidate& c = set_.candidates.emplace_back();
            std::vector<node_id> covered = nodes;
            c.nodes.swap(covered);
            c.root = asked.root;
            c.backend = asked.backend;
            c.composite = asked.composite;
            c.name = asked.name;
            for (const region_value& v : view.inputs()) c.inputs.push_back(v.origin);
            for (const value_id v : view.results) c.results.push_back(view[v].origin);
            c.formats.inputs.swap(f.inputs);
            c.formats.results.swap(f.results);
        }
        return true;
    }

    static bool within(const limits& most, const region_view& view) {
        if (most.nodes != 0 && view.calls().size() > most.nodes) return false;
        if (most.bytes == 0) return true;
        std::uint64_t bytes = 0;
        const std::size_t outside = view.input_count + view.constant_count;
        for (std::size_t v = 0; v < outside; ++v)
            if (view.values[v].type->is_tensor()) bytes += plain_bytes(*view.values[v].type);
        for (const value_id v : view.results) bytes += plain_bytes(*view[v].type);
        return bytes <= most.bytes;
    }
    static std::uint64_t plain_bytes(const node_type& t) { return stored_bytes(static_shape(t.of_tensor), plain_format(t.of_tensor.element)); }

    const G& g_;
    const enumerate_options& options_;
    user_lists users_;
    std::vector<node_id> results_;
    matcher<G> matcher_;
    candidate_set& set_;
};

}  // namespace detail

/// The candidates that the chosen back ends of a list have for a graph: every match of every composite whose predicate takes it, in
/// every format tuple that the back end lists; and behind all these, what the `partition_rule` of a back end that states one joins of what
/// its patterns took. Of two composites of one back end that take the same nodes the first counts.
/// Linear in the nodes for fixed patterns. `backends` is a `backend_list`.
template <attributed_graph G, class List>
[[nodiscard]] candidate_set enumerate(const G& g, const List& backends, const enumerate_options& options = {}) {
    plain_list<detail::asked_backend> asked;
    for (const std::size_t number : backends.chosen())
        backends.visit(number, [&]<class Backend>(const Backend& b) {
            asked.push_back({&backend_row_of<Backend>(), &b, static_cast<backend_id>(number)});
        });
    candidate_set found;
    detail::enumerator<G> work(g, options, found);
    work.ask(asked.all());
    for (const detail::asked_backend& one : asked.all())
        backends.visit(one.number, [&]<class Backend>(const Backend& b) {
            if constexpr (requires { typename Backend::partition_rule; }) join_composites(work, one, b);
        });
    return found;
}

}  // namespace inlay

#endif
