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
    static constexpr auto table = with_attributes<softmax_attributes, lrn_attributes>(
        {{"onnx.Softmax"}, {"onnx.LogSoftmax"}, {"onnx.Hardmax"}, {"onnx.LRN"}, {"onnx.Relu"}, {"mine.Turn"}});
};
using few = op_table<family>;

std::string said(std::string_view op, const std::vector<attribute_use>& given = {}) {
    const auto done = check_call_of<few>(op, given);
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

TEST_CASE("an operator that ONNX does not have gets the nearest one that it has; others pass") {
    CHECK(said("onnx.Sigmoidd").find("(did you mean 'Sigmoid'?)") != std::string::npos);
    CHECK(said("onnx.Conv", {{"whatever", {}}}).empty());
    CHECK(said("onnx.Scan.v8").empty());
    CHECK(said("theirs.Sigmoidd", {{"whatever", {}}}).empty());
    CHECK(said("Sigmoidd").empty());
}
