// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BF16_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_BF16_PANELS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/word_panels.hpp>

namespace inlay::simd {

/// The bits of the nearest bfloat16, halves to even; beyond the range infinity, and what is no number stays none.
[[nodiscard]] constexpr std::uint32_t bf16_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16, quiet = bits >> 16 | 0x40u;
    return (bits & 0x7FFF'FFFFu) > 0x7F80'0000u ? quiet : rounded;
}

/// Packed B of a product, rounded to bfloat16: panels whose rows hold two rows of depth each, the two numbers of a column in one word, the
/// earlier one in its lower half. Biases are float32.
class bf16_panels : public word_panels {
public:
    bf16_panels() = default;

    /// `value(depth, column)` is B, `bias(column)` what is added. Empty where there is no memory; shared as `panels::filled` says.
    template <class Value, class Bias>
    [[nodiscard]] static bf16_panels filled(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes,
                                            weight_store* store, const digest& of, Value&& value, Bias&& bias) {
        const digest key = digest_builder().add("bf16").add(of).add(std::uint64_t{depth}).finish();
        return bf16_panels(panels::filled((depth + 1) / 2, columns, vectors, lanes, store, key, [&](panels& to) {
            fill(to, [&](std::size_t pair, std::size_t column) {
                const std::uint32_t later = 2 * pair + 1 < depth ? bf16_bits(value(2 * pair + 1, column)) : 0;
                return bf16_bits(value(2 * pair, column)) | later << 16;
            });
            for (std::size_t c = 0; c < columns; ++c) to.set_bias(c, bias(c));
        }));
    }

    [[nodiscard]] const float* bias(std::size_t panel) const { return words().bias(panel); }

private:
    explicit bf16_panels(panels made) : word_panels(std::move(made)) {}
};

}  // namespace inlay::simd

#endif
