// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/composite_entry.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>

#include "candidate/plan_backends.hpp"

using namespace inlay;

namespace {

using forwards = detail::composite_entry<
    toys::two_ways, std::remove_cvref_t<decltype(composite<"relu">(dsl::op<"onnx.Relu">(dsl::as<"x">), toys::relu_entry<false>{}))>>;
using of_region = detail::composite_entry<toys::rows, std::remove_cvref_t<decltype(composite<"relu">(dsl::op<"onnx.Relu">))>>;

static_assert(forwards::reads && forwards::has_formats && forwards::has_price && forwards::has_lower_bound && forwards::has_emit);
static_assert(std::is_same_v<forwards::plan, toys::relu_plan>);
static_assert(!of_region::reads && !of_region::has_formats && !of_region::has_emit);
static_assert(!has_joined_entry<toys::two_ways> && has_joined_entry<toys::joining>);

struct twice : toys::rows {
    static constexpr std::string_view kind = "twice";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"relu">(op<"onnx.Relu">), composite<"any">(any_call));
    }
};

ir_module two_relus() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id first = b.call("onnx.Relu", {x}, {}, toys::image(), "first");
        return b.call("onnx.Relu", {first}, {}, toys::image(), "second");
    });
}

}  // namespace

TEST_CASE("composites that make code of their own are several candidates on the same nodes, each with its plan") {
    const ir_module m = two_relus();
    const candidate_set set = enumerate(m, backend_list<toys::two_ways>());
    REQUIRE(set.candidates.size() == 4);
    for (const candidate& c : set.candidates) {
        CAPTURE(c.name);
        REQUIRE(c.match);
        const auto* plan = c.match->plan.as<toys::relu_plan>();
        REQUIRE(plan != nullptr);
        CHECK(plan->elements == 12);
        CHECK(plan->backwards == (c.name == "relu_backwards"));
        REQUIRE(c.match->captures.size() == 1);
        CHECK(c.view().values[c.match->captures[0]].origin == c.inputs[0]);
    }
    CHECK(set.candidates[0].nodes == set.candidates[1].nodes);
    CHECK(set.refusals.empty());
}

TEST_CASE("what an entry does not take is a refusal with its sentence") {
    const ir_module m = two_relus();
    toys::two_ways narrow;
    narrow.most = 11;
    const candidate_set set = enumerate(m, backend_list<toys::two_ways>(narrow));
    CHECK(set.candidates.empty());
    REQUIRE(set.refusals.size() == 4);
    for (const refusal& r : set.refusals) {
        CHECK(r.why == refusal::cause::predicate);
        CHECK(r.reason == "it has 12 elements; the back end takes 11");
    }
}

TEST_CASE("of composites whose code the region alone decides one counts, and the other leaves a refusal") {
    const ir_module m = two_relus();
    const candidate_set set = enumerate(m, backend_list<twice>());
    REQUIRE(set.candidates.size() == 2);
    for (const candidate& c : set.candidates) CHECK(c.name == "relu");
    REQUIRE(set.refusals.size() == 2);
    for (const refusal& r : set.refusals) {
        CHECK(r.composite == "any");
        CHECK(r.why == refusal::cause::same_code);
        CHECK(r.reason == "composite 'relu' takes the same nodes, and the back end makes the same code of them");
    }
}

TEST_CASE("a candidate that a rule joined holds the plans of its composites, and the back end's entry reads them") {
    const ir_module m = two_relus();
    const candidate_set set = enumerate(m, backend_list<toys::joining>());
    std::size_t joined = 0;
    for (const candidate& c : set.candidates) {
        if (c.nodes.size() != 2) continue;
        ++joined;
        CHECK(c.composite == 2);
        REQUIRE(c.match->pieces.size() == 2);
        const auto* plan = c.match->plan.as<toys::joined_relus::plan>();
        REQUIRE(plan != nullptr);
        CHECK(plan->parts.size() == 2);
        for (const matched_piece& piece : c.match->pieces) CHECK(piece.match->plan.as<toys::relu_plan>() != nullptr);
    }
    CHECK(joined == 1);
}
