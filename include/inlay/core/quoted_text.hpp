// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_QUOTED_TEXT_HPP
#define INLAY_CORE_QUOTED_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/core/in_force.hpp>

namespace inlay {

namespace detail {

/// A character of UTF-8: its bytes, 0 of them if there is none, and its number.
struct utf8_character {
    std::size_t bytes = 0;
    unsigned long number = 0;
};

/// Returns the character at the beginning of a text. Precondition: the text is not empty.
[[nodiscard]] inline utf8_character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return {1, byte(0)};
    const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return {};
    unsigned long number = byte(0) & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u) return {};
        number = number << 6 | (byte(i) & 0x3Fu);
    }
    if (number < (size == 2 ? 0x80u : size == 3 ? 0x800u : 0x10000u) || number > 0x10FFFFu || (number >= 0xD800u && number < 0xE000u))
        return {};
    return {size, number};
}

/// How many bytes the character at the beginning of a text takes that can stand in a line of UTF-8; 0 where there is none: controls,
/// separators of lines, bytes that are no UTF-8, numbers of no character.
[[nodiscard]] inline std::size_t printable_bytes(std::string_view text) {
    const utf8_character first = first_character(text);
    const unsigned long number = first.number;
    // Separators of lines and paragraphs, and marks that turn the direction of writing.
    const bool breaks =
        number == 0x2028u || number == 0x2029u || (number >= 0x202Au && number <= 0x202Eu) || (number >= 0x2066u && number <= 0x2069u);
    const bool is_control = number < 0x20u || number == 0x7Fu;
    return (in_force<"target.text.any">() && is_control) || (number >= 0x80u && number < 0xA0u) || breaks ? 0 : first.bytes;
}

/// Appends `\xNN`.
inline void append_escaped(char c, std::string& to) {
    const auto byte = static_cast<unsigned char>(c);
    to += "\\x";
    to += "0123456789abcdef"[byte >> 4];
    to += "0123456789abcdef"[byte & 15u];
}

/// Returns the byte that `\xNN` at the beginning of a text means in `escaped_bytes`; -1 if the text begins with no such escape.
[[nodiscard]] inline int first_escape(std::string_view text) {
    if (text.size() < 4 || text[0] != '\\' || text[1] != 'x') return -1;
    constexpr std::string_view digits = "0123456789abcdef";
    const std::size_t high = digits.find(text[2]), low = digits.find(text[3]);
    if (high == std::string_view::npos || low == std::string_view::npos) return -1;
    const auto byte = static_cast<int>(high * 16 + low);
    return byte >= 0x80 || byte == '\\' ? byte : -1;
}

}  // namespace detail

/// A text from a file as one line that a terminal can show: at most `longest` bytes of it, and as `\xNN` each byte that is no part of a
/// character that a line can show: controls, line breaks, broken UTF-8. Whatever a file holds, the message stays one line of UTF-8.
[[nodiscard]] inline std::string escaped_text(std::string_view text, std::size_t longest = std::string_view::npos) {
    std::string shown;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t size = detail::printable_bytes(text.substr(at));
        if (at + (size == 0 ? 1 : size) > longest) break;
        if (size != 0) {
            shown += text.substr(at, size);
        } else {
            detail::append_escaped(text[at], shown);
        }
        at += size == 0 ? 1 : size;
    }
    if (at < text.size()) shown += "...";
    return shown;
}

/// Any bytes as UTF-8, so that `unescaped_bytes` returns them: `\xNN` for each byte that is no part of a character. A backslash that would
/// read as the beginning of such an escape becomes `\x5c`. All other text stays.
[[nodiscard]] inline std::string escaped_bytes(std::string_view text) {
    std::string written;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = detail::first_character(text.substr(at)).bytes;
        if (size == 0 || detail::first_escape(text.substr(at)) >= 0)
            detail::append_escaped(text[at], written);
        else
            written += text.substr(at, size);
        at += size == 0 ? 1 : size;
    }
    return written;
}

/// The bytes that `escaped_bytes` wrote so.
[[nodiscard]] inline std::string unescaped_bytes(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        const int escape = detail::first_escape(text.substr(at));
        bytes += escape >= 0 ? static_cast<char>(escape) : text[at];
        at += escape >= 0 ? 4 : 1;
    }
    return bytes;
}

/// The line of `escaped_text` in single quotes, which is how a sentence names what stands in a file.
[[nodiscard]] inline std::string quoted_text(std::string_view text, std::size_t longest = 80) {
    return "'" + escaped_text(text, longest) + "'";
}

}  // namespace inlay

#endif
