// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_attribute.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("attributes are integers, floats, texts, truth values and lists") {
    const auto read = inlay::read_relay(
        "#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { my.op(%x, a=1, b=2f64, c=\"t\", d=True, e=[1, 2], f=-3) }");
    REQUIRE(read);
    const auto& a = read->attributes(read->result(read->main()));
    CHECK(a.integer("a", 0) == 1);
    CHECK(a.number("b", 0) == 2);
    CHECK(a.text("c", "") == "t");
    CHECK(a.integer("d", 0) == 1);
    CHECK(a.integers("e") == std::vector<std::int64_t>{1, 2});
    CHECK(a.integer("f", 0) == -3);
}
