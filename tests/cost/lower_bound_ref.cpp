// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/lower_bound_ref.hpp>

#include <string>

#include <doctest/doctest.h>

#include "sample_region.hpp"

using namespace inlay;

namespace {

/// Counts how often it is asked.
struct counting_bound {
    std::size_t regions = 0, conversions = 0;

    double operator()(const region_view& r) {
        ++regions;
        return static_cast<double>(r.calls().size());
    }
    float operator()(const tensor_type& type, const format&, const format& to) {
        ++conversions;
        return static_cast<float>(type.rank()) + (to == format{} ? 0.5f : 0.0f);
    }
};

}  // namespace

static_assert(lower_bound<counting_bound> && !lower_bound<std::string>);

TEST_CASE("a bound that is referred to is the one that is asked") {
    const sample::sample_region s = sample::example();
    counting_bound bound;
    const lower_bound_ref ref = bound;
    CHECK(ref(s.view()) == bound(s.view()));
    const tensor_type image(element_type::float32, {1, 2, 3});
    CHECK(ref(image, format{}, format{}) == 3.5);
    const lower_bound_ref copy = ref;
    CHECK(copy(image, format{}, plain_format(element_type::float32)) == (plain_format(element_type::float32) == format{} ? 3.5 : 3.0));
    CHECK(bound.regions == 2);
    CHECK(bound.conversions == 2);
}

TEST_CASE("a bound that is not to be changed and a function without a name serve as well") {
    const auto nothing = [](const auto&...) { return 0; };
    const lower_bound_ref ref = nothing;
    CHECK(ref(sample::example().view()) == 0);
}
