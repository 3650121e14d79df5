// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_parser.hpp>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("a value with a number is one node, wherever it is used") {
    const auto read = inlay::read_relay("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { %0 = negative(%x); add(%0, %0) }");
    REQUIRE(read);
    const auto& m = *read;
    const auto sum = m.result(m.main());
    CHECK(m.operand(sum, 0) == m.operand(sum, 1));
    CHECK(inlay_test::faults_of("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { %0 = negative(%x); %0 = exp(%x); %0 }") != "");
}
