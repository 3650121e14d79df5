// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BF16_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_BF16_PANELS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>

#include <inlay/backend/cpu_simd/panels.hpp>

namespace inlay::simd {

/// The bits of the nearest bfloat16, halves to even; beyond the range infinity, and what is no number stays none.
[[nodiscard]] constexpr std::uint32_t bf16_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16, quiet = bits >> 16 | 0x40u;
    return (bits & 0x7FFF'FFFFu) > 0x7F80'0000u ? quiet : rounded;
}

/// Packed B of a product, rounded to bfloat16: panels whose rows hold two rows of depth each, the two numbers of a column in one word, the
/// earlier one in its lower half. Biases are float32.
class bf16_panels {
public:
    bf16_panels() = default;

    /// `value(depth, column)` is B, `bias(column)` what is added. Empty where there is no memory; shared as `panels::filled` says.
    template <class Value, class Bias>
    [[nodiscard]] static bf16_panels filled(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes,
                                            weight_store* store, const digest& of, Value&& value, Bias&& bias) {
        const digest key = digest_builder().add("bf16").add(of).add(std::uint64_t{depth}).finish();
        bf16_panels made;
        made.words_ = panels::filled((depth + 1) / 2, columns, vectors, lanes, store, key, [&](panels& to) {
            for (std::size_t p = 0; p < to.count(); ++p) {
                const std::size_t first = p * to.width(), stored = to.vectors(p) * lanes;
                auto* word = reinterpret_cast<std::uint32_t*>(to.at(p));
                for (std::size_t k = 0; k < depth; k += 2, word += stored)
                    for (std::size_t c = 0; c < to.columns(p); ++c) {
                        const std::uint32_t later = k + 1 < depth ? bf16_bits(value(k + 1, first + c)) : 0;
                        word[c] = bf16_bits(value(k, first + c)) | later << 16;
                    }
            }
            for (std::size_t c = 0; c < columns; ++c) to.set_bias(c, bias(c));
        });
        return made;
    }

    [[nodiscard]] bool is_empty() const { return words_.is_empty(); }
    [[nodiscard]] std::size_t count() const { return words_.count(); }
    [[nodiscard]] std::size_t width() const { return words_.width(); }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }
    [[nodiscard]] std::size_t vectors(std::size_t panel) const { return words_.vectors(panel); }
    [[nodiscard]] std::size_t columns(std::size_t panel) const { return words_.columns(panel); }

    [[nodiscard]] const std::uint32_t* at(std::size_t panel) const { return reinterpret_cast<const std::uint32_t*>(words_.at(panel)); }
    [[nodiscard]] const float* bias(std::size_t panel) const { return words_.bias(panel); }

private:
    panels words_;
};

}  // namespace inlay::simd

#endif
