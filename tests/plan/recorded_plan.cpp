// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/recorded_plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "planned.hpp"

#include <inlay/search/proof/certify.hpp>
#include <inlay/search/proof/verify_certificate.hpp>

using namespace inlay;

namespace {

const auto kind_text = [](backend_id b) { return std::string(toys::list().kind(b)); };

plan planned_with_proof(const ir_module& m) {
    plan_options options;
    options.keep_problem = true;
    options.others = {partitioner::eager(), partitioner::single("reference")};
    auto made = toys::planned(m, toys::list(), options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    made->proof = certify(made->stated->numbers, *made->chosen.lower_bound * (1 - certificate_slack));
    return *std::move(made);
}

}  // namespace

TEST_CASE("the plan of a plan's record has the same parts, conversions, prices and proof, and the same record again") {
    std::size_t proved = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 3 + seed % 9);
        const plan made = planned_with_proof(m);
        const plan_record record = record_of(m, made, kind_text, recorded_targets(toys::list()), true);
        CHECK(record.targets.size() == 2);
        const auto back = plan_of(record, m, enumerate(m, toys::list()), kind_text);
        REQUIRE_MESSAGE(back.has_value(), back.failure().message);
        CHECK(back->chosen.chosen == made.chosen.chosen);
        CHECK(back->cut.conversions == made.cut.conversions);
        CHECK(*back->chosen.seconds == *made.chosen.seconds);
        REQUIRE(back->cut.parts.size() == made.cut.parts.size());
        for (std::size_t i = 0; i < made.cut.parts.size(); ++i) {
            CHECK(back->cut.parts[i].owner == made.cut.parts[i].owner);
            CHECK(back->cut.parts[i].composites == made.cut.parts[i].composites);
            CHECK(back->cut.parts[i].nodes == made.cut.parts[i].nodes);
        }
        CHECK(record_of(m, *back, kind_text, recorded_targets(toys::list()), true) == record);
        if (!back->proof) continue;
        REQUIRE(back->stated.has_value());
        CHECK(verify_certificate(back->stated->numbers, *back->proof).fault == "");
        ++proved;
    }
    CHECK(proved > 10);
}

TEST_CASE("what a record names and the graph or the back ends do not have is told") {
    const ir_module m = toys::random_program(2, 6);
    const plan_record good = record_of(m, planned_with_proof(m), kind_text, {}, true);
    const auto fault_of = [&](const plan_record& r) {
        const auto back = plan_of(r, m, enumerate(m, toys::list()), kind_text);
        return back ? std::string() : back.failure().message;
    };
    CHECK(fault_of(good) == "");
    plan_record bad = good;
    bad.parts[0].nodes[0] = "nobody";
    CHECK(fault_of(bad).find("partitions[0].nodes names 'nobody', which the model does not compute") == 0);
    bad = good;
    bad.parts[0].composites[0].name = "nothing";
    CHECK(fault_of(bad).find("partitions[0].composites[0] is composite 'nothing' of '") == 0);
    bad = good;
    bad.parts.push_back({"reference", {}, {}});
    CHECK(fault_of(bad).find("has no composites; leave it out") != std::string::npos);
    bad = good;
    bad.conversions.push_back({"nobody", "float32:plain", "float32:plain", 1.0});
    CHECK(fault_of(bad).find("which no candidate of this model asks for") != std::string::npos);
    bad = good;
    bad.fallbacks = {"nobody"};
    CHECK(fault_of(bad).find("fallbacks names 'nobody'") == 0);
    bad = good;
    REQUIRE(bad.proof.has_value());
    bad.proof->costs.pop_back();
    CHECK(fault_of(bad).find("its proof has prices of ") == 0);
}

TEST_CASE("a plan belongs to the back ends, options and versions that it was made with") {
    plan_record r;
    r.targets = {{"onednn -winograd=false", "3.1"}, {"reference", "1"}};
    const std::vector<recorded_target> same{{"reference", "1"}, {"xnnpack", "2"}, {"onednn -winograd=false", "3.1"}};
    CHECK(same_targets(r, same));
    CHECK(same_targets({}, {}));
    const auto fault_of = [&](std::vector<recorded_target> here) { return same_targets(r, here).failure().message; };
    CHECK(
        fault_of({{"onednn", "3.1"}, {"reference", "1"}}) ==
        "the plan was made with 'onednn -winograd=false', and here it is 'onednn'; give the options with which the plan was made, or make "
        "it anew");
    CHECK(fault_of({{"onednn -winograd=false", "3.2"}, {"reference", "1"}}) ==
          "the plan was made with version '3.1' of 'onednn', and here it is version '3.2'; make the plan anew");
    CHECK(fault_of({{"onednn -winograd=false", "3.1"}}) ==
          "the plan was made with 'reference', which takes no part here; name it among the targets");
}
