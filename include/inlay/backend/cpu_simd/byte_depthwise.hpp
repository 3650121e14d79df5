// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_DEPTHWISE_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_DEPTHWISE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/backend/cpu_simd/byte_image.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/quantized_layer.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// Quantised convolutions whose channels are not mixed, over images with channels last. The state of a kernel.
struct byte_depthwise {
    const kernel_table* table = nullptr;
    byte_image image;
    detail::quantized_steps steps;
    std::ptrdiff_t stored = 0;          // channels, filled up to whole vectors
    std::vector<std::int32_t> weights;  // taps x stored, in 16 bits each
    std::vector<std::int32_t> starts;
    std::vector<float> scales;

    /// Precondition: each group has one channel and one filter.
    [[nodiscard]] static byte_depthwise of(const kernel_table& table, const detail::quantized_layer& p) {
        byte_depthwise k;
        k.table = &table;
        k.image = {p.images, p.groups, p.y, p.x, p.is_signed};
        k.steps = p.steps;
        const auto lanes = static_cast<std::ptrdiff_t>(table.lanes);
        k.stored = (p.groups + lanes - 1) / lanes * lanes;
        k.weights.resize(static_cast<std::size_t>(p.taps() * k.stored), 0);
        k.starts.resize(static_cast<std::size_t>(k.stored), 0);
        k.scales.resize(static_cast<std::size_t>(k.stored), 0);
        for (std::int64_t c = 0; c < p.groups; ++c) {
            const auto channel = static_cast<std::size_t>(c);
            for (std::int64_t t = 0; t < p.taps(); ++t) k.weights[static_cast<std::size_t>(t * k.stored + c)] = p.weight(c, 0, t) & 0xFFFF;
            k.starts[channel] = p.steps.start(channel);
            k.scales[channel] = p.steps.scale(channel);
        }
        return k;
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        image.for_each<byte_depthwise_job>(a, 1, [&](byte_depthwise_job& j, std::ptrdiff_t row, std::ptrdiff_t column) {
            j.x_zero = steps.x_zero;
            j.weight_row = image.x.taps * stored;
            j.weight_column = stored;
            j.weights = weights.data() + row * j.weight_row + column * j.weight_column;
            j.start = starts.data();
            j.scale = scales.data();
            j.zero = static_cast<float>(steps.y_zero);
            j.low = static_cast<float>(steps.low);
            j.high = static_cast<float>(steps.high);
            table->depthwise_of_bytes(j);
        });
        return true;
    }
};

}  // namespace inlay::simd

#endif
