// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/testing/check_rule.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/passes/books/transpose_rules.hpp>
#include <inlay/rewrite/parse_rules.hpp>

using namespace inlay;
using ops_here = op_table<onnx_arithmetic<>, onnx_math<>, onnx_logic<>, onnx_transposition<>, onnx_activations<>, onnx_clip_and_where<>>;
using working = working_graph<ir_module>;

namespace {

rule_check checked(const std::string& text) {
    const auto rules = parse_rules(text, "rules", {"onnx"});
    REQUIRE_MESSAGE(rules, (rules ? std::string() : rules.failure().message));
    return check_rule<ops_here>(rules->rows<working>()[0]);
}

}  // namespace

TEST_CASE("a rule that preserves meaning holds, and one that does not is shown with a program") {
    const rule_check right = checked("r: Sub(?x, Neg(?y)) => Add(?x, ?y);");
    CHECK(right.holds());
    CHECK(right.compared == 50);
    const rule_check wrong = checked("r: Sub(?x, ?y) => Sub(?y, ?x);");
    CHECK_FALSE(wrong.holds());
    CHECK(wrong.wrong > 0);
    CHECK(wrong.largest_relative > 0.1);
    // The program, what it was given and what it gave.
    for (const char* part : {"before:\n", "after:\n", "\ninput x0 float32", "\nresult before float32", "\nresult after float32"})
        CHECK(wrong.counterexample.find(part) != std::string::npos);
    // One that is wrong for some inputs only.
    CHECK_FALSE(checked("r: Relu(?x) => ?x;").holds());
    CHECK(checked("r: Relu(?x:Abs) => ?x;").holds());
}

TEST_CASE("a rule that was never seen at work does not hold") {
    const rule_check nowhere = checked("r: Add(?x, Unheard(?y)) => ?x;");
    CHECK(nowhere.compared == 0);
    CHECK_FALSE(nowhere.holds());
}

TEST_CASE("the rules of algebra hold by both sides") {
    const auto book = algebra_rules();
    for (std::size_t i = 0; i < book.size; ++i) {
        const rule_row<working>& rule = book.rows<working>[i];
        // Its shapes are lists of integers that have to fit; tests of its own make them.
        if (rule.name == "reshape_of_reshape" || rule.name == "not_of_not") continue;
        CAPTURE(std::string(rule.name));
        const rule_check c = check_rule<ops_here>(rule);
        CHECK(c.compared > 10);
        CHECK_MESSAGE(c.wrong == 0, c.counterexample);
    }
}

TEST_CASE("the rules of transposes hold by both sides") {
    const auto book = transpose_rules();
    for (std::size_t i = 0; i < book.size; ++i) {
        const rule_row<working>& rule = book.rows<working>[i];
        CAPTURE(std::string(rule.name));
        const rule_check c = check_rule<ops_here>(rule);
        CHECK(c.compared > 5);
        CHECK_MESSAGE(c.wrong == 0, c.counterexample);
    }
}

TEST_CASE("a rule is tried at its matches in a program, with the constants that are there") {
    // Of random programs none has this operand, so the rule is tried nowhere else.
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", {{element_type::float32, {2, 3}}});
    tensor two(element_type::float32, {});
    two.as<float>()[0] = 2;
    const node_id doubled = b.call("onnx.Mul", {b.call("onnx.Relu", {x}), b.constant(two)});
    b.declare(b.function(std::vector<node_id>{x}, b.call("onnx.Neg", {doubled}), "main"));
    const auto program = infer_types(b.finish(), {}, ops_here());
    REQUIRE(program);
    const auto at_matches = [&](const std::string& text) {
        const auto rules = parse_rules(text, "rules", {"onnx"});
        REQUIRE_MESSAGE(rules, (rules ? std::string() : rules.failure().message));
        rule_check found;
        check_rule_in<ops_here>(*program, rules->rows<working>()[0], found);
        return found;
    };
    const rule_check right = at_matches("r: Mul(?x, 2) => Add(?x, ?x);");
    CHECK(right.holds());
    CHECK(right.compared == 1);
    const rule_check wrong = at_matches("r: Mul(?x, 2) => ?x;");
    CHECK(wrong.wrong == 1);
    CHECK(at_matches("r: Tanh(?x) => ?x;").compared == 0);
}
