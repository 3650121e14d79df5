// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_NEAR_MISS_HPP
#define INLAY_PATTERN_MATCH_NEAR_MISS_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/match/shared_operators.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

namespace inlay {

/// Why a pattern did not match at a root: the first term that failed in the attempt that got farthest.
struct missed_match {
    /// What about the node was not as asked for. The later, the more of it was right.
    enum class cause : std::uint8_t {
        kind,
        name,
        arity,
        field,
        operands,
        constant,
        excluded,
        dominator,
        custom_matcher,
        type,
        attribute,
        capture
    };

    node_id root = no_node;
    node_id node = no_node;  // where the term failed
    std::size_t shared = 0;  // operators of the pattern that stand where it has them (`shared_operators`)
    std::size_t taken = 0;   // terms that had been taken by then
    cause why = cause::kind;
    std::string path;                                    // of terms, from the pattern's root: "relu > operand 0: ?sum > add"
    std::string asked;                                   // the term that failed, as text
    std::string expected;                                // what about the node was asked for: "group=1"
    std::string found;                                   // what stands there: "group=2"
    std::vector<std::pair<std::string, node_id>> bound;  // captures so far, in the order of the pattern's slots
    bool gave_up = false;  // the search stopped at its limit of steps, so there may be a nearer one, or a match
};

[[nodiscard]] constexpr std::string_view name_of(missed_match::cause c) {
    constexpr std::string_view names[] = {"kind",     "name",      "arity",          "field", "operands",  "constant",
                                          "excluded", "dominator", "custom matcher", "type",  "attribute", "capture"};
    return names[static_cast<std::size_t>(c)];
}

namespace detail {

/// Numbers as patterns write them, texts in quotes.
[[nodiscard]] inline std::string value_text(std::int64_t v) { return std::to_string(v); }
[[nodiscard]] inline std::string value_text(double v) { return number_text(v, true); }
[[nodiscard]] inline std::string value_text(const std::string& v) { return in_quotes(v); }
[[nodiscard]] inline std::string value_text(const tensor& v) { return "a tensor " + to_string(v.type()); }
template <class T>
[[nodiscard]] std::string value_text(const std::vector<T>& list) {
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i != 0) text += ',';
        text += value_text(list[i]);
    }
    text += ']';
    return text;
}

/// An operator or the name of a node, in quotes where it could be taken for something else.
[[nodiscard]] inline std::string word_text(std::string_view name) { return is_plain_operator(name) ? std::string(name) : in_quotes(name); }

/// A term by itself, what stands below it left out: `conv`, `?x`, `let`.
[[nodiscard]] inline std::string head_text(const pattern_term& t) {
    if (t.kind == term_kind::capture) return "?" + name_text(t.name);
    if (t.kind == term_kind::reference) return "%" + name_text(t.name);
    if (t.kind != term_kind::node) return {};
    if (t.node == node_kind::projection) return t.place == pattern_term::unbounded ? "field" : "field " + std::to_string(t.place);
    if (t.node != node_kind::call || t.names.empty())
        return t.node == node_kind::call ? "*" : t.node == node_kind::constant ? "const" : std::string(word_of(t.node));
    std::string text;
    for (const std::string_view name : t.names) text += (text.empty() ? "" : "/") + word_text(name);
    return text;
}

/// The words from a term to its child of that number.
[[nodiscard]] inline std::string step_text(const pattern_term& t, std::size_t child) {
    switch (t.kind) {
        case term_kind::node:
            return t.node == node_kind::projection ? "of" : (t.node == node_kind::tuple ? "field " : "operand ") + std::to_string(child);
        case term_kind::either:
            return "alternative " + std::to_string(child + 1);
        case term_kind::repeat:
            return child == 0 ? "step" : "base";
        case term_kind::dominates:
            return child == 0 ? "parent" : child == 1 ? "path" : "child";
        default:
            return {};
    }
}

