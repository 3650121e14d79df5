// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_QUOTING_HPP
#define INLAY_TARGET_QUOTING_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/option_value.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
[[nodiscard]] constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// Goes along a text and knows which characters are protected: those in '...' or "...", and any behind a backslash.
class quote_scanner {
public:
    /// Takes the next character in. Whether it is data; where it is not, it is a quote or a backslash that protects others.
    bool take(char c) {
        protected_ = escaped_ || quote_ != 0;
        if (escaped_) {
            escaped_ = false;
            if (in_force<"target.value.unquoting">()) return true;
        }
        if (c == '\\') {
            escaped_ = true;
            return false;
        }
        if (quote_ == 0 && (c == '\'' || (c == '"' && in_force<"target.value.unquoting">()))) {
            quote_ = c;
            return false;
        }
        if (quote_ != 0 && c == quote_) {
            quote_ = 0;
            return false;
        }
        return true;
    }
    /// Whether the character taken last was data that no comma's or blank's meaning applies to.
    [[nodiscard]] bool was_protected() const { return protected_; }
    /// Whether what comes next is protected.
    [[nodiscard]] bool protects() const { return escaped_ || quote_ != 0; }
    /// What is wrong if the text ends here.
    [[nodiscard]] std::optional<std::string> unfinished() const {
        if (in_force<"target.text.quote">() && quote_ != 0) return std::string("has a quote ") + quote_ + " that is never closed; close it";
        if (escaped_) return "ends with a backslash, which protects the next character; write two for one";
        return std::nullopt;
    }

private:
    char quote_ = 0;
    bool escaped_ = false, protected_ = false;
};

/// Adds a text so that it reads back, in quotes only where it needs them.
inline void append_quoted(std::string& out, std::string_view text, bool in_list) {
    bool plain = in_force<"target.value.quotes">() && !text.empty() && text.back() != ',';
    for (const char c : text) plain = plain && c != ' ' && c != '\'' && c != '"' && c != '\\' && !is_control(c) && !(in_list && c == ',');
    if (plain) {
        out += text;
        return;
    }
    out += '\'';
    for (const char c : text) {
        if (c == '\'' || (c == '\\' && in_force<"target.text.round-trip">())) out += '\\';
        out += c;
    }
    out += '\'';
}

/// The pieces of a text between commas that nothing protects, without quotes; one piece where commas do not count. A piece that is empty
/// without quotes is nothing.
[[nodiscard]] inline outcome<std::vector<std::optional<std::string>>> unquote(std::string_view text, bool at_commas) {
    std::vector<std::optional<std::string>> pieces(1);
    quote_scanner scanner;
    for (const char c : text) {
        const bool data = scanner.take(c);
        if (data && at_commas && c == ',' && (!in_force<"target.value.list">() || !scanner.was_protected())) {
            pieces.emplace_back();
            continue;
        }
        if (!pieces.back()) pieces.back().emplace();
        if (data) *pieces.back() += c;
    }
    if (const auto fault = scanner.unfinished()) return error{*fault};
    return pieces;
}

[[nodiscard]] inline outcome<option_value> read_list(option_type type, std::string_view text, integer_range range) {
    std::vector<std::string> texts;
    std::vector<std::int64_t> integers;
    if (!text.empty() || !in_force<"target.text.value-empty">()) {
        auto pieces = unquote(text, true);
        if (!pieces) return pieces.failure();
        for (auto& piece : *pieces) {
            if (!piece) return error{"has nothing between two commas; write '' for an empty text"};
            if (type == option_type::texts) {
                texts.push_back(*std::move(piece));
                continue;
            }
            const auto read = read_scalar(option_type::integer, *piece, range);
            if (!read) return error{"takes " + wanted_text(type, range) + ", not " + quoted_text(text) + ", for " + quoted_text(*piece)};
            integers.push_back(std::get<std::int64_t>(*read));
        }
    }
    return type == option_type::texts ? option_value(std::move(texts)) : option_value(std::move(integers));
}

}  // namespace detail

/// A value as it stands behind `-name=` in a target text. A text is quoted only where it is empty, ends with a comma, or holds a blank, a
/// quote, a backslash or a control character; in a list, also where it holds a comma. An empty list is empty.
[[nodiscard]] inline std::string written_value(const option_value& value) {
    std::string out;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
        for (std::size_t i = 0; i < texts->size(); ++i) {
            if (i != 0) out += ',';
            detail::append_quoted(out, (*texts)[i], true);
        }
    } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
        for (std::size_t i = 0; i < integers->size(); ++i) out += (i != 0 ? "," : "") + std::to_string((*integers)[i]);
    } else {
        detail::append_quoted(out, scalar_text(value), false);
    }
    return out;
}

/// The value that stands behind `-name=` in a target text, quotes and all. The error says what is wrong, to stand behind the option's name.
[[nodiscard]] inline outcome<option_value> read_written_value(option_type type, std::string_view text, integer_range range = {}) {
    if (is_list(type)) return detail::read_list(type, text, range);
    const auto pieces = detail::unquote(text, false);
    if (!pieces) return pieces.failure();
    if (!pieces->front())
        return error{"has an empty value; " +
                     std::string(type == option_type::text ? "write '' for the empty text" : "write " + wanted_text(type, range))};
    auto read = read_scalar(type, *pieces->front(), range);
    if (!read && !in_force<"target.text.value-type">()) return option_value(*pieces->front());
    if (!read) return error{"takes " + wanted_text(type, range) + ", not " + quoted_text(*pieces->front())};
    return *std::move(read);
}

/// A value as one argument of a command line: as it is; a list as in a target text.
[[nodiscard]] inline std::string argument_text(const option_value& value) {
    return is_list(type_of(value)) || !in_force<"target.option.argument">() ? written_value(value) : scalar_text(value);
}

/// The value that one argument of a command line is. The error is as above.
[[nodiscard]] inline outcome<option_value> read_argument(option_type type, std::string_view text, integer_range range = {}) {
    if (is_list(type)) return detail::read_list(type, text, range);
    auto read = read_scalar(type, text, range);
    if (!read) return error{"takes " + wanted_text(type, range) + ", not " + quoted_text(text)};
    return *std::move(read);
}

}  // namespace inlay

#endif
