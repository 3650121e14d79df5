// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rewrite.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ir/relay_text.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/parse_rules.hpp>
#include <inlay/testing/compare.hpp>

#include "small_program.hpp"

using namespace inlay;
using namespace inlay::dsl;

namespace {

using working = working_graph<ir_module>;

rewritten<ir_module> by_text(const ir_module& m, const std::string& text, std::size_t fuel = 0) {
    const auto rules = parse_rules(text, "rules", {"onnx"});
    REQUIRE_MESSAGE(rules, (rules ? std::string() : rules.failure().message));
    rewrite_options options;
    options.infer = &infer_call<few_ops>;
    options.fuel = fuel;
    const auto rows = rules->rows<working>();
    return rewrite(m, std::span<const rule_row<working>>(rows), options);
}

std::vector<tensor> results(const ir_module& m) {
    std::vector<tensor> inputs;
    for (const node_id n : m.inputs()) {
        inputs.emplace_back(element_type::float32, static_shape(m.type(n).of_tensor));
        fill_random(inputs.back().data(), element_type::float32, inputs.back().count(), 1.0, false, 7 + inputs.size());
    }
    const auto out = interpret(m, inputs, few_ops{});
    REQUIRE_MESSAGE(out, (out ? std::string() : out.failure().message));
    return *out;
}

std::size_t refused(const rewritten<ir_module>& r, std::size_t rule, rule_refusal why) {
    return r.report.rules[rule].refused[static_cast<std::size_t>(why)];
}

const char* const algebra =
    "neg_twice: Neg(Neg(?x)) => ?x;\n"
    "abs_twice: Abs(?a:Abs) => ?a;\n"
    "abs_neg: Abs(Neg(?x)) => Abs(?x);\n"
    "add_zero: Add~(?x, 0) => ?x when same_type(?x, ?r);\n"
    "sub_self: Sub(?x, Neg(?y)) => Add(?x, ?y);\n"
    "add_neg: Add~(?x, Neg(?y)) => Sub(?x, ?y);\n"
    "mul_two: Mul~(?x, 2) => Add(?x, ?x);\n"
    "neg_of_sum: Neg(Add(Neg(?x), Neg(?y))) => Add(?x, ?y);\n"
    "neg_of_difference: Neg(Sub(?x, Neg(Abs(?y)))) => Sub(Neg(?x), Abs(?y));\n"
    "floors: Floor/Ceil(?f:Floor/Ceil) => ?f;\n";

}  // namespace

TEST_CASE("rules preserve the meaning of random programs, and a fixpoint is one") {
    std::string rules = algebra;
    rules.replace(rules.find("Add~(?x, 0)"), 11, "?r:Add~(?x, 0)");
    std::size_t fired = 0;
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 8 + seed % 40);
        const auto once = by_text(m, rules);
        CHECK(once.report.why == rewrite_report::stop::fixpoint);
        fired += once.report.fired;
        const std::vector<tensor> before = results(m), after = results(once.graph);
        REQUIRE(before.size() == after.size());
        for (std::size_t i = 0; i < before.size(); ++i) CHECK(compare(after[i], before[i], 1e-5, 1e-6).agrees);
        const auto again = by_text(once.graph, rules);
        CHECK(again.report.fired == 0);
        CHECK(relay_text(again.graph) == relay_text(once.graph));
        CHECK(relay_text(by_text(m, rules).graph) == relay_text(once.graph));
    }
    CHECK(fired > 200);
}

TEST_CASE("compile-time rules and the same in text do the same") {
    constexpr rule_book book(rule<"neg_twice">(op<"onnx.Neg">(op<"onnx.Neg">(as<"x">)), as<"x">),
                             rule<"mul_two">(commutative<"onnx.Mul">(as<"x">, literal<2>), op<"onnx.Add">(as<"x">, as<"x">)));
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const ir_module m = random_program(seed, 30);
        rewrite_options options;
        options.infer = &infer_call<few_ops>;
        CHECK(relay_text(rewrite(m, book, options).graph) ==
              relay_text(by_text(m, "neg_twice: Neg(Neg(?x)) => ?x; mul_two: Mul~(?x, 2) => Add(?x, ?x);").graph));
    }
}

