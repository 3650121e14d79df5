// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/apply_plan.hpp>

#include "planned.hpp"

using planned::check_plan;

TEST_CASE("each use has its own copy, unless copies are to be shared [placement.copies.each-use]") {
    const std::string text = R"(def @main(%x {virtual_device=[cpu]}: float32) -> float32 {
        %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]); %2 = multiply(%1, %1); on_device(%2, virtual_device=[gpu]) })";
    check_plan(text, R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
        %0 = negative(%x);
        %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
        %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
        %3 = on_device(%0, virtual_device=[cpu], constrain_result=True);
        %4 = device_copy(%3, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
        multiply(%2, %4) })");
    check_plan(text, R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
        %0 = negative(%x);
        %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
        %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
        multiply(%2, %2) })",
               {.share_copies = true});
}

TEST_CASE("a planned program has a place at every node, and no annotations [placement.copies.column]") {
    const auto m = planned::program(
        R"(def @main(%x: float32) -> float32 { %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]); negative(%1) })");
    const auto placed = inlay::plan_devices(m, planned::two_devices());
    REQUIRE(placed);
    for (inlay::node_id n = 0; n < placed->size(); ++n) {
        CHECK_FALSE(placed->where(n).is_free());
        CHECK(placed->op(n) != "on_device");
    }
}
