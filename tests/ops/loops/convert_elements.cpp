// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/convert_elements.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Integers go through any type that holds them and come back") {
    CHECK(rc::check("there and back", [] {
        const auto values = *rc::gen::container<ints>(rc::gen::inRange<std::int64_t>(0, 127));
        const tensor x = list(values);
        for (const element_type e : {element_type::float16, element_type::bfloat16, element_type::float32, element_type::float64,
                                     element_type::int8, element_type::uint8, element_type::int16, element_type::uint16,
                                     element_type::int32, element_type::uint32, element_type::uint64, element_type::int64}) {
            const auto there = convert_elements(x, e);
            RC_ASSERT(there.has_value());
            RC_ASSERT(there->element() == e);
            const auto back = convert_elements(*there, element_type::int64);
            RC_ASSERT(back.has_value());
            RC_ASSERT(elements_of<std::int64_t>(*back) == values);
        }
    }));
}

TEST_CASE("What cannot be converted is nothing") {
    CHECK_FALSE(convert_elements(list(ints{1}), element_type::string).has_value());
    CHECK_FALSE(convert_elements(list(ints{1}), element_type::none).has_value());
    CHECK_FALSE(convert_elements(tensor(), element_type::float32).has_value());
}

TEST_CASE("The same type is the same tensor") {
    const tensor x = list(ints{1, 2});
    CHECK(convert_elements(x, element_type::int64)->data() == x.data());
    CHECK(convert_elements(tensor(element_type::int64, {3, 0}), element_type::int8)->extents() == ints{3, 0});
}
