// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_WORD_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_WORD_PANELS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include <inlay/backend/cpu_simd/panels.hpp>

namespace inlay::simd {

/// Packed B of a product in words, each of several numbers of a column that follow one another in depth: panels whose rows are words.
class word_panels {
public:
    word_panels() = default;

    /// Whether there is no memory, or nothing was packed.
    [[nodiscard]] bool is_empty() const { return words_.is_empty(); }
    [[nodiscard]] std::size_t count() const { return words_.count(); }
    [[nodiscard]] std::size_t width() const { return words_.width(); }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }
    [[nodiscard]] std::size_t vectors(std::size_t panel) const { return words_.vectors(panel); }
    [[nodiscard]] std::size_t columns(std::size_t panel) const { return words_.columns(panel); }

    [[nodiscard]] const std::uint32_t* at(std::size_t panel) const { return reinterpret_cast<const std::uint32_t*>(words_.at(panel)); }

protected:
    explicit word_panels(panels words) : words_(std::move(words)) {}

    /// Fills panels with `word(depth, column)`, depth counted in words.
    template <class Word>
    static void fill(panels& to, Word&& word) {
        for (std::size_t p = 0; p < to.count(); ++p) {
            const std::size_t first = p * to.width(), stored = to.vectors(p) * to.lanes();
            auto* at = reinterpret_cast<std::uint32_t*>(to.at(p));
            for (std::size_t k = 0; k < to.depth(); ++k, at += stored)
                for (std::size_t c = 0; c < to.columns(p); ++c) at[c] = word(k, first + c);
        }
    }
    [[nodiscard]] const panels& words() const { return words_; }

private:
    panels words_;
};

}  // namespace inlay::simd

#endif
