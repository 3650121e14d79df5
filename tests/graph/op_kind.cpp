// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/op_kind.hpp>

#include <doctest/doctest.h>

using namespace inlay;

struct knows_nothing {
    op_kind operator()(int, node_id) const { return op_kind::opaque; }
};
struct knows_too_little {
    int operator()(int, node_id) const { return 0; }
};
static_assert(op_kind_source<knows_nothing, int> && !op_kind_source<knows_too_little, int> && !op_kind_source<int, int>);

TEST_CASE("kinds are ordered from the freest to the least free, and say their names [graph.op_kind.order]") {
    CHECK(op_kind::elementwise < op_kind::broadcast);
    CHECK(op_kind::broadcast < op_kind::injective);
    CHECK(op_kind::injective < op_kind::reduction);
    CHECK(op_kind::reduction < op_kind::anchor);
    CHECK(op_kind::anchor < op_kind::tuple);
    CHECK(op_kind::tuple < op_kind::opaque);
    CHECK(name_of(op_kind::elementwise) == "elementwise");
    CHECK(name_of(op_kind::anchor) == "anchor");
    CHECK(name_of(op_kind::opaque) == "opaque");
}
