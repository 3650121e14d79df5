// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/rewrite_check.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/passes/normalise.hpp>
#include <inlay/rewrite/parse_rules.hpp>
#include <inlay/rewrite/rewrite.hpp>

using namespace inlay;

namespace {

using working = working_graph<ir_module>;

const op_definition* find_onnx(std::string_view name) { return onnx_ops::find(name); }

node_type floats(std::vector<std::int64_t> extents) {
    return node_type(tensor_type(element_type::float32, shape(extents.begin(), extents.end())));
}

/// A program of calls of ONNX's operators.
struct program {
    ir_builder b;
    std::vector<node_id> inputs;

    program() { b.open_block(); }
    node_id input(std::vector<std::int64_t> extents) {
        inputs.push_back(b.input("x" + std::to_string(inputs.size()), floats(std::move(extents))));
        return inputs.back();
    }
    node_id constant(std::vector<std::int64_t> extents, float value, float step = 0) {
        tensor t(element_type::float32, std::move(extents));
        for (float& e : t.as<float>()) e = value, value += step;
        return b.constant(t);
    }
    node_id call(std::string_view op, std::vector<node_id> operands, const attribute_map& attributes = {}) {
        return b.call("onnx." + std::string(op), operands, attributes, {});
    }
    ir_module finish(node_id result) {
        b.declare(b.function(inputs, result, "main"));
        auto typed = infer_types(b.finish(), {}, onnx_ops());
        REQUIRE_MESSAGE(typed.has_value(), typed.failure().message);
        return *std::move(typed);
    }
};

/// Applies rules of a text under the eyes of a referee.
rewritten<ir_module> apply(const ir_module& m, const std::string& text, rewrite_referee& referee) {
    const auto rules = parse_rules(text, "rules", {"onnx"});
    REQUIRE_MESSAGE(rules.has_value(), rules.failure().message);
    const auto rows = rules->rows<working>();
    rewrite_options options;
    options.infer = &infer_call<onnx_ops>;
    return rewrite(m, std::span<const rule_row<working>>(rows), options, referee);
}
std::size_t wrong_in(const rewritten<ir_module>& r) { return r.report.rules[0].refused[static_cast<std::size_t>(rule_refusal::wrong)]; }

}  // namespace

TEST_CASE("a rule that gives other numbers is not applied, and says the first element that differs [measure.rewrite]") {
    program p;
    const ir_module m = p.finish(p.call("Sub", {p.input({2, 3}), p.input({2, 3})}));
    rewrite_referee referee(find_onnx);
    const auto bad = apply(m, "turned: Sub(?x, ?y) => Add(?x, ?y);", referee);
    CHECK(bad.report.fired == 0);
    CHECK(wrong_in(bad) == 1);
    CHECK(bad.report.rules[0].last_reason.starts_with("it gives "));
    CHECK(bad.report.rules[0].last_reason.find(" at result 0[0,0] where what it replaces gives ") != std::string::npos);
    const auto good = apply(m, "negated: Sub(?x, ?y) => Add(?x, Neg(?y));", referee);
    CHECK(good.report.fired == 1);
    CHECK(referee.compared() == 2);
    CHECK(referee.unchecked() == 0);
}

TEST_CASE("operands that lie along another axis are told apart where all extents are equal [measure.rewrite]") {
    program p;
    const node_id x = p.input({3, 3});
    const ir_module m = p.finish(p.call("Mul", {x, p.constant({3, 1}, 1, 1)}));
    rewrite_referee referee(find_onnx);
    // The constant of one number for each row, taken for one of each column.
    const auto made = apply(m, "columns: Mul(?x, ?c) => Mul(?x, Transpose(?c));", referee);
    CHECK(made.report.fired == 0);
    CHECK(wrong_in(made) == 1);
}

TEST_CASE("an application is evaluated once for equal types, attributes and constants [measure.rewrite]") {
    program p;
    node_id x = p.input({8});
    for (int i = 0; i < 4; ++i) x = p.call("Relu", {p.call("Mul", {x, p.constant({1}, i < 3 ? 2.0f : 3.0f)})});
    rewrite_referee referee(find_onnx);
    const auto made = apply(p.finish(x), "positive: Relu(Mul(?x, ?c)) => Max(Mul(?c, ?x), 0);", referee);
    CHECK(made.report.fired == 4);
    CHECK(referee.compared() == 2);
    CHECK(referee.known() == 2);
}

TEST_CASE("constants are part of an application: the same rule is right for one and wrong for another [measure.rewrite]") {
    for (const bool is_right : {true, false}) {
        CAPTURE(is_right);
        program p;
        const ir_module m = p.finish(p.call("Mul", {p.input({8}), p.constant({1}, is_right ? 2.0f : 3.0f)}));
        rewrite_referee referee(find_onnx);
        const auto made = apply(m, "doubled: Mul(?x, ?c) => Add(?x, ?x);", referee);
        CHECK(made.report.fired == (is_right ? 1 : 0));
    }
}

TEST_CASE("several outputs, large tensors and roots are compared; what has no meaning is not [measure.rewrite]") {
    SUBCASE("all outputs of a call") {
        program p;
        attribute_map a;
        a.set("axis", std::int64_t{1});
        a.set("num_outputs", std::int64_t{2});
        const node_id split = p.b.call("onnx.Split", std::vector<node_id>{p.input({2, 4})}, a, {});
        const ir_module m = p.finish(p.call("Sub", {p.b.projection(split, 0), p.b.projection(split, 1)}));
        rewrite_referee referee(find_onnx);
        const auto made = apply(m, "halves: ?s:Split(?x) => Split[?s](Neg(?x));", referee);
        CHECK(made.report.fired == 0);
        INFO(to_text(made.report));
        CHECK(referee.compared() == 1);
    }
    SUBCASE("few of many elements") {
        program p;
        const ir_module m = p.finish(p.call("MatMul", {p.input({512, 4096}), p.input({4096, 512})}));
        rewrite_referee referee(find_onnx);
        CHECK(apply(m, "negated: MatMul(?x, ?y) => Neg(MatMul(?x, ?y));", referee).report.fired == 0);
        CHECK(referee.compared() == 1);
    }
    SUBCASE("numbers that are positive alone") {
        program p;
        const ir_module m = p.finish(p.call("Sqrt", {p.input({8})}));
        rewrite_referee referee(find_onnx);
        CHECK(apply(m, "rootless: Sqrt(?x) => Sqrt(Add(?x, ?x));", referee).report.fired == 0);
    }
    SUBCASE("no meaning") {
        program p;
        const ir_module m = p.finish(p.call("Sub", {p.input({2, 3}), p.input({2, 3})}));
        rewrite_referee referee([](std::string_view) -> const op_definition* { return nullptr; });
        CHECK(apply(m, "turned: Sub(?x, ?y) => Add(?x, ?y);", referee).report.fired == 1);
        CHECK(referee.unchecked() == 1);
    }
}

TEST_CASE("a referee that normalising is given keeps a wrong rule out [measure.rewrite]") {
    program p;
    const ir_module m = p.finish(p.call("Sub", {p.input({2, 3}), p.input({2, 3})}));
    const auto rules = parse_rules("turned: Sub(?x, ?y) => Add(?x, ?y);", "rules", {"onnx"});
    const auto rows = rules->rows<working>();
    rewrite_referee referee(find_onnx);
    normalise_options options;
    options.judge = referee;
    const auto made = normalise(m, std::span<const normal_rule>(rows), options, onnx_ops());
    REQUIRE(made.has_value());
    CHECK(made->report.fired == 0);
}
