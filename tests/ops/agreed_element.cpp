// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/agreed_element.hpp>

#include <doctest/doctest.h>

TEST_CASE("Operands agree on one element type, those left out or unknown having no say") {
    using enum inlay::element_type;
    const inlay::attribute_map none_set;
    const inlay::node_type a = inlay::tensor_type(float32), b = inlay::tensor_type(none), c = inlay::tensor_type(float64),
                           left_out = inlay::node_type::tuple({});
    const inlay::node_type* types[] = {&b, &a, &left_out, &c};
    const inlay::call_view call{"onnx.Conv", &none_set, types, {}, 1};
    const inlay::element_mask floats = inlay::elements(inlay::floating_scalars());
    CHECK(*inlay::agreed_element(call, {0, 1, 2}, floats) == float32);
    CHECK(*inlay::agreed_element(call, {0, 2, 9}, floats) == none);
    CHECK(inlay::agreed_element(call, {1, 3}, floats).failure().message.find("float32 and float64") != std::string::npos);
    CHECK(!inlay::agreed_element(call, {1}, inlay::elements(inlay::integer_scalars())));
}