/// The shortest way from a pattern's root to a term.
[[nodiscard]] inline std::string path_text(const pattern_view& p, term_id to) {
    std::vector<std::pair<term_id, std::size_t>> from(p.terms.size(), {no_term, 0});
    std::vector<term_id> order{p.root};
    for (std::size_t at = 0; at < order.size() && from[to].first == no_term; ++at) {
        const pattern_term& t = p[order[at]];
        for (std::size_t i = 0; i < t.count; ++i) {
            const term_id c = p.child(t, i);
            if (c == p.root || from[c].first != no_term) continue;
            from[c] = {order[at], i};
            order.push_back(c);
        }
    }
    std::vector<std::pair<term_id, std::size_t>> way;
    for (term_id t = to; t != p.root && from[t].first != no_term; t = from[t].first) way.push_back(from[t]);
    std::string text, step;
    const auto add = [&](const std::string& head) {
        if (head.empty() && step.empty()) return;
        if (!text.empty()) text += " > ";
        text += step + (step.empty() || head.empty() ? "" : ": ") + head;
        step.clear();
    };
    for (std::size_t i = way.size(); i-- > 0;) {
        add(head_text(p[way[i].first]));
        step = step_text(p[way[i].first], way[i].second);
    }
    add(head_text(p[to]));
    return text;
}

/// What stands at a node, in words.
template <graph G>
[[nodiscard]] std::string node_text(const G& g, node_id n) {
    const node_kind k = kind_of(g, n);
    const std::string name(name_asked_for(g, n, k));
    std::string text = k == node_kind::call         ? "a call of " + word_text(name)
                       : k == node_kind::constant   ? "a constant"
                       : k == node_kind::projection ? "a field"
                                                    : std::string(word_of(k));
    if (k == node_kind::constant) {
        if constexpr (attributed_graph<G>) {
            if (const tensor* c = g.constant(n)) {
                const auto number = single_number(*c);
                text += number ? " " + number_text(*number, false) : " " + to_string(c->type());
            }
        }
    } else if (k != node_kind::call && !name.empty()) {
        text += " " + word_text(name);
    }
    return text;
}

/// Is told where terms fail, and keeps the farthest failure: the one before which most operators were taken, of these most terms, of these
/// the one where most of the node was right, of these the first.
template <graph G>
class miss_listener {
public:
    static constexpr bool listens = true;

    explicit miss_listener(const G& g) : g_(g) {}

    void failed(const pattern_view& p, term_id term, node_id n, std::size_t taken, std::size_t operators, std::span<const node_id> bound) {
        const bool is_first = best_.node == no_node;
        if (!is_first && (operators < operators_ || (operators == operators_ && taken < best_.taken))) return;
        const term_id to_blame = blamed(p, term, n);
        const missed_match::cause why = cause_of(p[to_blame], n);
        if (!is_first && operators == operators_ && taken == best_.taken && why <= best_.why) return;
        best_.node = n;
        operators_ = operators;
        best_.taken = taken;
        best_.why = why;
        term_ = to_blame;
        bound_.assign(bound.begin(), bound.end());
    }

    /// The farthest failure in words; nothing where no term failed.
    std::optional<missed_match> tell(const pattern_view& p, node_id root, bool gave_up) {
        if (best_.node == no_node) return std::nullopt;
        best_.root = root;
        best_.shared = shared_operators(p, g_, root);
        best_.gave_up = gave_up;
        best_.path = path_text(p, term_);
        pattern_view part = p;
        part.root = term_;
        best_.asked = to_text(part);
        for (std::size_t i = 0; i < bound_.size(); ++i)
            if (bound_[i] != no_node) best_.bound.emplace_back(std::string(p.slots[i]), bound_[i]);
        if (in_force<"pattern.near-miss.names-the-mutation">()) explain(p, p[term_]);
        return std::move(best_);
    }

private:
    /// The term to blame: attributes and types are asked for before the operator that they stand on, which says more where it is wrong too.
    term_id blamed(const pattern_view& p, term_id term, node_id n) const {
        for (term_id t = term; p[t].kind == term_kind::attributes || p[t].kind == term_kind::type || p[t].kind == term_kind::capture;) {
            t = p.child(p[t], 0);
            if (p[t].kind == term_kind::node && !node_accepted(p[t], g_, n)) return t;
        }
        return term;
    }

