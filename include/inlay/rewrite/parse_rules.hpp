// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_PARSE_RULES_HPP
#define INLAY_REWRITE_PARSE_RULES_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/pattern/text/pattern_text.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// A condition of a rule that is read from text: on the nodes that two names are bound to, or one.
struct rule_condition {
    enum class form : std::uint8_t { same_type, same_shape, same_element, read_once };

    form kind = form::same_type;
    std::vector<std::uint32_t> slots;  // of the left side
};

inline constexpr std::pair<std::string_view, std::size_t> rule_condition_words[] = {
    {"same_type", 2}, {"same_shape", 2}, {"same_element", 2}, {"read_once", 1}};

/// Rules made at run time, with all that they refer to. Rows of it live as long as it does, and it may be moved but not copied.
class rule_list {
public:
    struct entry {
        std::string name;
        pattern_value left, right;
        overlap policy = overlap::forbid;
        std::vector<rule_condition> conditions;
        pattern_view left_view, right_view;

        entry(std::string n, pattern_value l, pattern_value r)
            : name(std::move(n)), left(std::move(l)), right(std::move(r)), left_view(left.view()), right_view(right.view()) {}
    };

    rule_list() = default;
    rule_list(rule_list&&) = default;
    rule_list& operator=(rule_list&&) = default;

    entry& add(entry e) { return entries_.emplace_back(std::move(e)); }
    [[nodiscard]] const std::deque<entry>& entries() const { return entries_; }

    /// The rules as rows for one kind of graph.
    template <class W>
    [[nodiscard]] std::vector<rule_row<W>> rows() const {
        std::vector<rule_row<W>> list;
        for (const entry& e : entries_) {
            rule_row<W> r;
            r.name = e.name;
            r.left = &e.left_view;
            r.right = &e.right_view;
            r.policy = e.policy;
            r.self = &e;
            if (!e.conditions.empty()) r.when = &holds<W>;
            list.push_back(r);
        }
        return list;
    }

private:
    template <class W>
    static verdict holds(const void* self, const W& g, node_id, std::span<const node_id> bound) {
        for (const rule_condition& c : static_cast<const entry*>(self)->conditions) {
            const node_id a = bound[c.slots[0]], b = c.slots.size() > 1 ? bound[c.slots[1]] : a;
            if (c.kind == rule_condition::form::read_once) {
                if (!g.users().is_read_once(a)) return verdict::no("the node is read more than once");
                continue;
            }
            const node_type &x = g.type(a), &y = g.type(b);
            const bool tensors = x.is_tensor() && y.is_tensor();
            const bool same = c.kind == rule_condition::form::same_type ? x == y
                              : c.kind == rule_condition::form::same_shape
                                  ? tensors && x.of_tensor.ranked && y.of_tensor.ranked && x.of_tensor.extents == y.of_tensor.extents
                                  : tensors && x.of_tensor.element == y.of_tensor.element;
            if (!same) return verdict::no("the types are " + to_string(x) + " and " + to_string(y));
        }
        return verdict::yes();
    }

    std::deque<entry> entries_;
};

namespace detail {

/// Reads `name: left => right` rules, each with a semicolon behind it.
class rule_parser {
public:
    rule_parser(std::string_view text, std::string what, const pattern_text_options& options)
        : c_(text, std::move(what)), options_(options) {}

