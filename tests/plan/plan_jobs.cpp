// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_jobs.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../runtime/toy_plan.hpp"

using namespace inlay;

TEST_CASE("the pieces of a plan are its candidates on their back ends, then its conversions") {
    std::size_t conversions = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 6);
        const plan p = toys::planned(m, toys::list());
        const std::vector<pricing_job> pieces = jobs_of(m, p);
        REQUIRE(pieces.size() == p.chosen.chosen.size() + p.cut.conversions.size());
        std::size_t next = 0;
        for (const std::size_t number : p.chosen.chosen) {
            const candidate& c = p.set.candidates[number];
            const pricing_job& job = pieces[next++];
            CHECK(job.what == pricing_job::subject::region);
            CHECK(job.backend == c.backend);
            CHECK(job.composite == c.composite);
            CHECK(job.name == c.name);
            CHECK(job.match == c.match.get());
            REQUIRE_FALSE(job.region.calls().empty());
            for (const region_value& v : job.region.calls()) {
                CHECK(std::find(c.nodes.begin(), c.nodes.end(), v.origin) != c.nodes.end());
                CHECK(v.op == m.op(v.origin));
            }
            CHECK(std::equal(job.region.input_formats.begin(), job.region.input_formats.end(), c.formats.inputs.begin(),
                             c.formats.inputs.end()));
        }
        for (const conversion& c : p.cut.conversions) {
            const pricing_job& job = pieces[next++];
            CHECK(job.what == pricing_job::subject::conversion);
            CHECK(job.from == c.from);
            CHECK(job.to == c.to);
            CHECK(job.type == m.type(c.tensor).of_tensor);
            ++conversions;
        }
    }
    CHECK(conversions > 5);
}
