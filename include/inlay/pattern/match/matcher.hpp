// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_MATCHER_HPP
#define INLAY_PATTERN_MATCH_MATCHER_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <inlay/core/in_force.hpp>
#include <inlay/core/plain_list.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/pattern/match/dominated_walk.hpp>
#include <inlay/pattern/term/node_guard.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// How long a match is looked for at one root. A step is one term at one node.
struct match_limits {
    std::size_t steps = std::size_t{1} << 24;
};

/// A match while it stands: the node in each slot (`no_node` where the match took an alternative without it), and the nodes that terms of
/// the pattern stand on, in the order in which they were matched, a node as often as it was.
struct found_match {
    node_id root = no_node;
    std::span<const node_id> bound;
    std::span<const node_id> covered;
};

/// Is told nothing; the compiler leaves it out.
struct no_trace {
    static constexpr bool listens = false;
};

/// Looks for matches of patterns in one graph. It searches depth first with full backtracking: every alternative, operand order and
/// repetition is taken back when what stands after it fails, so that all matches are found, in the order in which the pattern writes them.
/// It keeps its stacks between calls and does not recurse over the graph, so that deep graphs cost memory and not stack.
///
/// A `Trace` that listens is told `failed(pattern, term, node, depth, operators, bound)` where a term does not take a node, but for what is
/// asked under a negation or on the path of a dominator; `depth` is how many terms have been taken by then, `operators` how many nodes they
/// cover, `bound` the node in each slot.
template <graph G, class Trace = no_trace, class Users = user_lists>
class matcher {
public:
    matcher(const G& g, const Users& users, match_limits limits = {}, Trace* trace = nullptr)
        : g_(g), users_(users), limits_(limits), trace_(trace) {}

    /// Calls `use(found_match)` for each match rooted at the node, until it returns true; says whether it did. Two ways to the same nodes
    /// and captures are two matches. `use` does not call this matcher.
    template <class Use>
    bool each(const pattern_view& p, node_id root, Use&& use) {
        p_ = &p;
        if (in_force<"pattern.root.back-to-back">() || bound_.size() != p.slots.size()) bound_.assign(p.slots.size(), no_node);
        covered_.clear();
        goals_.clear();
        choices_.clear();
        trail_.clear();
        scopes_.clear();
        steps_ = 0;
        depth_ = 0;
        gave_up_ = false;
        if (!in_force<"pattern.root.only-there">())
            for (node_id n = 0; n < root; ++n) remember({p.root, n, none, none, no_stage, none}, 0);
        const bool enough = run(push({p.root, root, none, none, no_stage, none}), 0, [&] {
            return static_cast<bool>(use(found_match{root, {bound_.data(), bound_.size()}, {covered_.data(), covered_.size()}}));
        });
        return enough && !gave_up_;
    }

    /// Whether there is a match rooted at the node.
    [[nodiscard]] bool matches(const pattern_view& p, node_id root) {
        return each(p, root, [](const found_match&) { return true; });
    }

    /// Whether the last search stopped at its limit of steps, so that there may be more matches.
    [[nodiscard]] bool gave_up() const { return gave_up_; }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    static constexpr std::uint32_t no_stage = 0xFFFF'FFFFu;

    /// A term to be matched at a node, and what is to be matched after it. `scope` is what a hole in the term means; `stage` and `used` are
    /// of terms that take several steps: how many children have their operand, and which operands these are.
    struct goal {
        term_id term = no_term;
        node_id node = no_node;
        std::uint32_t scope = none, used = none, stage = no_stage, next = none;
    };
    /// A link of a chain: of a repetition, how often its step stands around the hole, and what holes of the base mean; or a used operand.
    struct scope {
        term_id repeat = no_term;
        std::uint32_t number = 0, outer = none;
    };
    /// A goal that has another way to be met, and what to go back to before trying it.
    struct choice {
        goal at{};
        std::uint32_t way = 0, goals = 0, scopes = 0, trail = 0, covered = 0;
        std::size_t depth = 0;
    };

