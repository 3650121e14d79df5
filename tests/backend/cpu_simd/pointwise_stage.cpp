// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/pointwise_stage.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

namespace {

/// The value of channel c at a place: whole numbers, so that sums are exact.
float value(std::ptrdiff_t c, std::ptrdiff_t place) { return static_cast<float>((c * 7 + place * 3) % 11 - 5); }

std::vector<float> image(const image_order& o) {
    std::vector<float> made(static_cast<std::size_t>(o.image));
    for (std::ptrdiff_t c = 0; c < o.channels; ++c)
        for (std::ptrdiff_t p = 0; p < o.places(); ++p) made[static_cast<std::size_t>(o.channel(c) + p * o.stride[2])] = value(c, p);
    return made;
}

}  // namespace

TEST_CASE("every panel computes its channels for some places, from one layout to another, and leaves the other places alone") {
    const kernel_table& table = *kernels_for(instruction_set::scalar);
    constexpr std::ptrdiff_t inputs = 11, outputs = 13, places = 29, first = 4, count = 20;
    detail::anchored_convolution p;
    std::vector<float> numbers(static_cast<std::size_t>(inputs * outputs));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 5) - 2;
    const tensor weights = tensor::of<float>({outputs, inputs, 1, 1}, numbers);
    p.weights = &weights;
    p.line = detail::channel_line::of(outputs, 2, 1);
    for (const layout& in : {layout::channels_blocked(8), layout::channels_last()})
        for (const layout& out : {layout::channels_blocked(8), layout::channels_last()}) {
            const image_order from = image_order::of(in, inputs, {1, 1, places}), to = image_order::of(out, outputs, {1, 1, places});
            const pointwise_stage s = pointwise_stage::of(p, table, from, to, count, {});
            REQUIRE_FALSE(s.filter.is_empty());
            CHECK(s.operations(count) == 2.0 * inputs * outputs * count);
            const std::vector<float> x = image(from);
            std::vector<float> y(static_cast<std::size_t>(to.image), -1000);
            const kernel_epilogue::ready last = s.after.at({});
            for (std::size_t panel = 0; panel < s.filter.count(); ++panel) {
                const auto channel = static_cast<std::ptrdiff_t>(panel * s.filter.width());
                float* at = y.data() + to.channel(channel) + first * to.stride[2];
                s.compute(panel, count, x.data() + first * from.stride[2], at, y.data(), last);
            }
            for (std::ptrdiff_t c = 0; c < to.stored(); ++c)
                for (std::ptrdiff_t place = 0; place < places; ++place) {
                    float wanted = c < outputs ? 1 : 0;
                    for (std::ptrdiff_t i = 0; i < inputs && c < outputs; ++i)
                        wanted += 2 * numbers[static_cast<std::size_t>(c * inputs + i)] * value(i, place);
                    if (place < first || place >= first + count) wanted = -1000;
                    CHECK(y[static_cast<std::size_t>(to.channel(c) + place * to.stride[2])] == wanted);
                }
        }
}
