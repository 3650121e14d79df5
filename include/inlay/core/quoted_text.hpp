// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_QUOTED_TEXT_HPP
#define INLAY_CORE_QUOTED_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace inlay {

/// A text from a file as an error message shows it: in single quotes, at most `longest` bytes of it, unprintable bytes as `\xNN`.
/// Whatever a file holds, the message stays one line that a terminal can show.
[[nodiscard]] inline std::string quoted_text(std::string_view text, std::size_t longest = 80) {
    std::string shown = "'";
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7F) {
            shown += c;
        } else {
            shown += "\\x";
            shown += "0123456789abcdef"[byte >> 4];
            shown += "0123456789abcdef"[byte & 15u];
        }
    }
    if (text.size() > longest) shown += "...";
    return shown += '\'';
}

}  // namespace inlay

#endif
