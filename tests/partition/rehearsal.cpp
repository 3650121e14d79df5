// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/rehearsal.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
struct tells_nothing {};
}  // namespace

static_assert(rehearser<no_rehearsal>);
static_assert(!rehearser<tells_nothing>);

TEST_CASE("without rehearsal there is one empty answer per cover") {
    const std::vector<std::vector<std::size_t>> covers{{0, 1}, {2}};
    const auto told = no_rehearsal{}(candidate_set{}, covers);
    REQUIRE(told.size() == 2);
    for (const rehearsal& r : told) {
        CHECK(r.candidates.empty());
        CHECK(r.conversions.empty());
        CHECK(r.failure.empty());
    }
}
