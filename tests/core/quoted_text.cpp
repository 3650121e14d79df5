// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/quoted_text.hpp>

#include <string>

#include <doctest/doctest.h>

using inlay::quoted_text;

TEST_CASE("a plain text stands in quotes") {
    CHECK(quoted_text("conv1") == "'conv1'");
    CHECK(quoted_text("") == "''");
    CHECK(quoted_text("größe") == "'größe'");
}

TEST_CASE("whatever stands in a text, the message stays one line") {
    CHECK(quoted_text("a\nb\x1B[31m\x7F") == "'a\\x0ab\\x1b[31m\\x7f'");
    CHECK(quoted_text(std::string("a\0b", 3)) == "'a\\x00b'");
}

TEST_CASE("a long text is cut") {
    CHECK(quoted_text(std::string(1000, 'x'), 5) == "'xxxxx...'");
    CHECK(quoted_text(std::string(5, 'x'), 5) == "'xxxxx'");
}
