// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/dma.hpp>

#include <doctest/doctest.h>

TEST_CASE("a transfer takes its latency and a beat for each part of a row") {
    const inlay::dma_engine dma{8, 20};
    CHECK(dma.cycles(1, 8) == 21);
    CHECK(dma.cycles(3, 9) == 26);
    CHECK(dma.least_cycles(27) == 4);
}
