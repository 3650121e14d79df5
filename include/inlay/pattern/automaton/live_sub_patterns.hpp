// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_LIVE_SUB_PATTERNS_HPP
#define INLAY_PATTERN_AUTOMATON_LIVE_SUB_PATTERNS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/core/plain_list.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/automaton/interned_lists.hpp>
#include <inlay/pattern/automaton/same_question.hpp>
#include <inlay/pattern/automaton/sub_pattern.hpp>

namespace inlay {

/// The live sub-patterns: those that the patterns of a set depend on. The automaton reads them by operator, by what operands and patterns
/// ask for, and in an order in which each follows those that it depends on at the same node. Truncating a pattern makes other sub-patterns
/// live.
class live_sub_patterns {
public:
    static constexpr std::uint32_t none = number_hash::none;
    static constexpr std::size_t kinds = 16;

    explicit live_sub_patterns(const sub_pattern_view& from)
        : forms_(from.forms), links_(from.links), names_(from.names), patterns_(from.patterns) {
        for (std::uint32_t i = 0; i < names_.size(); ++i)
            (void)name_hash_.find_or_add(detail::mixed(0, names_[i]), i, [](std::uint32_t) { return false; });
        begin();
    }

    [[nodiscard]] std::span<const sub_pattern> forms() const { return forms_.all(); }
    [[nodiscard]] std::span<const std::uint32_t> links() const { return links_.all(); }
    [[nodiscard]] std::span<const std::string_view> names() const { return names_.all(); }
    [[nodiscard]] std::span<const reduced_pattern> patterns() const { return patterns_.all(); }
    [[nodiscard]] const sub_pattern& operator[](sub_pattern_id s) const { return forms_[s]; }
    [[nodiscard]] std::span<const std::uint32_t> children(sub_pattern_id s) const {
        return {links_.data() + forms_[s].first, forms_[s].count};
    }

    /// Operators are a node kind and a name, as far as patterns name it; this many.
    [[nodiscard]] std::size_t operators() const { return kinds * (names_.size() + 1); }
    /// Whether patterns tell nodes of this kind apart by name.
    [[nodiscard]] bool asks_name(node_kind kind) const { return named_kinds_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] std::uint32_t operator_of(node_kind kind, std::string_view name) const {
        const auto of_kind = static_cast<std::uint32_t>(kind) * static_cast<std::uint32_t>(names_.size() + 1);
        if (!asks_name(kind)) return of_kind;
        const std::uint32_t found = name_hash_.find(detail::mixed(0, name), [&](std::uint32_t n) { return names_[n] == name; });
        return found == none ? of_kind : of_kind + 1 + found;
    }
    /// The live nodes of an operator, ascending.
    [[nodiscard]] std::span<const sub_pattern_id> nodes_of_operator(std::uint32_t op) { return prepared(op).nodes.all(); }
    /// The number of operands from which on patterns tell no difference.
    [[nodiscard]] std::uint32_t arity_bound(std::uint32_t op) { return prepared(op).arity_bound; }

    /// What patterns and operands ask for, ascending.
    [[nodiscard]] std::span<const sub_pattern_id> visible() const { return visible_.all(); }
    [[nodiscard]] bool is_visible(sub_pattern_id s) const { return sorted_has(visible_, s); }
    /// What is asked of one node: each behind what it hangs on at the same node.
    [[nodiscard]] std::span<const sub_pattern_id> order() const { return order_.all(); }
    /// What is accepted where a sub-pattern holds, and everywhere: a pattern's number times 2, and 1 if it matches for certain.
    [[nodiscard]] std::span<const std::uint32_t> accepted_at(sub_pattern_id s) const { return accepted_at_[s].all(); }
    [[nodiscard]] std::span<const std::uint32_t> accepted_anywhere() const { return anywhere_.all(); }

    /// On how many sub-patterns of the kind `node` a pattern depends.
    [[nodiscard]] std::size_t nodes_of(std::uint32_t pattern) const {
        plain_list<sub_pattern_id> list;
        list.push_back(patterns_[pattern].root);
        add_reachable(list);
        std::size_t count = 0;
        for (const sub_pattern_id s : list) count += forms_[s].kind == form::node;
        return count;
    }

    /// From now on these patterns are taken to match wherever their root alone would: all that they ask of operands and guards is dropped.
    void truncate(std::span<const std::uint32_t> patterns) {
        truncated_.clear();
        for (std::size_t i = 0; i < patterns.size(); ++i) patterns_[patterns[i]] = {without_operands(patterns_[patterns[i]].root), false};
        begin();
    }

private:
    using form = sub_pattern::form;

    struct operator_nodes {
        bool ready = false;
        std::uint32_t arity_bound = 0;
        plain_list<sub_pattern_id> nodes;
    };

    /// Adds all sub-patterns on which those of a list depend, each once.
    void add_reachable(plain_list<sub_pattern_id>& list) const {
        plain_list<char> seen(forms_.size());
        for (const sub_pattern_id s : list) seen[s] = 1;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::uint32_t c = 0; c < forms_[list[i]].count; ++c) {
                const sub_pattern_id child = links_[forms_[list[i]].first + c];
                if (seen[child] == 0) list.push_back(child);
                seen[child] = 1;
            }
    }

