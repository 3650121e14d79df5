// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_export.hpp>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/io/read_file.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/onnx/onnx_text_options.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/rewrite/parse_rules.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "io/model_text.hpp"
#include "io/temporary_folder.hpp"

using namespace inlay;
using namespace inlay_test;

static ir_module read(const std::string& text) {
    import_options options;
    options.operators = &onnx_ops::find;
    auto m = import_text(text, options);
    if (!m) FAIL(m.failure().message);
    return *std::move(m);
}

static onnx::ModelProto written(const ir_module& m, const export_options& options = {}) {
    const auto bytes = export_onnx(m, options);
    if (!bytes) FAIL(bytes.failure().message);
    onnx::ModelProto model;
    REQUIRE(model.ParseFromString(*bytes));
    return model;
}

static ir_module again(const ir_module& m, const export_options& options = {}) {
    import_options reading;
    reading.operators = &onnx_ops::find;
    const auto bytes = export_onnx(m, options);
    if (!bytes) FAIL(bytes.failure().message);
    auto back = import_onnx(bytes_of(*bytes), reading);
    if (!back) FAIL(back.failure().message);
    return *std::move(back);
}

/// Kinds, operators, names, types, attributes and operands, node by node.
static void check_same(const ir_module& a, const ir_module& b) {
    REQUIRE(a.size() == b.size());
    CHECK(a.result_names() == b.result_names());
    for (node_id n = 0; n + 1 < a.size(); ++n) {
        CHECK(a.kind(n) == b.kind(n));
        CHECK(a.op(n) == b.op(n));
        CHECK(a.name(n) == b.name(n));
        CHECK(a.type(n) == b.type(n));
        CHECK((a.attributes(n) == b.attributes(n)));
        CHECK(std::vector<node_id>(a.operands(n).begin(), a.operands(n).end()) ==
              std::vector<node_id>(b.operands(n).begin(), b.operands(n).end()));
        CHECK(a.block(n) == b.block(n));
        if (a.constant(n) != nullptr) CHECK(a.constant(n)->content() == b.constant(n)->content());
    }
}

static const std::string x_input = value("input", "x", 1, "n 4");
static const std::string w_tensor =
    "initializer { name: 'w' data_type: 1 dims: [4, 4] float_data: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16] } ";

TEST_CASE("import after export gives the program again") {
    check_same(read(model_text(18, x_input + w_tensor + node("MatMul", "x w", "p", "name: 'product'") + node("Relu", "p", "y") +
                                       "output { name: 'y' }")),
               again(read(model_text(18, x_input + w_tensor + node("MatMul", "x w", "p", "name: 'product'") + node("Relu", "p", "y") +
                                             "output { name: 'y' }"))));
    const ir_module m = read(model_text(
        13,
        x_input + w_tensor + node("Clip", "x _ s", "c") + node("TopK", "c k", "v i") + node("Gelu", "v", "g", "domain: 'com.microsoft'") +
            node("Cast", "i", "y", integer("to", 1)) + "output { name: 'g' } output { name: 'y' } " +
            "initializer { name: 'k' data_type: 7 dims: 1 int64_data: 2 } initializer { name: 's' data_type: 1 float_data: 6 }",
        "opset_import { domain: 'com.microsoft' version: 3 }"));
    check_same(m, again(m));
    CHECK(written(m).opset_import(1).version() == 3);
}

TEST_CASE("old forms leave in the newest one") {
    const onnx::ModelProto model = written(
        read(model_text(9, x_input + node("Softmax", "x", "s") + node("Squeeze", "s", "y", ints("axes", {0})) + "output { name: 'y' }")));
    CHECK(model.opset_import(0).version() == 18);
    CHECK(model.ir_version() == 8);
    CHECK(model.graph().node(1).op_type() == "Squeeze");
    CHECK(model.graph().node(1).input_size() == 2);
    CHECK(model.graph().node(1).attribute_size() == 0);
    CHECK(written(read(model_text(20, x_input + node("Gelu", "x", "y") + "output { name: 'y' }"))).opset_import(0).version() == 20);
}