TEST_CASE("an inner node that others read is left alone, done twice, or told of, as the rule says [rewrite.overlap]") {
    const auto program = [] {
        small_program p;
        const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}, {}, "a"), n = p.call("Neg", {a}, {}, "n"),
                      e = p.call("Exp", {a}, {}, "e");
        return p.finish({n, e});
    };
    const ir_module m = program();
    const auto forbid = by_text(m, "r: Neg(Abs(?x)) => Floor(?x);");
    CHECK(forbid.report.fired == 0);
    CHECK(refused(forbid, 0, rule_refusal::shared) == 1);
    const auto duplicate = by_text(m, "r [duplicate]: Neg(Abs(?x)) => Floor(?x);");
    CHECK(duplicate.report.fired == 1);
    CHECK(calls(duplicate.graph, "Abs") == 1);
    CHECK(calls(duplicate.graph, "Neg") == 0);
    // What the right side goes on reading is not done twice.
    CHECK(by_text(m, "r: Neg(?a:Abs) => ?a;").report.fired == 1);
    constexpr rule_book told(
        rule<"r", overlap::extra>(op<"onnx.Neg">(as<"a">(op<"onnx.Abs">(as<"x">))), [](const auto& at, auto& f) -> node_id {
            const node_id inner = f.call("onnx.Ceil", {at.template at<"x">()});
            f.also(at.template at<"a">(), inner);
            return f.call("onnx.Floor", {inner});
        }));
    const auto extra = rewrite(m, told);
    CHECK(extra.report.fired == 1);
    CHECK(calls(extra.graph, "Abs") == 0);
    CHECK(calls(extra.graph, "Ceil") == 1);
    const ir_module& g = extra.graph;
    CHECK(g.op(g.operand(g.results()[1], 0)) == "onnx.Ceil");
    constexpr rule_book silent(rule<"r", overlap::extra>(op<"onnx.Neg">(op<"onnx.Abs">(as<"x">)), [](const auto& at, auto& f) -> node_id {
        return f.call("onnx.Floor", {at.template at<"x">()});
    }));
    CHECK(refused(rewrite(m, silent), 0, rule_refusal::shared) == 1);
}

TEST_CASE("what is told to be read instead has to be there before its readers [rewrite.order]") {
    // The reader of `a` stands before `y`, on which what is to be read instead depends.
    small_program p;
    const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}), e = p.call("Exp", {a}), y = p.call("Floor", {e}),
                  s = p.call("Add", {a, y});
    const ir_module m = p.finish({s});
    constexpr rule_book book(
        rule<"r", overlap::extra>(op<"onnx.Add">(as<"a">(op<"onnx.Abs">), as<"y">), [](const auto& at, auto& f) -> node_id {
            const node_id other = f.call("onnx.Neg", {at.template at<"y">()});
            f.also(at.template at<"a">(), other);
            return other;
        }));
    const auto made = rewrite(m, book);
    REQUIRE(made.report.fired == 0);
    CHECK(refused(made, 0, rule_refusal::order) == 1);
    CHECK(relay_text(made.graph) == relay_text(m));
}

TEST_CASE("a replacement of another type is refused, and so is one whose types do not follow [rewrite.type-change]") {
    small_program p;
    const node_id x = p.input({2}, "x"), y = p.input({3, 2}, "y");
    const ir_module m = p.finish({p.call("Mul", {p.call("Abs", {x}), y}), y});
    CHECK(refused(by_text(m, "r: Mul(Abs(?x), ?y) => ?x;"), 0, rule_refusal::type_change) == 1);
    CHECK(by_text(m, "r: Mul(Abs(?x), ?y) => Add(?x, ?y);").report.fired == 1);
    const auto wrong = by_text(m, "r: Mul(Abs(?x), ?y) => Add(?x, 1{float32[7]});");
    CHECK(refused(wrong, 0, rule_refusal::no_type) == 1);
    CHECK(wrong.report.rules[0].last_reason.starts_with("onnx.Add"));
}