    missed_match::cause cause_of(const pattern_term& t, node_id n) const {
        using cause = missed_match::cause;
        switch (t.kind) {
            case term_kind::attributes:
                return cause::attribute;
            case term_kind::type:
                return cause::type;
            case term_kind::literal:
            case term_kind::value:
                return kind_of(g_, n) == node_kind::constant ? cause::constant : cause::kind;
            case term_kind::capture:
                return cause::capture;
            case term_kind::custom_matcher:
                return cause::custom_matcher;
            case term_kind::dominates:
                return cause::dominator;
            case term_kind::node:
                break;
            default:
                return cause::excluded;
        }
        if (kind_of(g_, n) != t.node) return cause::kind;
        if (!has_name(t, n)) return cause::name;
        const std::size_t arity = g_.arity(n);
        if (t.open ? arity < t.count : arity != t.count) return cause::arity;
        return node_accepted(t, g_, n) ? cause::operands : cause::field;
    }
    bool has_name(const pattern_term& t, node_id n) const {
        return t.names.empty() ||
               std::find(t.names.begin(), t.names.end(), std::string_view(name_asked_for(g_, n, t.node))) != t.names.end();
    }

    void explain(const pattern_view& p, const pattern_term& t) {
        using cause = missed_match::cause;
        const node_id n = best_.node;
        best_.found = node_text(g_, n);
        switch (best_.why) {
            case cause::kind:
            case cause::name:
                best_.expected = t.kind == term_kind::node && t.node == node_kind::call
                                     ? "a call of " + (t.names.empty() ? std::string("any operator") : head_text(t))
                                 : t.kind == term_kind::node ? head_text(t)
                                                             : best_.asked;
                if (t.kind == term_kind::node && t.node != node_kind::call)
                    for (std::size_t i = 0; i < t.names.size(); ++i)
                        best_.expected = (i == 0 ? std::string(word_of(t.node)) + " " : best_.expected + "/") + word_text(t.names[i]);
                return;
            case cause::arity:
                best_.expected = (t.open ? "at least " : "") + std::to_string(t.count) + (t.count == 1 ? " operand" : " operands");
                best_.found = std::to_string(g_.arity(n)) + (g_.arity(n) == 1 ? " operand" : " operands");
                return;
            case cause::field:
                best_.expected = "field " + std::to_string(t.place);
                if constexpr (functional_graph<G>) best_.found = "field " + std::to_string(g_.field(n));
                return;
            case cause::operands:
                best_.expected =
                    "an operand for each of " + std::to_string(t.count) + " patterns among the first " + std::to_string(t.most);
                return;
            case cause::constant:
                best_.expected = best_.asked;
                return;
            case cause::excluded:
                best_.expected = t.kind == term_kind::no ? "nothing that matches " + best_.asked.substr(1) : best_.asked;
                return;
            case cause::custom_matcher:
                best_.expected = "what " + name_text(t.name) + " reads";
                return;
            case cause::dominator: {
                const auto text = [&](std::size_t i) {
                    pattern_view part = p;
                    part.root = p.child(t, i);
                    return to_text(part);
                };
                best_.expected = "one node that matches " + text(0) + ", through which all comes, over nodes that match " + text(1);
                best_.found = "no such node";
                return;
            }
            case cause::type:
                best_.expected = best_.asked.substr(best_.asked.rfind('{'));
                if constexpr (typed_graph<G>) best_.found = "{" + to_string(static_cast<const node_type&>(g_.type(n))) + "}";
                return;
            case cause::capture:
                best_.expected = shown_node(g_, bound_[t.place]) + ", which ?" + name_text(t.name) + " is bound to";
                best_.found = shown_node(g_, n) + ", " + best_.found;
                return;
            case cause::attribute:
                return explain_attribute(t);
        }
    }

