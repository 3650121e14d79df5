// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/device_lattice.hpp>

#include <vector>

#include "planned.hpp"

using inlay::device_lattice;
using inlay::placement;
using planned::failure;

TEST_CASE("elements join where nothing contradicts, and what is open takes what is said [placement.lattice.join]") {
    device_lattice l(planned::two_devices());
    const auto named = planned::places();
    std::vector<device_lattice::element> all;
    for (const auto& [name, p] : named)
        if (name != "other") all.push_back(*l.of(p));
    for (const auto& a : all)
        for (const auto& b : all) {
            CHECK(l.clash(a, b) == l.clash(b, a));
            if (l.clash(a, b) != 0) continue;
            auto ab = a, ba = b;
            l.join(ab, b, device_lattice::all);
            l.join(ba, a, device_lattice::all);
            CHECK(ab == ba);
            CHECK(l.clash(ab, a) == 0);
            for (const auto& c : all) {
                auto abc = ab, bc = b;
                if (l.clash(b, c) != 0 || l.clash(ab, c) != 0) continue;
                l.join(bc, c, device_lattice::all);
                if (l.clash(a, bc) != 0) continue;
                l.join(abc, c, device_lattice::all);
                l.join(bc, a, device_lattice::all);
                CHECK(abc == bc);
            }
        }
    for (const auto& a : all) {
        auto with_free = a;
        l.join(with_free, l.free(), device_lattice::all);
        CHECK(with_free == a);
    }
}

TEST_CASE("a device type alone stands for its least specialised target [placement.lattice.device-type]") {
    device_lattice l(planned::two_devices());
    const auto named = planned::places();
    CHECK(*l.of(placement::on(inlay::device_type::cuda)) == *l.of(named[1].second));
    CHECK(l.placement_of(*l.of(placement::on(inlay::device_type::cuda))) == named[1].second);
}

TEST_CASE(
    "targets are equal by what they are, and one of another configuration of its kind is another [placement.lattice.targets-by-value]") {
    device_lattice l(planned::two_devices());
    const placement one = planned::places()[1].second, same = one, big = planned::places()[12].second;
    CHECK(*l.of(one) == *l.of(same));
    CHECK(l.clash(*l.of(one), *l.of(big)) == device_lattice::target);
    CHECK(l.placement_of(*l.of(big)) == big);
}

TEST_CASE("a device type that no target has is a failure [placement.lattice.no-target]") {
    CHECK(failure("def @main(%x {virtual_device=[other]}: float32) -> float32 { negative(%x) }") ==
          "a value is to be on a device of type ext_dev, and no target has that; name one with --target");
}

TEST_CASE("a memory scope is part of a place: two on one device need a copy, an open one takes the other [placement.lattice.scope]") {
    planned::check_plan(
        R"(def @main(%x {virtual_device=[cpu.near]}: float32, %y {virtual_device=[cpu.far]}: float32) -> float32 {
                             %0 = on_device(%x, virtual_device=[cpu.near]); add(%0, %y) })",
        R"(def @main(%x {virtual_device=[cpu.near]}: float32, %y {virtual_device=[cpu.far]}: float32, virtual_device=[cpu.far]) -> float32 {
                             %0 = device_copy(%x, src_virtual_device=[cpu.near], dst_virtual_device=[cpu.far]); add(%0, %y) })");
    planned::check_plan(
        R"(def @main(%x {virtual_device=[cpu.near]}: float32, %y {virtual_device=[cpu]}: float32) -> float32 { add(%x, %y) })",
        R"(def @main(%x {virtual_device=[cpu.near]}: float32, %y {virtual_device=[cpu.near]}: float32, virtual_device=[cpu.near]) -> float32 { add(%x, %y) })");
}

TEST_CASE("what is left open is taken over as far as it fits [placement.lattice.fill]") {
    device_lattice l(planned::two_devices());
    auto scope_only = *l.of(placement::in_scope("near"));
    l.fill(scope_only, *l.of(planned::places()[0].second));
    CHECK(l.placement_of(scope_only) == planned::places()[5].second);
    // A target of another device type is not taken, and then the device type's own stands.
    auto gpu = *l.of(placement::on(inlay::device_type::cuda));
    l.fill(gpu, l.host());
    CHECK(l.placement_of(gpu) == planned::places()[1].second);
    auto only_cpu = l.among([](const inlay::target_instance& t) { return t.device == inlay::device_type::cpu; });
    l.fill(only_cpu, l.otherwise());
    CHECK(l.placement_of(only_cpu).device == inlay::device_type::cpu);
    CHECK(l.is_whole(only_cpu));
}
