// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_upgrade.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "io/model_text.hpp"

using namespace inlay;
using namespace inlay_test;
using list = std::vector<std::int64_t>;

/// The program of one node that reads x of the given extents (and more inputs), in an old version of the operator set.
static ir_module upgraded(int version, const std::string& extents, const std::string& one_node, const std::string& more = {}) {
    import_options options;
    options.operators = &onnx_ops::find;
    auto m = import_text(model_text(version, value("input", "x", 1, extents) + more + one_node + " output { name: 'y' } "), options);
    if (!m) FAIL(m.failure().message);
    return *std::move(m);
}

/// The result's operator and its operands' kinds: `Squeeze(input, constant)`.
static std::string form(const ir_module& m, node_id n) {
    if (m.kind(n) != node_kind::call) return m.kind(n) == node_kind::tuple && m.arity(n) == 0 ? "-" : std::string(m.op(n));
    std::string text = std::string(m.op(n).substr(5)) + "(";
    for (std::size_t i = 0; i < m.arity(n); ++i) text += (i == 0 ? "" : ", ") + form(m, m.operand(n, i));
    return text + ")";
}
static std::string form(const ir_module& m) { return form(m, only_result(m)); }
static list second(const ir_module& m) { return integers_at(m, only_result(m), 1); }
static const attribute_map& attributes(const ir_module& m) { return m.attributes(only_result(m)); }

TEST_CASE("lists of axes become operands") {
    for (const auto& [op, last] : std::vector<std::pair<std::string, int>>{{"Squeeze", 12},
                                                                           {"ReduceSum", 12},
                                                                           {"ReduceMean", 17},
                                                                           {"ReduceMax", 17},
                                                                           {"ReduceL1", 17},
                                                                           {"ReduceL2", 17},
                                                                           {"ReduceLogSum", 17},
                                                                           {"ReduceLogSumExp", 17},
                                                                           {"ReduceMin", 17},
                                                                           {"ReduceProd", 17},
                                                                           {"ReduceSumSquare", 17}}) {
        const ir_module m = upgraded(last, "1 3", node(op, "x", "y", ints("axes", {0})));
        CHECK(form(m) == op + "(input, constant)");
        CHECK(second(m) == list{0});
        CHECK(attributes(m).find("axes") == nullptr);
        CHECK(form(upgraded(last, "1 3", node(op, "x", "y"))) == op + "(input)");
    }
    const ir_module m = upgraded(12, "3", node("Unsqueeze", "x", "y", ints("axes", {0, 2})));
    CHECK(second(m) == list{0, 2});
    CHECK(to_string(m.type(only_result(m))) == "float32[1,3,1]");
}

TEST_CASE("the newest form stays as it is") {
    const ir_module m = upgraded(18, "1 3", node("ReduceMean", "x a", "y", integer("keepdims", 0)),
                                 "initializer { name: 'a' data_type: 7 dims: 1 int64_data: 1 }");
    CHECK(form(m) == "ReduceMean(input, constant)");
    CHECK(attributes(m).integer("keepdims", 1) == 0);
    CHECK(form(upgraded(25, "1 3", node("Relu", "x", "y"))) == "Relu(input)");
}

TEST_CASE("Slice, Pad and Reshape take their lists as operands") {
    const ir_module slice = upgraded(9, "4 5", node("Slice", "x", "y", ints("starts", {1}) + ints("ends", {3}) + ints("axes", {1})));
    CHECK(form(slice) == "Slice(input, constant, constant, constant)");
    CHECK(integers_at(slice, only_result(slice), 3) == list{1});
    CHECK(to_string(slice.type(only_result(slice))) == "float32[4,2]");
    CHECK(form(upgraded(9, "4 5", node("Slice", "x", "y", ints("starts", {1}) + ints("ends", {3})))) == "Slice(input, constant, constant)");

    const ir_module pad = upgraded(10, "4", node("Pad", "x", "y", ints("pads", {1, 2}) + number("value", 0.5) + word("mode", "constant")));
    CHECK(form(pad) == "Pad(input, constant, constant)");
    CHECK(pad.constant(pad.operand(only_result(pad), 2))->as<float>()[0] == 0.5f);
    CHECK(form(upgraded(1, "4", node("Pad", "x", "y", ints("paddings", {1, 2})))) == "Pad(input, constant)");

    const ir_module reshape = upgraded(1, "4", node("Reshape", "x", "y", ints("shape", {2, 2})));
    CHECK(second(reshape) == list{2, 2});
}