    void explain_attribute(const pattern_term& t) {
        if constexpr (attributed_graph<G>) {
            const attribute_map& found = g_.attributes(best_.node);
            for (std::size_t i = 0; i < t.guards.size(); ++i) {
                const attribute_guard& guard = t.guards[i];
                const attribute_value* value = found.find(guard.name);
                if (accepts(guard, value)) continue;
                pattern_term one, any;
                one.kind = term_kind::attributes;
                one.count = 1;
                one.guards = t.guards.subspan(i, 1);
                const pattern_term terms[] = {one, any};
                const term_id links[] = {1};
                const std::string text = to_text(pattern_view{terms, links, {}, 0});
                best_.expected = text.substr(2, text.size() - 3);
                const std::string name = name_text(guard.name);
                best_.found = value == nullptr ? "no attribute " + name
                                               : name + "=" + std::visit([](const auto& v) { return value_text(v); }, *value);
                return;
            }
        } else {
            best_.expected = best_.asked;
        }
    }

    const G& g_;
    missed_match best_;
    std::size_t operators_ = 0;  // taken before it
    term_id term_ = no_term;
    std::vector<node_id> bound_;
};

}  // namespace detail

/// Why the pattern does not match at the root; nothing where it does. As long as a search for all matches takes.
template <graph G>
[[nodiscard]] std::optional<missed_match> near_miss(const pattern_view& p, const G& g, const user_lists& users, node_id root,
                                                    match_limits limits = {}) {
    detail::miss_listener<G> listener(g);
    matcher<G, detail::miss_listener<G>> m(g, users, limits, &listener);
    if (m.matches(p, root)) return std::nullopt;
    return listener.tell(p, root, m.gave_up());
}

/// Whether one miss is nearer to a match than another: more operators are shared, or as many and more terms were taken, or as many and more
/// of the node at the failure was right.
[[nodiscard]] inline bool is_nearer(const missed_match& a, const missed_match& b) {
    if (in_force<"pattern.near-miss.shared-operators">() && a.shared != b.shared) return a.shared > b.shared;
    return a.taken != b.taken ? a.taken > b.taken : a.why > b.why;
}

/// The nearest misses (`is_nearer`) among all roots at which the pattern does not match, the nearest first, at most so many. A root at
/// which the first term fails is none.
template <graph G>
[[nodiscard]] std::vector<missed_match> near_misses(const pattern_view& p, const G& g, const user_lists& users, std::size_t most = 5,
                                                    match_limits limits = {}) {
    std::vector<missed_match> nearest;
    for (node_id root = 0; root < g.size(); ++root) {
        auto one = near_miss(p, g, users, root, limits);
        if (!one || one->taken == 0) continue;
        const auto at = std::upper_bound(nearest.begin(), nearest.end(), *one, is_nearer);
        if (at == nearest.end() && nearest.size() >= most) continue;
        nearest.insert(at, std::move(*one));
        if (nearest.size() > most) nearest.pop_back();
    }
    return nearest;
}

/// The miss in a few lines: where it failed, what was expected and what stands there, what was bound. `name(n)` is a node in words.
template <class Name>
[[nodiscard]] std::string to_text(const missed_match& m, Name&& name) {
    std::string text = "no match at " + name(m.root) + ": " + std::to_string(m.shared) +
                       (m.shared == 1 ? " operator is" : " operators are") + " as the pattern has them, " + std::to_string(m.taken) +
                       (m.taken == 1 ? " term was taken" : " terms were taken");
    if (m.gave_up) text += ", then the search stopped at its limit of steps";
    text += "\n  at " + m.path + "\n  " + name(m.node) + ": expected " + m.expected + ", found " + m.found;
    if (!m.bound.empty()) {
        text += "\n  bound";
        for (std::size_t i = 0; i < m.bound.size(); ++i)
            text += (i == 0 ? " ?" : ", ?") + m.bound[i].first + " = " + name(m.bound[i].second);
    }
    return text + "\n";
}
/// The same with the nodes' numbers.
[[nodiscard]] inline std::string to_text(const missed_match& m) {
    return to_text(m, [](node_id n) { return "node " + std::to_string(n); });
}

}  // namespace inlay

#endif
