// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_PANELS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/backend/cpu_simd/panels.hpp>

namespace inlay::simd {

/// Packed B of a product of whole numbers, words of two or four of them, and what a column's sum begins with and is multiplied by.
class byte_panels {
public:
    byte_panels() = default;

    /// `word(depth, column)` is B, depth counted in words. Empty where there is no memory; shared as `panels::filled` says.
    template <class Word>
    [[nodiscard]] static byte_panels filled(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes,
                                            weight_store* store, const digest& of, Word&& word) {
        byte_panels made;
        made.words_ = panels::filled(depth, columns, vectors, lanes, store, of, [&](panels& to) {
            for (std::size_t p = 0; p < to.count(); ++p) {
                const std::size_t first = p * to.width(), stored = to.vectors(p) * lanes;
                auto* at = reinterpret_cast<std::uint32_t*>(to.at(p));
                for (std::size_t k = 0; k < depth; ++k, at += stored)
                    for (std::size_t c = 0; c < to.columns(p); ++c) at[c] = word(k, first + c);
            }
        });
        const std::size_t whole = made.words_.count() * made.words_.width();
        made.starts_.resize(whole, 0);
        made.scales_.resize(whole, 0);
        return made;
    }

    void set_column(std::size_t column, std::int32_t start, float scale) {
        starts_[column] = start;
        scales_[column] = scale;
    }

    [[nodiscard]] bool is_empty() const { return words_.is_empty(); }
    [[nodiscard]] std::size_t count() const { return words_.count(); }
    [[nodiscard]] std::size_t width() const { return words_.width(); }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }
    [[nodiscard]] std::size_t vectors(std::size_t panel) const { return words_.vectors(panel); }
    [[nodiscard]] std::size_t columns(std::size_t panel) const { return words_.columns(panel); }

    [[nodiscard]] const std::uint32_t* at(std::size_t panel) const { return reinterpret_cast<const std::uint32_t*>(words_.at(panel)); }
    [[nodiscard]] const std::int32_t* starts(std::size_t panel) const { return starts_.data() + panel * width(); }
    [[nodiscard]] const float* scales(std::size_t panel) const { return scales_.data() + panel * width(); }

private:
    panels words_;
    std::vector<std::int32_t> starts_;
    std::vector<float> scales_;
};

}  // namespace inlay::simd

#endif