TEST_CASE("Clip's bounds become scalars, and the default ones vanish") {
    const ir_module m = upgraded(6, "4", node("Clip", "x", "y", number("min", 0) + number("max", 6)));
    CHECK(form(m) == "Clip(input, constant, constant)");
    CHECK(m.constant(m.operand(only_result(m), 2))->as<float>()[0] == 6.0f);
    CHECK(m.constant(m.operand(only_result(m), 2))->rank() == 0);
    CHECK(form(upgraded(6, "4", node("Clip", "x", "y", number("max", 6)))) == "Clip(input, -, constant)");
    CHECK(form(upgraded(6, "4", node("Clip", "x", "y"))) == "Clip(input)");
    CHECK(form(upgraded(6, "4", node("Clip", "x", "y", "attribute { name: 'min' type: FLOAT f: -3.402823466e+38 }"))) == "Clip(input)");
}

TEST_CASE("Split says its pieces by an operand or by their number") {
    const ir_module sizes =
        upgraded(11, "6", node("Split", "x", "y z", ints("split", {2, 4}) + integer("axis", 0)) + node("Relu", "z", "unread"));
    CHECK(sizes.op(sizes.operand(only_result(sizes), 0)) == "onnx.Split");
    CHECK(integers_at(sizes, sizes.operand(only_result(sizes), 0), 1) == list{2, 4});
    const ir_module even = upgraded(13, "6", node("Split", "x", "y z w"));
    CHECK(form(even, even.operand(only_result(even), 0)) == "Split(input)");
    CHECK(even.attributes(even.operand(only_result(even), 0)).integer("num_outputs", 0) == 3);
}

TEST_CASE("the first version keeps sizes and counts as numbers of the data's type [io.onnx.split-operand]") {
    const std::string sizes = "initializer { name: 's' data_type: 1 dims: 2 float_data: [2, 4] } ";
    const ir_module known = upgraded(1, "6", node("Split", "x s", "y z", integer("axis", 0)), sizes);
    CHECK(integers_at(known, known.operand(only_result(known), 0), 1) == list{2, 4});
    const ir_module given = upgraded(1, "6", node("Split", "x s", "y z"), value("input", "s", 1, "2"));
    CHECK(form(given, given.operand(only_result(given), 0)) == "Split(input, Cast(input))");
    const std::string tile =
        "initializer { name: 't' data_type: 1 dims: 1 float_data: 3 } initializer { name: 'a' data_type: 1 dims: 1 float_data: 1 } ";
    CHECK(second(upgraded(1, "2 2", node("Tile", "x t a", "y"), tile)) == list{1, 3});
}

TEST_CASE("Dropout keeps its data alone") {
    const ir_module m = upgraded(7, "6", node("Dropout", "x", "y mask", number("ratio", 0.5)));
    CHECK(form(m) == "Dropout(input)");
    CHECK(attributes(m).empty());
    const ir_module mask = upgraded(7, "6", node("Dropout", "x", "z y", number("ratio", 0.5)));
    const node_id cast = mask.operand(mask.operand(only_result(mask), 0), 1);
    CHECK(mask.op(cast) == "onnx.Cast");
    CHECK(to_string(mask.type(cast)) == "float32[6]");
    CHECK(form(mask, mask.operand(mask.operand(cast, 0), 0)) == "Dropout(input)");
}

TEST_CASE("TopK's count becomes an operand") {
    const ir_module m = upgraded(9, "6", node("TopK", "x", "y i", integer("k", 3)));
    CHECK(form(m) == "TopK(input, constant)");
    CHECK(second(m) == list{3});
}

TEST_CASE("Upsample and the first Resize become the newest Resize") {
    const ir_module up =
        upgraded(7, "1 1 2 2",
                 node("Upsample", "x", "y", "attribute { name: 'scales' type: FLOATS floats: [1, 1, 2, 2] }" + word("mode", "nearest")));
    CHECK(form(up) == "Resize(input, -, constant)");
    CHECK(attributes(up).text("coordinate_transformation_mode", "") == "asymmetric");
    CHECK(attributes(up).text("nearest_mode", "") == "floor");
    const std::string scales = "initializer { name: 's' data_type: 1 dims: 4 float_data: [1, 1, 2, 2] }";
    CHECK(form(upgraded(9, "1 1 2 2", node("Upsample", "x s", "y"), scales)) == "Resize(input, -, constant)");
    CHECK(form(upgraded(10, "1 1 2 2", node("Resize", "x s", "y"), scales)) == "Resize(input, -, constant)");
    const std::string empty = "initializer { name: 'r' data_type: 1 dims: 0 } ";
    CHECK(form(upgraded(11, "1 1 2 2", node("Resize", "x r s", "y"), empty + scales)) == "Resize(input, -, constant)");
}

