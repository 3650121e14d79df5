// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/strip_cut.hpp>

#include <cstdint>
#include <vector>

#include "strips.hpp"

#include <doctest/doctest.h>

using namespace dsp_test;

TEST_CASE("strips of a layer hold each element of its result once, and the rows that it reads [vector_dsp.strips]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const dsp_machine m = s.a_machine();
        const strip_layer l = s.a_layer();
        for (const strip_cut& c : strip_cuts_of(l, m)) {
            const strip_sizes sizes = strip_sizes::of(l, m, c);
            CHECK(sizes.bytes <= m.memory_bytes);
            std::vector<int> seen(static_cast<std::size_t>(l.images * l.y.out * l.channels));
            each_strip(l, c, [&](const strip& one) {
                CHECK(one.rows_in * l.x.in * one.channels * l.element() <= sizes.x_bytes);
                for (std::int64_t r = one.first_row; r < one.first_row + one.rows; ++r) {
                    for (std::int64_t ch = one.first_channel; ch < one.first_channel + one.channels; ++ch)
                        ++seen[static_cast<std::size_t>((one.image * l.y.out + r) * l.channels + ch)];
                    for (std::int64_t t = 0; t < l.y.taps; ++t) {
                        const std::int64_t in = l.y.place(r, t);
                        if (in >= 0 && in < l.y.in) CHECK((in >= one.first_in && in < one.first_in + one.rows_in));
                    }
                }
            });
            CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
        }
    }
    CHECK(to_string(strip_cut{4, 64}) == "rows 4, block 64");
}
