// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_text_options.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/rewrite/parse_rules.hpp>

using namespace inlay;

namespace {

std::string said_of_pattern(std::string_view text) {
    const auto p = parse_pattern(text, onnx_text_options());
    return p ? std::string() : p.failure().message;
}
std::string said_of_rules(std::string_view text) {
    const auto r = parse_rules(text, "rules", onnx_text_options());
    return r ? std::string() : r.failure().message;
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a rule that makes an operator which ONNX does not have is refused where it is read") {
    CHECK(said_of_rules("r: Relu(?x) => Sigmoid(?x);").empty());
    const std::string message = said_of_rules("r: Relu(?x) =>\n Sigmoidd(?x);");
    CHECK(has(message, "'Sigmoidd', which ONNX does not have (did you mean 'Sigmoid'?)"));
    CHECK(has(message, "line 2, column 2"));
    CHECK(has(said_of_rules("r: Sigmoidd(?x) => Relu(?x);"), "'Sigmoidd'"));
    CHECK(has(said_of_rules("r: Relu/Sigmoidd(?x) => Relu(?x);"), "'Sigmoidd'"));
    // The same without operators: the text alone does not say what there is.
    CHECK(parse_rules("r: Relu(?x) => Sigmoidd(?x);", "rules", {"onnx"}));
}

TEST_CASE("attributes in patterns and rules are those that the operators declare") {
    CHECK(said_of_pattern("Softmax[axis=1](?x)").empty());
    CHECK(has(said_of_pattern("Softmax[axs=1](?x)"), "(did you mean 'axis'?)"));
    CHECK(has(said_of_pattern("ReduceMean[!axes](?x)"), "'axes'"));
    CHECK(said_of_rules("r: Relu(?x) => LeakyRelu[alpha=0.1](?x);").empty());
    CHECK(said_of_rules("r: LeakyRelu(?x) => Elu[alpha=1](?x);").empty());
    CHECK(said_of_rules("r: ?c:Conv(?x, ?w) => Conv[?c, group=1](?x, ?w);").empty());
    CHECK(has(said_of_rules("r: Relu(?x) => LeakyRelu[slope=0.1](?x);"), "LeakyRelu takes alpha"));
    CHECK(has(said_of_rules("r: Relu(?x) => Softmax[axis=\"last\"](?x);"), "as a text, where Softmax takes an integer"));
}

TEST_CASE("what a rule makes has the attributes that it needs, what it looks for need not") {
    CHECK(said_of_rules("r: Concat(?x, ?y) => Add(?x, ?y);").empty());
    CHECK(said_of_rules("r: Add(?x, ?y) => Concat[axis=0](?x, ?y);").empty());
    CHECK(said_of_rules("r: Add(?x, ?y) => Concat(?x, ?y)[axis=0];").empty());
    const std::string message = said_of_rules("r: Add(?x, ?y) =>\n Relu(Concat(?x, ?y));");
    CAPTURE(message);
    CHECK(has(message,
              "the right side of rule 'r' makes a call of 'onnx.Concat', which lacks the attribute 'axis', an integer that Concat needs"));
    CHECK(has(message, "line 2, column 2"));
    CHECK(has(said_of_rules("r: Add(?x, ?y) => Concat[!axis](?x, ?y);"), "lacks the attribute 'axis'"));
    // What is copied is known where the rule fires.
    CHECK(said_of_rules("r: ?c:Concat(?x, ?y) => Concat[?c](?y, ?x);").empty());
}

TEST_CASE("operators of other dialects, and those of ONNX without a meaning here, are not held against anything") {
    CHECK(said_of_pattern("LSTM[hidden_size=3](?x)").empty());
    CHECK(said_of_pattern("com.microsoft.Foo[bar=3](?x)").empty());
    CHECK(said_of_rules("r: Relu(?x) => mine.Foo[bar=3](?x);").empty());
}
