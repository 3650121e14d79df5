// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_types.hpp>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("types of every form are read") {
    const auto read = inlay::read_relay(
        "#[version = \"0.0.5\"]\ntype Box[A] { Full(A), }\n"
        "def @main(%a: Tensor[(2, ?), float32], %b: (int8, ()), %c: fn (bool) -> ref(int64), %d: Box[float16]) -> int8 { %b.0 }");
    REQUIRE(read);
    CHECK(to_string(read->type(read->main())) == "fn(float32[2,?], (int8[], ()), fn(bool[]) -> ref(int64[]), Box[float16[]]) -> int8[]");
    CHECK(inlay_test::faults_of("#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(2), floaty]) -> int8 { 1i8 }") != "");
}
