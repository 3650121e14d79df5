// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/operator_attributes.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct turn {
    static constexpr std::string_view operators[] = {"my.Turn"};
    std::int64_t times = 3;
    double angle = 0.25;
    using attributes = attribute_list<attribute_member<"times", &turn::times>, attribute_member<"angle", &turn::angle>>;
};

}  // namespace

TEST_CASE("attributes of a value of a region are read one by one and all at once") {
    attribute_map given;
    given.set("times", std::int64_t{7});
    region_value call;
    call.attributes = &given;
    CHECK(attr<&turn::times>(call) == 7);
    CHECK(attr<&turn::angle>(call) == 0.25);
    CHECK(read<turn>(call).times == 7);
    CHECK(read<turn>(call).angle == 0.25);
}
