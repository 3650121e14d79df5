// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CHANNEL_STATISTICS_HPP
#define INLAY_BACKEND_CHANNEL_STATISTICS_HPP

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>

namespace inlay::detail {

/// What a normalisation does to each element of channel c: `scale[c] * x + shift[c]`.
struct channel_statistics {
    std::vector<double> scale, shift;
};

/// The statistics of a batch normalisation in this form; nothing where they are no constants of one number per channel, or the call
/// computes new ones.
[[nodiscard]] inline std::optional<channel_statistics> read_channel_statistics(const region_view& r, const region_value& call,
                                                                               std::size_t channels) {
    if (call.operands.size() != 5 || read<batch_normalization_attributes>(*call.attributes).training_mode || !call.type->is_tensor())
        return std::nullopt;
    const tensor* rows[4];
    for (std::size_t i = 0; i < 4; ++i) {
        rows[i] = float_constant(r, call.operands[i + 1]);
        if (rows[i] == nullptr || rows[i]->count() != channels) return std::nullopt;
    }
    const double epsilon = read<batch_normalization_attributes>(*call.attributes).epsilon;
    channel_statistics made;
    for (std::size_t c = 0; c < channels; ++c) {
        const auto row = [&](std::size_t i) { return static_cast<double>(rows[i]->as<float>()[c]); };
        made.scale.push_back(row(0) / std::sqrt(row(3) + epsilon));
        made.shift.push_back(row(1) - row(2) * made.scale.back());
    }
    return made;
}

}  // namespace inlay::detail

#endif
