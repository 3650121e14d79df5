// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/broadcasting.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

/// Element `at` (one index per axis of the result) of an operand, by NumPy's definition: axes aligned at the end, extent 1 read at 0.
static float read(const tensor& t, const ints& at) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < t.rank(); ++i) {
        const std::int64_t extent = t.extents()[i], index = at[at.size() - t.rank() + i];
        place = place * extent + (extent == 1 ? 0 : index);
    }
    return t.as<float>()[static_cast<std::size_t>(place)];
}

static ints index_of(std::size_t flat, const ints& extents) {
    ints at(extents.size());
    for (std::size_t i = extents.size(); i-- > 0;) {
        at[i] = static_cast<std::int64_t>(flat) % extents[i];
        flat /= static_cast<std::size_t>(extents[i]);
    }
    return at;
}

/// A shape that can be stretched to `whole`: leading axes dropped, some axes 1.
static ints part_of(const ints& whole) {
    ints part(whole.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(whole.size()) + 1), whole.end());
    for (std::int64_t& e : part)
        if (*rc::gen::arbitrary<bool>()) e = 1;
    return part;
}

TEST_CASE("Stretching equals its definition on random shapes") {
    CHECK(rc::check("two operands", [] {
        const ints whole = *rc::gen::container<ints>(*rc::gen::inRange<std::size_t>(0, 5), rc::gen::inRange<std::int64_t>(1, 4));
        const tensor x = noise(part_of(whole), 1), y = noise(part_of(whole), 2);
        const tensor z = result<onnx_arithmetic<>>("onnx.Sub", {x, y});
        RC_ASSERT(z.ok());
        for (std::size_t i = 0; i < z.count(); ++i) {
            const ints at = index_of(i, z.extents());
            RC_ASSERT(z.as<float>()[i] == read(x, at) - read(y, at));
        }
    }));
    CHECK(rc::check("three operands", [] {
        const ints whole = *rc::gen::container<ints>(*rc::gen::inRange<std::size_t>(0, 5), rc::gen::inRange<std::int64_t>(1, 4));
        const tensor c = noise(part_of(whole), 3), x = noise(part_of(whole), 1), y = noise(part_of(whole), 2);
        tensor condition(element_type::boolean, c.extents());
        for (std::size_t i = 0; i < c.count(); ++i) condition.as<bool>()[i] = c.as<float>()[i] > 0;
        const tensor z = result<onnx_clip_and_where<>>("onnx.Where", {condition, x, y});
        RC_ASSERT(z.ok());
        for (std::size_t i = 0; i < z.count(); ++i) {
            const ints at = index_of(i, z.extents());
            RC_ASSERT(z.as<float>()[i] == (read(c, at) > 0 ? read(x, at) : read(y, at)));
        }
    }));
}

TEST_CASE("Shapes that do not fit are no shape") {
    CHECK_FALSE(stretched_shape(ints{2, 3}, ints{2}).has_value());
    CHECK(stretched_shape(ints{2, 1}, ints{0}) == ints{2, 0});
    CHECK_FALSE(stretched_shape(shape{extent(2)}, shape{extent(3)}).has_value());
    CHECK(stretched_extent(symbol("n"), symbol("n")) == symbol("n"));
    CHECK(stretched_extent(extent(1), symbol("n")) == symbol("n"));
    CHECK(stretched_extent(extent(0), symbol("n")) == extent(0));
}
