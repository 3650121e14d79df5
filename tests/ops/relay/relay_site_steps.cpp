// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_site_steps.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/relay/relay_value_site.hpp>

using namespace inlay;

TEST_CASE("numbers become a tensor where its element type can represent them") {
    const auto whole = detail::relay_tensor(element_type::int8, {2}, {-128, 127});
    REQUIRE(whole);
    CHECK(whole->as<std::int8_t>()[0] == -128);
    CHECK_FALSE(detail::relay_tensor(element_type::int8, {1}, {128}));
    CHECK_FALSE(detail::relay_tensor(element_type::int32, {1}, {0.5}));
    CHECK_FALSE(detail::relay_tensor(element_type::float32, {2}, {0.5}));
    CHECK(detail::relay_tensor(element_type::float32, {}, {0.1})->as<float>()[0] == 0.1f);
}

TEST_CASE("a site makes casts, shapes and orders in few steps, and refuses in one sentence") {
    const node_type x = tensor_type(element_type::float32, {2, 3});
    const node_type* types[] = {&x};
    const tensor* constants[] = {nullptr};
    const attribute_map how{{"layout", std::string("ABC")}, {"axis", std::int64_t{-1}}};
    detail::relay_value_site s({"mine.Op", &how, types, constants, 1}, {}, 0);
    CHECK(s.rank() == 2);
    CHECK(s.extent_of(0, 1) == extent(3));
    CHECK(s.axis("axis", 0) == std::optional<std::size_t>(1));
    CHECK(s.cast(s.operand(0), element_type::float32) == s.operand(0));
    CHECK(s.type(s.cast(s.operand(0), element_type::int8)).element == element_type::int8);
    CHECK(to_string(s.result_type(s.transposed(s.operand(0), {1, 0}))) == "float32[3,2]");
    CHECK(to_string(s.result_type(s.shape_of(s.operand(0)))) == "int64[2]");
    CHECK(to_string(s.result_type(s.scalar(s.list({7})))) == "int64[]");
    CHECK(s.refuse_attribute("layout", "ABD") == no_node);
    CHECK(s.wrong()->message == "mine.Op has layout 'ABC', and the rules know ABD");
}
