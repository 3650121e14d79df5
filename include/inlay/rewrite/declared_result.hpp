// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_DECLARED_RESULT_HPP
#define INLAY_REWRITE_DECLARED_RESULT_HPP

#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute_use.hpp>
#include <inlay/pattern/term/attribute_guard.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>

namespace inlay {

namespace detail {

/// The operator of the call that attributes stand on; empty where they stand on something else.
[[nodiscard]] inline std::string_view operator_under(const pattern_view& p, term_id t) {
    while (p[t].kind == term_kind::attributes) t = p.child(p[t], 0);
    return p[t].kind == term_kind::node && p[t].node == node_kind::call && p[t].names.size() == 1 ? p[t].names[0] : std::string_view();
}

/// Whether each call of a right side has the attributes that it needs. What a call copies from another node is not known here.
[[nodiscard]] inline outcome<void> has_needed_attributes(const pattern_view& p, call_check check) {
    // By term: the attributes on it.
    std::vector<term_id> over(p.terms.size(), no_term);
    for (term_id t = 0; t < p.terms.size(); ++t)
        if (p[t].kind == term_kind::attributes) over[p.child(p[t], 0)] = t;
    for (term_id t = 0; t < p.terms.size(); ++t) {
        if (p[t].kind == term_kind::attributes) continue;
        const std::string_view op = operator_under(p, t);
        if (op.empty()) continue;
        std::vector<attribute_use> set;
        call_place place = call_place::rule;
        for (term_id a = over[t]; a != no_term; a = over[a])
            for (const attribute_guard& g : p[a].guards) {
                if (g.kind == attribute_guard::form::like) place = call_place::pattern;
                if (g.kind != attribute_guard::form::like && g.kind != attribute_guard::form::absent) set.push_back({g.name, {}});
            }
        if (auto whole = check(op, set, place); !whole)
            return error{"makes a call of " + quoted_text(op) + ", which " + whole.failure().message};
    }
    return {};
}

}  // namespace detail

/// The right side of a rule as the operators of its calls declare their attributes: a whole number that a text sets where an operator
/// holds numbers is a number. The error says which call lacks an attribute that it needs; its text follows the name of the rule.
/// Precondition: `fault_of` is none.
[[nodiscard]] inline outcome<pattern_value> declared_result(const pattern_value& right, const pattern_text_options& options) {
    using form = attribute_guard::form;
    const pattern_view p = right.view();
    if (options.check != nullptr)
        if (auto whole = detail::has_needed_attributes(p, options.check); !whole) return whole.failure();
    if (options.form_of == nullptr) return right;
    pattern_builder made;
    std::vector<term_id> children;
    for (term_id t = 0; t < p.terms.size(); ++t) {
        pattern_term now = p[t];
        std::vector<attribute_guard> guards(now.guards.begin(), now.guards.end());
        std::deque<std::vector<double>> numbers;  // what changed guards refer to
        const std::string_view op = detail::operator_under(p, t);
        for (attribute_guard& g : guards) {
            if (g.kind != form::integer && g.kind != form::integers) continue;
            const std::optional<attribute_form> declared = options.form_of(op, g.name);
            if (declared != (g.kind == form::integer ? attribute_form::number : attribute_form::numbers)) continue;
            g.numbers = numbers.emplace_back(g.integers.begin(), g.integers.end());
            g.integers = {};
            g.kind = g.kind == form::integer ? form::number : form::numbers;
        }
        now.guards = guards;
        children.clear();
        for (const term_id c : p.children(p[t])) children.push_back(c);
        made.add(now, children);
    }
    return made.finish(p.root);
}

}  // namespace inlay

#endif
