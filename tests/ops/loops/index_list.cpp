// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/index_list.hpp>

#include <doctest/doctest.h>

namespace {

using ints = std::vector<std::int64_t>;

inlay::outcome<inlay::index_list> read(const inlay::node_type& type, const inlay::tensor* value = nullptr) {
    static const inlay::attribute_map none;
    const inlay::node_type* types[] = {&type};
    const inlay::tensor* values[] = {value};
    return inlay::index_list_of({"onnx.Slice", &none, types, values, 1}, 0);
}

}  // namespace

TEST_CASE("A list of integers is known, or only its length is, or nothing") {
    const inlay::tensor value = inlay::tensor::of<std::int32_t>({2}, std::vector<std::int32_t>{4, -5});
    const auto known = read(value.type(), &value);
    REQUIRE(known);
    CHECK(known->present);
    CHECK(*known->values == ints{4, -5});
    CHECK(*known->count == 2);
    const auto counted = read(inlay::tensor_type(inlay::element_type::int64, {3}));
    CHECK(!counted->known());
    CHECK(*counted->count == 3);
    CHECK(!read(inlay::tensor_type(inlay::element_type::int64, {inlay::extent()}))->count);
    CHECK(!read(inlay::tensor_type(inlay::element_type::none))->count);
    CHECK(!read(inlay::node_type::tuple({}))->present);
    CHECK(!read(inlay::tensor_type(inlay::element_type::float32, {3})));
    CHECK(!read(inlay::tensor_type(inlay::element_type::int64, {3, 1})));
    CHECK(!read(inlay::tensor_type(inlay::element_type::int64, {1 << 20})));
}

TEST_CASE("Axes are counted from the front and named once") {
    const inlay::attribute_map none;
    const inlay::call_view call{"onnx.Slice", &none, {}, {}, 1};
    CHECK(*inlay::distinct_axes(call, {-1, 0}, 3) == std::vector<std::size_t>{2, 0});
    CHECK(inlay::distinct_axes(call, {-1, 2}, 3).failure().message == "Slice names axis 2 twice");
    CHECK(!inlay::distinct_axes(call, {3}, 3));
    CHECK(!inlay::distinct_axes(call, {INT64_MIN}, 3));
}
