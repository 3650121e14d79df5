// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_ops.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

struct doubling {
    static outcome<std::vector<tensor>> twice(const call_view&, std::span<const tensor> operands) {
        return std::vector<tensor>{operands[0], operands[0]};
    }
    static constexpr op_definition table[] = {{"mine.Twice", op_kind::tuple, nullptr, twice, nullptr},
                                              {"mine.Alone", op_kind::opaque, nullptr, nullptr, nullptr}};
};
using my_ops = op_table<onnx_softmaxes<>, doubling>;

static_assert(op_set<onnx_ops> && op_set<my_ops>);

TEST_CASE("Operators are found by their whole name") {
    for (const char* name : {"onnx.Abs", "onnx.Add", "onnx.Conv", "onnx.LayerNormalization", "onnx.Loop", "onnx.Relu", "onnx.Xor"}) {
        CAPTURE(name);
        const op_definition* found = onnx_ops::find(name);
        REQUIRE(found != nullptr);
        CHECK(found->name == name);
        CHECK((found->infer != nullptr));
    }
    for (const char* name : {"", "Relu", "onnx.", "onnx.Rel", "onnx.Reluu", "zzz"}) CHECK(onnx_ops::find(name) == nullptr);
    CHECK(onnx_ops::find("onnx.Conv")->kind == op_kind::anchor);
    CHECK(onnx_ops::find("onnx.Relu")->kind == op_kind::elementwise);
}

TEST_CASE("A set of a user's own has ONNX's families beside the user's operators") {
    REQUIRE(my_ops::find("mine.Twice") != nullptr);
    CHECK(my_ops::find("onnx.Softmax") != nullptr);
    CHECK(my_ops::find("onnx.Relu") == nullptr);
    const tensor x = list_of(floats{1});
    const tensor operands[] = {x};
    const auto both = evaluate_call(*my_ops::find("mine.Twice"), {}, operands, 2);
    REQUIRE(both.has_value());
    CHECK(both->size() == 2);
    CHECK_FALSE(evaluate_call(*my_ops::find("mine.Twice"), {}, operands, 3).has_value());
    CHECK(evaluate_call(*my_ops::find("mine.Alone"), {}, operands).failure().message.find("no meaning") != std::string::npos);
}
