// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/loop_attributes.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a body is declared as a graph, and the rest of a Scan is read") {
    const attribute_table loop(declared_attributes<loop_attributes>), scan(declared_attributes<scan_attributes>);
    REQUIRE(loop.size() == 1);
    CHECK(loop[0].form == attribute_form::graph);
    CHECK(loop[0].need == attribute_need::required);
    CHECK(find_attribute(scan, "scan_input_axes")->form == attribute_form::integers);
    attribute_map given;
    given.set("num_scan_inputs", std::int64_t{2});
    given.set("scan_output_axes", std::vector<std::int64_t>{1, 0});
    CHECK(read<scan_attributes>(given).num_scan_inputs == 2);
    CHECK(read<scan_attributes>(given).scan_output_axes.size() == 2);
    CHECK(read<scan_attributes>(given).scan_input_axes.empty());
}
