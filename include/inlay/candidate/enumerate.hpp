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

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/rule_options.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/plain_list.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/pattern/automaton/label.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// How far enumeration goes.
struct enumerate_options {
    std::size_t matches_per_root = 64;  // of one composite; the rest is not looked at
    std::vector<char> owned;            // by node, not 0: belongs to an existing part and is left alone; empty: none does
    std::size_t labelled_from = 64;     // a graph of as many nodes is labelled first; in a smaller one the matcher is asked for everything
    automaton_limits tables;            // of labelling; where they are reached the matcher is asked for more
    rule_options joining;               // how far the rules of back ends go
    /// What asks composites at the nodes, a range of nodes for each task; without one it is done here. What is found, and its order, is the
    /// same. The graph, and what back ends say of matches (predicates, `read`, `formats`, `limits`), is then asked by several threads at
    /// once, so that these change nothing that another could see, and throw nothing.
    executor_ref executor;
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
    const backend_vtable* row = nullptr;
    const void* instance = nullptr;
    backend_id number = 0;
};

/// A graph with what all who search it read of it.
template <attributed_graph G>
struct searched_graph {
    const G& graph;
    user_lists users;
    std::vector<node_id> results;

    explicit searched_graph(const G& g) : graph(g), users(g), results(results_of(g)) {}
};

/// A graph being searched for candidates, by one thread; others may search it as well, each into a set of its own.
template <attributed_graph G>
class enumerator {
public:
    enumerator(const searched_graph<G>& in, const enumerate_options& options, candidate_set& set)
        : in_(in), g_(in.graph), users_(in.users), options_(options), matcher_(g_, users_), set_(set) {}

    /// Notes which nodes are to be covered, and asks back ends, the first first, for all their composites at every call. Where the graph is
    /// large enough, one pass of an automaton tells which composites the matcher need not be asked for; what comes of it is the same.
    void ask(std::span<const asked_backend> backends) {
        for (node_id n = 0; n < g_.size(); ++n)
            if (is_work(n)) set_.to_cover.push_back(n);
        plain_list<place> places;
        plain_list<const pattern_view*> patterns;
        for (std::size_t b = 0; b < backends.size(); ++b)
            for (std::uint32_t i = 0; i < backends[b].row->count; ++i) {
                places.push_back({&backends[b], i});
                patterns.push_back((*backends[b].row)[i].pattern);
            }
        if (g_.size() < options_.labelled_from) {
            in_ranges([&](turn& now, node_id n) {
                for (const place& p : places) now.ask(p, n);
            });
            return;
        }
        const sub_patterns inventory(patterns.all());
        automaton likely(inventory.view(), options_.tables);
        const labels states = label(g_, likely);
        // Patterns are numbered in the order in which composites are asked for, and are accepted in this order.
        in_ranges([&](turn& now, node_id n) {
            likely.for_each_accepted(states[n], [&](std::uint32_t pattern, bool) { now.ask(places[pattern], n); });
        });
    }