TEST_CASE("a rule that would put there what stands there is refused [rewrite.no-change]") {
    small_program p;
    const node_id x = p.input({2}, "x");
    const ir_module m = p.finish({p.call("Add", {x, x})});
    const auto swap = by_text(m, "swap: Add(?a, ?b) => Add(?b, ?a);");
    CHECK(swap.report.fired == 0);
    CHECK(refused(swap, 0, rule_refusal::no_change) == 1);
    CHECK(swap.report.why == rewrite_report::stop::fixpoint);
}

TEST_CASE("rules that undo each other stop when the fuel is used up, and are named [rewrite.chase]") {
    small_program p;
    const node_id x = p.input({2}, "x");
    const ir_module m = p.finish({p.call("Neg", {p.call("Abs", {x})})});
    const auto made = by_text(m, "there: Neg(?x) => Floor(?x); idle: Exp(?x) => ?x; back: Floor(?x) => Neg(?x);", 1000);
    CHECK(made.report.why == rewrite_report::stop::out_of_fuel);
    CHECK(made.report.fired == 1000);
    CHECK(made.report.chasing == std::vector<std::size_t>{0, 2});
    CHECK(to_text(made.report).find("these rules undo or feed each other: there, back") != std::string::npos);
    CHECK(made.graph.size() == m.size());
    // One that grows for ever stops as well.
    const auto growing = by_text(m, "grow: Neg(?x) => Neg(Neg(Neg(?x)));", 100);
    CHECK(growing.report.chasing == std::vector<std::size_t>{0});
    CHECK(calls(growing.graph, "Neg") == 201);
}

TEST_CASE("a program that rules make too large is not rewritten on, and the rule that made it so is named") {
    small_program p;
    const node_id x = p.input({2}, "x");
    const ir_module m = p.finish({p.call("Neg", {p.call("Abs", {x})})});
    const auto rules =
        parse_rules("idle: Exp(?x) => ?x; once: Abs(?x) => Floor(?x); grow: Neg(?x) => Add(Neg(Floor(?x)), Neg(?x));", "rules", {"onnx"});
    REQUIRE(rules);
    rewrite_options options;
    options.infer = &infer_call<few_ops>;
    options.fuel = 1'000'000;
    options.most_nodes = 500;
    const auto rows = rules->rows<working>();
    const auto made = rewrite(m, std::span<const rule_row<working>>(rows), options);
    CHECK(made.report.why == rewrite_report::stop::too_large);
    CHECK(made.report.rules[made.report.growing].name == "grow");
    CHECK(made.report.rules[1].grown == 0);
    CHECK(made.report.nodes > 500);
    CHECK(made.report.nodes < 520);
    CHECK(made.graph.size() == made.report.nodes);
    CHECK(to_text(made.report).find("which is too many; rule grow made") != std::string::npos);
    // The limit that stands where none is given is far from what rules that come to an end make.
    options.most_nodes = 0;
    options.fuel = 100;
    const auto fine = rewrite(m, std::span<const rule_row<working>>(rows), options);
    CHECK(fine.report.why == rewrite_report::stop::out_of_fuel);
}

TEST_CASE("a rule may put something behind what it found") {
    small_program p;
    const node_id x = p.input({2}, "x");
    const ir_module m = p.finish({p.call("Neg", {p.call("Abs", {x}, {}, "a")}, {}, "n")});
    constexpr rule_book book(rule<"r">(as<"a">(op<"onnx.Abs">(as<"x">(input))), [](const auto& at, auto& f) -> node_id {
        // Once: where its only reader is not there yet.
        for (const node_id u : at.graph().users()[at.template at<"a">()])
            if (at.graph().op(u) == "onnx.Floor") return no_node;
        return f.call("onnx.Floor", {at.template at<"a">()});
    }));
    const auto made = rewrite(m, book);
    CHECK(made.report.fired == 1);
    const ir_module& g = made.graph;
    const node_id floor = g.operand(g.results()[0], 0);
    CHECK(g.op(floor) == "onnx.Floor");
    CHECK(g.op(g.operand(floor, 0)) == "onnx.Abs");
    CHECK(refused(made, 0, rule_refusal::condition) >= 1);
}

