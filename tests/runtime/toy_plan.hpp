// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_RUNTIME_TOY_PLAN_HPP
#define INLAY_TESTS_RUNTIME_TOY_PLAN_HPP

#include <random>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/pipeline.hpp>

namespace toys {

struct even_meter {
    [[nodiscard]] std::vector<inlay::measurement> price(std::span<const inlay::pricing_job> jobs) const {
        const double sample[] = {0.03};
        return std::vector<inlay::measurement>(jobs.size(), inlay::measurement::of(sample));
    }
};

struct nothing_costs_less_than_nothing {
    double operator()(const inlay::region_view&) const { return 0; }
    double operator()(const inlay::tensor_type&, const inlay::format&, const inlay::format&) const { return 0; }
};

/// A plan where everything that is measured costs the same, with `eager` and each single back end beside it.
template <class List>
inlay::plan planned(const inlay::ir_module& m, const List& backends) {
    even_meter meter;
    inlay::plan_options options;
    options.others = {inlay::partitioner::eager(), inlay::partitioner::single("reference")};
    auto made = inlay::make_plan(m, backends, meter, nothing_costs_less_than_nothing{}, options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

/// An image of eighths between -1 and 1, which sums of a few keep exactly.
inline inlay::tensor random_image(std::mt19937& random) {
    inlay::tensor t(inlay::element_type::float32, inlay::static_shape(image()));
    for (float& v : t.as<float>()) v = static_cast<float>(static_cast<int>(random() % 17)) / 8.0f - 1.0f;
    return t;
}

}  // namespace toys

#endif
