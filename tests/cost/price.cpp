// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/price.hpp>

#include <doctest/doctest.h>

#include "sample_region.hpp"

using namespace inlay;

namespace {

/// Knows its prices itself, for regions of up to three calls.
struct tabled {
    static std::optional<double> price(const region_view& r) {
        if (r.calls().size() > 3) return std::nullopt;
        return 1e-6 * static_cast<double>(r.calls().size());
    }
};
struct silent {};
struct wordy {
    static const char* price(const region_view&) { return "cheap"; }
};

}  // namespace

static_assert(has_price<tabled>);
static_assert(!has_price<silent>);
static_assert(!has_price<wordy>);

TEST_CASE("a back end gives a price where it knows one, and nothing where the region is to be measured") {
    const sample::sample_region s = sample::example();
    CHECK_FALSE(tabled::price(s.view()).has_value());
    region_view small = s.view();
    small.values = small.values.first(8);
    CHECK(tabled::price(small) == 2e-6);
}
