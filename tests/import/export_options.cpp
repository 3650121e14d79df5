// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/import/export_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("unless told otherwise, the whole main function is written, under a name that graphs must have") {
    const inlay::export_options options;
    CHECK(options.region.empty());
    CHECK_FALSE(options.name.empty());
}
