// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/normalise.hpp>

#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/books/attention_rules.hpp>
#include <inlay/passes/books/fused_operator_rules.hpp>

#include "ops/rewritten_alike.hpp"
#include "ops/sample_program.hpp"

using namespace inlay;
using inlay_test::calls_of;

namespace {

/// A program normalised; on random tensors it gives what it gave.
normalised normalised_alike(const ir_module& m, const normalise_options& options = {}, double tolerance = 1e-5) {
    auto made = normalise(m, options);
    REQUIRE_MESSAGE(made, (made ? std::string() : made.failure().message));
    check_alike<onnx_ops>(m, made->graph, tolerance);
    return *std::move(made);
}

/// Convolution, batch normalisation, Relu, twice; the second one behind two transposes that cancel, and a factor of 1.
ir_module network() {
    rewriting_program p;
    const node_id x = p.input({1, 2, 6, 6});
    const auto block = [&](node_id in, std::int64_t from, std::int64_t to) {
        const node_id conv = p.call("Conv", {in, p.varied({to, from, 3, 3})}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        return p.call("Relu", {p.call("BatchNormalization", {conv, p.varied({to}), p.varied({to}), p.varied({to}), p.filled({to}, 40)})});
    };
    const node_id first = block(x, 2, 3);
    const node_id there = p.call("Transpose", {first}, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
    const node_id back = p.call("Transpose", {p.call("Mul", {p.call("Sigmoid", {there}), p.filled({}, 1)})},
                                {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}});
    return p.finish<onnx_ops>(block(back, 3, 2));
}

}  // namespace

TEST_CASE("batch normalisations are folded, transposes cancel and neutral elements go in one call") {
    const auto made = normalised_alike(network(), {}, 1e-4);
    CHECK(made.report.why == rewrite_report::stop::fixpoint);
    CHECK(made.rounds >= 1);
    for (const char* gone : {"onnx.BatchNormalization", "onnx.Transpose", "onnx.Mul"}) CHECK(calls_of(made.graph, gone) == 0);
    CHECK(calls_of(made.graph, "onnx.Conv") == 2);
    CHECK(calls_of(made.graph, "onnx.Sigmoid") == 1);
    for (const rewrite_report::line& l : made.report.rules)
        if (l.name == "conv_batch_norm") CHECK(l.fired == 2);
}

TEST_CASE("without rules a program is cleaned and folded alone") {
    normalise_options options;
    options.by_rules = false;
    const auto made = normalised_alike(network(), options);
    CHECK(made.report.fired == 0);
    CHECK(made.report.rules.empty());
    CHECK(calls_of(made.graph, "onnx.BatchNormalization") == 2);
}

TEST_CASE("what a rule leaves is folded, and what is folded lets rules apply") {
    rewriting_program p;
    const node_id x = p.input({2, 3});
    // The zero is known only once the double negation of a constant is gone.
    const node_id zero = p.call("Sub", {p.varied({2, 3}), p.call("Neg", {p.call("Neg", {p.varied({2, 3})})})});
    const node_id one = p.call("Exp", {p.call("ReduceMax", {p.call("Mul", {zero, p.filled({}, 0)})}, {{"keepdims", std::int64_t{0}}})});
    const auto made = normalised_alike(p.finish<onnx_ops>(p.call("Relu", {p.call("Mul", {x, one})})));
    CHECK(calls_of(made.graph, "onnx.Mul") == 0);
    CHECK(calls_of(made.graph, "onnx.Relu") == 1);
}

TEST_CASE("forms are recognised only where their operator is wanted") {
    rewriting_program p;
    const node_id x = p.input({2, 8});
    const node_id clipped = p.call("Clip", {p.call("Add", {x, p.filled({}, 3)}), p.filled({}, 0), p.filled({}, 6)});
    const node_id swish = p.call("Div", {p.call("Mul", {x, clipped}), p.filled({}, 6)});
    const node_id erf = p.call("Erf", {p.call("Div", {swish, p.filled({}, 1.41421356f)})});
    const ir_module m =
        p.finish<onnx_ops>(p.call("Mul", {p.call("Mul", {swish, p.call("Add", {erf, p.filled({}, 1)})}), p.filled({}, 0.5f)}));
    CHECK(calls_of(normalised_alike(m).graph, "onnx.HardSwish") == 0);
    normalise_options options;
    options.recognised = {"onnx.HardSwish"};
    const auto one = normalised_alike(m, options);
    CHECK(calls_of(one.graph, "onnx.HardSwish") == 1);
    CHECK(calls_of(one.graph, "onnx.Gelu") == 0);
    options.recognised = {"onnx.Gelu", "onnx.HardSwish"};
    CHECK(normalised_alike(m, options).graph.size() < one.graph.size());
}

TEST_CASE("every rule that recognises a form says which operator it makes") {
    constexpr auto book = fused_operator_rules() + attention_rules();
    for (std::size_t i = 0; i < book.size; ++i) {
        const auto& row = book.rows<working_graph<ir_module>>[i];
        CAPTURE(std::string(row.name));
        CHECK(onnx_ops::find(operator_recognised_by(row.name)) != nullptr);
    }
    CHECK(operator_recognised_by("relu_twice").empty());
}

TEST_CASE("nodes that went answer by their names, and results keep theirs") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", node_type(tensor_type(element_type::float32, {4})));
    const node_id kept = b.call("onnx.Relu", {x}, {}, {}, "kept");
    const node_id gone = b.call("onnx.Relu", {kept}, {}, {}, "gone"), exp = b.call("onnx.Exp", {gone}, {}, {}, "exp");
    b.declare(b.function(std::span(&x, 1), b.call("onnx.Neg", {b.call("onnx.Neg", {exp}, {}, {}, "inner")}, {}, {}, "result"), "main"));
    const auto made = normalise(b.finish());
    REQUIRE(made.has_value());
    const ir_module& g = made->graph;
    const auto answers = [&](node_id n, const char* name) {
        return std::count(g.origins(n).begin(), g.origins(n).end(), std::string(name)) == 1;
    };
    CHECK(answers(inlay_test::named(g, "kept"), "gone"));
    CHECK(answers(inlay_test::named(g, "exp"), "result"));
    CHECK(answers(inlay_test::named(g, "exp"), "inner"));
    CHECK(g.result_names() == std::vector<std::string>{"result"});
}

