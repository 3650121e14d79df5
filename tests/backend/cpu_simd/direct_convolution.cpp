// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/direct_convolution.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("an image is copied between zeros, or a part of it where pads are below zero") {
    for (const std::ptrdiff_t before : {1, 0, -1}) {
        CAPTURE(before);
        padded_copy c;
        c.from = image_order::of(layout::channels_last(), 2, {1, 3, 4});
        c.to = image_order::of(layout::channels_last(), 2, {1, 5, 6});
        c.before = {0, 1, before};
        c.images = 1;
        std::vector<float> x(24), y(c.bytes() / sizeof(float), -1);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
        c.run(x.data(), y.data(), {});
        for (std::ptrdiff_t h = 0; h < 5; ++h)
            for (std::ptrdiff_t w = 0; w < 6; ++w)
                for (std::ptrdiff_t k = 0; k < 2; ++k) {
                    const std::ptrdiff_t from_h = h - 1, from_w = w - before;
                    const bool inside = from_h >= 0 && from_h < 3 && from_w >= 0 && from_w < 4;
                    const float wanted = inside ? x[static_cast<std::size_t>((from_h * 4 + from_w) * 2 + k)] : 0;
                    CHECK(y[static_cast<std::size_t>((h * 6 + w) * 2 + k)] == wanted);
                }
    }
}
