// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/type_terms.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

const node_type number = tensor_type(element_type::float32, shape{});
const node_type row = tensor_type(element_type::float32, {4});
const node_type open_row = tensor_type(element_type::float32, shape(1));

}  // namespace

TEST_CASE("variables become what they are made equal to") {
    type_terms t;
    const term_id a = t.variable(), b = t.variable();
    CHECK(t.unify(t.function({a, b}), t.of(node_type::function({number}, row))));
    CHECK(*t.resolved(a) == number);
    CHECK(*t.resolved(b) == row);
    CHECK_FALSE(t.unify(a, t.of(row)));
    CHECK_FALSE(t.unify(t.tuple({a}), t.reference(a)));
    CHECK_FALSE(t.unify(t.data("List", {a}), t.data("Tree", {a})));
}

TEST_CASE("extents that are open fit every number, and stay open") {
    type_terms t;
    const term_id open = t.of(open_row);
    CHECK(t.unify(open, t.of(row)));
    CHECK(*t.resolved(open) == open_row);
    CHECK(t.unify(open, t.of(tensor_type(element_type::float32, {5}))));
    CHECK_FALSE(t.unify(open, t.of(number)));
    CHECK_FALSE(t.unify(open, t.of(tensor_type(element_type::int32, {4}))));
}

TEST_CASE("values of one type or another have what both have in common") {
    type_terms t;
    CHECK(*t.resolved(*t.joined(t.of(row), t.of(tensor_type(element_type::float32, {5})))) == open_row);
    CHECK(*t.resolved(*t.joined(t.of(node_type::tuple({row, number})), t.of(node_type::tuple({open_row, number})))) ==
          node_type::tuple({open_row, number}));
    CHECK_FALSE(t.joined(t.of(row), t.of(tensor_type(element_type::int32, {4}))));
    CHECK_FALSE(t.joined(t.of(row), t.of(node_type::tuple({}))));
}

TEST_CASE("declared variables are chosen, or stand for themselves") {
    type_terms t;
    const node_type generic = node_type::function({node_type::variable("A")}, node_type::variable("A"));
    const term_id chosen = t.variable(), f = t.of(generic, {{"A", chosen}});
    CHECK(t.unify(t.fields(f)[0], t.of(row)));
    CHECK(*t.resolved(f) == node_type::function({row}, row));
    CHECK(*t.resolved(t.of(generic)) == generic);
    CHECK_FALSE(t.unify(t.of(node_type::variable("A")), t.of(node_type::variable("B"))));
}

TEST_CASE("a type that would hold itself is told") {
    type_terms t;
    const term_id a = t.variable();
    CHECK(t.unify(a, t.function({a, t.variable()})));
    CHECK(t.resolved(a).failure().message == "its type would hold itself, or is nested more than 2100 deep");
}
