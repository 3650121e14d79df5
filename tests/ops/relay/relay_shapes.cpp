// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_shapes.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("newshape keeps, takes what is left, and leaves open what is not known") {
    const tensor_type x(element_type::float32, {2, 3, 4}), open(element_type::float32, {2, extent(), 4});
    CHECK(*detail::relay_reshaped(x, {0, -1}) == shape{2, 12});
    CHECK(*detail::relay_reshaped(x, {-1, 4}) == shape{6, 4});
    CHECK(*detail::relay_reshaped(open, {0, -1}) == shape{2, extent()});
    CHECK_FALSE(detail::relay_reshaped(x, {-2}));
    CHECK_FALSE(detail::relay_reshaped(x, {1, 1, 1, 0}));
}

TEST_CASE("a split of an open axis has open parts") {
    const node_type open = tensor_type(element_type::float32, {extent(), 4});
    const attribute_map how{{"indices_or_sections", std::vector<std::int64_t>{1}}};
    const node_type* types[] = {&open};
    const auto made = detail::infer_relay_split({"split", &how, types, {}, 2});
    REQUIRE(made);
    CHECK(to_string(*made) == "(float32[1,4], float32[?,4])");
}
