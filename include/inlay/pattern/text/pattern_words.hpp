// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PATTERN_WORDS_HPP
#define INLAY_PATTERN_TEXT_PATTERN_WORDS_HPP

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/graph/concepts.hpp>

// The words of the text form of patterns, which its printer and its parser share.

namespace inlay::detail {

inline constexpr std::array<std::pair<std::string_view, node_kind>, 12> node_words{{{"input", node_kind::input},
                                                                                    {"tuple", node_kind::tuple},
                                                                                    {"fn", node_kind::function},
                                                                                    {"apply", node_kind::apply},
                                                                                    {"let", node_kind::let},
                                                                                    {"if", node_kind::if_else},
                                                                                    {"match", node_kind::match},
                                                                                    {"construct", node_kind::construct},
                                                                                    {"make_ref", node_kind::make_ref},
                                                                                    {"read_ref", node_kind::read_ref},
                                                                                    {"write_ref", node_kind::write_ref},
                                                                                    {"global", node_kind::global}}};

[[nodiscard]] constexpr std::string_view word_of(node_kind k) {
    for (const auto& [word, kind] : node_words)
        if (kind == k) return word;
    return {};
}
[[nodiscard]] constexpr std::optional<node_kind> node_kind_named(std::string_view text) {
    for (const auto& [word, kind] : node_words)
        if (word == text) return kind;
    return std::nullopt;
}

/// Whether a word means something of its own, so that an operator of that name stands in quotes.
[[nodiscard]] constexpr bool is_reserved(std::string_view text) {
    return text == "const" || text == "repeat" || text == "dominates" || text == "_" || text == "inf" || text == "nan" ||
           node_kind_named(text).has_value();
}

[[nodiscard]] constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
[[nodiscard]] constexpr bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

/// A capture, an attribute or a symbol that stands without quotes.
[[nodiscard]] constexpr bool is_plain_name(std::string_view s) {
    if (s.empty() || !is_name_start(s.front())) return false;
    for (const char c : s)
        if (!is_name_part(c)) return false;
    return true;
}
/// An operator that stands without quotes: names with dots between them, `nn.conv2d`.
[[nodiscard]] constexpr bool is_plain_operator(std::string_view s) {
    if (is_reserved(s)) return false;
    while (true) {
        const std::size_t dot = s.find('.');
        if (!is_plain_name(s.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        s.remove_prefix(dot + 1);
    }
}

/// The shortest text that reads back as the number; `real`: it is to be told from a whole number.
[[nodiscard]] inline std::string number_text(double v, bool real) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, v).ptr;
    std::string text(digits, end);
    if (real && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

/// How many bytes the character at place i takes in UTF-8; 0 where none begins.
[[nodiscard]] constexpr std::size_t character_length(std::string_view s, std::size_t i) {
    const auto byte = [&](std::size_t at) { return at < s.size() ? static_cast<unsigned char>(s[at]) : 0u; };
    const unsigned first = byte(i);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(i + k) & 0xC0u) != 0x80u) return 0;
    // Neither longer than needed, nor half of a pair of UTF-16, nor beyond the last character.
    const unsigned second = byte(i + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

/// A text in double quotes; a quote, a backslash and what cannot be printed or is no UTF-8 stand behind a backslash, the last two as \xNN.
[[nodiscard]] inline std::string in_quotes(std::string_view s) {
    std::string text = "\"";
    for (std::size_t i = 0; i < s.size(); ++i) {
        const char c = s[i];
        const auto byte = static_cast<unsigned char>(c);
        const std::size_t length = character_length(s, i);
        if (length > 1) {
            text += s.substr(i, length);
            i += length - 1;
            continue;
        }
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (byte < 0x20 || byte == 0x7F || length == 0) {
            text += "\\x";
            text += "0123456789abcdef"[byte >> 4];
            text += "0123456789abcdef"[byte & 15];
        } else {
            text += c;
        }
    }
    return text + '"';
}

/// A name as it stands in a text: in quotes where it is not plain.
[[nodiscard]] inline std::string name_text(std::string_view name) { return is_plain_name(name) ? std::string(name) : in_quotes(name); }

}  // namespace inlay::detail

#endif
