// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/check_call.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/attributes/onnx_operator_attributes.hpp>
#include <inlay/ops/op_table.hpp>

using namespace inlay;

namespace {

struct family {
    static constexpr auto table = with_attributes<softmax_attributes, lrn_attributes, loop_attributes>(
        {{"onnx.Loop"}, {"onnx.Softmax"}, {"onnx.LogSoftmax"}, {"onnx.Hardmax"}, {"onnx.LRN"}, {"onnx.Relu"}, {"mine.Turn"}});
};
using few = op_table<family>;

std::string said(std::string_view op, const std::vector<attribute_use>& given = {}, call_place place = call_place::pattern) {
    const auto done = check_call_of<few>(op, given, place);
    return done ? std::string() : done.failure().message;
}

}  // namespace

TEST_CASE("a known operator takes the attributes that it declares, in their forms") {
    CHECK(said("onnx.Softmax").empty());
    CHECK(said("onnx.Softmax", {{"axis", {}}}).empty());
    CHECK(said("onnx.Softmax", {{"axis", attribute_form::integer}}).empty());
    CHECK(said("onnx.LRN", {{"alpha", attribute_form::integer}, {"size", attribute_form::integer}}).empty());
    CHECK(said("onnx.Softmax", {{"axis", attribute_form::number}}) ==
          "has the attribute 'axis' as a number, where Softmax takes an integer");
    CHECK(said("onnx.Softmax", {{"axsi", {}}}) ==
          "has the attribute 'axsi', which Softmax does not have in its newest form (did you mean 'axis'?); Softmax takes axis");
    CHECK(said("onnx.LRN", {{"volume", {}}}) ==
          "has the attribute 'volume', which LRN does not have in its newest form; LRN takes alpha, beta, bias and size");
    CHECK(said("onnx.Relu", {{"alpha\n", {}}}) ==
          "has the attribute 'alpha\\x0a', which Relu does not have in its newest form; Relu takes no attributes");
    CHECK(said("mine.Turn", {{"angle", {}}}).find("takes no attributes") != std::string::npos);
}

TEST_CASE("a call in a file or a rule's result has the attributes that it needs, a pattern may leave them out") {
    const std::string lacking = "lacks the attribute 'size', an integer that LRN needs; give it one";
    CHECK(said("onnx.LRN").empty());
    CHECK(said("onnx.LRN", {{"alpha", {}}}, call_place::file) == lacking);
    CHECK(said("onnx.LRN", {}, call_place::rule) == lacking);
    CHECK(said("onnx.LRN", {{"size", attribute_form::integer}}, call_place::file).empty());
    CHECK(said("onnx.Softmax", {}, call_place::file).empty());
    // A rule hands a graph over as an operand.
    CHECK(said("onnx.Loop", {}, call_place::file) == "lacks the attribute 'body', a graph that Loop needs; give it one");
    CHECK(said("onnx.Loop", {{"body", attribute_form::graph}}, call_place::file).empty());
    CHECK(said("onnx.Loop", {}, call_place::rule).empty());
}

TEST_CASE("an attribute's declared form is known where operator and attribute are") {
    CHECK(declared_form_of<few>("onnx.LRN", "alpha") == attribute_form::number);
    CHECK(declared_form_of<few>("onnx.LRN", "size") == attribute_form::integer);
    CHECK_FALSE(declared_form_of<few>("onnx.LRN", "gamma"));
    CHECK_FALSE(declared_form_of<few>("onnx.Conv", "group"));
}

TEST_CASE("an operator that ONNX does not have gets the nearest one that it has; others pass") {
    CHECK(said("onnx.Sigmoidd").find("(did you mean 'Sigmoid'?)") != std::string::npos);
    CHECK(said("onnx.Conv", {{"whatever", {}}}).empty());
    CHECK(said("onnx.Scan.v8").empty());
    CHECK(said("theirs.Sigmoidd", {{"whatever", {}}}).empty());
    CHECK(said("Sigmoidd").empty());
}
