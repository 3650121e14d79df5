// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/strip_layer.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a layer's operations are those of taps that stand in the image") {
    dsp_parts::strip_layer l;
    l.y = l.x = {4, 4, 3, 1, 1, 1};
    l.channels = 8;
    l.images = 2;
    CHECK(l.operations() == 2 * 10 * 10 * 8);
    CHECK(l.in_bytes() == 2 * 16 * 8);
    CHECK(l.has_sums());
    l.type = operand_type::floats;
    l.work = dsp_parts::strip_work::maximum;
    CHECK(l.out_bytes() == 2 * 16 * 8 * 4);
    CHECK_FALSE(l.has_sums());
}
