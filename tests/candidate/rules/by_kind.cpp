// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/by_kind.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

static_assert(combiner<by_kind<op_kind::anchor, op_kind::broadcast>>);

namespace {
template <op_kind Up, op_kind Down>
std::string joined(const lettered_graph& g) {
    return texts(candidates_of(combine_rule<kind_rule<>, 0, by_kind<Up, Down>>{}, g, flow_of(g)).candidates);
}
}  // namespace

TEST_CASE("two that touch are joined where the upstream's kind and the downstream's are at most those named [candidate.combine.by-kind]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("A", {x}), e = g.add("E", {a});
    g.add("R", {e});
    CHECK(joined<op_kind::anchor, op_kind::elementwise>(g) == "{1} {2} {3} {1,2}");
    CHECK(joined<op_kind::anchor, op_kind::broadcast>(g) == "{1} {2} {3} {1,2}");
    CHECK(joined<op_kind::broadcast, op_kind::reduction>(g) == "{1} {2} {3} {2,3}");
    CHECK(joined<op_kind::injective, op_kind::injective>(g) == "{1} {2} {3}");
    CHECK(joined<op_kind::anchor, op_kind::anchor>(g) == "{1} {2} {3} {1,2} {2,3} {1..3}");
}

TEST_CASE("two that do not touch are not joined [candidate.combine.touching]") {
    lettered_graph g;
    const node_id x = g.add("x"), top = g.add("E", {x}), side = g.add("O", {top});
    g.add("E", {top, side});
    g.add("E", {x});
    CHECK(joined<op_kind::anchor, op_kind::anchor>(g) == "{1} {3} {4}");
}
