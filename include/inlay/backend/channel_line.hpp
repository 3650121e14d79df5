// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CHANNEL_LINE_HPP
#define INLAY_BACKEND_CHANNEL_LINE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>

namespace inlay::detail {

/// What is done to each element of channel c: `scale[c] * x + shift[c]`.
struct channel_line {
    std::vector<double> scale, shift;

    [[nodiscard]] static channel_line of(std::size_t channels, double scale = 1, double shift = 0) {
        return {std::vector<double>(channels, scale), std::vector<double>(channels, shift)};
    }
    [[nodiscard]] std::size_t channels() const { return scale.size(); }
    /// Whether all numbers are finite as floats: what is no such line is no line when it is joined to another one either.
    [[nodiscard]] bool is_finite() const {
        const auto fits = [](double n) { return std::isfinite(static_cast<float>(n)); };
        return std::all_of(scale.begin(), scale.end(), fits) && std::all_of(shift.begin(), shift.end(), fits);
    }
    /// Of the channels from one on up to another.
    [[nodiscard]] channel_line some(std::int64_t from, std::int64_t past) const {
        return {{scale.begin() + from, scale.begin() + past}, {shift.begin() + from, shift.begin() + past}};
    }
    /// Returns whether this line and another one, which operators write out behind it, may become one line: float32 then rounds alike
    /// within a few ulp of what remains. It does not if one constant cancels another one, as in `(x + c) - c`, or if a constant is so much
    /// larger than the result that every term of a sum that begins with it would be rounded.
    ///
    /// `adds_last` says whether this line ends with an addition; the other one's constant is then added to the same numbers. With a factor
    /// between, as a batch normalisation is written out, the factor counts as what remains, too. Precondition: as many channels.
    [[nodiscard]] bool may_take(const channel_line& next, bool adds_last = true) const {
        for (std::size_t c = 0; c < scale.size(); ++c) {
            const double before = shift[c] * next.scale[c], added = next.shift[c], whole = scale[c] * next.scale[c];
            const double most = std::max(std::abs(before), std::abs(added)), sum = std::abs(before + added);
            const double rest = adds_last && std::abs(next.scale[c]) == 1 ? sum : std::max(sum, 4 * std::abs(whole));
            if (in_force<"backend.line.cancel">()) {
                if (before * added < 0 && rest * most_cancelled < most) return false;
                if (leaves_range(scale[c]) && !leaves_range(whole)) return false;
            }
            if (in_force<"backend.line.swamp">() && added != 0 && swamps(added, whole)) return false;
        }
        return true;
    }
    /// Returns whether a chain of lines ends with an addition if it ended with one before or not, and this line is behind it.
    [[nodiscard]] bool ends_with_addition(bool before) const {
        if (std::any_of(scale.begin(), scale.end(), [](double n) { return std::abs(n) != 1; })) return false;
        return before || std::any_of(shift.begin(), shift.end(), [](double n) { return n != 0; });
    }
    /// Returns whether a constant is so much larger than a factor, or 1, that a sum in float32 that begins with it loses its terms' digits.
    [[nodiscard]] static bool swamps(double constant, double factor) {
        return std::abs(constant) > most_added * std::max(1.0, std::abs(factor));
    }
    /// Returns whether a factor brings usual numbers near the ends of float32's range.
    [[nodiscard]] static bool leaves_range(double factor) {
        const double size = std::abs(factor);
        return size != 0 && (size > range_of_factors || size < 1 / range_of_factors);
    }

    /// This line, then another one. Precondition: it has as many channels.
    void then(const channel_line& next) {
        for (std::size_t c = 0; c < scale.size(); ++c) {
            scale[c] *= next.scale[c];
            shift[c] = shift[c] * next.scale[c] + next.shift[c];
        }
    }

private:
    static constexpr double most_cancelled = 1024, most_added = 1024, range_of_factors = 4294967296.0;
};

/// The statistics of a batch normalisation in this form; nothing where they are no constants of one number per channel, or the call
/// computes new ones.
[[nodiscard]] inline std::optional<channel_line> line_of_statistics(const region_view& r, const region_value& call, std::size_t channels) {
    if (call.operands.size() != 5 || !call.type->is_tensor()) return std::nullopt;
    const auto given = read<batch_normalization_attributes>(*call.attributes);
    if (given.training_mode) return std::nullopt;
    const tensor* rows[4];
    for (std::size_t i = 0; i < 4; ++i) {
        rows[i] = float_constant(r, call.operands[i + 1]);
        if (rows[i] == nullptr || rows[i]->rank() != 1 || static_cast<std::size_t>(rows[i]->extents()[0]) != channels) return std::nullopt;
    }
    channel_line made;
    for (std::size_t c = 0; c < channels; ++c) {
        const auto row = [&](std::size_t i) { return static_cast<double>(rows[i]->as<float>()[c]); };
        made.scale.push_back(row(0) / std::sqrt(row(3) + given.epsilon));
        made.shift.push_back(row(1) - row(2) * made.scale.back());
    }
    return made;
}

/// Returns one number for each of `channels` off a constant beside a tensor of `rank` axes whose channels lie along `axis`; nullopt if the
/// constant varies along another axis, or raises the rank. Precondition: axis < rank.
[[nodiscard]] inline std::optional<std::vector<double>> per_channel(const region_view& r, value_id v, std::size_t rank, std::size_t axis,
                                                                    std::size_t channels) {
    const tensor* t = float_constant(r, v);
    if (t == nullptr || axis >= rank) return std::nullopt;
    std::vector<std::int64_t> line(rank, 1);
    line[axis] = static_cast<std::int64_t>(channels);
    const auto beside = broadcast_operand::of(t->extents(), line);
    if (!beside) return std::nullopt;
    const std::vector<float> numbers = beside->along(axis_set::only(axis), t->as<float>());
    return std::vector<double>(numbers.begin(), numbers.end());
}

}  // namespace inlay::detail

#endif