TEST_CASE("fuel is that of all rounds, and the program is right wherever it ends") {
    const ir_module m = network();
    const std::size_t all = normalised_alike(m, {}, 1e-4).report.fired;
    for (std::size_t fuel = 1; fuel < all; ++fuel) {
        normalise_options options;
        options.fuel = fuel;
        const auto made = normalised_alike(m, options, 1e-4);
        CHECK(made.report.fired == fuel);
        CHECK(made.report.why == rewrite_report::stop::out_of_fuel);
    }
}

TEST_CASE("a program that cannot be typed is told of") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", node_type(tensor_type(element_type::float32, {4})));
    b.declare(b.function(std::span(&x, 1), b.call("onnx.Transpose", {x}, {{"perm", std::vector<std::int64_t>{1, 0}}}), "main"));
    CHECK_FALSE(normalise(b.finish()).has_value());
}

TEST_CASE("random programs keep their meaning, and a normal program stays as it is") {
    rc::check([](const std::vector<std::uint8_t>& choices) {
        const ir_module m = inlay_test::random_program(choices);
        const auto typed = infer_types(m);
        RC_ASSERT(typed.has_value());
        const auto made = normalise(*typed);
        RC_ASSERT(made.has_value());
        const tensor inputs[] = {inlay_test::list_of(inlay_test::floats{0.25f, -1.5f, 2}),
                                 inlay_test::list_of(inlay_test::floats{-0.5f, 0.75f, 1})};
        const auto before = interpret(*typed, inputs), after = interpret(made->graph, inputs);
        RC_ASSERT(before.has_value() && after.has_value());
        for (std::size_t i = 0; i < before->size(); ++i) RC_ASSERT(compare((*after)[i], (*before)[i], 1e-5, 1e-5).agrees);
        const auto again = normalise(made->graph);
        RC_ASSERT(again.has_value());
        RC_ASSERT(again->report.fired == 0u);
        RC_ASSERT(inlay_test::same(again->graph, made->graph));
    });
}
