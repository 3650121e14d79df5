// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_nodes.hpp>

#include <doctest/doctest.h>

#include "reading.hpp"

TEST_CASE("nodes keep where they were written") {
    const auto read = inlay::read_relay("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 {\n  negative(%x)\n}");
    REQUIRE(read);
    CHECK(read->position(read->result(read->main())) == inlay::source_position{3, 3});
    CHECK(read->position(read->inputs()[0]).line == 2);
}