    /// Sets up the sub-patterns on which the patterns' roots depend.
    void begin() {
        plain_list<sub_pattern_id> live;
        for (const reduced_pattern& p : patterns_) live.push_back(p.root);
        sort_unique(live);
        visible_ = live;
        add_reachable(live);

        operators_.clear();
        operators_.resize(operators());
        for (std::size_t k = 0; k < kinds; ++k) {
            named_kinds_[k] = false;
            nameless_[k].clear();
        }
        for (const sub_pattern_id s : live) {
            const sub_pattern& f = forms_[s];
            if (f.kind != form::node) continue;
            visible_.append(children(s));
            const auto kind = static_cast<std::size_t>(f.node);
            if (f.names == 0) nameless_[kind].push_back(s);
            if (f.names != 0) named_kinds_[kind] = true;
            for (std::uint32_t i = 0; i < f.names; ++i)
                operators_[kind * (names_.size() + 1) + 1 + links_[f.first_name + i]].nodes.push_back(s);
        }
        sort_unique(visible_);
        std::size_t kept = 0;
        for (const sub_pattern_id s : visible_)
            if (s > sub_pattern_view::never) visible_[kept++] = s;
        visible_.resize(kept);
        set_order();

        accepted_at_.clear();
        accepted_at_.resize(forms_.size());
        anywhere_.clear();
        for (std::uint32_t p = 0; p < patterns_.size(); ++p) {
            const std::uint32_t entry = 2 * p + (patterns_[p].exact ? 1 : 0);
            if (patterns_[p].root == sub_pattern_view::always)
                anywhere_.push_back(entry);
            else if (patterns_[p].root != sub_pattern_view::never)
                accepted_at_[patterns_[p].root].push_back(entry);
        }
    }

    void set_order() {
        struct stop {
            sub_pattern_id at = 0;
            std::uint32_t next = 0;  // of its children
        };
        order_.clear();
        plain_list<char> seen(forms_.size());
        plain_list<stop> path;
        for (const sub_pattern_id s : visible_) {
            if (seen[s] == 0) path.push_back({s, 0});
            seen[s] = 1;
            while (!path.empty()) {
                const stop here = path.back();
                if (forms_[here.at].kind != form::node && here.next < forms_[here.at].count) {
                    ++path.back().next;
                    const sub_pattern_id c = children(here.at)[here.next];
                    if (seen[c] == 0) path.push_back({c, 0});
                    seen[c] = 1;
                } else {
                    order_.push_back(here.at);
                    path.pop_back();
                }
            }
        }
    }

    const operator_nodes& prepared(std::uint32_t op) {
        operator_nodes& made = operators_[op];
        if (made.ready) return made;
        made.ready = true;
        made.nodes.append(nameless_[op / (names_.size() + 1)].all());
        sort_unique(made.nodes);
        for (const sub_pattern_id s : made.nodes) {
            const sub_pattern& f = forms_[s];
            if (f.arity >= made.arity_bound) made.arity_bound = f.arity + 1;
            if (f.unordered && f.most <= 8 && f.most > made.arity_bound) made.arity_bound = f.most;
        }
        return made;
    }

    /// What is left of a sub-pattern when nothing is asked of operands and guards: it holds wherever that does.
    sub_pattern_id without_operands(sub_pattern_id s) {
        if (truncated_.size() < forms_.size()) truncated_.resize(forms_.size(), none);
        if (truncated_[s] != none) return truncated_[s];
        sub_pattern f = forms_[s];
        plain_list<std::uint32_t> below;
        if (f.kind == form::guard || f.kind == form::no) return truncated_[s] = sub_pattern_view::always;
        if (f.kind == form::loop) {
            const sub_pattern_id inside = without_operands(links_[f.first]);
            return truncated_[s] = inside;
        }
        if (f.kind != form::node) {
            for (std::uint32_t i = 0; i < f.count; ++i) below.push_back(without_operands(links_[f.first + i]));
            sort_unique(below);
            const bool is_always = !below.empty() && below[0] == sub_pattern_view::always;
            if (is_always && f.kind == form::either) return truncated_[s] = sub_pattern_view::always;
            if (is_always) {
                below[0] = below.back();
                below.pop_back();
                sort_unique(below);
            }
            if (below.empty()) return truncated_[s] = f.kind == form::both ? sub_pattern_view::always : sub_pattern_view::never;
            if (below.size() == 1) return truncated_[s] = below[0];
        }
        plain_list<std::uint32_t> key;
        for (const std::uint32_t part :
             {static_cast<std::uint32_t>(f.kind), static_cast<std::uint32_t>(f.node), f.open ? 1u : 0u, f.arity, f.names})
            key.push_back(part);
        key.append({links_.data() + f.first_name, f.names});
        key.append(below.all());
        const std::uint32_t number = short_keys_.number_of(key.all());
        if (number == short_forms_.size()) {
            short_forms_.push_back(static_cast<sub_pattern_id>(forms_.size()));
            f.unordered = false;
            f.most = sub_pattern::unbounded;
            f.first = static_cast<std::uint32_t>(links_.size());
            f.count = static_cast<std::uint32_t>(below.size());
            links_.append(below.all());
            forms_.push_back(f);
        }
        if (truncated_.size() < forms_.size()) truncated_.resize(forms_.size(), none);
        return truncated_[s] = short_forms_[number];
    }

    plain_list<sub_pattern> forms_;
    plain_list<std::uint32_t> links_;
    plain_list<std::string_view> names_;
    plain_list<reduced_pattern> patterns_;
    number_hash name_hash_;

    bool named_kinds_[kinds]{};
    plain_list<sub_pattern_id> nameless_[kinds];  // nodes that any name does for, by kind
    plain_list<operator_nodes> operators_;
    plain_list<sub_pattern_id> visible_, order_;
    plain_list<plain_list<std::uint32_t>> accepted_at_;
    plain_list<std::uint32_t> anywhere_;

    interned_lists short_keys_;
    plain_list<sub_pattern_id> short_forms_, truncated_;
};

}  // namespace inlay

#endif
