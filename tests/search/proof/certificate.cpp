// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/certificate.hpp>

#include <doctest/doctest.h>

TEST_CASE("a certificate counts its prices") {
    inlay::certificate proof;
    CHECK(proof.prices() == 0);
    proof.steps.push_back({{{{1, 2}, {3}}, {{4, 5}, {6}}}, 0u});
    proof.steps.push_back({{{{7, 8}, {9}}}, {}});
    CHECK(proof.prices() == 9);
    CHECK(proof == inlay::certificate(proof));
}
