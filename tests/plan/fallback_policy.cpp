// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/fallback_policy.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "planned.hpp"

using namespace inlay;

namespace {

/// Takes everything, in composites of a sum and what is done with it too.
struct last_one : toys::rows {
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"add_relu">(op<"onnx.Relu">(op<"onnx.Add">)), composite<"add">(op<"onnx.Add">),
                             composite<"mul">(op<"onnx.Mul">), composite<"relu">(op<"onnx.Relu">));
    }
};

/// Takes sums, dearly.
struct dear : toys::rows {
    static constexpr std::string_view kind = "dear";
    static constexpr auto patterns() { return pattern_table(composite<"add">(dsl::op<"onnx.Add">)); }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 100.0; }
};

using two = backend_list<last_one, dear>;

/// `relu(add(x, x))`, and the numbers of its calls.
struct small_program {
    node_id add = no_node, relu = no_node;
    ir_module m = toys::program_of(toys::image(), [this](ir_builder& b, node_id x) {
        add = b.call("onnx.Add", {x, x}, {}, toys::image());
        return relu = b.call("onnx.Relu", {add}, {}, toys::image());
    });
};

outcome<plan> planned(const ir_module& m, const plan_options& options) { return toys::planned(m, two(), options); }

std::string owners(const ir_module& m, const plan& p) {
    std::string text;
    for (const std::size_t c : p.chosen.chosen)
        for (const node_id n : p.set.candidates[c].nodes)
            text += (text.empty() ? "" : " ") + std::string(m.op(n)) + ":" + (p.set.candidates[c].backend == 0 ? "reference" : "dear");
    return text;
}

}  // namespace

TEST_CASE("policies read back by their names, and of several for one node the strictest counts [partition.fallback.strictest]") {
    for (const fallback_policy p : {fallback_policy::allow, fallback_policy::warn, fallback_policy::require})
        CHECK(fallback_policy_named(name_of(p)) == p);
    CHECK_FALSE(fallback_policy_named("never"));
    const fallback_rule rules[] = {{fallback_policy::warn, {1, 2}, "first"},
                                   {fallback_policy::require, {2}, "second"},
                                   {fallback_policy::allow, {}, "all"},
                                   {fallback_policy::require, {2, 99}, "third"}};
    const fallback_rules by_node(rules, 4);
    CHECK(by_node.of(0) == fallback_policy::allow);
    CHECK(by_node.of(1) == fallback_policy::warn);
    CHECK(by_node.of(2) == fallback_policy::require);
    CHECK(by_node.text(2) == "second");
    CHECK(by_node.text(3) == "all");
    CHECK(by_node.of(99) == fallback_policy::allow);
}

TEST_CASE(
    "under every partitioner the fallback gets no node that it must not have, and composites stay whole [partition.fallback.require]") {
    const small_program p;
    for (const partitioner& way : {partitioner::exact(), partitioner::exhaustive(), partitioner::eager(), partitioner::single("dear")}) {
        CAPTURE(to_string(way));
        plan_options options;
        options.partitioner = way;
        const auto free_plan = planned(p.m, options);
        REQUIRE(free_plan.has_value());
        if (way != partitioner::single("dear")) CHECK(owners(p.m, *free_plan) == "onnx.Add:reference onnx.Relu:reference");
        CHECK(free_plan->fallbacks.empty());
        // The composite of both nodes has one that it must not have; the node by itself it may.
        options.fallbacks = {{fallback_policy::require, {p.add}, "rule 1"}};
        const auto held = planned(p.m, options);
        REQUIRE(held.has_value());
        CHECK(owners(p.m, *held) == "onnx.Add:dear onnx.Relu:reference");
        CHECK(held->fallbacks.empty());
    }
}

TEST_CASE("a plan tells where it falls back against a warning, and nothing else changes [partition.fallback.warn]") {
    const small_program p;
    plan_options options;
    options.fallbacks = {{fallback_policy::warn, {p.relu}, "rule 1"}};
    const auto warned = planned(p.m, options);
    REQUIRE(warned.has_value());
    CHECK(warned->fallbacks == std::vector<fallback>{{p.relu, fallback_policy::warn}});
    CHECK(owners(p.m, *warned) == "onnx.Add:reference onnx.Relu:reference");
    options.fallbacks = {{fallback_policy::allow, {}, "rule 1"}};
    CHECK(planned(p.m, options)->fallbacks.empty());
}

TEST_CASE(
    "where only the fallback takes a node that it must not have, the error says what each other back end has to say "
    "[partition.fallback.require]") {
    const small_program p;
    plan_options options;
    options.fallbacks = {{fallback_policy::require, {}, "--fallback require"}};
    const auto none = planned(p.m, options);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message ==
          "node " + std::to_string(p.relu) +
              " (operator 'onnx.Relu') must not fall back on 'reference' by --fallback require, and no other back "
              "end takes it; dear: no pattern: no pattern of it begins or goes on at onnx.Relu; allow it, or add a "
              "back end that does");
}