TEST_CASE("the first Resize takes the element above on axes that become shorter, and below on the others [io.onnx.first-resize]") {
    const auto made = [](const std::string& scales) {
        return upgraded(10, "1 1 5 4", node("Resize", "x s", "y"),
                        "initializer { name: 's' data_type: 1 dims: 4 float_data: [" + scales + "] }");
    };
    CHECK(attributes(made("1, 1, 0.5, 0.6")).text("nearest_mode", "") == "ceil");
    CHECK(attributes(made("1, 1, 2, 1")).text("nearest_mode", "") == "floor");
    CHECK(form(made("1, 1, 1.1, 1.2")) == "Identity(input)");
    const ir_module both = made("1, 1, 0.5, 2");
    CHECK(form(both) == "Resize(Resize(input, -, constant), -, constant)");
    CHECK(attributes(both).text("nearest_mode", "") == "floor");
    CHECK(to_string(both.type(only_result(both))) == "float32[1,1,2,8]");
    const ir_module dynamic = upgraded(10, "1 1 5 4", node("Resize", "x s", "y"), value("input", "s", 1, "4"));
    CHECK(form(dynamic) == "Resize(Resize(input, -, Min(input, constant)), -, Max(input, constant))");
    CHECK(form(upgraded(10, "1 1 5 4", node("Resize", "x s", "y", word("mode", "linear")), value("input", "s", 1, "4"))) ==
          "Resize(input, -, input)");
}

TEST_CASE("the first Upsample has a factor for height and one for width") {
    const ir_module up =
        upgraded(1, "1 1 2 2", node("Upsample", "x", "y", number("height_scale", 2) + number("width_scale", 3) + word("mode", "bilinear")));
    CHECK(form(up) == "Resize(input, -, constant)");
    CHECK(attributes(up).text("mode", "") == "linear");
    CHECK(to_string(up.type(only_result(up))) == "float32[1,1,4,6]");
    CHECK(form(upgraded(1, "1 1 2 2", node("Upsample", "x", "y"))) == "Upsample.v1(input)");
}

TEST_CASE("the pads of the first AveragePool count [io.onnx.first-average-pool]") {
    const std::string pool = node("AveragePool", "x", "y", ints("kernel_shape", {2}) + ints("pads", {1, 0}));
    CHECK(attributes(upgraded(1, "1 1 4", pool)).integer("count_include_pad", 0) == 1);
    CHECK(attributes(upgraded(6, "1 1 4", pool)).integer("count_include_pad", 0) == 1);
    CHECK(attributes(upgraded(7, "1 1 4", pool)).integer("count_include_pad", 0) == 0);
}

TEST_CASE("batch normalisation loses what inference does not need") {
    std::string tensors;
    for (const char* t : {"a", "b", "c", "d"})
        tensors += std::string("initializer { name: '") + t + "' data_type: 1 dims: 3 float_data: [1, 1, 1] } ";
    const auto made = [&](int version, const std::string& attributes_text) {
        return upgraded(version, "1 3 4 4", node("BatchNormalization", "x a b c d", "y", attributes_text), tensors);
    };
    CHECK(attributes(made(6, integer("is_test", 1) + integer("spatial", 1) + ints("consumed_inputs", {0, 0, 0, 1, 1}))).empty());
    CHECK(attributes(made(7, integer("spatial", 1) + number("epsilon", 0.5))).number("epsilon", 0) == 0.5);
    CHECK(made(7, integer("spatial", 0)).op(only_result(made(7, integer("spatial", 0)))) == "onnx.BatchNormalization.v7");
    std::string elements;
    for (const char* t : {"a", "b", "c", "d"}) elements += value("input", t, 1, "3 4 4");
    const ir_module own = upgraded(7, "1 3 4 4", node("BatchNormalization", "x a b c d", "y", integer("spatial", 0)), elements);
    CHECK(form(own) == "Add(Mul(Div(Sub(input, input), Sqrt(Add(input, constant))), input), input)");
    CHECK(form(made(9, "")) == "BatchNormalization(input, constant, constant, constant, constant)");
}

