// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_element_type.hpp>

#include <doctest/doctest.h>

using namespace inlay;

static_assert(element_type_numbered(1) == element_type::float32 && element_type_numbered(7) == element_type::int64);
static_assert(!element_type_numbered(14) && !element_type_numbered(0) && !element_type_numbered(-1) && !element_type_numbered(21));
static_assert(onnx_number_of(element_type::bfloat16) == 16 && onnx_number_of(element_type::none) == 0);

TEST_CASE("Numbers and element types are each other's inverse") {
    for (int i = 1; i < 19; ++i) {
        const auto e = static_cast<element_type>(i);
        CHECK(element_type_numbered(onnx_number_of(e)) == e);
    }
}

TEST_CASE("An attribute says an element type by number or by name") {
    const attribute_map a{{"to", std::int64_t{9}}, {"dtype", std::string("float64")}, {"odd", 1.5}, {"bad", std::int64_t{99}}};
    CHECK(element_type_attribute(a, "to") == element_type::boolean);
    CHECK(element_type_attribute(a, "dtype") == element_type::float64);
    CHECK_FALSE(element_type_attribute(a, "odd").has_value());
    CHECK_FALSE(element_type_attribute(a, "bad").has_value());
    CHECK_FALSE(element_type_attribute(a, "none").has_value());
}
