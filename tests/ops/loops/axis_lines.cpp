// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/axis_lines.hpp>

#include <set>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("The lines along each axis hold every element once") {
    const std::vector<std::int64_t> extents{2, 3, 4};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const axis_lines lines = axis_lines::of(extents, axis);
        CHECK(lines.length == extents[axis]);
        CHECK(lines.count() * lines.length == 24);
        std::set<std::int64_t> seen;
        for (std::int64_t line = 0; line < lines.count(); ++line)
            for (std::int64_t i = 0; i < lines.length; ++i) seen.insert(lines.begin(line) + i * lines.step);
        CHECK(seen.size() == 24);
        CHECK(*seen.rbegin() == 23);
    }
    CHECK(axis_lines::of(extents, 1).begin(1) == 1);
    CHECK(axis_lines::of(extents, 1).begin(4) == 12);
}
