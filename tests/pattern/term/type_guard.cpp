// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/type_guard.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using inlay::accepts;
using inlay::element_type;
using inlay::extent;
using inlay::extent_guard;
using inlay::node_type;
using inlay::tensor_type;
using inlay::type_guard;

namespace {
const std::vector<extent_guard> two_by_any{{2, {}}, {}};
const node_type unknown, unranked = tensor_type(element_type::float32), row = tensor_type(element_type::float32, {2, 3}),
                         deep = tensor_type(element_type::float32, {2, 3, 4}),
                         symbolic = tensor_type(element_type::float32, {extent(std::string("n")), 3});

type_guard shaped(const std::vector<extent_guard>& extents, bool open = false, element_type e = element_type::none) {
    return {type_guard::form::tensor, e, true, open, extents, {}};
}
}  // namespace

TEST_CASE("a guard that asks for nothing takes every type") {
    for (const node_type& t : {unknown, row, node_type::tuple({row}), node_type::function({}, row)}) CHECK(accepts(type_guard{}, t));
}

TEST_CASE("a tensor is asked for by element, by shape or by both") {
    const type_guard tensor{type_guard::form::tensor}, float32{type_guard::form::tensor, element_type::float32},
        int64{type_guard::form::tensor, element_type::int64};
    CHECK(accepts(tensor, unranked));
    CHECK_FALSE(accepts(tensor, unknown));
    CHECK_FALSE(accepts(tensor, node_type::tuple({row})));
    CHECK(accepts(float32, row));
    CHECK_FALSE(accepts(int64, row));
    CHECK(accepts(shaped(two_by_any), row));
    CHECK_FALSE(accepts(shaped(two_by_any), unranked));
    CHECK_FALSE(accepts(shaped(two_by_any), deep));
    CHECK(accepts(shaped(two_by_any, true), deep));
    CHECK_FALSE(accepts(shaped(two_by_any, true), node_type(tensor_type(element_type::float32, {2}))));
    CHECK_FALSE(accepts(shaped(two_by_any, false, element_type::int64), row));
}

TEST_CASE("an extent is a number, a symbol, or anything; a symbol is none that a number takes") {
    CHECK(accepts(extent_guard{}, extent(7)));
    CHECK(accepts(extent_guard{}, extent()));
    CHECK(accepts(extent_guard{7, {}}, extent(7)));
    CHECK_FALSE(accepts(extent_guard{7, {}}, extent()));
    CHECK(accepts(extent_guard{-1, "n"}, extent(std::string("n"))));
    CHECK_FALSE(accepts(extent_guard{-1, "n"}, extent(std::string("m"))));
    CHECK_FALSE(accepts(extent_guard{-1, "n"}, extent(3)));
    CHECK_FALSE(accepts(shaped(two_by_any), symbolic));
}

TEST_CASE("a tuple is asked for field by field") {
    const std::vector<type_guard> fields{{}, {type_guard::form::tensor, element_type::float32}};
    const type_guard closed{type_guard::form::tuple, element_type::none, false, false, {}, fields},
        open{type_guard::form::tuple, element_type::none, false, true, {}, fields};
    CHECK(accepts(closed, node_type::tuple({unknown, row})));
    CHECK_FALSE(accepts(closed, node_type::tuple({unknown, unknown})));
    CHECK_FALSE(accepts(closed, node_type::tuple({row, row, row})));
    CHECK(accepts(open, node_type::tuple({row, row, row})));
    CHECK_FALSE(accepts(open, node_type::tuple({row})));
    CHECK_FALSE(accepts(closed, row));
}
