// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/strategy_table.hpp>

#include <doctest/doctest.h>

#include "../../cost/no_meter.hpp"
#include "../nest_backends.hpp"

#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

using namespace inlay;

namespace {

/// Both lower Add and Relu; the one computes a product where it meets an Add, so that who lowered a call can be seen in its result.
template <bool Honest>
struct lowering : toys::by_nests<lowering<Honest>> {
    static constexpr std::string_view kind = Honest ? "honest" : "multiplying";
    using options = option_list<>;
    using nest = toys::one_loop;

    static constexpr auto patterns() {
        using namespace dsl;
        if constexpr (Honest)
            return pattern_table(composite<"add">(op<"onnx.Add">));
        else
            return pattern_table(composite<"add_relu">(op<"onnx.Relu">(op<"onnx.Add">)));
    }
    static constexpr auto strategies() {
        return strategy_table(
            strategy<"onnx.Add", "onnx.Mul">([](const lowering&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                if (r.has_operand(r[at], 2)) return error{"it has three operands"};
                const std::string op = Honest ? std::string(r[at].op) : "onnx.Mul";
                into.body.steps.push_back({op, r[at].operands[0], r[at].operands[1]});
                return {};
            }),
            strategy<"onnx.Relu">([](const lowering&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                into.body.steps.push_back({"onnx.Relu", r[at].operands[0], r[at].operands[0]});
                return {};
            }));
    }
};

}  // namespace

static_assert(has_strategies<lowering<true>> && !has_strategies<toys::rows>);

TEST_CASE("two back ends with different strategies for one operator do not see each other's in one program [codegen.strategies.local]") {
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("x", toys::image()), b.input("y", toys::image())};
    const node_id inner = b.call("onnx.Relu", {b.call("onnx.Add", inputs, {}, toys::image())}, {}, toys::image(), "inner");
    const node_id outer = b.call("onnx.Add", {inner, inputs[0]}, {}, toys::image(), "outer");
    b.declare(b.function(inputs, outer, "main"));
    const ir_module m = b.finish();
    for (const bool swapped : {false, true}) {
        const auto check = [&](const auto& backends) {
            toys::no_meter pricing;
            const auto planned = make_plan(m, backends, pricing, [](const auto&...) { return 0.0; });
            REQUIRE(planned.has_value());
            const auto ready = link(m, backends, planned->set, planned->cut);
            REQUIRE(ready.has_value());
            const tensor values[] = {tensor::of({1, 3, 2, 2}, toys::twelve(-2, 0.5f)), tensor::of({1, 3, 2, 2}, toys::twelve(3, -0.25f))};
            const auto found = ready->run(values);
            REQUIRE(found.has_value());
            const tensor& made = found->front();
            const auto x = values[0].as<float>(), y = values[1].as<float>(), z = made.as<float>();
            // The inner sum is the one's, which multiplies; the outer sum is the other's, which adds.
            for (std::size_t i = 0; i < 12; ++i) CHECK(z[i] == std::max(x[i] * y[i], 0.0f) + x[i]);
        };
        if (swapped)
            check(backend_list<lowering<true>, lowering<false>>());
        else
            check(backend_list<lowering<false>, lowering<true>>());
    }
}

TEST_CASE("an operator without a strategy, and a strategy that fails, are one sentence with the back end and the operator") {
    const toys::sample_region sigmoid(
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Sigmoid", {x}, {}, toys::image()); }));
    const auto none = lower_by_strategies(lowering<true>(), sigmoid.view());
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message ==
          "back end 'honest' has no strategy for 'onnx.Sigmoid'; give it one, or let no pattern take that operator");
    const toys::sample_region three(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, x, x}, {}, toys::image());
    }));
    const auto failed = lower_by_strategies(lowering<true>(), three.view());
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.failure().message == "back end 'honest' could not lower 'onnx.Add': it has three operands");
}
