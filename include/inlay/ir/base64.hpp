// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_BASE64_HPP
#define INLAY_IR_BASE64_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inlay {

namespace detail {
inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline constexpr std::array<std::uint8_t, 256> base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint8_t>(i);
    return values;
}();
}  // namespace detail

/// Appends bytes as base64 (RFC 4648).
inline void write_base64(std::string& out, std::string_view bytes) {
    const auto byte = [&](std::size_t i) {
        return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
    };
    out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (std::size_t d = 0; d < 4; ++d) out += i + d > bytes.size() ? '=' : detail::base64_digits[three >> (18 - 6 * d) & 63u];
    }
}

/// The bytes of base64 in whole groups of four digits, and nothing else; nothing where it is none.
[[nodiscard]] inline std::optional<std::string> read_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::size_t digits = 4;
        if (i + 4 == text.size())
            while (digits > 2 && text[i + digits - 1] == '=') --digits;
        std::uint32_t three = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            const std::uint8_t value = d < digits ? detail::base64_values[static_cast<unsigned char>(text[i + d])] : std::uint8_t{0};
            if (value == 64) return std::nullopt;
            three = three << 6 | value;
        }
        for (std::size_t b = 0; b + 1 < digits; ++b) bytes += static_cast<char>(three >> (16 - 8 * b) & 255u);
    }
    return bytes;
}

}  // namespace inlay

#endif
