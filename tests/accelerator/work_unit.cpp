// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/work_unit.hpp>

#include <cstddef>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a set of units has those that were added") {
    unit_set units{work_unit::load, work_unit::finish};
    units.add(work_unit::store, false);
    CHECK(units == unit_set{work_unit::finish, work_unit::load});
    units.add(work_unit::store);
    for (std::size_t u = 0; u < work_units; ++u) {
        const auto unit = static_cast<work_unit>(u);
        CHECK(units.has(unit) == (name_of(unit) != "compute"));
    }
    CHECK(unit_set{} != units);
}
