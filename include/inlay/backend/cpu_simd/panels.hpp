// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_PANELS_HPP
#define INLAY_BACKEND_CPU_SIMD_PANELS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/codegen/kernel/weight_store.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/digest.hpp>

namespace inlay::simd {

/// Packed B of a product: panels of columns one after the other, in each the rows of depth, in each row the panel's columns, filled up with
/// zeros to whole vectors; behind them a row of biases for each panel. The last panel may have fewer vectors.
class panels {
public:
    panels() = default;

    /// An empty buffer where there is no memory (`is_empty`).
    panels(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes)
        : depth_(depth), columns_(columns), vectors_(vectors), lanes_(lanes), kept_((depth + 1) * whole_columns() * sizeof(float)) {}

    /// The same, filled by `fill(panels&)`. Where there is a store, what was filled before of the same numbers in the same way is shared:
    /// `of` tells both.
    template <class Fill>
    [[nodiscard]] static panels filled(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes, weight_store* store,
                                       const digest& of, Fill&& fill) {
        panels p;
        p.depth_ = depth;
        p.columns_ = columns;
        p.vectors_ = vectors;
        p.lanes_ = lanes;
        const std::size_t bytes = (depth + 1) * p.whole_columns() * sizeof(float);
        const auto pack = [&](buffer& to) {
            p.kept_ = to;
            if (!p.is_empty()) fill(p);
        };
        if (store == nullptr) {
            buffer own(bytes);
            pack(own);
            return p;
        }
        digest_builder key;
        key.add("panels").add(of);
        for (const std::size_t n : {depth, columns, vectors, lanes}) key.add(std::uint64_t{n});
        p.kept_ = store->get(key.finish(), bytes, pack);
        return p;
    }

    [[nodiscard]] bool is_empty() const { return kept_.size() == 0; }
    [[nodiscard]] std::size_t count() const { return (columns_ + width() - 1) / width(); }
    [[nodiscard]] std::size_t width() const { return vectors_ * lanes_; }
    [[nodiscard]] std::size_t lanes() const { return lanes_; }
    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] std::size_t bytes() const { return kept_.size(); }
    /// How many vectors and existing columns a panel has.
    [[nodiscard]] std::size_t vectors(std::size_t panel) const { return std::min(vectors_, (columns(panel) + lanes_ - 1) / lanes_); }
    [[nodiscard]] std::size_t columns(std::size_t panel) const { return std::min(width(), columns_ - panel * width()); }

    [[nodiscard]] const float* at(std::size_t panel) const { return begin() + panel * width() * depth_; }
    [[nodiscard]] float* at(std::size_t panel) { return begin() + panel * width() * depth_; }
    /// The share of the next panel that tile number `tile` of this one is to fetch ahead; null: none is left.
    [[nodiscard]] const float* ahead(std::size_t panel, std::size_t tile) const {
        const std::size_t share = depth_ * tile_job::ahead_floats;
        return panel + 1 < count() && (tile + 1) * share <= vectors(panel + 1) * lanes_ * depth_ ? at(panel + 1) + tile * share : nullptr;
    }
    [[nodiscard]] const float* bias(std::size_t panel) const { return begin() + whole_columns() * depth_ + panel * width(); }

    void set(std::size_t depth, std::size_t column, float value) {
        const std::size_t panel = column / width();
        begin()[panel * width() * depth_ + depth * vectors(panel) * lanes_ + column % width()] = value;
    }
    /// A whole row of depth: `value(column)` of each column.
    template <class F>
    void set_row(std::size_t depth, F&& value) {
        for (std::size_t p = 0; p < count(); ++p) {
            float* to = begin() + p * width() * depth_ + depth * vectors(p) * lanes_;
            for (std::size_t c = 0; c < columns(p); ++c) to[c] = value(p * width() + c);
        }
    }
    void set_bias(std::size_t column, float value) { begin()[whole_columns() * depth_ + column] = value; }

private:
    [[nodiscard]] std::size_t whole_columns() const { return (columns_ + lanes_ - 1) / lanes_ * lanes_; }
    [[nodiscard]] float* begin() { return reinterpret_cast<float*>(kept_.data()); }
    [[nodiscard]] const float* begin() const { return reinterpret_cast<const float*>(kept_.data()); }

    std::size_t depth_ = 0, columns_ = 0, vectors_ = 1, lanes_ = 1;
    buffer kept_;
};

}  // namespace inlay::simd

#endif
