// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_shapes.hpp>

#include <span>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("the type of a reshape follows from newshape, or from an operand that is known [ops.relay.reshape]") {
    const node_type x = tensor_type(element_type::float32, {2, 3, 4}), codes = tensor_type(element_type::int64, {2});
    const tensor known = tensor::of({2}, std::vector<std::int64_t>{-3, 0});
    const node_type* types[] = {&x, &codes};
    const tensor *none[] = {nullptr, nullptr}, *constants[] = {nullptr, &known};
    const attribute_map how{{"newshape", std::vector<std::int64_t>{0, -3}}}, nothing;
    CHECK(to_string(*detail::infer_relay_reshape({"reshape", &how, std::span(types).first(1), std::span(none).first(1), 1})) ==
          "float32[2,12]");
    CHECK(to_string(*detail::infer_relay_reshape({"dyn.reshape", &nothing, types, constants, 1})) == "float32[6,4]");
    CHECK(to_string(*detail::infer_relay_reshape({"dyn.reshape", &nothing, types, none, 1})) == "float32[?,?]");
    const attribute_map wrong{{"newshape", std::vector<std::int64_t>{1, 1, 1, 0}}};
    CHECK(detail::infer_relay_reshape({"reshape", &wrong, std::span(types).first(1), std::span(none).first(1), 1})
              .failure()
              .message.starts_with("reshape has a newshape with 0 in it"));
}

TEST_CASE("a split of an open axis has open parts") {
    const node_type open = tensor_type(element_type::float32, {extent(), 4});
    const attribute_map how{{"indices_or_sections", std::vector<std::int64_t>{1}}};
    const node_type* types[] = {&open};
    const auto made = detail::infer_relay_split({"split", &how, types, {}, 2});
    REQUIRE(made);
    CHECK(to_string(*made) == "(float32[1,4], float32[?,4])");
}
