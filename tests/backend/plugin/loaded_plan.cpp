// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/loaded_plan.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/border_formats.hpp>

#include "table_of_test.hpp"

using namespace inlay;
using plugin_test::told;

TEST_CASE("an instance is closed and a plan released once, with the last of their owners") {
    told = {};
    const inlay_backend table = plugin_test::doubling();
    const plugin_test::doubled_region r;
    const std::vector<value_id> captures{0};
    {
        auto opened = loaded_instance::open(table, {});
        REQUIRE(opened);
        auto plan = loaded_plan::read(*opened, 0, r.view(), captures);
        REQUIRE(plan);
        const loaded_plan again = *plan;
        *opened = {};
        CHECK(told.closed == 0);
        REQUIRE(again.formats().size() == 2);
        CHECK(again.formats()[0] == border_formats{{format{}}, {format{}}});
        CHECK(again.formats()[1].inputs[0].order == layout::channels_last());
    }
    CHECK(told.opened == 1);
    CHECK(told.closed == 1);
    CHECK(told.read == 1);
    CHECK(told.released == 1);
}

TEST_CASE("a library's no is its sentence, and a plan whose formats are none is released") {
    told = {};
    const inlay_backend table = plugin_test::doubling();
    const plugin_test::doubled_region r;
    const auto opened = loaded_instance::open(table, {});
    REQUIRE(opened);
    const auto refused = loaded_plan::read(*opened, 0, r.view(), {});
    REQUIRE(!refused);
    CHECK(refused.failure().message == "x is not the input");
    CHECK(told.released == 0);
    told.lies_about_formats = true;
    const auto lies = loaded_plan::read(*opened, 0, r.view(), std::vector<value_id>{0});
    REQUIRE(!lies);
    CHECK(lies.failure().message == "it lists a format that is none, or of another element type than its tensor");
    CHECK(told.released == 1);
    told.refuses = true;
    CHECK(loaded_instance::open(table, {}).failure().message == "it is shut");
}

TEST_CASE("a library that lists no formats takes what stands plainly") {
    told = {};
    inlay_backend table = plugin_test::doubling();
    table.formats = nullptr;
    const plugin_test::doubled_region r;
    const auto opened = loaded_instance::open(table, {});
    REQUIRE(opened);
    const auto plan = loaded_plan::read(*opened, 0, r.view(), std::vector<value_id>{0});
    REQUIRE(plan);
    CHECK(plan->formats() == std::vector<border_formats>{plain_borders(r.view())});
}