TEST_CASE("names and what stood in the place are kept") {
    small_program p;
    const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}, {}, "a"), n = p.call("Neg", {a}, {}, "n");
    const auto made = by_text(p.finish({n}), "r: Neg(Abs(?x)) => Floor(?x);");
    const node_id f = made.graph.results()[0];
    CHECK(made.graph.name(f) == "n");
    CHECK(made.graph.origins(f) == std::vector<std::string>{"a"});
}

TEST_CASE("what stays in the place of others answers by their names, and by those that they answered by") {
    ir_builder b;
    b.open_block();
    const node_type t(tensor_type(element_type::float32, {2}));
    const node_id x = b.input("x", t), a = b.call("onnx.Abs", {x}, {}, t, "a"), first = b.call("onnx.Neg", {a}, {}, t, "first"),
                  second = b.call("onnx.Neg", {first}, {}, t, "second");
    b.set_origins(a, {"before"});
    b.set_origins(second, {"older"});
    b.declare(b.function(std::span(&x, 1), b.call("onnx.Relu", {b.call("onnx.Abs", {second}, {}, t, "last")}, {}, t, "result"), "main"));
    const auto made = by_text(b.finish(), "gone: Neg(Neg(?x)) => ?x; twice: Abs(?a:Abs) => ?a;").graph;
    const node_id stays = made.operand(made.results()[0], 0);
    CHECK(made.name(stays) == "a");
    CHECK(made.origins(stays) == std::vector<std::string>{"before", "first", "second", "older", "last"});
}

TEST_CASE("a match does not cross blocks, and what is made in a branch stays there [rewrite.blocks]") {
    ir_builder b;
    b.open_block();
    const node_type t(tensor_type(element_type::float32, {2}));
    const node_id c = b.input("c", node_type(tensor_type(element_type::boolean, shape{}))), x = b.input("x", t);
    const node_id outside = b.call("onnx.Abs", {x}, {}, t);
    b.open_block();
    const node_id inner = b.call("onnx.Neg", {b.call("onnx.Neg", {outside}, {}, t)}, {}, t), last = b.call("onnx.Floor", {inner}, {}, t);
    b.close_block();
    b.declare(b.function(std::vector<node_id>{c, x}, b.if_else(c, last, x), "main"));
    const ir_module m = b.finish();
    CHECK(by_text(m, "r: Neg(Neg(?x)) => ?x;").report.fired == 1);
    const auto crossing = by_text(m, "r: Neg(Abs(?x)) => ?x;");
    CHECK(crossing.report.fired == 0);
    CHECK(refused(crossing, 0, rule_refusal::crosses_blocks) == 1);
    const auto made = by_text(m, "r: Floor(?x) => Ceil(Abs(?x));");
    CHECK(calls(made.graph, "Ceil") == 1);
    for (node_id n = 0; n < made.graph.size(); ++n)
        if (made.graph.op(n) == "onnx.Ceil") CHECK(made.graph.block(n) != made.graph.block(made.graph.results()[0]));
}

TEST_CASE("rewriting stops when it is told to") {
    small_program p;
    node_id n = p.input({2}, "x");
    for (int i = 0; i < 2000; ++i) n = p.call("Abs", {n});
    const ir_module m = p.finish({n});
    std::stop_source source;
    source.request_stop();
    rewrite_options options;
    options.stop = source.get_token();
    constexpr rule_book book(rule<"r">(op<"onnx.Exp">(as<"x">), as<"x">));
    CHECK(rewrite(m, book, options).report.why == rewrite_report::stop::stopped);
    CHECK(rewrite(m, book).report.why == rewrite_report::stop::fixpoint);
}