    std::uint32_t push(const goal& g) {
        goals_.push_back(g);
        return static_cast<std::uint32_t>(goals_.size() - 1);
    }
    std::uint32_t enter(const scope& s) {
        scopes_.push_back(s);
        return static_cast<std::uint32_t>(scopes_.size() - 1);
    }
    [[nodiscard]] choice here(const goal& g, std::uint32_t way) const {
        const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
        return {g, way, size(goals_), size(scopes_), size(trail_), size(covered_), depth_};
    }
    void remember(const goal& g, std::uint32_t way) { choices_.push_back(here(g, way)); }
    void go_back(const choice& c) {
        goals_.cut(c.goals);
        scopes_.cut(c.scopes);
        if (in_force<"pattern.limits.matches">()) covered_.cut(c.covered);
        depth_ = c.depth;
        while (trail_.size() > c.trail) {
            bound_[trail_.back()] = no_node;
            trail_.pop_back();
        }
    }

    /// Meets the goals from the first on in every way, down to the choices that stood before; whether `found()` had enough.
    template <class Found>
    bool run(std::uint32_t first, std::size_t base, Found&& found) {
        std::uint32_t current = first;
        for (;;) {
            bool fine;
            if (current == none) {
                if (found()) return true;
                fine = false;
            } else {
                const goal g = goals_[current];
                fine = meet(g, 0, current);
            }
            while (!fine) {
                if (gave_up_) return true;
                if (choices_.size() == base) return false;
                const choice c = choices_.back();
                choices_.pop_back();
                go_back(c);
                fine = meet(c.at, c.way, current);
            }
        }
    }

    /// Whether a term takes a node in some way, whatever stands after it. Leaves everything as it was.
    bool holds(term_id term, node_id n, std::uint32_t in) {
        const choice before = here({}, 0);
        const std::size_t base = choices_.size();
        ++asking_;
        const bool found = run(push({term, n, in, none, no_stage, none}), base, [] { return true; });
        --asking_;
        choices_.cut(base);
        if (in_force<"pattern.negation.binds-nothing">()) go_back(before);
        return found && !gave_up_;
    }

