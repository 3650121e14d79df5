// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_ENUMERATE_HPP
#define INLAY_CANDIDATE_ENUMERATE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/pattern/matcher.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// How far enumeration goes.
struct enumerate_options {
    std::size_t matches_per_root = 64;  // of one composite; the rest is not looked at
    std::vector<char> owned;            // by node, not 0: belongs to an existing part and is left alone; empty: none does
};

namespace detail {

/// What a match is asked about: who may take it, as which composite.
struct question {
    node_id root = no_node;
    backend_id backend = 0;
    std::uint32_t composite = 0;
    std::string_view name;
};

// A composite and a back end in rows of functions: with these alone compiled for each, all else of the enumeration is compiled once for a graph.

struct composite_row {
    std::string_view name;
    const pattern_view* pattern;
    verdict (*when)(const void* instance, const region_view& view, const found_match& found);
};

struct backend_row {
    const composite_row* composites;
    std::size_t count;
    limits (*most)(const void* instance);
    std::vector<border_formats> (*formats)(const void* instance, const region_view& view);
};

template <class Backend, class Composite>
verdict composite_when(const void* instance, const region_view& view, const found_match& found) {
    return typename Composite::predicate_type{}(*static_cast<const Backend*>(instance), match_of<typename Composite::pattern_type>(view, found.bound));
}

template <class Backend>
limits backend_limits(const void* instance) {
    if constexpr (requires(const Backend& b) { limits(b.limits()); })
        return static_cast<const Backend*>(instance)->limits();
    else
        return {};
}
template <class Backend>
std::vector<border_formats> backend_formats(const void* instance, const region_view& view) {
    return static_cast<const Backend*>(instance)->formats(view);
}

template <class Backend, class Table>
struct rows_of;
template <class Backend, class... Composites>
struct rows_of<Backend, pattern_table<Composites...>> {
    static constexpr composite_row composites[] = {
        {Composites::name, &view_of(typename Composites::pattern_type{}), &composite_when<Backend, Composites>}...};
    static constexpr backend_row row{composites, sizeof...(Composites), &backend_limits<Backend>, &backend_formats<Backend>};
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

    /// Asks a back end, an instance of what the row was made for, for each of its composites at a root.
    void ask(const backend_row& backend, const void* instance, backend_id number, node_id root) {
        turn now{*this, backend, instance, {root, number, 0, {}}, 0, {}};
        for (std::size_t i = 0; i < backend.count; ++i) {
            now.asked.composite = static_cast<std::uint32_t>(i);
            now.asked.name = backend.composites[i].name;
            now.seen = 0;
            matcher_.each(*backend.composites[i].pattern, root, [&](const found_match& found) { return now.take(found); });
        }
    }

    [[nodiscard]] bool is_call(node_id n) const { return kind_of(g_, n) == node_kind::call && is_work(n); }

private:
    /// A back end at a root.
    struct turn {
        enumerator& all;
        const backend_row& backend;
        const void* instance;
        question asked;
        std::size_t seen;            // matches of this composite
        std::vector<node_id> taken;  // the node lists of its candidates one after the other, each behind its length

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
        if (!within(now.backend.most(now.instance), view)) return refuse(asked, refusal::cause::over_a_limit, "the match is larger than what the back end takes at once");
        verdict answer = now.backend.composites[asked.composite].when(now.instance, view, found);
        if (!answer.taken) return refuse(asked, refusal::cause::predicate, std::move(answer.reason));
        return take(asked, nodes, view, now.backend.formats(now.instance, view));
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
        for (const region_value& v : view.values)
            if (v.kind != region_value::role::absent && !v.type->is_static())
                return refuse(asked, refusal::cause::unknown_shape, sentence("the type of node ", v, " is ", to_string(*v.type).c_str(), ": bind its shape"));
        for (const region_value& v : view.inputs())
            if (!v.type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "it reads a tuple, which cannot cross a border");
        for (const value_id v : view.results)
            if (!view[v].type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "its result is a tuple, which cannot cross a border");
        return is_convex(g_, users_, all_of(nodes)) || refuse(asked, refusal::cause::not_convex, "a path leaves the match and comes back");
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
/// every format tuple that the back end lists. Of two composites of one back end that take the same nodes the first counts.
/// Linear in the nodes for fixed patterns. `backends` is a `backend_list`.
template <attributed_graph G, class List>
[[nodiscard]] candidate_set enumerate(const G& g, const List& backends, const enumerate_options& options = {}) {
    candidate_set found;
    detail::enumerator<G> work(g, options, found);
    for (node_id n = 0; n < g.size(); ++n) {
        if (!work.is_call(n)) continue;
        for (const std::size_t number : backends.chosen())
            backends.visit(number, [&]<class Backend>(const Backend& b) {
                using rows = detail::rows_of<Backend, std::remove_cvref_t<decltype(Backend::patterns())>>;
                work.ask(rows::row, &b, static_cast<backend_id>(number), n);
            });
    }
    return found;
}

}  // namespace inlay

#endif
