// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_BROADCAST_OPERAND_HPP
#define INLAY_GRAPH_BROADCAST_OPERAND_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/core/in_force.hpp>

namespace inlay {

/// Some axes of a tensor, each by its number from the front. Axes from 64 on are in no set.
class axis_set {
public:
    constexpr axis_set() = default;

    /// Returns the set of one axis.
    [[nodiscard]] static constexpr axis_set only(std::size_t axis) { return range(axis, axis + 1); }
    /// Returns the axes from one on, up to another one.
    [[nodiscard]] static constexpr axis_set range(std::size_t first, std::size_t past) {
        axis_set made;
        for (std::size_t i = first; i < past && i < 64; ++i) made.bits_ |= std::uint64_t{1} << i;
        return made;
    }
    /// Returns all axes of a tensor of that rank.
    [[nodiscard]] static constexpr axis_set all(std::size_t rank) { return range(0, rank); }

    /// Returns this set and one more axis.
    [[nodiscard]] constexpr axis_set with(std::size_t axis) const {
        axis_set made = only(axis);
        made.bits_ |= bits_;
        return made;
    }

    [[nodiscard]] constexpr bool has(std::size_t axis) const { return axis < 64 && (bits_ >> axis & 1) != 0; }
    [[nodiscard]] constexpr bool operator==(const axis_set&) const = default;

private:
    std::uint64_t bits_ = 0;
};

/// How one operand lies in the result of an operator that broadcasts its operands as NumPy does.
///
/// Axes are paired from the last one on. The operand repeats its elements along an axis that it does not have, and along one where its
/// extent is 1. Rank and position of the extents decide alone: axes whose extents are equal by chance are told apart.
/// A scalar varies along no axis; a per-channel operand along the axis of channels only; a row along the axes that are normalised only.
class broadcast_operand {
public:
    /// Returns how an operand lies in a result; nullopt if it does not broadcast to exactly that result. That is so if its rank is above
    /// the result's, or if one of its extents is neither 1 nor the result's.
    [[nodiscard]] static std::optional<broadcast_operand> of(std::span<const std::int64_t> operand, std::span<const std::int64_t> result) {
        if (operand.size() > result.size()) return std::nullopt;
        broadcast_operand made;
        made.result_.assign(result.begin(), result.end());
        made.own_.assign(result.size() - operand.size(), 1);
        made.own_.insert(made.own_.end(), operand.begin(), operand.end());
        for (std::size_t i = 0; i < result.size(); ++i)
            if (made.own_[i] != 1 && made.own_[i] != result[i]) return std::nullopt;
        return made;
    }

    [[nodiscard]] std::size_t rank() const { return result_.size(); }
    /// Returns the operand's extents, written with the result's rank.
    [[nodiscard]] const std::vector<std::int64_t>& extents() const { return own_; }

    /// Returns whether one element serves the whole result.
    [[nodiscard]] bool is_scalar() const { return varies_only_along({}); }
    /// Returns whether indices along other axes do not matter: the operand's extent is 1 there. A scalar varies along no axis.
    [[nodiscard]] bool varies_only_along(axis_set axes) const {
        if (!in_force<"graph.broadcast.axes">()) return count() == 1 || count() == counted(axes);
        for (std::size_t i = 0; i < own_.size(); ++i)
            if (!axes.has(i) && own_[i] != 1) return false;
        return true;
    }
    /// Returns whether nothing is repeated along these axes: the operand has the result's extent along each of them.
    [[nodiscard]] bool covers(axis_set axes) const {
        if (!in_force<"graph.broadcast.axes">()) return count() == counted(axes);
        for (std::size_t i = 0; i < own_.size(); ++i)
            if (axes.has(i) && own_[i] != result_[i]) return false;
        return true;
    }
    /// Returns whether the operand has one element for each index along these axes, and for nothing else.
    [[nodiscard]] bool is_one_for_each_of(axis_set axes) const { return varies_only_along(axes) && covers(axes); }
    /// Returns whether the operand has one element for each element of the result.
    [[nodiscard]] bool is_per_element() const { return covers(axis_set::all(rank())); }

    /// Returns the distance, in elements of the row-major operand, from one index along an axis to the next; 0 if its elements repeat.
    [[nodiscard]] std::int64_t stride(std::size_t axis) const {
        if (own_[axis] == 1) return 0;
        std::int64_t distance = 1;
        for (std::size_t i = axis + 1; i < own_.size(); ++i) distance *= own_[i];
        return distance;
    }

    /// Returns one element for each index along some axes, row-major, repeated if the operand repeats them.
    /// Precondition: `varies_only_along(axes)`, and `elements` are all of the operand's, row-major. O(elements returned).
    template <class T>
    [[nodiscard]] std::vector<T> along(axis_set axes, std::span<const T> elements) const {
        std::vector<T> made(static_cast<std::size_t>(counted(axes)));
        for (std::size_t n = 0; n < made.size() && !elements.empty(); ++n) {
            auto rest = static_cast<std::int64_t>(n);
            std::int64_t from = 0, distance = 1;
            for (std::size_t i = own_.size(); i-- > 0;) {
                if (axes.has(i)) {
                    if (own_[i] != 1) from += rest % result_[i] * distance;
                    rest /= result_[i];
                }
                distance *= own_[i];
            }
            made[n] = elements[static_cast<std::size_t>(from) % elements.size()];
        }
        return made;
    }

private:
    [[nodiscard]] std::int64_t count() const {
        std::int64_t n = 1;
        for (const std::int64_t extent : own_) n *= extent;
        return n;
    }
    /// Returns how many indices the result has along these axes.
    [[nodiscard]] std::int64_t counted(axis_set axes) const {
        std::int64_t n = 1;
        for (std::size_t i = 0; i < result_.size(); ++i) n *= axes.has(i) ? result_[i] : 1;
        return n;
    }

    std::vector<std::int64_t> own_, result_;
};

}  // namespace inlay

#endif
