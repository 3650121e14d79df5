// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_STRIDED_COPY_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_STRIDED_COPY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <inlay/backend/reference/detail/chunks.hpp>

namespace inlay::detail::on_eigen {

/// A copy of elements between two tensors, each walked by strides: transpose, slice, stretch, tile, and the pieces of concat and pad are
/// all of this form. Axes that go on evenly on both sides are merged; what remains runs as contiguous blocks, as fills, or as a
/// transpose in tiles that stay in the first cache.
class strided_copy {
public:
    struct axis {
        std::int64_t size;
        std::int64_t from;  // stride in elements; 0 repeats
        std::int64_t to;
    };

    strided_copy() = default;

    /// Axes from the outermost in; `width` is the size of an element: 1, 2, 4 or 8 bytes.
    strided_copy(std::vector<axis> axes, std::size_t width, std::int64_t from_offset = 0, std::int64_t to_offset = 0)
        : width_(static_cast<std::int64_t>(width)), from_(from_offset), to_(to_offset) {
        for (const axis& a : axes) {
            empty_ = empty_ || a.size == 0;
            if (a.size == 1) continue;
            if (!axes_.empty() && axes_.back().from == a.from * a.size && axes_.back().to == a.to * a.size)
                axes_.back() = {axes_.back().size * a.size, a.from, a.to};
            else
                axes_.push_back(a);
        }
        if (axes_.empty()) axes_.push_back({1, 1, 1});
        // The axis that is contiguous where it is read goes next to the one that is contiguous where it is written: a tile is both.
        const axis& inner = axes_.back();
        if (inner.from != 1 && inner.from != 0)
            for (std::size_t i = 0; i + 1 < axes_.size(); ++i)
                if (axes_[i].from == 1) {
                    std::rotate(axes_.begin() + static_cast<std::ptrdiff_t>(i), axes_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                axes_.end() - 1);
                    break;
                }
        elements_ = 1;
        for (const axis& a : axes_) elements_ *= a.size;
    }

    /// Whether the copy moves one contiguous block that starts at both beginnings: a view would do.
    [[nodiscard]] bool is_identity() const { return axes_.size() == 1 && axes_[0].from == 1 && axes_[0].to == 1 && from_ == 0 && to_ == 0; }

    void run(const executor_ref& executor, void* to, const void* from) const {
        if (empty_) return;
        auto* out = static_cast<std::byte*>(to) + to_ * width_;
        const auto* in = static_cast<const std::byte*>(from) + from_ * width_;
        // Threads share the outermost axis that has enough for each; a single block is an axis too.
        std::size_t cut = 0;
        const auto threads = static_cast<std::int64_t>(executor.threads());
        for (std::size_t i = 0; i < axes_.size(); ++i)
            if (axes_[i].size > axes_[cut].size && axes_[cut].size < 4 * threads) cut = i;
        in_chunks(executor, axes_[cut].size, grain_of(elements_ / axes_[cut].size),
                  [&](std::int64_t begin, std::int64_t end) { walk(0, cut, begin, end, out, in); });
    }

private:
    void walk(std::size_t depth, std::size_t cut, std::int64_t cut_begin, std::int64_t cut_end, std::byte* out, const std::byte* in) const {
        const axis& a = axes_[depth];
        const std::int64_t begin = depth == cut ? cut_begin : 0, end = depth == cut ? cut_end : a.size;
        const std::size_t left = axes_.size() - depth;
        if (left == 1) {
            line(out + begin * a.to * width_, in + begin * a.from * width_, end - begin, a);
        } else if (left == 2 && a.from == 1 && axes_[depth + 1].from != 0) {
            const axis& b = axes_[depth + 1];
            const std::int64_t b_begin = depth + 1 == cut ? cut_begin : 0, b_end = depth + 1 == cut ? cut_end : b.size;
            tile(out + (begin * a.to + b_begin * b.to) * width_, in + (begin * a.from + b_begin * b.from) * width_, end - begin, a,
                 b_end - b_begin, b);
        } else {
            for (std::int64_t i = begin; i < end; ++i)
                walk(depth + 1, cut, cut_begin, cut_end, out + i * a.to * width_, in + i * a.from * width_);
        }
    }

    void line(std::byte* out, const std::byte* in, std::int64_t n, const axis& a) const {
        if (a.from == 1 && a.to == 1) {
            std::memcpy(out, in, static_cast<std::size_t>(n * width_));
            return;
        }
        switch (width_) {
            case 1:
                line_of<std::uint8_t>(out, in, n, a);
                break;
            case 2:
                line_of<std::uint16_t>(out, in, n, a);
                break;
            case 4:
                line_of<std::uint32_t>(out, in, n, a);
                break;
            default:
                line_of<std::uint64_t>(out, in, n, a);
                break;
        }
    }
    template <class T>
    static void line_of(std::byte* out, const std::byte* in, std::int64_t n, const axis& a) {
        auto* to = reinterpret_cast<T*>(out);
        const auto* from = reinterpret_cast<const T*>(in);
        if (a.from == 0 && a.to == 1)
            std::fill(to, to + n, *from);
        else if (a.to == 1)
            for (std::int64_t i = 0; i < n; ++i) to[i] = from[i * a.from];
        else
            for (std::int64_t i = 0; i < n; ++i) to[i * a.to] = from[i * a.from];
    }

    void tile(std::byte* out, const std::byte* in, std::int64_t rows, const axis& a, std::int64_t columns, const axis& b) const {
        switch (width_) {
            case 1:
                tile_of<std::uint8_t>(out, in, rows, a, columns, b);
                break;
            case 2:
                tile_of<std::uint16_t>(out, in, rows, a, columns, b);
                break;
            case 4:
                tile_of<std::uint32_t>(out, in, rows, a, columns, b);
                break;
            default:
                tile_of<std::uint64_t>(out, in, rows, a, columns, b);
                break;
        }
    }
    template <class T>
    static void tile_of(std::byte* out, const std::byte* in, std::int64_t rows, const axis& a, std::int64_t columns, const axis& b) {
        constexpr std::int64_t side = 16;
        auto* to = reinterpret_cast<T*>(out);
        const auto* from = reinterpret_cast<const T*>(in);
        for (std::int64_t r = 0; r < rows; r += side)
            for (std::int64_t c = 0; c < columns; c += side) {
                const std::int64_t r_end = std::min(rows, r + side), c_end = std::min(columns, c + side);
                if (b.to == 1 && r_end - r == side && c_end - c == side) {
                    // A full tile goes through registers or the first cache: whole lines are read, whole lines are written.
                    T block[side][side];
                    for (std::int64_t j = 0; j < side; ++j) std::memcpy(block[j], from + r + (c + j) * b.from, sizeof block[j]);
                    for (std::int64_t i = 0; i < side; ++i) {
                        T* line = to + (r + i) * a.to + c;
                        for (std::int64_t j = 0; j < side; ++j) line[j] = block[j][i];
                    }
                    continue;
                }
                for (std::int64_t i = r; i < r_end; ++i)
                    for (std::int64_t j = c; j < c_end; ++j) to[i * a.to + j * b.to] = from[i * a.from + j * b.from];
            }
    }

    std::vector<axis> axes_;
    std::int64_t width_ = 4, from_ = 0, to_ = 0, elements_ = 0;
    bool empty_ = false;
};

}  // namespace inlay::detail::on_eigen

#endif
