// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_ops.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

namespace {

std::vector<tensor> run(const char* op, const std::vector<tensor>& operands, const attribute_map& attributes = {},
                        std::size_t outputs = 1) {
    CAPTURE(std::string(op));
    const op_definition* d = relay_ops::find(op);
    REQUIRE(d != nullptr);
    auto made = evaluate_call(*d, attributes, operands, outputs);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
std::vector<float> floats(const tensor& t) { return {t.as<float>().begin(), t.as<float>().end()}; }

const tensor grid = tensor::of<float>({2, 3}, std::vector<float>{1, -2, 3, -4, 5, -6});

}  // namespace

TEST_CASE("operators are found by Relay's names, and ONNX's by their own") {
    std::string_view before;
    for (const op_definition& d : relay_ops::all()) {
        CHECK(before < d.name);
        CHECK(relay_ops::find(d.name) == &d);
        before = d.name;
    }
    CHECK(relay_ops::find("onnx.Relu") == onnx_ops::find("onnx.Relu"));
    CHECK(relay_ops::find("nn.nothing") == nullptr);
}

TEST_CASE("element by element, Relay's operators mean what ONNX's do") {
    CHECK(floats(run("negative", {grid})[0]) == std::vector<float>{-1, 2, -3, 4, -5, 6});
    CHECK(floats(run("nn.relu", {grid})[0]) == std::vector<float>{1, 0, 3, 0, 5, 0});
    CHECK(floats(run("multiply", {grid, tensor::scalar(2.0f)})[0]) == std::vector<float>{2, -4, 6, -8, 10, -12});
    CHECK(run("less", {grid, tensor::scalar(0.0f)})[0].element() == element_type::boolean);
    CHECK(floats(run("nn.bias_add", {grid, tensor::of<float>({3}, std::vector<float>{10, 20, 30})})[0]) ==
          std::vector<float>{11, 18, 33, 6, 25, 24});
    CHECK(floats(run("zeros_like", {grid})[0]) == std::vector<float>(6, 0.0f));
    CHECK(run("cast", {grid}, {{"dtype", std::string("int32")}})[0].as<std::int32_t>()[5] == -6);
}

TEST_CASE("shapes follow Relay's attributes") {
    using ints = std::vector<std::int64_t>;
    CHECK(run("reshape", {grid}, {{"newshape", ints{-1}}})[0].extents() == ints{6});
    CHECK(run("reshape", {grid}, {{"newshape", ints{0, -1, 1}}})[0].extents() == ints{2, 3, 1});
    CHECK(floats(run("transpose", {grid})[0]) == std::vector<float>{1, -4, -2, 5, 3, -6});
    CHECK(run("expand_dims", {grid}, {{"axis", std::int64_t{1}}, {"num_newaxis", std::int64_t{2}}})[0].extents() == ints{2, 1, 1, 3});
    CHECK(run("squeeze", {grid.reshaped({2, 1, 3})}, {{"axis", ints{1}}})[0].extents() == ints{2, 3});
    CHECK(floats(run("sum", {grid}, {{"axis", ints{1}}})[0]) == std::vector<float>{2, -5});
    CHECK(floats(run("sum", {grid}, {{"axis", ints{1}}, {"exclude", std::int64_t{1}}})[0]) == std::vector<float>{-3, 3, -3});
    const auto parts = run("split", {grid}, {{"indices_or_sections", ints{1}}, {"axis", std::int64_t{1}}}, 2);
    CHECK(floats(parts[0]) == std::vector<float>{1, -4});
    CHECK(floats(parts[1]) == std::vector<float>{-2, 3, 5, -6});
    const auto shape = run("vm.shape_of", {grid}, {{"dtype", std::string("int64")}});
    CHECK(shape[0].as<std::int64_t>()[1] == 3);
    CHECK(run("vm.reshape_tensor", {grid, tensor::of<std::int64_t>({1}, ints{6})})[0].extents() == ints{6});
    CHECK(run("nn.dense", {grid, grid})[0].extents() == ints{2, 2});
    CHECK(floats(run("nn.dense", {grid, grid})[0])[0] == 14);
}

TEST_CASE("what does not fit is one sentence") {
    const op_definition* split = relay_ops::find("split");
    const tensor operands[] = {grid};
    CHECK(evaluate_call(*split, {{"indices_or_sections", std::int64_t{4}}, {"axis", std::int64_t{1}}}, operands).failure().message ==
          "split cannot cut axis 1 of float32[2,3] into 4 equal parts");
    CHECK(evaluate_call(*split, {{"indices_or_sections", std::int64_t{2}}, {"axis", std::int64_t{5}}}, operands).failure().message ==
          "split has axis 5, which an operand of rank 2 does not have");
    CHECK(evaluate_call(*relay_ops::find("reshape"), {{"newshape", std::vector<std::int64_t>{4}}}, operands).failure().message ==
          "reshape gives float32[2,3] a shape of another number of elements");
}
