// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_PARTITION_RULE_HPP
#define INLAY_CANDIDATE_PARTITION_RULE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/rule_options.hpp>
#include <inlay/candidate/subgraph.hpp>

namespace inlay {

struct partition_rule_tag {};

/// A way to propose subgraphs, as an empty type; rules are made of rules. `R::for_each_candidate(context, use)` calls
/// `use(ruled_subgraph&&)` for each that it proposes, in an order that is the same every time, until a call returns true, and
/// returns whether one did. Proposals may overlap, and need not be valid: `only_valid_rule` sees to that.
template <class R>
concept partition_rule = std::derived_from<R, partition_rule_tag> && std::is_empty_v<R> && std::default_initializable<R>;

/// A subgraph that a rule proposes.
struct ruled_subgraph {
    subgraph part;
    std::string rule;      // who proposed it: `outer.inner`, or `one+other` where several were joined
    bool is_free = false;  // the host runs it without a kernel

    friend bool operator==(const ruled_subgraph&, const ruled_subgraph&) = default;
};

/// What a rule has to tell beside its proposals.
struct rule_note {
    enum class cause : std::uint8_t {
        declined,  // a predicate said no, with a reason
        bounded    // a bound of `rule_options` was hit: there would be more proposals
    };

    cause why = cause::declined;
    std::string rule;
    node_id root = no_node;  // where a match was declined, or not looked for any further
    std::string reason;
};

/// Stands for the owner of rules whose predicates ask for none.
struct no_owner {};

/// What a rule reads and writes. Predicates get it too: `graph` for what is particular to the graph, `flow` for the rest, `owner` for the
/// configured back end that the rules are of.
template <graph G, class Owner = no_owner>
struct rule_context {
    const G& graph;
    const dataflow& flow;
    const Owner& owner;
    const rule_options& options;
    std::vector<rule_note>& notes;
};

/// Where proposals go, and the answer to whether they are enough: a reference to a callable that the caller holds. One type for all, so
/// that a rule is compiled once, whoever asks it.
class candidate_use {
public:
    template <class F>
    requires(!std::same_as<F, candidate_use>) candidate_use(F& f)
        : call_([](void* self, ruled_subgraph&& c) { return static_cast<bool>((*static_cast<F*>(self))(std::move(c))); }), self_(&f) {}

    bool operator()(ruled_subgraph&& proposed) const { return call_(self_, std::move(proposed)); }

private:
    bool (*call_)(void*, ruled_subgraph&&);
    void* self_;
};

/// A name within another one: `outer.inner`; the inner one alone where it begins with the outer one already.
[[nodiscard]] inline std::string nested_name(std::string_view outer, std::string_view inner) {
    const bool within = inner.substr(0, outer.size()) == outer && (inner.size() == outer.size() || inner[outer.size()] == '.');
    if (outer.empty() || within) return std::string(inner);
    if (inner.empty()) return std::string(outer);
    return std::string(outer) + '.' + std::string(inner);
}

/// The names of two that were joined, with `+` between, each once: `conv+relu` and `relu` make `conv+relu`.
[[nodiscard]] inline std::string joined_rules(std::string names, std::string_view more) {
    for (std::size_t at = 0; at <= more.size();) {
        const std::string_view one = more.substr(at, more.substr(at).find('+'));
        at += one.size() + 1;
        bool is_there = false;
        for (std::size_t begin = 0; begin <= names.size() && !is_there;) {
            const std::string_view other = std::string_view(names).substr(begin, names.find('+', begin) - begin);
            is_there = other == one;
            begin += other.size() + 1;
        }
        if (is_there) continue;
        if (!names.empty()) names += '+';
        names += one;
    }
    return names;
}

/// What a rule proposes for a graph, each subgraph once, and what it has to tell.
struct ruled_subgraphs {
    std::vector<ruled_subgraph> candidates;
    std::vector<rule_note> notes;

    /// Whether no bound was hit.
    [[nodiscard]] bool is_complete() const {
        for (const rule_note& n : notes)
            if (n.why == rule_note::cause::bounded) return false;
        return true;
    }
};

namespace detail {

template <class R>
struct require_rule {
    static_assert(partition_rule<R>, "inlay: what stands here is no partition rule; give it one, such as `kind_rule<op_kind::anchor>`");
    static constexpr bool ok = true;
};

/// Finds candidates by subgraph: nodes and what is named among them.
class subgraph_index {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t find(const std::vector<ruled_subgraph>& all, const node_set& nodes,
                                   const std::vector<nested_part>& nested) const {
        if (table_.empty()) return none;
        for (std::size_t at = nodes.hash() & (table_.size() - 1); table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
            const subgraph& s = all[table_[at] - 1].part;
            if (s.nodes() == nodes && s.nested() == nested) return table_[at] - 1;
        }
        return none;
    }
    /// Notes the last one of all.
    void add_last(const std::vector<ruled_subgraph>& all) {
        if (2 * all.size() >= table_.size()) {
            std::vector<std::size_t> larger(table_.empty() ? 16 : 2 * table_.size());
            table_.swap(larger);
            for (std::size_t i = 0; i + 1 < all.size(); ++i) place(all, i);
        }
        place(all, all.size() - 1);
    }

private:
    void place(const std::vector<ruled_subgraph>& all, std::size_t i) {
        std::size_t at = all[i].part.nodes().hash() & (table_.size() - 1);
        while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
        table_[at] = i + 1;
    }

    std::vector<std::size_t> table_;  // one more than the place; 0: free
};

}  // namespace detail

/// All that a rule proposes for a graph, in its order; of equal subgraphs the first stays. `flow` is of that graph. Precondition: the
/// rule's patterns and predicates take this graph.
template <class R, graph G, class Owner = no_owner>
[[nodiscard]] ruled_subgraphs candidates_of(R, const G& g, const dataflow& flow, const Owner& owner = {},
                                            const rule_options& options = {}) {
    static_assert(detail::require_rule<R>::ok);
    ruled_subgraphs found;
    if constexpr (partition_rule<R>) {
        const rule_context<G, Owner> context{g, flow, owner, options, found.notes};
        detail::subgraph_index index;
        auto take = [&](ruled_subgraph&& c) {
            if (index.find(found.candidates, c.part.nodes(), c.part.nested()) != detail::subgraph_index::none) return false;
            found.candidates.push_back(std::move(c));
            index.add_last(found.candidates);
            return false;
        };
        R::for_each_candidate(context, candidate_use(take));
    }
    return found;
}

}  // namespace inlay

#endif
