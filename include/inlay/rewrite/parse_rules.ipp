// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_PARSE_RULES_IPP
#define INLAY_REWRITE_PARSE_RULES_IPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/rewrite/parse_rules.hpp>

#include <inlay/core/quoted_text.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/pattern/text/pattern_parser.hpp>
#include <inlay/pattern/text/pattern_text.hpp>
#include <inlay/pattern/text/text_cursor.hpp>
#include <inlay/rewrite/declared_result.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

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
        exactness kind = exactness::bounded;
        if (c_.take("[")) {
            do {
                if (auto read = property(policy, kind); !read) return read;
            } while (c_.take(","));
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
        right = declared_result(*right, options_);
        if (!right) return c_.fault("the right side of rule " + quoted_text(*name) + " " + right.failure().message, right_place);
        if (to_text(left->view()) == to_text(right->view()))
            return c_.fault("both sides of rule " + quoted_text(*name) + " are the same, so that it would change nothing", left_place);
        rule_list::entry& made = list_.add({std::move(*name), std::move(*left), std::move(*right)});
        made.policy = policy;
        made.kind = kind;
        if (c_.take_word("when")) {
            do {
                if (auto read = condition(made); !read) return read;
            } while (c_.take(","));
        }
        if (!c_.take(";")) return c_.expected("';' behind a rule, or 'when' and its conditions");
        return {};
    }

    /// One word about a rule: what it does with inner nodes that others read, or its class.
    outcome<void> property(overlap& policy, exactness& kind) {
        for (const exactness e : {exactness::exact, exactness::bounded, exactness::cancelling})
            if (c_.take_word(to_text(e))) {
                kind = e;
                return {};
            }
        if (c_.take_word("duplicate"))
            policy = overlap::duplicate;
        else if (!c_.take_word("forbid"))
            return c_.expected("'forbid' or 'duplicate', or the rule's class: 'exact', 'bounded' or 'cancelling'");
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
            rule_condition made{static_cast<rule_condition::form>(k), {}, {}};
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
            while (made.kind == rule_condition::form::along && c_.take(",")) {
                const auto axis = axis_number();
                if (!axis) return axis.failure();
                made.axes.push_back(*axis);
            }
            if (!c_.take(")")) return c_.expected("')' behind a condition");
            rule.conditions.push_back(std::move(made));
            return {};
        }
        return c_.expected(
            "a condition: same_type(?a, ?b), same_shape(?a, ?b), same_element(?a, ?b), read_once(?a), or along(?a, ?b, -1), whose "
            "numbers are axes of ?b");
    }

    /// The number of an axis, which a dash counts from the last one.
    outcome<std::int64_t> axis_number() {
        const bool from_last = c_.take("-");
        const std::string_view digits = c_.take_digits();
        std::int64_t axis = 0;
        for (const char d : digits) axis = axis < 64 ? 10 * axis + (d - '0') : axis;
        if (digits.empty() || axis > 64) return c_.expected("the number of an axis, as 1 or -1");
        return from_last ? -axis : axis;
    }

    text_cursor c_;
    const pattern_text_options& options_;
    rule_list list_;
};

}  // namespace detail

outcome<rule_list> parse_rules(std::string_view text, std::string what, const pattern_text_options& options) {
    return detail::rule_parser(text, std::move(what), options).run();
}

}  // namespace inlay

#endif
