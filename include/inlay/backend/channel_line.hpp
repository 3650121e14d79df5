// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CHANNEL_LINE_HPP
#define INLAY_BACKEND_CHANNEL_LINE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/backend/float_constant.hpp>
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
    /// This line, then another one. Precondition: it has as many channels.
    void then(const channel_line& next) {
        for (std::size_t c = 0; c < scale.size(); ++c) {
            scale[c] *= next.scale[c];
            shift[c] = shift[c] * next.scale[c] + next.shift[c];
        }
    }
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
        if (rows[i] == nullptr || rows[i]->count() != channels) return std::nullopt;
    }
    channel_line made;
    for (std::size_t c = 0; c < channels; ++c) {
        const auto row = [&](std::size_t i) { return static_cast<double>(rows[i]->as<float>()[c]); };
        made.scale.push_back(row(0) / std::sqrt(row(3) + given.epsilon));
        made.shift.push_back(row(1) - row(2) * made.scale.back());
    }
    return made;
}

/// One number for each of `channels` off a constant that stands beside a tensor of `rank` axes whose channels lie along `axis`; nothing
/// where it differs along another axis.
[[nodiscard]] inline std::optional<std::vector<double>> per_channel(const region_view& r, value_id v, std::size_t rank, std::size_t axis,
                                                                    std::size_t channels) {
    const tensor* t = float_constant(r, v);
    if (t == nullptr || t->rank() > rank) return std::nullopt;
    const auto numbers = t->as<float>();
    if (t->count() == 1) return std::vector<double>(channels, static_cast<double>(numbers[0]));
    const std::size_t missing = rank - t->rank();
    if (t->count() != channels || axis < missing || static_cast<std::size_t>(t->extents()[axis - missing]) != channels) return std::nullopt;
    return std::vector<double>(numbers.begin(), numbers.end());
}

}  // namespace inlay::detail

#endif
