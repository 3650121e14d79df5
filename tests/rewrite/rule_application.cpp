// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rule_application.hpp>

#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/rewrite/parse_rules.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "small_program.hpp"

using namespace inlay;

namespace {

using working = working_graph<ir_module>;

/// Refuses each application but so many, and notes what it was shown.
struct judge {
    std::size_t left = 0, covered = 0, made = 0;
    std::string rules = {};

    outcome<void> operator()(const rule_application<working>& a) {
        rules += std::string(a.rule) + " ";
        covered += a.covered.size();
        made += a.graph->size() - a.made;
        CHECK(a.replacements.front().first == a.covered.back());
        if (left == 0) return error{"it may not"};
        --left;
        return {};
    }
};

}  // namespace

TEST_CASE("a judge is shown both sides of each application, and what it refuses is not applied [rewrite.judge]") {
    const auto rules = parse_rules("neg_of_sum: Neg(Add(?x, ?y)) => Add(Neg(?x), Neg(?y));", "rules", {"onnx"});
    REQUIRE(rules.has_value());
    const auto rows = rules->rows<working>();
    ir_builder b;
    b.open_block();
    const node_type type{tensor_type(element_type::float32, {4})};
    const node_id x = b.input("x", type), y = b.input("y", type);
    const auto call = [&](const char* op, std::vector<node_id> operands) { return b.call(op, operands, {}, type); };
    const node_id first = call("onnx.Neg", {call("onnx.Add", {x, y})}), second = call("onnx.Neg", {call("onnx.Add", {first, y})});
    b.declare(b.function(std::vector<node_id>{x, y}, second, "main"));
    const ir_module m = b.finish();
    rewrite_options options;
    options.infer = &infer_call<few_ops>;
    judge one{1};
    const auto made = rewrite(m, std::span<const rule_row<working>>(rows), options, one);
    CHECK(made.report.fired == 1);
    CHECK(made.report.rules[0].refused[static_cast<std::size_t>(rule_refusal::wrong)] == 1);
    CHECK(made.report.rules[0].last_reason == "it may not");
    CHECK(to_text(made.report).find("1 refused: it gives other numbers here (it may not)") != std::string::npos);
    CHECK(one.rules == "neg_of_sum neg_of_sum ");
    CHECK(one.covered == 4);
    CHECK(one.made == 6);
    judge none;
    CHECK(rewrite(m, std::span<const rule_row<working>>(rows), options, application_judge_ref<working>(none)).report.fired == 0);
    CHECK(rewrite(m, std::span<const rule_row<working>>(rows), options, application_judge_ref<working>()).report.fired == 3);
}