TEST_CASE("operands that met at an axis are aligned by trailing ones") {
    const std::string bias = "initializer { name: 'b' data_type: 1 dims: 3 float_data: [1, 2, 3] }";
    const ir_module m = upgraded(6, "2 3 4 4", node("Add", "x b", "y", integer("axis", 1) + integer("broadcast", 1)), bias);
    CHECK(form(m) == "Add(input, constant)");
    CHECK(m.constant(m.operand(only_result(m), 1))->extents() == list{3, 1, 1});
    CHECK(attributes(m).empty());
    CHECK(to_string(m.type(only_result(m))) == "float32[2,3,4,4]");
    const ir_module dynamic =
        upgraded(6, "2 3 4 4", node("Mul", "x b", "y", integer("axis", -3) + integer("broadcast", 1)), value("input", "b", 1, "3"));
    CHECK(form(dynamic) == "Mul(input, Unsqueeze(input, constant))");
    CHECK(form(upgraded(6, "2 3", node("Add", "x b", "y", integer("broadcast", 1)), bias)) == "Add(input, constant)");
    const ir_module unknown = upgraded(6, "*", node("Add", "x b", "y", integer("axis", 1) + integer("broadcast", 1)), bias);
    CHECK(unknown.op(only_result(unknown)) == "onnx.Add.v6");
    CHECK(refusal_of(model_text(6, value("input", "x", 1, "2 3") + bias +
                                       node("Add", "x b", "y", integer("axis", 2) + integer("broadcast", 1)) + " output { name: 'y' } ")) ==
          "node 'y' (Add): aligns an operand of rank 1 at axis 2 of one of rank 2");
}

TEST_CASE("a slope per channel is aligned") {
    const std::string slope = "initializer { name: 's' data_type: 1 dims: 3 float_data: [1, 2, 3] }";
    const ir_module m = upgraded(6, "2 3 4 4", node("PRelu", "x s", "y"), slope);
    CHECK(m.constant(m.operand(only_result(m), 1))->extents() == list{3, 1, 1});
    const ir_module plain = upgraded(7, "2 4 4 3", node("PRelu", "x s", "y"), slope);
    CHECK(plain.constant(plain.operand(only_result(plain), 1))->extents() == list{3});
}

TEST_CASE("softmax over flattened axes becomes softmax over one") {
    CHECK(form(upgraded(9, "2 3", node("Softmax", "x", "y"))) == "Softmax(input)");
    CHECK(attributes(upgraded(9, "2 3", node("Softmax", "x", "y"))).integer("axis", 9) == 1);
    CHECK(form(upgraded(9, "2 3 1 1", node("Softmax", "x", "y", integer("axis", 1)))) == "Softmax(input)");
    CHECK(form(upgraded(11, "2 3 4", node("LogSoftmax", "x", "y", integer("axis", -1)))) == "LogSoftmax(input)");
    CHECK(form(upgraded(9, "2 3 4", node("Hardmax", "x", "y"))) == "Reshape(Hardmax(Flatten(input)), Shape(input))");
    const ir_module whole = upgraded(9, "2 3 4", node("Softmax", "x", "y", integer("axis", 0)));
    CHECK(form(whole) == "Reshape(Softmax(Flatten(input)), Shape(input))");
    CHECK(form(upgraded(9, "*", node("Softmax", "x", "y"))) == "Reshape(Softmax(Flatten(input)), Shape(input))");
    CHECK(form(upgraded(13, "2 3 4", node("Softmax", "x", "y", integer("axis", 0)))) == "Softmax(input)");
    CHECK(refusal_of(model_text(9, value("input", "x", 1, "2") + node("Softmax", "x", "y", integer("axis", 5)) +
                                       " output { name: 'y' } ")) == "node 'y' (Softmax): has the axis 5 where its operand has rank 1");
}

