// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_binders.hpp>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("patterns bind their variables for their clause alone") {
    const std::string text =
        "#[version = \"0.0.5\"]\ntype P { B(int32, int32), }\ndef @main(%p: P) -> int32 { match (%p) { B(%a, _) => { %a }, } }";
    const auto read = inlay::read_relay(text);
    REQUIRE(read);
    CHECK(inlay_test::faults_of(
              "#[version = \"0.0.5\"]\ntype P { B(int32, int32), }\ndef @main(%p: P) -> int32 { match (%p) { B(%a) => { %a }, } }") != "");
    CHECK(inlay_test::faults_of("#[version = \"0.0.5\"]\ntype P { B(int32), C(int32), }\ndef @main(%p: P) -> int32 { match (%p) { B(%a) => "
                                "{ %a }, C(_) => { %a }, } }") != "");
}
