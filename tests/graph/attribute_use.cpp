// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/attribute_use.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("what is named without a value holds anything") {
    const attribute_use named{"axis", {}};
    CHECK_FALSE(named.form.has_value());
    const call_check none = [](std::string_view, std::span<const attribute_use> given, call_place) -> outcome<void> {
        return given.empty() ? outcome<void>() : outcome<void>(error{"has attributes"});
    };
    CHECK(none("any", {}, call_place::file));
    CHECK_FALSE(none("any", std::span(&named, 1), call_place::file));
}
