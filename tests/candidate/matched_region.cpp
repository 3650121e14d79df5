// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/matched_region.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>

#include "candidate/plan_backends.hpp"

using namespace inlay;

TEST_CASE("candidates that differ in formats alone share one match, and its content is that of the region") {
    const ir_module m = toys::random_program(3, 12);
    const candidate_set set = enumerate(m, toys::list());
    std::size_t shared = 0;
    for (std::size_t i = 0; i < set.candidates.size(); ++i) {
        const candidate& c = set.candidates[i];
        REQUIRE(c.match);
        CHECK(c.match->body.content().structure == content_of(c.view()).structure);
        CHECK(&c.match->body.content() == &c.match->body.content());
        if (i == 0) continue;
        const candidate& before = set.candidates[i - 1];
        const bool is_same = c.nodes == before.nodes && c.backend == before.backend && c.composite == before.composite;
        CHECK(is_same == (c.match.get() == before.match.get()));
        shared += is_same ? 1 : 0;
    }
    CHECK(shared > 0);
}

TEST_CASE("composites on the same nodes share the region and not the plan") {
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const candidate_set set = enumerate(m, backend_list<toys::two_ways>());
    REQUIRE(set.candidates.size() == 2);
    const matched_region &a = *set.candidates[0].match.get(), &b = *set.candidates[1].match.get();
    CHECK(a.body.view().values.data() == b.body.view().values.data());
    CHECK(a.plan.as<toys::relu_plan>() != b.plan.as<toys::relu_plan>());
}

TEST_CASE("what a candidate shows outlives the set that it was in") {
    const ir_module m = toys::random_program(5, 6);
    candidate kept;
    {
        const candidate_set set = enumerate(m, toys::list());
        kept = set.candidates.back();
    }
    CHECK(kept.view().calls().size() == kept.nodes.size());
    CHECK(kept.view().result_formats.size() == kept.results.size());
}
