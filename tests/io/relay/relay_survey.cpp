// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_survey.hpp>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("functions may be called before they stand in the text") {
    CHECK(inlay_test::faults_of(
              "#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { @later(%x) }\ndef @later(%x: float32) -> float32 { %x }") == "");
    CHECK(inlay_test::faults_of("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { @never(%x) }") != "");
}
