// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_ATTRIBUTE_GUARD_PARSER_HPP
#define INLAY_PATTERN_TEXT_ATTRIBUTE_GUARD_PARSER_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/attribute_guard.hpp>
#include <inlay/pattern/text/read_number.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

/// Reads what stands in brackets behind a pattern: `[group=1, !axis]`. The guards refer to texts and lists that the parser keeps.
class attribute_guard_parser {
public:
    /// `builds`: on the right side of a rule, where attributes are set, and `[?name]` copies those of a node.
    attribute_guard_parser(text_cursor& cursor, bool builds) : c_(cursor), builds_(builds) {}

    /// From '[' to ']'.
    [[nodiscard]] outcome<std::vector<attribute_guard>> read() {
        std::vector<attribute_guard> guards;
        c_.take("[");
        if (c_.take("]")) return guards;
        for (;;) {
            attribute_guard g;
            const std::size_t place = c_.place();
            if (c_.take("!"))
                g.kind = attribute_guard::form::absent;
            else if (c_.take("?"))
                g.kind = attribute_guard::form::like;
            if (g.kind == attribute_guard::form::like && !builds_)
                return c_.fault("[?name] copies attributes on the right side of a rule; a pattern that is looked for names them one by one",
                                place);
            const auto n = read_name(c_, "the name of an attribute");
            if (!n) return n.failure();
            g.name = texts_.emplace_back(*n);
            if (g.kind == attribute_guard::form::present && c_.take("="))
                if (auto wrong = value(g)) return std::move(*wrong);
            guards.push_back(g);
            if (c_.take("]")) return guards;
            if (!c_.take(",")) return c_.expected("',' or ']'");
        }
    }

private:
    std::optional<error> value(attribute_guard& g) {
        using form = attribute_guard::form;
        const bool is_list = c_.take("[");
        std::vector<std::int64_t>& integers = integers_.emplace_back();
        std::vector<double>& numbers = numbers_.emplace_back();
        std::vector<std::string_view>& texts = lists_.emplace_back();
        const std::size_t place = c_.place();
        bool whole_numbers = true;
        while (!is_list || c_.next() != ']') {
            if (c_.next() == '"') {
                auto text = c_.take_quoted();
                if (!text) return text.failure();
                texts.push_back(texts_.emplace_back(std::move(*text)));
            } else {
                const std::size_t at = c_.place();
                text_cursor ahead = c_;
                const std::string_view digits = ahead.take_number();
                const auto v = read_number(c_);
                if (!v)
                    return c_.fault("expected the value of an attribute: a number, a text in quotes, or a list of them in brackets", at);
                numbers.push_back(*v);
                std::int64_t exact = 0;
                const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
                whole_numbers = whole_numbers && wrong == std::errc() && end == digits.data() + digits.size();
                integers.push_back(exact);
            }
            if (!is_list) break;
            if (c_.next() != ']' && !c_.take(",")) return c_.expected("',' or ']'");
        }
        if (is_list && !c_.take("]")) return c_.expected("']' behind a list");
        if (!texts.empty() && !numbers.empty()) return c_.fault("a list holds numbers or texts, not both", place);
        if (!texts.empty()) {
            g.kind = is_list ? form::texts : form::text;
            g.texts = texts;
        } else if (whole_numbers) {
            g.kind = is_list ? form::integers : form::integer;
            g.integers = integers;
        } else {
            g.kind = is_list ? form::numbers : form::number;
            g.numbers = numbers;
        }
        return std::nullopt;
    }

    text_cursor& c_;
    bool builds_;
    // Deques: what guards refer to stays where it is.
    std::deque<std::string> texts_;
    std::deque<std::vector<std::int64_t>> integers_;
    std::deque<std::vector<double>> numbers_;
    std::deque<std::vector<std::string_view>> lists_;
};

}  // namespace inlay

#endif
