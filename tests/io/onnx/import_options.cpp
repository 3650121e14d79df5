// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/import_options.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("by default no operators are asked, no folder is read, and programs are bounded") {
    const import_options options;
    CHECK((options.operators == nullptr));
    CHECK_FALSE(options.external_data.has_value());
    CHECK(options.most_nodes >= 1'000'000);
    CHECK(options.deepest >= 32);
}
