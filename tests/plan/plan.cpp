// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

/// Prices conversions at a fixed number of seconds, and counts how often it was asked.
struct counting_meter {
    double seconds = 0.2;
    std::size_t asked = 0;

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        asked += jobs.size();
        const double sample[] = {seconds};
        return std::vector<measurement>(jobs.size(), measurement::of(sample));
    }
};

struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

}  // namespace

TEST_CASE("exact is what trying all covers finds, no other way to decide is cheaper, and every plan keeps the laws of a partition") {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 6);
        counting_meter meter;
        meter.seconds = 0.05 * (seed % 12);
        plan_options options;
        options.others = {partitioner::exhaustive(), partitioner::eager(), partitioner::single("chains"), partitioner::single("reference")};
        const auto made = make_plan(m, toys::list(), meter, no_bound(), options);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        CHECK(made->chosen.status == selection_status::optimal);
        REQUIRE(made->chosen.seconds.has_value());
        REQUIRE(made->others[0].seconds.has_value());
        CHECK(*made->others[0].seconds == doctest::Approx(*made->chosen.seconds));
        for (const contender& other : made->others) {
            CAPTURE(other.name);
            if (other.seconds) CHECK(*other.seconds >= *made->chosen.seconds - 1e-9);
            for (const law_check& l : verify(m, made->set, partition(m, made->set, other.chosen)))
                CHECK_MESSAGE((l.holds || !other.seconds), l.law, ": ", l.witness);
        }
        for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
        double sum = 0;
        for (const std::size_t c : made->chosen.chosen) sum += made->prices[c].median;
        for (const conversion& c : made->cut.conversions) {
            REQUIRE(made->conversions.contains(c));
            sum += made->conversions.at(c).median;
        }
        CHECK(sum == doctest::Approx(*made->chosen.seconds));
    }
}

TEST_CASE("larger programs keep the laws too, and a plan is the same on every run") {
    for (std::uint32_t seed = 100; seed < 110; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 60);
        counting_meter meter, again;
        const auto made = make_plan(m, toys::list(), meter, no_bound());
        const auto repeated = make_plan(m, toys::list(), again, no_bound());
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        REQUIRE(repeated.has_value());
        CHECK(made->chosen.chosen == repeated->chosen.chosen);
        CHECK(meter.asked == again.asked);
        for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
    }
}

TEST_CASE("equal conversions are priced once") {
    const ir_module m = toys::random_program(7, 40);
    counting_meter meter;
    meter.seconds = 0.01;
    REQUIRE(make_plan(m, toys::list(), meter, no_bound()).has_value());
    CHECK(meter.asked <= 2);  // there and back: all tensors have one type
}

TEST_CASE("a node that nobody takes is named, with the operator and what to do") {
    const auto sine = [](ir_builder& b, node_id x) { return b.call("onnx.Sin", {x}, {}, toys::image()); };
    const ir_module m = toys::program_of(toys::image(), sine);
    counting_meter meter;
    const auto made = make_plan(m, toys::list(), meter, no_bound());
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message == "no chosen back end takes node 1 (operator 'onnx.Sin'); add a back end that does");
    const auto hostile = [](ir_builder& b, node_id x) { return b.call("onnx.Sin", {x}, {}, toys::image(), "conv\n\x1b[2J\xff 1"); };
    const auto named = make_plan(toys::program_of(toys::image(), hostile), toys::list(), meter, no_bound());
    REQUIRE_FALSE(named.has_value());
    CHECK(named.failure().message ==
          "no chosen back end takes node 'conv\\x0a\\x1b[2J\\xff 1' (operator 'onnx.Sin'); add a back end that does");
}
