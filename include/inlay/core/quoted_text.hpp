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

/// How many bytes the character at the beginning of a text takes that can stand in a line of UTF-8; 0 where there is none: controls,
/// separators of lines, bytes that are no UTF-8, numbers of no character.
[[nodiscard]] inline std::size_t printable_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return !in_force<"target.text.any">() || (byte(0) >= 0x20 && byte(0) != 0x7F) ? 1 : 0;
    const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
    unsigned long number = byte(0) & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u) return 0;
        number = number << 6 | (byte(i) & 0x3Fu);
    }
    if (number < (size == 2 ? 0xA0u : size == 3 ? 0x800u : 0x10000u) || number > 0x10FFFFu || (number >= 0xD800u && number < 0xE000u))
        return 0;
    // Separators of lines and paragraphs, and marks that turn the direction of writing.
    const bool breaks =
        number == 0x2028u || number == 0x2029u || (number >= 0x202Au && number <= 0x202Eu) || (number >= 0x2066u && number <= 0x2069u);
    return breaks ? 0 : size;
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
            const auto byte = static_cast<unsigned char>(text[at]);
            shown += "\\x";
            shown += "0123456789abcdef"[byte >> 4];
            shown += "0123456789abcdef"[byte & 15u];
        }
        at += size == 0 ? 1 : size;
    }
    if (at < text.size()) shown += "...";
    return shown;
}

/// The same in single quotes, which is how a sentence names what stands in a file.
[[nodiscard]] inline std::string quoted_text(std::string_view text, std::size_t longest = 80) {
    return "'" + escaped_text(text, longest) + "'";
}

}  // namespace inlay

#endif
