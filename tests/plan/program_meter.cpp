// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/program_meter.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
struct tells_nothing {};
}  // namespace

static_assert(program_meter<no_program_meter>);
static_assert(!program_meter<tells_nothing>);

TEST_CASE("without rehearsal there is one empty answer per cover") {
    const std::vector<std::vector<std::size_t>> covers{{0, 1}, {2}};
    const auto told = no_program_meter{}(candidate_set{}, covers);
    REQUIRE(told.size() == 2);
    for (const program_timing& r : told) {
        CHECK(r.candidates.empty());
        CHECK(r.conversions.empty());
        CHECK(r.failure.empty());
    }
}

TEST_CASE("a program meter behind a reference answers as it does itself") {
    struct counting {
        std::size_t programs = 0;
        std::vector<inlay::program_timing> operator()(const inlay::candidate_set&, std::span<const std::vector<std::size_t>> covers) {
            programs += covers.size();
            return std::vector<inlay::program_timing>(covers.size());
        }
    } own;
    static_assert(inlay::program_meter<inlay::program_meter_ref>);
    const inlay::program_meter_ref behind(own);
    const std::vector<std::vector<std::size_t>> covers(2);
    CHECK(behind(inlay::candidate_set{}, covers).size() == 2);
    CHECK(own.programs == 2);
}