TEST_CASE("smaller changes of form") {
    CHECK(attributes(upgraded(5, "2", node("Cast", "x", "y", word("to", "INT64")))).integer("to", 0) == 7);
    CHECK(refusal_of(model_text(5, value("input", "x", 1, "2") + node("Cast", "x", "y", word("to", "NOTHING")) +
                                       " output { name: 'y' } ")) == "node 'y' (Cast): casts to 'NOTHING', which is no element type");
    CHECK(refusal_of(model_text(21, value("input", "x", 1, "2") + node("Cast", "x", "y", integer("to", 22)) + " output { name: 'y' } ")) ==
          "node 'y' (Cast): casts to element type 22, which is not supported");
    const auto product = [](int scale) {
        return form(upgraded(21, "2 2", node("QLinearMatMul", "a s z a s z s z", "y"),
                             value("input", "a", 3, "2 2") + value("input", "s", scale, "1") + value("input", "z", 3, "1")));
    };
    CHECK(product(1) == "QLinearMatMul(input, input, input, input, input, input, input, input)");
    CHECK(product(10) == "QLinearMatMul(input, Cast(input), input, input, Cast(input), input, Cast(input), input)");
    CHECK(product(16) == product(10));
    CHECK(attributes(upgraded(3, "2 2", node("Concat", "x x", "y"))).integer("axis", 0) == 1);
    CHECK(attributes(upgraded(6, "2 2", node("Gemm", "x x x", "y", integer("broadcast", 1)))).empty());
    CHECK(attributes(upgraded(1, "1 1 2 2", node("GlobalLpPool", "x", "y", number("p", 3)))).integer("p", 0) == 3);
    CHECK(form(upgraded(1, "1 1 2 2", node("LpPool", "x", "y", ints("kernel_shape", {2, 2})))) == "LpPool(input)");
    CHECK(form(upgraded(1, "1 1 2 2", node("LpPool", "x", "y"))) == "LpPool.v1(input)");
    const std::string indices = value("input", "i", 7, "2") + value("input", "u", 1, "2");
    CHECK(form(upgraded(10, "2", node("Scatter", "x i u", "y"), indices)) == "ScatterElements(input, input, input)");
    CHECK(attributes(upgraded(16, "1 1 2 2", node("GridSample", "x g", "y", word("mode", "bicubic")), value("input", "g", 1, "1 2 2 2")))
              .text("mode", "") == "cubic");
    CHECK(attributes(upgraded(16, "1 1 2 2", node("GridSample", "x g", "y"), value("input", "g", 1, "1 2 2 2"))).text("mode", "") ==
          "linear");
    CHECK(form(upgraded(17, "1 4 1", node("DFT", "x", "y", integer("axis", 1)))) == "DFT(input, -, constant)");
    const std::string tile = "initializer { name: 't' data_type: 7 int64_data: 3 } initializer { name: 'a' data_type: 7 int64_data: 1 }";
    CHECK(second(upgraded(5, "2 2", node("Tile", "x t a", "y"), tile)) == list{1, 3});
    const std::string floats = "initializer { name: 't' data_type: 1 float_data: 3 } initializer { name: 'a' data_type: 1 float_data: 1 }";
    CHECK(second(upgraded(1, "2 2", node("Tile", "x t a", "y"), floats)) == list{1, 3});
    const std::string affine = "initializer { name: 's' data_type: 1 dims: 2 float_data: [1, 1] } ";
    CHECK(form(upgraded(18, "1 4 2 2", node("GroupNormalization", "x s s", "y", integer("num_groups", 2)), affine)) ==
          "Reshape(InstanceNormalization(Reshape(input, constant), constant, constant), Shape(input))");
    CHECK(attributes(upgraded(1, "2", node("Relu", "x", "y", ints("consumed_inputs", {1})))).empty());
}

TEST_CASE("attention with past keys or further results keeps its own form, which nobody knows") {
    CHECK(form(upgraded(23, "1 2 3 4", node("Attention", "x x x", "y"))) == "Attention(input, input, input)");
    CHECK(form(upgraded(23, "1 2 3 4", node("Attention", "x x x _ x x", "y"))).substr(0, 14) == "Attention.v23(");
    CHECK(form(upgraded(24, "1 2 3 4", node("Attention", "x x x _ _ _ x", "y"))).substr(0, 14) == "Attention.v24(");
}

TEST_CASE("a node with too few operands is still a node") {
    import_options options;
    options.operators = &onnx_ops::find;
    for (const auto& step : detail::upgrade_steps)
        for (const int version : {1, 6, 12, 17})
            CHECK((import_text(model_text(version, node(std::string(step.op), "", "y") + " output { name: 'y' } "), options).has_value() ||
                   !refusal_of(model_text(version, node(std::string(step.op), "", "y") + " output { name: 'y' } "), options).empty()));
}
