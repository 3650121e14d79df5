// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_PANELS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/word_panels.hpp>

namespace inlay::simd {

/// Packed B of a product of whole numbers, words of two or four of them, and what a column's sum begins with and is multiplied by.
class byte_panels : public word_panels {
public:
    byte_panels() = default;

    /// `word(depth, column)` is B, depth counted in words. Empty where there is no memory; shared as `panels::filled` says.
    template <class Word>
    [[nodiscard]] static byte_panels filled(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes,
                                            weight_store* store, const digest& of, Word&& word) {
        return byte_panels(panels::filled(depth, columns, vectors, lanes, store, of, [&](panels& to) { fill(to, word); }));
    }

    void set_column(std::size_t column, std::int32_t start, float scale) {
        starts_[column] = start;
        scales_[column] = scale;
    }

    [[nodiscard]] const std::int32_t* starts(std::size_t panel) const { return starts_.data() + panel * width(); }
    [[nodiscard]] const float* scales(std::size_t panel) const { return scales_.data() + panel * width(); }

private:
    explicit byte_panels(panels made) : word_panels(std::move(made)), starts_(count() * width(), 0), scales_(count() * width(), 0) {}

    std::vector<std::int32_t> starts_;
    std::vector<float> scales_;
};

}  // namespace inlay::simd

#endif
