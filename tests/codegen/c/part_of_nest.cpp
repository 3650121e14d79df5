// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/part_of_nest.hpp>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

using namespace inlay;

TEST_CASE("a nest is a function of its name, and what it calls stands beside it [c.part]") {
    region_nest n{nests::parsed("nest double { input x: int32[4] output y: int32[4] for i < 4 { y[i] = max(x[i], x[0]) } }"), {}};
    n.constants.push_back(tensor::scalar(1.0f));
    const auto part = part_of_nest(n);
    REQUIRE(part);
    CHECK(part->name == "double_");
    CHECK(part->text.find("static void double_(const int32_t* restrict x, int32_t* restrict y) {") == 0);
    REQUIRE(part->needs.size() == 1);
    CHECK(part->needs[0].find("inlay_max_int32") != std::string::npos);
    CHECK(part->constants.size() == 1);
    CHECK(part->workspace_bytes == 0);
}
