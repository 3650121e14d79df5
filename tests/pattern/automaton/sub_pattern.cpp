// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/sub_pattern.hpp>

#include <doctest/doctest.h>

#include "graph/two_vectors.hpp"
#include "pattern/random_terms.hpp"

using namespace inlay;

TEST_CASE("a question is answered at a node as a matcher would; a graph that does not know says no") {
    kinds_graph g;
    kinds_graph::node call{node_kind::call, "f", {}, tensor_type(element_type::float32), {}, {}, 0};
    call.attributes.set("axis", std::int64_t{1});
    kinds_graph::node constant{node_kind::constant, "", {}, {}, {}, tensor::scalar(2.0f), 0};
    kinds_graph::node projection{node_kind::projection, "", {0}, {}, {}, {}, 3};
    g.nodes = {call, constant, projection};

    static constexpr std::int64_t one[] = {1};
    const attribute_guard axis{"axis", attribute_guard::form::integer, one, {}, {}},
        none{"axis", attribute_guard::form::absent, {}, {}, {}};
    CHECK(holds({nullptr, &axis, true}, g, 0));
    CHECK_FALSE(holds({nullptr, &axis, true}, g, 1));
    CHECK(holds({nullptr, &none, true}, g, 1));

    pattern_term two, floats, third;
    two.kind = term_kind::literal;
    two.number = 2;
    const type_guard guard{type_guard::form::tensor, element_type::float32};
    floats.kind = term_kind::type;
    floats.type = &guard;
    third.kind = term_kind::node;
    third.place = 3;
    CHECK(holds({&two, nullptr}, g, 1));
    CHECK_FALSE(holds({&two, nullptr}, g, 0));
    CHECK(holds({&floats, nullptr}, g, 0));
    CHECK_FALSE(holds({&floats, nullptr}, g, 1));
    CHECK(holds({&third, nullptr}, g, 2));
    CHECK_FALSE(holds({&third, nullptr}, g, 0));

    two_vectors plain;
    plain.add("x");
    CHECK_FALSE(holds({nullptr, &none, true}, plain, 0));
    for (const pattern_term* t : {&two, &floats, &third}) CHECK_FALSE(holds({t, nullptr}, plain, 0));
}

TEST_CASE("a view tells the children and the names of a sub-pattern") {
    const std::uint32_t links[] = {4, 5, 6, 7};
    sub_pattern s;
    s.first = 1;
    s.count = 2;
    s.first_name = 3;
    s.names = 1;
    const sub_pattern forms[] = {s};
    const sub_pattern_view v{forms, links, {}, {}, {}};
    REQUIRE(v.children(0).size() == 2);
    CHECK(v.children(0)[0] == 5);
    REQUIRE(v.names_of(0).size() == 1);
    CHECK(v.names_of(0)[0] == 7);
}