    /// Meets a goal in its way of that number, and sets what is to be met next. False: it cannot be met so.
    bool meet(const goal& g, std::uint32_t way, std::uint32_t& current) {
        if (++steps_ > limits_.steps || (!in_force<"pattern.limits.depth">() && depth_ > 100'000)) {
            gave_up_ = in_force<"pattern.limits.steps">();
            return false;
        }
        const pattern_term& t = (*p_)[g.term];
        if (g.stage != no_stage) return t.kind == term_kind::dominates ? dominate(t, g, way, current) : assign(t, g, way, current);
        const auto same_node = [&](term_id child, std::uint32_t next) { return push({child, g.node, g.scope, none, no_stage, next}); };
        switch (t.kind) {
            case term_kind::any:
                current = g.next;
                return taken();
            case term_kind::node:
                return node(t, g, current);
            case term_kind::literal:
            case term_kind::value:
                current = g.next;
                return is_constant(t, g_, g.node) ? taken() : failed(g);
            case term_kind::either:
                if (t.count == 0) return failed(g);
                if (way + 1 < t.count && in_force<"pattern.enumeration.all-in-order">() &&
                    (in_force<"pattern.alternatives.full-backtracking">() || !holds(p_->child(t, way), g.node, g.scope)))
                    remember(g, way + 1);
                current = same_node(p_->child(t, in_force<"pattern.alternatives.left-first">() ? way : t.count - 1 - way), g.next);
                return true;
            case term_kind::both:
                current = g.next;
                for (std::uint32_t i = t.count; i-- > 0;) current = same_node(p_->child(t, i), current);
                return true;
            case term_kind::no:
                current = g.next;
                return holds(p_->child(t, 0), g.node, g.scope) ? failed(g) : !gave_up_ && taken();
            case term_kind::capture:
                if (bound_[t.place] != g.node) {
                    const node_id bound = bound_[t.place];
                    if (bound != no_node && in_force<"pattern.capture.one-node">() &&
                        (in_force<"pattern.capture.diamond">() || g_.arity(bound) != g_.arity(g.node)) &&
                        (in_force<"pattern.capture.no-false-match">() || g_.arity(g.node) == 0 || g_.operand(g.node, 0) != bound))
                        return failed(g);
                    bound_[t.place] = g.node;
                    trail_.push_back(t.place);
                }
                // A name that stands alone is frequent, and needs no goal of its own.
                if (const term_id child = p_->child(t, 0); (*p_)[child].kind != term_kind::any) {
                    current = same_node(child, g.next);
                    return true;
                }
                ++steps_;
                current = g.next;
                return taken();
            case term_kind::attributes:
                if (!attributes_accepted(t, g_, g.node)) return failed(g);
                current = same_node(p_->child(t, 0), g.next);
                return true;
            case term_kind::type:
                if (!type_accepted(t, g_, g.node)) return failed(g);
                current = same_node(p_->child(t, 0), g.next);
                return true;
            case term_kind::repeat:
                return again(g, {g.term, 0, g.scope}, way, current);
            case term_kind::hole:
                return again(g, scopes_[g.scope], in_force<"pattern.repeat.holes">() ? way : 1, current);
            case term_kind::reference:
                if (!in_force<"pattern.recursion.again">() && depth_ > 2) return failed(g);
                current = push({p_->child(t, 0), g.node, none, none, no_stage, g.next});
                return true;
            case term_kind::custom_matcher:
                return read(t, g, current);
            case term_kind::dominates:
                current = same_node(p_->child(t, 2), push({g.term, g.node, g.scope, none, 0, g.next}));
                return true;
        }
        return false;
    }

    bool taken() {
        ++depth_;
        return true;
    }
    bool failed([[maybe_unused]] const goal& g) {
        if constexpr (Trace::listens)
            if (asking_ == 0)
                trace_->failed(*p_, g.term, g.node, depth_, covered_.size(), std::span<const node_id>(bound_.data(), bound_.size()));
        return false;
    }

    bool node(const pattern_term& t, const goal& g, std::uint32_t& current) {
        if (!node_accepted(t, g_, g.node)) {
            if (in_force<"pattern.call.as-written">() || t.count != 2) return failed(g);
            current = push({p_->child(t, 0), g.node, g.scope, none, no_stage, g.next});
            return true;
        }
        if (!in_force<"pattern.root.same-everywhere">() && depth_ != 0 && t.node == node_kind::constant) return failed(g);
        if (!in_force<"pattern.blocks.across">() && !covered_.empty() && block_of(g_, covered_[0]) != block_of(g_, g.node))
            return failed(g);
        if (!in_force<"pattern.match.inner-value-read-outside">() && !covered_.empty())
            for (const node_id u : users_[g.node])
                if (u != covered_.back()) return failed(g);
        taken();
        if (t.node != node_kind::constant && t.node != node_kind::input && t.node != node_kind::global) covered_.push_back(g.node);
        if (t.unordered && (in_force<"pattern.commutative.any-operator">() || name_asked_for(g_, g.node, t.node) == "add")) {
            current = push({g.term, g.node, g.scope, none, 0, g.next});
            return true;
        }
        // An open function's one child is its result, which stands behind the parameters.
        const std::size_t skipped = t.node == node_kind::function && t.open ? g_.arity(g.node) - t.count : 0;
        current = g.next;
        for (std::uint32_t i = t.count; i-- > 0;) {
            const term_id child = p_->child(t, i);
            if ((*p_)[child].kind == term_kind::any) continue;
            current = push({child, static_cast<node_id>(g_.operand(g.node, i + skipped)), g.scope, none, no_stage, current});
        }
        return true;
    }

    /// Gives the next child of an unordered node an operand, from operand `way` on.
    bool assign(const pattern_term& t, const goal& g, std::uint32_t way, std::uint32_t& current) {
        if (g.stage == t.count) {
            current = g.next;
            return true;
        }
        const std::size_t arity = g_.arity(g.node), places = arity < t.most ? arity : std::size_t{t.most};
        const auto unused = [&](std::uint32_t from) {
            const auto is_used = [&](std::uint32_t i) {
                for (std::uint32_t u = g.used; u != none; u = scopes_[u].outer)
                    if (scopes_[u].number == i) return true;
                return false;
            };
            while (from < places && is_used(from)) ++from;
            return from;
        };
        const std::uint32_t place = unused(way);
        if (place >= places) return failed(g);
        if (const std::uint32_t other = unused(place + 1);
            other < places && (in_force<"pattern.commutative.every-order">() || places < 3) &&
            (in_force<"pattern.commutative.full-backtracking">() ||
             !holds(p_->child(t, g.stage), static_cast<node_id>(g_.operand(g.node, place)), g.scope)))
            remember(g, other);
        const std::uint32_t used = enter({no_term, place, g.used});
        const std::uint32_t then = push({g.term, g.node, g.scope, used, g.stage + 1, g.next});
        current = push({p_->child(t, g.stage), static_cast<node_id>(g_.operand(g.node, place)), g.scope, none, no_stage, then});
        return true;
    }

    /// A repetition whose step stands `at.number` times around this node: its step once more, or its base.
    bool again(const goal& g, const scope at, std::uint32_t way, std::uint32_t& current) {
        const pattern_term& t = (*p_)[at.repeat];
        const bool more = at.number < t.most || (!in_force<"pattern.repeat.unrolled">() && at.number == t.most),
                   done = at.number >= t.least;
        if (way == 0 && more && (in_force<"pattern.repeat.longest-first">() || !done)) {
            if (done) remember(g, 1);
            const std::uint32_t in = enter({at.repeat, at.number + 1, at.outer});
            current = push({p_->child(t, 0), g.node, in, none, no_stage, g.next});
            return true;
        }
        if (!done) return false;
        current = push({p_->child(t, 1), g.node, at.outer, none, no_stage, g.next});
        return true;
    }

    bool read(const pattern_term& t, const goal& g, std::uint32_t& current) {
        if constexpr (attributed_graph<G>) {
            if (!is_call_of(t.names, g_, g.node)) return failed(g);
            const std::optional<reading> r = t.read(graph_ref(g_), g.node);
            if (!r) return failed(g);
            taken();
            covered_.append({r->covered.data(), r->covered.size()});
            current = push({p_->child(t, 0), r->source, g.scope, none, no_stage, g.next});
            return true;
        } else {
            return failed(g);
        }
    }

    /// Looks for a node that all that flows into g.node flows through: the one of that number, from the nearest on.
    bool dominate(const pattern_term& t, const goal& g, std::uint32_t way, std::uint32_t& current) {
        dominated_walk<G, Users> walk(g_, users_, g.node);
        const auto on_path = [&](node_id n) { return holds(p_->child(t, 1), n, g.scope); };
        for (std::uint32_t passed = 0; walk.next(on_path); ++passed) {
            if (passed < (in_force<"pattern.dominator.nearest-first">() ? way : way + 1)) continue;
            if (!in_force<"pattern.dominator.one-parent">() && walk.between().empty()) continue;
            remember(g, passed + 1);
            covered_.append({walk.between().data(), walk.between().size()});
            current = push({p_->child(t, 0), walk.parent(), g.scope, none, no_stage, g.next});
            return true;
        }
        return failed(g);
    }

    const G& g_;
    const Users& users_;
    match_limits limits_;
    Trace* trace_;
    const pattern_view* p_ = nullptr;
    plain_list<goal> goals_;
    plain_list<scope> scopes_;
    plain_list<choice> choices_;
    plain_list<std::uint32_t> trail_;  // slots in the order in which they were bound
    plain_list<node_id> bound_, covered_;
    std::size_t steps_ = 0, depth_ = 0, asking_ = 0;
    bool gave_up_ = false;
};

}  // namespace inlay

#endif