TEST_CASE("branches and loops leave as graphs") {
    const std::string branches = "attribute { name: 'then_branch' type: GRAPH g { " + node("Relu", "x", "r") +
                                 " output { name: 'r' } output { name: 'x' } } } "
                                 "attribute { name: 'else_branch' type: GRAPH g { " +
                                 node("Abs", "x", "a") + " output { name: 'a' } output { name: 'a' } } }";
    const ir_module branch = read(model_text(
        18, value("input", "c", 9, "") + x_input + node("If", "c", "p q", branches) + "output { name: 'p' } output { name: 'q' }"));
    const onnx::ModelProto model = written(branch);
    CHECK(model.graph().node(0).op_type() == "If");
    CHECK(model.graph().node(0).output_size() == 2);
    const ir_module once = again(branch), twice = again(once);
    check_same(once, twice);

    const std::string body = "attribute { name: 'body' type: GRAPH g { name: 'b' " + value("input", "i", 7, "") +
                             value("input", "go", 9, "") + value("input", "v", 1, "n 4") + node("Identity", "go", "on") +
                             node("Add", "v x", "u") + "output { name: 'on' } output { name: 'u' } } }";
    const ir_module loop =
        read(model_text(18, value("input", "k", 7, "") + x_input + node("Loop", "k _ x", "y", body) + "output { name: 'y' }"));
    check_same(loop, again(loop));
}

TEST_CASE("results that are inputs, constants or one value twice keep their names") {
    const ir_module m = read(
        model_text(18, x_input + w_tensor + node("Relu", "x", "r") + "output { name: 'x' } output { name: 'w' } output { name: 'r' }"));
    const ir_module back = again(m);
    CHECK(back.result_names() == std::vector<std::string>{"x", "w", "r"});
}

TEST_CASE("a region leaves with what it reads as inputs, and what is read from it as outputs") {
    const ir_module m = read(model_text(18, x_input + w_tensor + node("MatMul", "x w", "a") + node("Relu", "a", "b") +
                                                node("Add", "b x", "c") + node("Mul", "c b", "y") + "output { name: 'y' }"));
    std::vector<node_id> region;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.name(n) == "b" || m.name(n) == "c") region.push_back(n);
    const onnx::ModelProto model = written(m, {region, "part"});
    CHECK(model.graph().name() == "part");
    REQUIRE(model.graph().input_size() == 2);
    CHECK(model.graph().input(0).name() == "a");
    CHECK(model.graph().input(1).name() == "x");
    CHECK(model.graph().input(1).type().tensor_type().shape().dim(0).dim_param() == "n");
    REQUIRE(model.graph().output_size() == 2);
    CHECK(model.graph().output(0).name() == "b");
    CHECK(model.graph().output(1).name() == "c");
    CHECK(model.graph().node_size() == 2);
    const ir_module back = again(m, {region, "part"});
    CHECK(back.inputs().size() == 2);
    CHECK(back.results().size() == 2);
}

TEST_CASE("a region takes its constants along, and fields of tuples in and out") {
    const ir_module m = read(model_text(18, x_input + w_tensor + node("Split", "x", "p q", integer("axis", 1) + integer("num_outputs", 2)) +
                                                node("Relu", "q", "r") + node("Relu", "p", "s") + node("MatMul", "x w", "t") +
                                                "output { name: 'r' } output { name: 's' } output { name: 't' }"));
    const auto named = [&](const char* name) {
        for (node_id n = 0; n < m.size(); ++n)
            if (m.name(n) == name && m.kind(n) == node_kind::call) return n;
        return no_node;
    };
    node_id split = no_node;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.op(n) == "onnx.Split") split = n;
    const onnx::ModelProto out = written(m, {{split}, "s"});
    CHECK(out.graph().output_size() == 2);
    CHECK(out.graph().output(1).name() == "q");
    const onnx::ModelProto in = written(m, {{named("r")}, "r"});
    REQUIRE(in.graph().input_size() == 1);
    CHECK(in.graph().input(0).name() == "q");
    const onnx::ModelProto constant = written(m, {{named("t")}, "t"});
    CHECK(constant.graph().initializer_size() == 1);
    CHECK(constant.graph().initializer(0).raw_data().size() == 64);
}

