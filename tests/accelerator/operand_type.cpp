// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/operand_type.hpp>

#include <doctest/doctest.h>

TEST_CASE("floats have four bytes") {
    CHECK(inlay::bytes_of(inlay::operand_type::floats) == 4);
    CHECK(inlay::bytes_of(inlay::operand_type::signed_bytes) == 1);
}
