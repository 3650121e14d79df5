// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/node_type.hpp>

#include <vector>

#include <doctest/doctest.h>

using inlay::element_type;
using inlay::node_type;
using inlay::tensor_type;

namespace {
const node_type row = tensor_type(element_type::float32, {1, 3});
const node_type open = tensor_type(element_type::float32, {inlay::extent("n")});
}  // namespace

TEST_CASE("types print in one line, whatever stands in them") {
    CHECK(to_string(node_type()) == "?");
    CHECK(to_string(row) == "float32[1,3]");
    CHECK(to_string(node_type::tuple({})) == "()");
    CHECK(to_string(node_type::tuple({row, open})) == "(float32[1,3], float32[n])");
    CHECK(to_string(node_type::function({row, row}, open)) == "fn(float32[1,3], float32[1,3]) -> float32[n]");
    CHECK(to_string(node_type::function({}, node_type::tuple({row}))) == "fn() -> (float32[1,3])");
    CHECK(to_string(node_type::reference(row)) == "ref(float32[1,3])");
    CHECK(to_string(node_type::data("List", {row})) == "List[float32[1,3]]");
    CHECK(to_string(node_type::data("Nat", {})) == "Nat");
}

TEST_CASE("a type is static where it is tensors of known shape all through") {
    CHECK(row.is_static());
    CHECK_FALSE(open.is_static());
    CHECK(node_type::tuple({}).is_static());
    CHECK(node_type::tuple({row, node_type::tuple({row})}).is_static());
    CHECK_FALSE(node_type::tuple({row, node_type::tuple({open})}).is_static());
    CHECK_FALSE(node_type::function({}, row).is_static());
    CHECK_FALSE(node_type::reference(row).is_static());
    CHECK_FALSE(node_type().is_static());
}

TEST_CASE("types are equal by their form and all that stands in them") {
    CHECK(node_type::tuple({row}) == node_type::tuple({row}));
    CHECK_FALSE(node_type::tuple({row}) == row);
    CHECK_FALSE(node_type::tuple({row, open}) == node_type::tuple({open, row}));
    CHECK_FALSE(node_type::tuple({row, open}) == node_type::function({row}, open));
    CHECK_FALSE(node_type::data("A", {}) == node_type::data("B", {}));
    CHECK(row.is_tensor());
    CHECK(node_type::tuple({}).is_tuple());
    CHECK_FALSE(node_type().is_tensor());
}

TEST_CASE("equal types share a number, and types that are met together have numbers of their own") {
    const std::vector<node_type> all{{},
                                     row,
                                     open,
                                     tensor_type(element_type::float32),
                                     tensor_type(element_type::float32, {3, 1}),
                                     tensor_type(element_type::float16, {1, 3}),
                                     tensor_type(element_type::float32, {inlay::extent("m")}),
                                     node_type::tuple({}),
                                     node_type::tuple({row, open}),
                                     node_type::tuple({open, row}),
                                     node_type::function({row}, open),
                                     node_type::reference(row),
                                     node_type::data("List", {row}),
                                     node_type::data("Tree", {row})};
    for (const node_type& a : all)
        for (const node_type& b : all) CHECK((hash_of(a) == hash_of(b)) == (a == b));
    CHECK(hash_of(row) == hash_of(node_type(tensor_type(element_type::float32, {1, 3}))));
}
