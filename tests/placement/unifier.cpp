// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/unifier.hpp>

#include "planned.hpp"

using inlay::device_lattice;
using inlay::placement;

TEST_CASE("variables that are equal say the same, and contradictions change nothing [placement.unify.classes]") {
    device_lattice l(planned::two_devices());
    inlay::unifier<device_lattice> u(l, 5);
    const auto cpu = *l.of(placement::on(inlay::device_type::cpu)), gpu = *l.of(placement::on(inlay::device_type::cuda));
    CHECK(u.unite(0, 1));
    CHECK(u.unite(1, 2));
    CHECK(u.bind(2, cpu));
    CHECK(u.of(0) == cpu);
    CHECK(u.bind(3, gpu));
    CHECK_FALSE(u.unite(3, 0));
    CHECK_FALSE(u.bind(1, gpu));
    CHECK(u.of(3) == gpu);
    CHECK(u.of(1) == cpu);
    CHECK(u.of(4) == l.free());
    CHECK(u.find(0) == u.find(2));
}

TEST_CASE("two variables may be on one device in different memories [placement.unify.components]") {
    device_lattice l(planned::two_devices());
    inlay::unifier<device_lattice> u(l, 3);
    const unsigned all_but_scope = device_lattice::all & ~static_cast<unsigned>(device_lattice::scope);
    CHECK(u.bind(0, *l.of(placement::in_scope("near"))));
    CHECK(u.bind(1, *l.of(placement::in_scope("far"))));
    CHECK(u.link(0, 1, all_but_scope));
    CHECK(u.unite(1, 2));
    CHECK(u.bind(2, *l.of(placement::on(inlay::device_type::cuda))));
    CHECK(l.placement_of(u.of(0)).device == inlay::device_type::cuda);
    CHECK(l.placement_of(u.of(0)).scope == "near");
    CHECK(l.placement_of(u.of(1)).scope == "far");
    CHECK_FALSE(u.bind(0, *l.of(placement::on(inlay::device_type::cpu))));
}