TEST_CASE("who read a node before is not asked again for each reader that it gets") {
    small_program p;
    const node_id floor = p.call("Floor", {p.input({2}, "x")});
    std::vector<node_id> results;
    const int readers = 3000;
    for (int i = 0; i < readers; ++i) results.push_back(p.call("Neg", {p.call("Floor", {floor})}));
    const auto made = by_text(p.finish(results), "r: Floor(?f:Floor) => ?f;");
    CHECK(made.report.fired == readers);
    CHECK(made.report.visited < 8 * static_cast<std::size_t>(readers));
    CHECK(calls(made.graph, "Floor") == 1);
}

TEST_CASE("a long chain is rewritten in one pass") {
    small_program p;
    node_id n = p.input({2}, "x");
    const int length = 20000;
    for (int i = 0; i < length; ++i) n = p.call("Neg", {n});
    const auto made = by_text(p.finish({n}), "r: Neg(Neg(?x)) => ?x;");
    CHECK(made.report.fired == length / 2);
    CHECK(made.report.visited < 4 * static_cast<std::size_t>(length));
    CHECK(calls(made.graph, "Neg") == 0);
}

TEST_CASE("what a rule makes of a placed program is where the root was, and no rule takes nodes of two places") {
    small_program p;
    const node_id x = p.input({2}, "x"), y = p.input({2}, "y");
    const node_id inner = p.call("Neg", {x}), sum = p.call("Add", {inner, y});
    const node_id host = p.call("Neg", {sum}), twice = p.call("Neg", {host});
    const placement gpu = placement::on(device_type::cuda), cpu = placement::on(device_type::cpu);
    for (const node_id n : {x, y, inner, sum, host}) p.b.set_where(n, gpu);
    p.b.set_where(twice, cpu);
    const ir_module m = p.finish({twice});
    const rewritten<ir_module> r = by_text(m, "neg_twice: Neg(Neg(?x)) => ?x;\nadd_neg: Add~(?x, Neg(?y)) => Sub(?x, ?y);");
    CHECK(refused(r, 0, rule_refusal::crosses_places) == 1);
    CHECK(calls(r.graph, "Sub") == 1);
    std::size_t on_gpu = 0;
    for (node_id n = 0; n < r.graph.size(); ++n) {
        if (r.graph.kind(n) != node_kind::call) continue;
        CHECK_FALSE(r.graph.where(n).is_free());
        on_gpu += r.graph.where(n) == gpu ? 1 : 0;
    }
    CHECK(on_gpu == 2);
}

TEST_CASE("a rule that cancels is applied only on request, and a rule without a class is bounded [rewrite.class]") {
    small_program p;
    const node_id x = p.input({3}, "x"), c = p.scalar(12582912);
    const ir_module m = p.finish({p.call("Sub", {p.call("Add", {x, c}), c})});
    const char* const text = "gone [cancelling]: Sub(Add(?x, ?y), ?y) => ?x when same_type(?x, ?x);";
    const auto kept = by_text(m, text);
    CHECK(kept.report.fired == 0);
    CHECK(refused(kept, 0, rule_refusal::cancels) == 1);
    CHECK(calls(kept.graph, "Sub") == 1);
    CHECK(kept.report.rules[0].kind == exactness::cancelling);
    const auto rules = parse_rules(text, "rules", {"onnx"});
    const auto rows = rules->rows<working>();
    rewrite_options options;
    options.infer = &infer_call<few_ops>;
    options.reassociate = true;
    const auto gone = rewrite(m, std::span<const rule_row<working>>(rows), options);
    CHECK(gone.report.fired == 1);
    CHECK(calls(gone.graph, "Sub") == 0);
    constexpr rule_book book(rule<"plain">(op<"onnx.Abs">(as<"x">), as<"x">),
                             rule<"same", exactness::exact>(op<"onnx.Neg">(as<"x">), as<"x">),
                             rule<"both", overlap::duplicate, exactness::cancelling>(op<"onnx.Exp">(as<"x">), as<"x">));
    CHECK(book.all_rows<working>()[0].kind == exactness::bounded);
    CHECK(book.all_rows<working>()[1].kind == exactness::exact);
    CHECK(book.all_rows<working>()[2].kind == exactness::cancelling);
    CHECK(book.all_rows<working>()[2].policy == overlap::duplicate);
}