    outcome<rule_list> run() {
        while (!c_.at_end())
            if (auto read = one(); !read) return read.failure();
        return std::move(list_);
    }

private:
    outcome<void> one() {
        const std::size_t place = c_.place();
        outcome<std::string> name = c_.next() == '"' ? c_.take_quoted() : outcome<std::string>(std::string(c_.take_name(false)));
        if (!name) return name.failure();
        if (name->empty()) return c_.expected("the name of a rule, as in name: Relu(?x:Relu) => ?x;");
        for (const rule_list::entry& e : list_.entries())
            if (e.name == *name) return c_.fault("there is a rule " + quoted_text(*name) + " already; give each a name of its own", place);
        overlap policy = overlap::forbid;
        if (c_.take("[")) {
            if (c_.take_word("duplicate"))
                policy = overlap::duplicate;
            else if (!c_.take_word("forbid"))
                return c_.expected("'forbid' or 'duplicate'");
            if (!c_.take("]")) return c_.expected("']'");
        }
        if (!c_.take(":")) return c_.expected("':' between a rule's name and its left side");
        const std::size_t left_place = c_.place();
        auto left = side(false);
        if (!left) return left.failure();
        if (!c_.take("=>")) return c_.expected("'=>' between the sides of a rule");
        const std::size_t right_place = c_.place();
        auto right = side(true);
        if (!right) return right.failure();
        switch (fault_of(left->view(), right->view())) {
            case rule_fault::none:
                break;
            case rule_fault::unbound_capture:
                return c_.fault("the right side of rule " + quoted_text(*name) + " uses a name that its left side does not bind",
                                right_place);
            case rule_fault::maybe_unbound:
                return c_.fault("the right side of rule " + quoted_text(*name) +
                                    " uses a name that its left side binds in some of its alternatives only; write a rule for each",
                                right_place);
            case rule_fault::leaves_a_choice:
                return c_.fault(
                    "the right side of rule " + quoted_text(*name) +
                        " has to say how to build nodes: captures, operators on listed operands, numbers, tuples and their fields",
                    right_place);
        }
        if (to_text(left->view()) == to_text(right->view()))
            return c_.fault("both sides of rule " + quoted_text(*name) + " are the same, so that it would change nothing", left_place);
        rule_list::entry& made = list_.add({std::move(*name), std::move(*left), std::move(*right)});
        made.policy = policy;
        if (c_.take_word("when")) {
            do {
                if (auto read = condition(made); !read) return read;
            } while (c_.take(","));
        }
        if (!c_.take(";")) return c_.expected("';' behind a rule, or 'when' and its conditions");
        return {};
    }

    outcome<pattern_value> side(bool builds) {
        pattern_builder b;
        pattern_text_options options = options_;
        options.builds = builds;
        const std::size_t place = c_.place();
        const auto root = pattern_parser(c_, b, options).pattern();
        if (!root) return root.failure();
        auto made = b.finish(*root);
        return made ? std::move(made) : outcome<pattern_value>(c_.fault(made.failure().message, place));
    }

    outcome<void> condition(rule_list::entry& rule) {
        for (std::size_t k = 0; k < std::size(rule_condition_words); ++k) {
            if (!c_.take_word(rule_condition_words[k].first)) continue;
            rule_condition made{static_cast<rule_condition::form>(k), {}};
            if (!c_.take("(")) return c_.expected("'(' behind a condition");
            for (std::size_t i = 0; i < rule_condition_words[k].second; ++i) {
                if (i != 0 && !c_.take(",")) return c_.expected("',' and another name");
                const std::size_t place = c_.place();
                if (!c_.take("?")) return c_.expected("a name that the left side binds, as in ?x");
                const std::string_view name = c_.take_name(false);
                const std::size_t slot = rule.left_view.slot(name);
                if (slot == rule.left_view.slots.size() ||
                    !binds_surely(rule.left_view, rule.left_view.root, static_cast<std::uint32_t>(slot)))
                    return c_.fault("the left side does not bind ?" + std::string(name) + " in each of its matches", place);
                made.slots.push_back(static_cast<std::uint32_t>(slot));
            }
            if (!c_.take(")")) return c_.expected("')' behind a condition");
            rule.conditions.push_back(std::move(made));
            return {};
        }
        return c_.expected("a condition: same_type(?a, ?b), same_shape(?a, ?b), same_element(?a, ?b) or read_once(?a)");
    }

    text_cursor c_;
    const pattern_text_options& options_;
    rule_list list_;
};

}  // namespace detail

/// Reads rules from text: `relu_twice: Relu(?r:Relu) => ?r;`. `what` names the text in errors, which have line, column and a caret.
/// docs/rewrite.md has the grammar.
[[nodiscard]] inline outcome<rule_list> parse_rules(std::string_view text, std::string what = "rules",
                                                    const pattern_text_options& options = {}) {
    return detail::rule_parser(text, std::move(what), options).run();
}

}  // namespace inlay

#endif