    /// Adds a set of nodes that a back end's rule joined of these pieces, unless that is no part, its entry refuses it, or no format fits.
    void propose(const asked_backend& backend, const std::vector<node_id>& nodes, const std::string& name,
                 std::vector<matched_piece> pieces) {
        const std::size_t refused = set_.refusals.size();
        consider(backend, {nodes.back(), backend.number, static_cast<std::uint32_t>(backend.row->count), name}, nodes, std::move(pieces));
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
    /// What a composite took at the root that is being asked about.
    struct taken_match {
        std::uint32_t composite = 0;
        std::vector<node_id> nodes;
    };
    /// A back end at a root.
    struct turn {
        enumerator& all;
        const asked_backend* backend;
        question asked;
        std::size_t seen;  // matches of this composite
        std::vector<taken_match> taken;
        std::vector<node_id> last_nodes;
        shared_region last;  // of these nodes: composites share it where they take the same ones

        void ask(const place& p, node_id root) {
            if (backend != p.backend || asked.root != root) {
                taken.clear();
                last_nodes.clear();
            }
            backend = p.backend;
            const composite_vtable& composite = (*backend->row)[p.composite];
            asked = {root, backend->number, p.composite, composite.name};
            seen = 0;
            all.matcher_.each(*composite.pattern, root, [this](const found_match& found) { return take(found); });
        }
        bool take(const found_match& found) {
            const std::vector<node_id> nodes = all.with_projections(found.covered);
            const std::size_t refused = all.set_.refusals.size();
            if (!repeats(nodes) && all.consider(*this, found, nodes)) taken.push_back({asked.composite, nodes});
            if (all.set_.refusals.size() != refused) all.set_.refusals.back().nodes.assign(nodes.begin(), nodes.end());
            return ++seen >= all.options_.matches_per_root;
        }
        /// Whether the same nodes were taken in the same way before: by this composite, or by another whose code is the same.
        [[nodiscard]] bool repeats(const std::vector<node_id>& nodes) {
            const backend_vtable& row = *backend->row;
            for (const taken_match& before : taken) {
                if (before.nodes != nodes) continue;
                if (before.composite == asked.composite) return true;
                if (row[before.composite].code != row[asked.composite].code) continue;
                return !all.refuse(asked, refusal::cause::same_code,
                                   sentence("composite '", row[before.composite].name,
                                            "' takes the same nodes, and the back end makes the same code of them"));
            }
            return false;
        }
        [[nodiscard]] static std::string sentence(const char* before, std::string_view name, const char* behind) {
            std::string text(before);
            text += name;
            text += behind;
            return text;
        }
    };

    /// Calls `at(turn, node)` for all calls in their order: here, or in ranges of nodes on the threads of the executor, where each range
    /// has an enumerator of its own and what they find is put together in the order of the ranges.
    template <class At>
    void in_ranges(const At& at) {
        // More ranges than threads, so that some may be dearer than others; and no thread is woken for a few nodes.
        constexpr std::size_t ranges_for_a_thread = 8, least_nodes = 16;
        const std::size_t size = g_.size(), threads = options_.executor.threads();
        std::size_t count = threads * ranges_for_a_thread;
        if (count > size / least_nodes) count = size / least_nodes;
        if (threads < 2 || count < 2) return go_through(0, size, at);
        std::vector<candidate_set> found(count);
        options_.executor.run(
            count, [&](std::size_t i) { enumerator(in_, options_, found[i]).go_through(size * i / count, size * (i + 1) / count, at); });
        std::size_t candidates = 0, refusals = 0;
        for (const candidate_set& part : found) {
            candidates += part.candidates.size();
            refusals += part.refusals.size();
        }
        set_.candidates.reserve(candidates);
        set_.refusals.reserve(refusals);
        for (candidate_set& part : found) {
            for (candidate& c : part.candidates) set_.candidates.push_back(std::move(c));
            for (refusal& r : part.refusals) set_.refusals.push_back(std::move(r));
        }
    }
    template <class At>
    void go_through(std::size_t first, std::size_t end, const At& at) {
        turn now{*this, nullptr, {}, 0, {}, {}, {}};
        for (std::size_t n = first; n < end; ++n)
            if (is_call(static_cast<node_id>(n))) at(now, static_cast<node_id>(n));
    }

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

    bool consider(turn& now, const found_match& found, const std::vector<node_id>& nodes) {
        const question& asked = now.asked;
        if (!is_work(nodes) || !is_in_one_block(asked, nodes)) return false;
        if (!now.last || now.last_nodes != nodes) {
            now.last = region_of(nodes);
            now.last_nodes = nodes;
        }
        const region_view view = now.last.view();
        if (!can_be_a_part(asked, nodes, view)) return false;
        const backend_vtable& row = *now.backend->row;
        const void* instance = now.backend->instance;
        if (!within(row.most(instance), view))
            return refuse(asked, refusal::cause::over_a_limit, "the match is larger than what the back end takes at once");
        matched_handle match(new matched_region(now.last));
        match->captures.resize(found.bound.size());
        bind_captures(view, found.bound, match->captures.data());
        return read_and_take(*now.backend, asked, nodes, std::move(match));
    }

    /// The same for what a rule joined: it may have several results, and the predicates of its pieces have been asked.
    bool consider(const asked_backend& backend, const question& asked, const std::vector<node_id>& nodes,
                  std::vector<matched_piece> pieces) {
        if (!is_work(nodes) || !is_in_one_block(asked, nodes)) return false;
        matched_handle match(new matched_region(region_of(nodes)));
        match->pieces = std::move(pieces);
        const region_view view = match->body.view();
        if (!is_of_known_tensors(asked, view) || !is_part(asked, nodes)) return false;
        if (!within(backend.row->most(backend.instance), view))
            return refuse(asked, refusal::cause::over_a_limit, "what was joined is larger than what the back end takes at once");
        return read_and_take(backend, asked, nodes, std::move(match));
    }

    bool read_and_take(const asked_backend& backend, const question& asked, const std::vector<node_id>& nodes, matched_handle match) {
        const composite_vtable& composite = (*backend.row)[asked.composite];
        const region_view view = match->body.view();
        outcome<composite_plan> plan = guarded(
            "it", "read a match", [&] { return composite.read(backend.instance, asked.composite, view, match->captures, match->pieces); });
        if (!plan) return refuse(asked, refusal::cause::predicate, plan.failure().message);
        match->plan = *std::move(plan);
        auto formats =
            guarded("it", "listed the formats of a match", [&] { return composite.formats(backend.instance, match->plan, view); });
        if (!formats) return refuse(asked, refusal::cause::no_format, formats.failure().message);
        return take(asked, nodes, match, *std::move(formats));
    }

    [[nodiscard]] shared_region region_of(const std::vector<node_id>& nodes) const {
        return shared_region::of(region(g_, users_, all_of(in_.results), all_of(nodes)));
    }

    static std::span<const node_id> all_of(const std::vector<node_id>& nodes) { return {nodes.data(), nodes.size()}; }

    [[nodiscard]] bool is_work(const std::vector<node_id>& nodes) const {
        for (const node_id n : nodes)
            if (!is_work(n)) return false;
        return true;
    }

    bool is_in_one_block(const question& asked, const std::vector<node_id>& nodes) {
        for (const node_id n : nodes)
            if (block_of(g_, n) != block_of(g_, asked.root))
                return refuse(asked, refusal::cause::crosses_blocks, "the match crosses basic blocks");
        return true;
    }

    bool can_be_a_part(const question& asked, const std::vector<node_id>& nodes, const region_view& view) {
        for (const value_id v : view.results) {
            const region_value& value = view[v];
            const bool of_root =
                value.origin == asked.root || (value.kind == region_value::role::projection && view.operand(value, 0).origin == asked.root);
            if (!of_root)
                return refuse(asked, refusal::cause::duplicates_a_node,
                              sentence("the value of node ", value, " inside the match is read outside it as well"));
        }
        return is_of_known_tensors(asked, view) && is_part(asked, nodes);
    }
    bool is_part(const question& asked, const std::vector<node_id>& nodes) {
        return is_convex(g_, users_, all_of(nodes)) || refuse(asked, refusal::cause::not_convex, "a path leaves the match and comes back");
    }
    bool is_of_known_tensors(const question& asked, const region_view& view) {
        for (const region_value& v : view.values)
            if (v.kind != region_value::role::absent && !v.type->is_tensor() && !v.type->is_tuple())
                return refuse(asked, refusal::cause::unknown_shape, sentence("node ", v, " has no type; run `infer_types` first"));
        for (const region_value& v : view.values)
            if (v.kind != region_value::role::absent && !v.type->is_static())
                return refuse(asked, refusal::cause::unknown_shape,
                              sentence("the type of node ", v, " is ", to_string(*v.type).c_str(),
                                       is_found_by_its_run(view, v) ? ", whose shape only the run finds" : ": bind its shape"));
        for (const region_value& v : view.inputs())
            if (!v.type->is_tensor()) return refuse(asked, refusal::cause::unknown_shape, "it reads a tuple, which cannot cross a border");
        for (const value_id v : view.results)
            if (!view[v].type->is_tensor())
                return refuse(asked, refusal::cause::unknown_shape, "its result is a tuple, which cannot cross a border");
        return true;
    }
    /// Whether a value's shape follows from its operands' elements, since it is open where all of theirs are known.
    static bool is_found_by_its_run(const region_view& view, const region_value& v) {
        const bool is_field = v.kind == region_value::role::projection;
        if (v.kind != region_value::role::call && !is_field) return false;
        const region_value& call = is_field ? view.operand(v, 0) : v;
        for (const value_id o : call.operands)
            if (view[o].kind != region_value::role::absent && !view[o].type->is_static()) return false;
        return true;
    }
    static std::string sentence(const char* before, const region_value& v, const char* behind, const char* then = "",
                                const char* last = "") {
        std::string text(before);
        text += std::to_string(static_cast<std::int64_t>(v.origin));
        text += behind;
        text += then;
        text += last;
        return text;
    }

    bool take(const question& asked, const std::vector<node_id>& nodes, const matched_handle& match, std::vector<border_formats> formats) {
        const region_view view = match->body.view();
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
            c.match = match;
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
    static std::uint64_t plain_bytes(const node_type& t) {
        return stored_bytes(static_shape(t.of_tensor), plain_format(t.of_tensor.element));
    }

    const searched_graph<G>& in_;
    const G& g_;
    const user_lists& users_;
    const enumerate_options& options_;
    matcher<G> matcher_;
    candidate_set& set_;
};

}  // namespace detail

/// The candidates that the chosen back ends of a list have for a graph: every match of every composite whose predicate takes it, in
/// every format tuple that it lists; and behind all these, what the `partition_rule` of a back end that states one joins of what its
/// patterns took. Several composites of one back end on the same nodes are several candidates where they make code of their own; of two
/// that do not, the first counts, and the other leaves a refusal.
/// Linear in the nodes for fixed patterns. `backends` is a `backend_list`.
template <attributed_graph G, class List>
[[nodiscard]] candidate_set enumerate(const G& g, const List& backends, const enumerate_options& options = {}) {
    plain_list<detail::asked_backend> asked;
    for (const std::size_t number : backends.chosen())
        backends.visit(number, [&]<class Backend>(const Backend& b) {
            asked.push_back({&vtable_of(b), &b, static_cast<backend_id>(number)});
        });
    candidate_set found;
    const detail::searched_graph<G> in(g);
    detail::enumerator<G> work(in, options, found);
    work.ask(asked.all());
    for (const detail::asked_backend& one : asked.all())
        backends.visit(one.number, [&]<class Backend>(const Backend& b) {
            if constexpr (requires { typename Backend::partition_rule; }) join_composites(work, one, b);
        });
    return found;
}

}  // namespace inlay

#endif
