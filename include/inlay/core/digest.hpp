// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_DIGEST_HPP
#define INLAY_CORE_DIGEST_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace inlay {

/// 128 bits that stand for content. Equal content has equal digests on every machine; unequal content has unequal ones but for
/// chance (about 2^-64 among 2^32 items). Not meant to withstand an adversary.
struct digest {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr auto operator<=>(const digest&, const digest&) = default;
};

/// The digest as 32 lower case hexadecimal digits.
[[nodiscard]] inline std::string to_string(const digest& d) {
    std::string text(32, '0');
    for (int i = 0; i < 16; ++i) {
        text[static_cast<std::size_t>(15 - i)] = "0123456789abcdef"[(d.high >> (4 * i)) & 15u];
        text[static_cast<std::size_t>(31 - i)] = "0123456789abcdef"[(d.low >> (4 * i)) & 15u];
    }
    return text;
}

/// The digest of that text; nothing where it is not 32 such digits.
[[nodiscard]] constexpr std::optional<digest> read_digest(std::string_view text) {
    if (text.size() != 32) return std::nullopt;
    digest d;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_letter = c >= 'a' && c <= 'f';
        if (!is_letter && !(c >= '0' && c <= '9')) return std::nullopt;
        std::uint64_t& half = i < 16 ? d.high : d.low;
        half = half << 4 | static_cast<std::uint64_t>(is_letter ? c - 'a' + 10 : c - '0');
    }
    return d;
}

/// Makes a digest from a sequence of fields. Every text and block of bytes is preceded by its length, so that no two different
/// sequences of fields feed the same bytes. The mixing is that of two multiply-fold lanes over 64-bit words, as in wyhash. Linear in the
/// bytes.
class digest_builder {
public:
    constexpr digest_builder& add(std::uint64_t word) {
        a_ = fold(a_ ^ word, 0x9E37'79B9'7F4A'7C15ull ^ b_);
        b_ = fold(b_ ^ std::rotl(word, 32), 0xD6E8'FEB8'6659'FD93ull ^ a_);
        ++count_;
        return *this;
    }
    constexpr digest_builder& add(std::int64_t number) { return add(static_cast<std::uint64_t>(number)); }
    constexpr digest_builder& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
    constexpr digest_builder& add(const digest& d) { return add(d.high).add(d.low); }

    digest_builder& add(std::string_view text) { return add_bytes(text.data(), text.size()); }

    digest_builder& add_bytes(const void* data, std::size_t size) {
        add(static_cast<std::uint64_t>(size));
        const auto* at = static_cast<const unsigned char*>(data);
        const auto next = [&] {
            std::uint64_t word = 0;
            std::memcpy(&word, at, 8);
            at += 8;
            return word;
        };
        // Each word waits for the one before it: of large blocks, weights say, four sequences go side by side.
        if (size >= 512) {
            digest_builder a, b, c, d;
            for (; size >= 32; size -= 32) {
                a.add(next());
                b.add(next());
                c.add(next());
                d.add(next());
            }
            add(a.finish()).add(b.finish()).add(c.finish()).add(d.finish());
        }
        for (; size >= 8; size -= 8) add(next());
        if (size != 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, at, size);
            add(word);
        }
        return *this;
    }

    [[nodiscard]] constexpr digest finish() const {
        const std::uint64_t high = fold(a_ ^ count_, 0xA076'1D64'78BD'642Full);
        return {high, fold(b_ ^ high, 0xE703'7ED1'A0B4'28DBull)};
    }

private:
    static constexpr std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
#ifdef __SIZEOF_INT128__
        __extension__ using wide = unsigned __int128;
        const wide product = wide{x} * y;
        const auto product_low = static_cast<std::uint64_t>(product), product_high = static_cast<std::uint64_t>(product >> 64);
#else
        const std::uint64_t x_low = x & 0xFFFF'FFFFu, x_high = x >> 32, y_low = y & 0xFFFF'FFFFu, y_high = y >> 32;
        const std::uint64_t low = x_low * y_low, middle_1 = x_high * y_low, middle_2 = x_low * y_high, high = x_high * y_high;
        const std::uint64_t carry = ((low >> 32) + (middle_1 & 0xFFFF'FFFFu) + (middle_2 & 0xFFFF'FFFFu)) >> 32;
        const std::uint64_t product_low = low + (middle_1 << 32) + (middle_2 << 32);
        const std::uint64_t product_high = high + (middle_1 >> 32) + (middle_2 >> 32) + carry;
#endif
        // A product of zero forgets its factors: keep them by folding them in.
        return (product_low ^ product_high) + std::rotl(x, 23) + (y << 1);
    }

    std::uint64_t a_ = 0x2D35'8DCC'AA6C'78A5ull;
    std::uint64_t b_ = 0x8BB8'4B93'962E'ACC9ull;
    std::uint64_t count_ = 0;
};

}  // namespace inlay

#endif
