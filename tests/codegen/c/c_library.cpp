// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_library.hpp>

#include <doctest/doctest.h>

TEST_CASE("a library says how each of its functions is called") {
    inlay::c_library vendor = inlay::c_library{}.call("add", "vendor_add($0, $1)");
    vendor.call("mul", "vendor_mul($0, $1)");
    REQUIRE(vendor.calls.size() == 2);
    CHECK(vendor.calls[0].name == "add");
    CHECK(vendor.calls[1].text == "vendor_mul($0, $1)");
    CHECK(vendor.calls[1].before.empty());
}
