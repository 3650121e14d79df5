// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/meter.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// The least that models `meter`: everything takes a second.
struct archetype_meter {
    static std::vector<measurement> price(std::span<const pricing_job> jobs) {
        return std::vector<measurement>(jobs.size(), {1, 1, 0, 1, {}});
    }
};
struct no_meter {
    static int price(int) { return 0; }
};

}  // namespace

static_assert(meter<archetype_meter>);
static_assert(!meter<no_meter>);
static_assert(!std::constructible_from<progress_ref, int&>);

TEST_CASE("progress reaches the callable, and goes nowhere without one") {
    std::string seen;
    auto report = [&](std::string_view phase, std::size_t done, std::size_t total) {
        seen += std::string(phase) + " " + std::to_string(done) + "/" + std::to_string(total) + ";";
    };
    const progress_ref nowhere, somewhere(report);
    nowhere("measure", 1, 2);
    somewhere("measure", 2, 2);
    CHECK(seen == "measure 2/2;");
}

TEST_CASE("a meter behind a reference answers as it does itself, and keeps what it learns") {
    struct counting {
        std::size_t asked = 0;
        std::vector<inlay::measurement> price(std::span<const inlay::pricing_job> jobs) {
            asked += jobs.size();
            return std::vector<inlay::measurement>(jobs.size());
        }
    } own;
    static_assert(inlay::meter<inlay::meter_ref>);
    const inlay::meter_ref behind(own);
    const std::vector<inlay::pricing_job> jobs(3);
    CHECK(behind.price(jobs).size() == 3);
    CHECK(own.asked == 3);
}
