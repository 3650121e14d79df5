// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/version.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the version in the header is the version that Meson installs") {
    const std::string of_header =
        std::to_string(INLAY_VERSION_MAJOR) + "." + std::to_string(INLAY_VERSION_MINOR) + "." + std::to_string(INLAY_VERSION_PATCH);
    CHECK(of_header == INLAY_MESON_VERSION);
}