TEST_CASE("names stay unique whatever the program has") {
    ir_builder b;
    b.open_block();
    const node_type type = tensor_type(element_type::float32, {2});
    const node_id in = b.input("same", type);
    const node_id first = b.call("onnx.Relu", {in}, {}, type, "same"), second = b.call("onnx.Abs", {first}, {}, type, "same");
    b.declare(b.function({{in}}, b.tuple({{second, second, in}}), "main"));
    b.name_results({"same_1", "again", "third"});
    const onnx::ModelProto model = written(b.finish());
    std::set<std::string> names;
    for (const auto& n : model.graph().node())
        for (const auto& o : n.output()) CHECK(names.insert(o).second);
    CHECK(names.count("same") == 0);
    CHECK(names.count("again") == 1);
}

TEST_CASE("what ONNX cannot say is refused, and names the node") {
    ir_builder b;
    b.open_block();
    const node_id in = b.input("x", node_type());
    b.declare(b.function({{in}}, b.call("onnx.Relu", {in}), "main"));
    const auto untyped = export_onnx(b.finish());
    REQUIRE_FALSE(untyped);
    CHECK(untyped.failure().message == "node 'x' (input): its type is ?, and an input of a model must be a tensor of known element type");

    ir_builder l;
    l.open_block();
    const node_type type = tensor_type(element_type::float32, {2});
    const node_id a = l.input("a", type), v = l.input("v", type);
    l.declare(l.function({{a}}, l.let(v, a, l.call("onnx.Relu", {v}, {}, type)), "main"));
    CHECK(export_onnx(l.finish()).failure().message.find("cannot be said in ONNX") != std::string::npos);

    const ir_module old = read(model_text(8, x_input + node("Scan", "_ x", "y") + "output { name: 'y' }"));
    CHECK(export_onnx(old).failure().message.find("has the form of opset 8") != std::string::npos);
    const ir_module text = read(model_text(18, node("Constant", "", "y", word("value_string", "a")) + "output { name: 'y' }"));
    CHECK(export_onnx(text).failure().message.find("is a constant that holds strings") != std::string::npos);
    const ir_module plain = read(model_text(18, x_input + node("Relu", "x", "y") + "output { name: 'y' }"));
    CHECK(export_onnx(plain, {{1000}, "r"}).failure().message == "the region has the node 1000, and the program has 3");
    CHECK(export_onnx(plain, {{0}, "r"}).failure().message.find("no value that anything outside reads") != std::string::npos);
}

TEST_CASE("the same module gives the same bytes, in a file too") {
    const temporary_folder folder;
    const ir_module m = read(model_text(18, x_input + w_tensor + node("MatMul", "x w", "y") + "output { name: 'y' }"));
    CHECK(*export_onnx(m) == *export_onnx(m));
    REQUIRE(save_onnx(folder / "m.onnx", m));
    CHECK(*read_file(folder / "m.onnx") == *export_onnx(m));
    CHECK_FALSE(save_onnx(folder / "none/m.onnx", m));
}

TEST_CASE("a whole number that a rule sets where its operator holds numbers is exported as a number") {
    const auto rules = parse_rules("r: Relu(?x) => LeakyRelu[alpha=1](Softmax[axis=1](?x));", "rules", onnx_text_options());
    REQUIRE(rules);
    rewrite_options options;
    options.infer = &infer_call<onnx_ops>;
    const auto rows = rules->rows<working_graph<ir_module>>();
    const ir_module m = read(model_text(18, x_input + node("Relu", "x", "y") + "output { name: 'y' }"));
    const auto made = rewrite(m, std::span<const rule_row<working_graph<ir_module>>>(rows), options);
    REQUIRE(made.report.fired == 1);
    const onnx::ModelProto model = written(made.graph);
    REQUIRE(model.graph().node_size() == 2);
    REQUIRE(model.graph().node(0).attribute_size() == 1);
    CHECK(model.graph().node(0).attribute(0).type() == onnx::AttributeProto::INT);
    REQUIRE(model.graph().node(1).attribute_size() == 1);
    CHECK(model.graph().node(1).attribute(0).name() == "alpha");
    CHECK(model.graph().node(1).attribute(0).type() == onnx::AttributeProto::FLOAT);
    const ir_module back = again(made.graph);
    const auto* alpha = back.attributes(only_result(back)).get<double>("alpha");
    REQUIRE(alpha != nullptr);
    CHECK(*alpha == 1);
}
