// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_resize.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a resized element is made of the taps of its axes, whose weights are multiplied") {
    const op_definition definition{"onnx.Resize"};
    attribute_map a;
    a.set("mode", std::string("linear"));
    const node_type x{tensor_type(element_type::float32, {2, 2})}, none{tensor_type(element_type::float32, {0})},
        index{tensor_type(element_type::int64, {2})};
    const tensor sizes = tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{4, 2}), empty(element_type::float32, {0});
    const std::vector<const node_type*> types{&x, &none, &none, &index};
    const std::vector<const tensor*> values{nullptr, &empty, &empty, &sizes};
    sampled_tensor in(element_type::float32, {2, 2}), out(element_type::float32, {4, 2}), given(sizes);
    const sampled_call c{&definition, {"onnx.Resize", &a, types, values, 1}, {&in, nullptr, nullptr, &given}, {&out}};
    REQUIRE(detail::resize_terms::suits(c));
    const auto terms = detail::resize_terms::of(c);
    REQUIRE_MESSAGE(terms.has_value(), terms.failure().message);
    std::vector<std::int64_t> places;
    std::vector<double> weights;
    CHECK(terms->each(3, [&](std::int64_t at, double weight) {
        places.push_back(at);
        weights.push_back(weight);
    }));
    CHECK(places == std::vector<std::int64_t>{1, 3});
    CHECK(weights == std::vector<double>{0.75, 0.25});
    out.want(3);
    CHECK(detail::want_resized(c).has_value());
    CHECK(in.wanted() == std::vector<std::int64_t>{1, 3});
}
