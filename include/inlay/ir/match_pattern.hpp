// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_MATCH_PATTERN_HPP
#define INLAY_IR_MATCH_PATTERN_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// The left side of a match's clause: what a value has to look like, and which of its parts variables are bound to. It stands in the
/// attribute `patterns` of a match as text: `_` any value; `%` any value, bound to the clause's next variable; `Cons(%, _)` a value that
/// this constructor made; `(%, %)` a tuple. A flat list of parts in reading order, each with as many as it has fields behind it.
struct match_pattern {
    enum class form : std::uint8_t { wildcard, variable, constructor, tuple };

    struct part {
        form what = form::wildcard;
        std::uint32_t fields = 0;
        std::string name;  // of a constructor

        friend bool operator==(const part&, const part&) = default;
    };
    std::vector<part> parts;

    /// How many variables it binds.
    [[nodiscard]] std::size_t variables() const {
        std::size_t count = 0;
        for (const part& p : parts) count += p.what == form::variable ? 1 : 0;
        return count;
    }

    friend bool operator==(const match_pattern&, const match_pattern&) = default;
};

/// The pattern as text, with `variable(i)` for its i-th variable.
template <class Variable>
[[nodiscard]] std::string pattern_text(const match_pattern& p, Variable&& variable) {
    std::string text;
    std::vector<std::uint32_t> open;  // fields that are still to come, of each constructor or tuple around
    std::size_t bound = 0;
    const auto close = [&] {
        while (!open.empty() && open.back() == 0) {
            open.pop_back();
            text += ')';
            if (!open.empty() && --open.back() != 0) text += ", ";
        }
    };
    for (const match_pattern::part& part : p.parts) {
        const bool nests = part.what == match_pattern::form::tuple || part.fields != 0;
        switch (part.what) {
            case match_pattern::form::wildcard:
                text += '_';
                break;
            case match_pattern::form::variable:
                text += variable(bound++);
                break;
            case match_pattern::form::constructor:
                text += part.name;
                break;
            case match_pattern::form::tuple:
                break;
        }
        if (nests) {
            text += '(';
            open.push_back(part.fields);
        } else if (!open.empty() && --open.back() != 0) {
            text += ", ";
        }
        close();
    }
    return text;
}
/// The pattern as it stands in an attribute.
[[nodiscard]] inline std::string to_string(const match_pattern& p) {
    return pattern_text(p, [](std::size_t) { return std::string_view("%"); });
}

/// The pattern of a text. A constructor without brackets has no fields. The error names the place. Linear; no recursion.
[[nodiscard]] inline outcome<match_pattern> read_match_pattern(std::string_view text) {
    match_pattern p;
    std::vector<std::size_t> open;  // parts whose fields are being read
    std::size_t at = 0;
    const auto skip = [&] {
        while (at < text.size() && text[at] == ' ') ++at;
    };
    const auto wrong = [&](std::string_view expected) {
        return error{"the pattern " + quoted_text(text) + " has " +
                     (at < text.size() ? quoted_text(text.substr(at, 1)) : std::string("its end")) + " where " + std::string(expected) +
                     " was expected"};
    };
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    for (;;) {
        skip();
        const bool closes_empty = at < text.size() && text[at] == ')' && !open.empty() && p.parts[open.back()].fields == 0;
        if (!closes_empty) {
            if (!open.empty()) ++p.parts[open.back()].fields;
            if (at < text.size() && text[at] == '%') {
                ++at;
                p.parts.push_back({match_pattern::form::variable, 0, {}});
            } else if (at < text.size() && text[at] == '(') {
                ++at;
                open.push_back(p.parts.size());
                p.parts.push_back({match_pattern::form::tuple, 0, {}});
                continue;
            } else {
                std::size_t end = at;
                while (end < text.size() && in_name(text[end])) ++end;
                if (end == at) return wrong("a pattern");
                const std::string_view name = text.substr(at, end - at);
                at = end;
                if (name == "_") {
                    p.parts.push_back({match_pattern::form::wildcard, 0, {}});
                } else {
                    p.parts.push_back({match_pattern::form::constructor, 0, std::string(name)});
                    if (at < text.size() && text[at] == '(') {
                        ++at;
                        open.push_back(p.parts.size() - 1);
                        continue;
                    }
                }
            }
        }
        for (;;) {
            skip();
            if (open.empty()) {
                if (at != text.size()) return wrong("the end of the pattern");
                return p;
            }
            if (at < text.size() && text[at] == ',') {
                ++at;
                break;
            }
            if (at >= text.size() || text[at] != ')') return wrong("a comma or a bracket");
            ++at;
            open.pop_back();
        }
    }
}

}  // namespace inlay

#endif
