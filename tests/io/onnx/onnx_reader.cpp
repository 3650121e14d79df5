// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_reader.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <google/protobuf/unknown_field_set.h>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "io/model_text.hpp"

using namespace inlay;
using namespace inlay_test;

static const std::string x_input = value("input", "x", 1, "2 3");
static const std::string y_output = "output { name: 'y' } ";

static ir_module read(const std::string& text, const import_options& options = {}) {
    auto m = import_text(text, options);
    if (!m) FAIL(m.failure().message);
    return *std::move(m);
}

static std::vector<std::string> names(const ir_module& m, node_kind kind) {
    std::vector<std::string> found;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == kind) found.emplace_back(m.name(n));
    return found;
}

TEST_CASE("a graph becomes the main function") {
    const ir_module m =
        read(model_text(13, x_input + "initializer { name: 'w' data_type: 1 dims: [3, 4] float_data: [0,0,0,0,0,0,0,0,0,0,0,0] }" +
                                node("MatMul", "x w", "p") + node("Relu", "p", "y", "name: 'act'") + value("output", "y", 1, "2 4")));
    CHECK(m.inputs().size() == 1);
    CHECK(m.name(m.inputs()[0]) == "x");
    CHECK(m.symbol(m.main()) == "main");
    CHECK(m.result_names() == std::vector<std::string>{"y"});
    CHECK(m.op(only_result(m)) == "onnx.Relu");
    CHECK(m.name(only_result(m)) == "act");
    CHECK(to_string(m.type(only_result(m))) == "float32[2,4]");
    const node_id product = m.operand(only_result(m), 0);
    CHECK(m.name(product) == "p");
    CHECK(m.name(m.operand(product, 1)) == "w");
    CHECK(m.constant(m.operand(product, 1)) != static_cast<const tensor*>(nullptr));
    CHECK(m.attributes(m.main()).integer("opset.ai.onnx", 0) == 13);
    CHECK(m.attributes(m.main()).integer("ir_version", 0) == 8);
}

TEST_CASE("a node answers by its own name if that is unique, else by its first output's") {
    const ir_module m = read(model_text(13, x_input + node("Relu", "x", "a", "name: 'twice'") + node("Relu", "a", "b", "name: 'twice'") +
                                                node("Relu", "b", "c") + node("Relu", "c", "y", "name: 'once'") + y_output));
    CHECK(names(m, node_kind::call) == std::vector<std::string>{"a", "b", "c", "once"});
}

TEST_CASE("operators of other domains keep theirs, and both names of the default one are the same") {
    const ir_module m = read(
        model_text(13, x_input + node("Gelu", "x", "a", "domain: 'com.microsoft'") + node("Relu", "a", "y", "domain: 'ai.onnx'") + y_output,
                   "opset_import { domain: 'com.microsoft' version: 1 }"));
    CHECK(m.op(only_result(m)) == "onnx.Relu");
    CHECK(m.op(m.operand(only_result(m), 0)) == "com.microsoft.Gelu");
    CHECK(m.attributes(m.main()).integer("opset.com.microsoft", 0) == 1);
}

TEST_CASE("operands left out are unit values") {
    const ir_module m = read(model_text(13, x_input + node("Clip", "x _ x", "y") + y_output));
    const node_id unit = m.operand(only_result(m), 1);
    CHECK(m.kind(unit) == node_kind::tuple);
    CHECK(m.arity(unit) == 0);
}

TEST_CASE("several outputs are a tuple, without those at the end that nobody reads") {
    const ir_module m =
        read(model_text(13, x_input + node("TopK", "x x", "v i") + node("Split", "v", "a b c d") + node("Add", "a c", "y") + y_output));
    const node_id add = only_result(m);
    const node_id a = m.operand(add, 0), c = m.operand(add, 1);
    CHECK(m.kind(c) == node_kind::projection);
    CHECK(m.field(a) == 0);
    CHECK(m.field(c) == 2);
    CHECK(m.name(c) == "c");
    const node_id split = m.operand(c, 0);
    CHECK(m.type(split).fields.size() == 4);
    CHECK(m.op(m.operand(split, 0)) == "onnx.TopK");
    CHECK(names(m, node_kind::projection) == std::vector<std::string>{"a", "c"});
}

TEST_CASE("results without a reader may be left empty, at the end and in between [io.onnx.empty-outputs]") {
    import_options options;
    options.operators = &onnx_ops::find;
    const auto split = [&](int opset, const std::string& makes, const std::string& attributes) {
        const ir_module m =
            read(model_text(opset, value("input", "x", 1, "6") + node("Split", "x", makes, attributes) + y_output), options);
        const node_id y = only_result(m);
        return std::to_string(m.field(y)) + " of " + to_string(m.type(m.operand(y, 0)));
    };
    CHECK(split(11, "y b c", ints("split", {1, 2, 3})) == "0 of (float32[1], float32[2], float32[3])");
    CHECK(split(11, "_ y _", ints("split", {1, 2, 3})) == "1 of (float32[1], float32[2], float32[3])");
    CHECK(split(13, "y _ _", "") == "0 of (float32[2], float32[2], float32[2])");
    CHECK(split(18, "_ y _", integer("num_outputs", 3)) == "1 of (float32[2], float32[2], float32[2])");
}

TEST_CASE("an initialiser that is an input is a default since version 4, unless it is fixed [io.onnx.defaults]") {
    const std::string graph = x_input + value("input", "k", 1, "3") +
                              "initializer { name: 'k' data_type: 1 dims: 3 float_data: [1, 2, 3] }" + node("Add", "x k", "y") + y_output;
    const ir_module open = read(model_text(13, graph));
    REQUIRE(open.inputs().size() == 2);
    CHECK(default_of(open, open.inputs()[0]) == nullptr);
    REQUIRE(default_of(open, open.inputs()[1]) != nullptr);
    CHECK(default_of(open, open.inputs()[1])->as<float>()[2] == 3);
    import_options all, one, other;
    all.fixed_defaults = true;
    one.fixed_inputs = {"k"};
    other.fixed_inputs = {"x"};
    CHECK(read(model_text(13, graph), all).inputs().size() == 1);
    CHECK(read(model_text(13, graph), one).inputs().size() == 1);
    CHECK(read(model_text(13, graph), other).inputs().size() == 2);
    CHECK(read("ir_version: 3 opset_import { version: 8 } graph { name: 'g' " + graph + " }").inputs().size() == 1);
    const std::string whole = value("input", "k", 7, "3") + graph.substr(x_input.size() + value("input", "k", 1, "3").size());
    CHECK(refusal_of(model_text(13, x_input + whole)) ==
          "input 'k' is int64[3], and its initialiser is float32[3]; give both one element type");
}

TEST_CASE("a sparse tensor is a dense constant [io.onnx.sparse]") {
    const auto sparse = [](const std::string& indices, const std::string& dims = "2, 3") {
        return "values { name: 'k' data_type: 1 dims: 2 float_data: [5, 7] } indices { data_type: 7 " + indices + " } dims: [" + dims + "]";
    };
    const auto dense = [&](const std::string& graph) {
        const ir_module m = read(model_text(13, x_input + graph));
        const node_id y = only_result(m);
        const tensor* const t = m.constant(m.kind(y) == node_kind::constant ? y : m.operand(y, 1));
        return t == nullptr ? std::vector<float>() : std::vector<float>(t->as<float>().begin(), t->as<float>().end());
    };
    const std::vector<float> meant{0, 5, 0, 0, 0, 7};
    const std::string add = node("Add", "x k", "y") + y_output;
    CHECK(dense("sparse_initializer { " + sparse("dims: 2 int64_data: [1, 5]") + " } " + add) == meant);
    CHECK(dense("sparse_initializer { " + sparse("dims: [2, 2] int64_data: [0, 1, 1, 2]") + " } " + add) == meant);
    CHECK(dense(node("Constant", "", "y",
                     "attribute { name: 'sparse_value' type: SPARSE_TENSOR sparse_tensor { " + sparse("dims: 2 int64_data: [1, 5]") +
                         " } }") +
                y_output) == meant);
    const auto refused = [&](const std::string& text) {
        return refusal_of(model_text(13, x_input + "sparse_initializer { " + text + " } " + add));
    };
    CHECK(refused(sparse("dims: 2 int64_data: [1, 6]")) == "tensor 'k' has an index 1 outside of its shape");
    CHECK(refused(sparse("dims: 2 int64_data: [5, 1]")) == "tensor 'k' has an index 1 that is not above the one before it");
    CHECK(refused(sparse("dims: 3 int64_data: [1, 2, 3]")).find("indices of type int64[3] for 2 values") != std::string::npos);
    CHECK(refused(sparse("dims: 2 int64_data: [1, 5]", "1000000, 1000000")).find("a shape that no dense tensor here has") !=
          std::string::npos);
    CHECK(refused(sparse("dims: 2 int64_data: [1, 5]", "-2, -3")).find("a shape that no dense tensor here has") != std::string::npos);
}

TEST_CASE("several results are a tuple, named in order; a result may be an input or a constant") {
    const ir_module m = read(model_text(13, x_input + "initializer { name: 'k' data_type: 1 float_data: 1 }" + node("Relu", "x", "r") +
                                                "output { name: 'r' } output { name: 'x' } output { name: 'k' }"));
    CHECK(m.result_names() == std::vector<std::string>{"r", "x", "k"});
    REQUIRE(m.results().size() == 3);
    CHECK(m.kind(m.results()[1]) == node_kind::input);
    CHECK(m.kind(m.results()[2]) == node_kind::constant);
}

TEST_CASE("constants come in every way of writing them") {
    const auto constant = [](const std::string& attribute) {
        const ir_module m = read(model_text(13, node("Constant", "", "y", attribute) + y_output));
        const tensor* t = m.constant(only_result(m));
        return t == nullptr ? std::string(m.op(only_result(m))) : to_string(t->type());
    };
    CHECK(constant("attribute { name: 'value' type: TENSOR t { data_type: 7 dims: 2 int64_data: [1, 2] } }") == "int64[2]");
    CHECK(constant(number("value_float", 1)) == "float32[]");
    CHECK(constant(integer("value_int", 1)) == "int64[]");
    CHECK(constant(ints("value_ints", {1, 2, 3})) == "int64[3]");
    CHECK(constant("attribute { name: 'value_floats' type: FLOATS floats: [1, 2] }") == "float32[2]");
    CHECK(constant(word("value_string", "a")) == "onnx.Constant");
    CHECK(constant("attribute { name: 'value' type: TENSOR t { data_type: 8 dims: 1 string_data: 'a' } }") == "onnx.Constant");
    CHECK(refusal_of(model_text(13, node("Constant", "", "y") + y_output)) ==
          "node 'y' (Constant): must have one attribute and one output");
    CHECK(refusal_of(model_text(13, node("Constant", "", "y", "attribute { name: 'v' type: GRAPH }") + y_output)) ==
          "node 'y' (Constant): has the attribute 'v', which is no constant's");
}

TEST_CASE("the branches of an If are blocks that read the values around them") {
    const std::string branches =
        "attribute { name: 'else_branch' type: GRAPH g { name: 'e' output { name: 'x' } } } "
        "attribute { name: 'then_branch' type: GRAPH g { name: 't' " +
        node("Relu", "x", "r") + " output { name: 'r' } } }";
    const ir_module m = read(model_text(13, value("input", "c", 9, "") + x_input + node("If", "c", "y", branches) + y_output));
    const node_id branch = only_result(m);
    REQUIRE(m.kind(branch) == node_kind::if_else);
    CHECK(m.kind(m.operand(branch, 0)) == node_kind::input);
    const node_id then = m.operand(branch, 1), otherwise = m.operand(branch, 2);
    CHECK(m.op(then) == "onnx.Relu");
    CHECK(m.op(otherwise) == "onnx.Identity");
    CHECK(m.block(then) != m.block(branch));
    CHECK(m.block(otherwise) != m.block(then));
    CHECK(m.parent(m.block(then)) == m.block(branch));
    CHECK(m.operand(then, 0) == m.inputs()[1]);

    CHECK(refusal_of(model_text(13, x_input + node("If", "x", "y z", branches) + y_output))
              .find("has 2 outputs, and its else_branch has 1") != std::string::npos);
    CHECK(refusal_of(model_text(13, x_input + node("If", "x", "y") + y_output)) ==
          "node 'y' (If): must have a then_branch and an else_branch");
    CHECK(refusal_of(model_text(13, x_input + node("If", "", "y", branches) + y_output)) == "node 'y' (If): must read one condition");
    CHECK(
        refusal_of(model_text(
            13, x_input + node("If", "x", "y", "attribute { name: 'then_branch' type: GRAPH g { " + x_input + "output { name: 'x' } } }") +
                    y_output)) == "a branch of an If has inputs, and can have none");
}

TEST_CASE("an If of several outputs is a tuple of fields") {
    const auto branch = [](const std::string& which) {
        return "attribute { name: '" + which + "' type: GRAPH g { " + node("Relu", "x", which + "_r") + " output { name: '" + which +
               "_r' } output { name: 'x' } } } ";
    };
    const ir_module m = read(model_text(
        13, value("input", "c", 9, "") + x_input + node("If", "c", "p y", branch("then_branch") + branch("else_branch")) + y_output));
    CHECK(m.kind(only_result(m)) == node_kind::projection);
    CHECK(m.field(only_result(m)) == 1);
}

TEST_CASE("the body of a Loop is a function and the last operand") {
    const std::string body = "attribute { name: 'body' type: GRAPH g { name: 'b' " + value("input", "i", 7, "") +
                             value("input", "go", 9, "") + value("input", "v", 1, "2 3") + node("Add", "v x", "w") +
                             "output { name: 'go' } output { name: 'w' } } }";
    const ir_module m = read(model_text(13, value("input", "n", 7, "") + x_input + node("Loop", "n _ x", "y", body) + y_output));
    const node_id loop = only_result(m);
    CHECK(m.op(loop) == "onnx.Loop");
    REQUIRE(m.arity(loop) == 4);
    const node_id function = m.operand(loop, 3);
    REQUIRE(m.kind(function) == node_kind::function);
    CHECK(m.parameters(function).size() == 3);
    CHECK(m.kind(m.result(function)) == node_kind::tuple);
    CHECK(m.arity(m.result(function)) == 2);
}

static std::string function(const std::string& name, const std::string& inputs, const std::string& outputs, const std::string& rest) {
    std::string text = "functions { domain: 'mine' name: '" + name + "' opset_import { version: 13 } ";
    for (const char c : inputs) text += std::string("input: '") + c + "' ";
    for (const char c : outputs) text += std::string("output: '") + c + "' ";
    return text + rest + " } ";
}
static const std::string mine = "opset_import { domain: 'mine' version: 1 } ";

TEST_CASE("functions of the file are inlined, with attributes by reference and operands left out") {
    const std::string body = node("LeakyRelu", "a", "t", "name: 'leak' attribute { name: 'alpha' type: FLOAT ref_attr_name: 'slope' }") +
                             node("Clip", "t b", "c");
    const ir_module m = read(model_text(13,
                                        x_input + node("f", "x", "m", "domain: 'mine' name: 'first' " + number("slope", 0.25)) +
                                            node("f", "m", "y", "domain: 'mine' name: 'second'") + y_output,
                                        mine + function("f", "ab", "c", body)));
    CHECK(names(m, node_kind::call) == std::vector<std::string>{"first/leak", "first/c", "second/leak", "second/c"});
    const node_id clip = only_result(m);
    CHECK(m.arity(clip) == 1);
    const node_id second = m.operand(clip, 0);
    CHECK(m.attributes(second).find("alpha") == static_cast<const attribute_value*>(nullptr));
    const node_id first = m.operand(m.operand(second, 0), 0);
    CHECK(m.attributes(first).number("alpha", 0) == 0.25);
}

TEST_CASE("attributes of functions have defaults, and constants in them are read at every call") {
    const std::string body = node("Constant", "", "k", "attribute { name: 'value' type: TENSOR t { data_type: 1 raw_data: 'abcd' } }") +
                             node("Add", "a k", "t") +
                             node("Constant", "", "d", "attribute { name: 'value_float' type: FLOAT ref_attr_name: 'delta' }") +
                             node("Add", "t d", "c");
    onnx::ModelProto model = model_of(model_text(
        13, x_input + node("f", "x", "m", "domain: 'mine'") + node("f", "m", "y", "domain: 'mine' " + number("delta", 3)) + y_output,
        mine + function("f", "a", "c", body)));
    onnx::AttributeProto delta;
    delta.set_name("delta");
    delta.set_type(onnx::AttributeProto::FLOAT);
    delta.set_f(7);
    google::protobuf::UnknownFieldSet later;
    later.AddLengthDelimited(11, delta.SerializeAsString());
    std::string bytes;
    REQUIRE(later.SerializeToString(&bytes));
    REQUIRE(model.mutable_functions(0)->MergeFromString(bytes));
    const auto m = import_onnx(bytes_of(model.SerializeAsString()));
    REQUIRE(m);
    const node_id last = only_result(*m), first = m->operand(m->operand(last, 0), 0);
    CHECK(m->constant(m->operand(last, 1))->as<float>()[0] == 3.0f);
    CHECK(m->constant(m->operand(first, 1))->as<float>()[0] == 7.0f);
}

TEST_CASE("a function whose name the operators know stays a call") {
    struct known {
        static const op_definition* find(std::string_view name) {
            static constexpr op_definition f{"mine.f"};
            return name == f.name ? &f : nullptr;
        }
    };
    import_options options;
    options.operators = &known::find;
    CHECK(read(model_text(13, x_input + node("f", "x", "y", "domain: 'mine'") + y_output,
                          mine + function("f", "a", "c", node("Relu", "a", "c"))),
               options)
              .op(1) == "mine.f");
}

TEST_CASE("functions that call themselves, or each other for ever, are refused") {
    const std::string graph = x_input + node("f", "x", "y", "domain: 'mine'") + y_output;
    CHECK(refusal_of(model_text(13, graph, mine + function("f", "a", "c", node("f", "a", "c", "domain: 'mine'")))) ==
          "node 'c' (f): the function calls itself, which no file may ask for");
    CHECK(refusal_of(model_text(13, graph,
                                mine + function("f", "a", "c", node("g", "a", "c", "domain: 'mine'")) +
                                    function("g", "a", "c", node("f", "a", "c", "domain: 'mine'"))))
              .find("calls itself") != std::string::npos);
    std::string chain;
    for (int i = 0; i < 200; ++i)
        chain += function("f" + std::to_string(i), "a", "c", node("f" + std::to_string(i + 1), "a", "c", "domain: 'mine'"));
    CHECK(refusal_of(model_text(13, x_input + node("f0", "x", "y", "domain: 'mine'") + y_output, mine + chain)) ==
          "graphs and functions stand in each other more than 64 deep");
    std::string bomb = function("f30", "a", "c", node("Relu", "a", "c"));
    for (int i = 0; i < 30; ++i) {
        const std::string next = "f" + std::to_string(i + 1);
        bomb +=
            function("f" + std::to_string(i), "a", "c", node(next, "a", "b", "domain: 'mine'") + node(next, "b", "c", "domain: 'mine'"));
    }
    import_options options;
    options.most_nodes = 10000;
    CHECK(refusal_of(model_text(13, x_input + node("f0", "x", "y", "domain: 'mine'") + y_output, mine + bomb), options) ==
          "the program would have more than 10000 nodes once its functions are inlined, of which function 'f19' brings most; let the "
          "functions call each other less often");
    CHECK(refusal_of(model_text(13, x_input + node("f", "x x", "y", "domain: 'mine'") + y_output,
                                mine + function("f", "a", "c", node("Relu", "a", "c")))) ==
          "node 'y' (f): has 2 inputs and 1 outputs, and the function has 1 and 1");
    CHECK(refusal_of(model_text(13, graph, mine + function("f", "a", "c", ""))) ==
          "node 'y' (f): the function's output 'c' is made by no node");
}

TEST_CASE("operators and attributes that ONNX does not have are refused where the operators are given") {
    import_options known;
    known.operators = &onnx_ops::find;
    const std::string typing = x_input + node("Sigmoidd", "x", "y") + y_output;
    CHECK(refusal_of(model_text(18, typing), known) ==
          "node 'y' (Sigmoidd): asks for the operator 'Sigmoidd', which ONNX does not have (did you mean 'Sigmoid'?); correct its name, or "
          "give "
          "it a domain of its own");
    CHECK(import_text(model_text(18, typing)));
    const std::string old_axes = x_input + node("ReduceMean", "x", "y", ints("axes", {0, 0})) + y_output;
    CHECK(
        refusal_of(model_text(18, old_axes), known) ==
        "node 'y' (ReduceMean): has the attribute 'axes', which ReduceMean does not have in its newest form; ReduceMean takes keepdims and "
        "noop_with_empty_axes");
    CHECK(import_text(model_text(17, x_input + node("ReduceMean", "x", "y", ints("axes", {0})) + y_output), known));
    CHECK(refusal_of(model_text(18, x_input + node("Softmax", "x", "y", integer("axes", 1)) + y_output), known)
              .find("(did you mean 'axis'?)") != std::string::npos);
    CHECK(refusal_of(model_text(18, x_input + node("Softmax", "x", "y", word("axis", "last")) + y_output), known) ==
          "node 'y' (Softmax): has the attribute 'axis' as a text, where Softmax takes an integer");
    // Softmax of an old version is rewritten into several calls; what it should not have is found as well.
    CHECK(refusal_of(model_text(11, x_input + node("Softmax", "x", "y", integer("axis", 0) + integer("axes", 1)) + y_output), known)
              .find("'axes'") != std::string::npos);
    CHECK(refusal_of(model_text(18, x_input + node("Cast", "x", "y", integer("to", 1) + integer("saturated", 1)) + y_output), known)
              .find("(did you mean 'saturate'?)") != std::string::npos);
}

TEST_CASE("a node without an attribute that it needs is refused where the operators are given") {
    import_options known;
    known.operators = &onnx_ops::find;
    const auto joined = [](int version) { return model_text(version, x_input + node("Concat", "x x", "y") + y_output); };
    CHECK(refusal_of(joined(18), known) == "node 'y' (Concat): lacks the attribute 'axis', an integer that Concat needs; give it one");
    CHECK(import_text(joined(18)));
    // The first version had a default.
    CHECK(import_text(joined(3), known));
    CHECK(refusal_of(joined(4), known).find("lacks the attribute 'axis'") != std::string::npos);
    CHECK(refusal_of(model_text(18, x_input + node("Loop", "_ _ x", "y") + y_output), known).find("lacks the attribute 'body', a graph") !=
          std::string::npos);
    CHECK(refusal_of(model_text(18, x_input + node("MaxPool", "x", "y", "name: '\\n'") + y_output), known)
              .starts_with("node '\\x0a' (MaxPool): lacks the attribute 'kernel_shape', a list of integers that MaxPool needs"));
}

TEST_CASE("operators that ONNX has without a meaning here, and those of other domains, pass with whatever they carry") {
    import_options known;
    known.operators = &onnx_ops::find;
    CHECK(read(model_text(18, x_input + node("LSTM", "x x x", "y", integer("hidden_size", 3)) + y_output), known).op(1) == "onnx.LSTM");
    CHECK(import_text(model_text(18, x_input + node("Foo", "x", "y", "domain: 'mine' " + integer("bar", 3)) + y_output,
                                 "opset_import { domain: 'mine' version: 1 } "),
                      known));
}

TEST_CASE("attributes that mean nothing at inference go where old forms are rewritten") {
    import_options known;
    known.operators = &onnx_ops::find;
    const std::string statistics = value("input", "s", 1, "3");
    CHECK(import_text(model_text(6, x_input + node("Relu", "x", "y") + y_output), known));
    CHECK(import_text(model_text(1, x_input + node("Relu", "x", "y", ints("consumed_inputs", {0})) + y_output), known));
    CHECK(import_text(model_text(6, x_input + node("Dropout", "x", "y", integer("is_test", 1) + number("ratio", 0.5)) + y_output), known));
    const std::string image = value("input", "x", 1, "1 3 2 2") + statistics;
    CHECK(import_text(model_text(7, image + node("BatchNormalization", "x s s s s", "y", integer("spatial", 1)) + y_output), known));
    CHECK(import_text(model_text(6, image + node("BatchNormalization", "x s s s s", "y", integer("is_test", 1)) + y_output), known));
    CHECK(import_text(model_text(15, image + node("BatchNormalization", "x s s s s", "y", integer("training_mode", 0)) + y_output), known));
    CHECK(refusal_of(model_text(15, image + node("BatchNormalization", "x s s s s", "y", integer("is_test", 1)) + y_output), known)
              .find("'is_test'") != std::string::npos);
}

TEST_CASE("an If takes its branches and nothing else") {
    const std::string branch = "output { name: 'r' } " + node("Identity", "x", "r");
    const auto graph = [&](const std::string& more) {
        return x_input + value("input", "c", 9, "") +
               node("If", "c", "y",
                    "attribute { name: 'then_branch' type: GRAPH g { name: 't' " + branch +
                        "} } attribute { name: 'else_branch' type: GRAPH g { name: 'e' " + branch + "} } " + more) +
               y_output;
    };
    CHECK(import_text(model_text(18, graph(""))));
    CHECK(refusal_of(model_text(18, graph(integer("els_branch", 1)))).find("'els_branch'") != std::string::npos);
}

TEST_CASE("a branch cannot hand on what the function's caller leaves out") {
    const auto branch = [](const std::string& which) {
        return "attribute { name: '" + which + "' type: GRAPH g { output { name: 'b' } } } ";
    };
    CHECK(refusal_of(model_text(13, x_input + node("f", "x", "y", "domain: 'mine'") + y_output,
                                mine + function("f", "ab", "c", node("If", "a", "c", branch("then_branch") + branch("else_branch"))))) ==
          "output 'b' is an input that the function's caller leaves out");
}

TEST_CASE("unsorted nodes, cycles, and tensors that nothing makes are refused") {
    CHECK(refusal_of(model_text(13, x_input + node("Relu", "b", "y") + node("Relu", "x", "b") + y_output)) ==
          "node 'y' (Relu): reads tensor 'b' before node 'b' (Relu) makes it; nodes must be sorted, producers first, and form no cycle");
    CHECK(refusal_of(model_text(13, x_input + node("Relu", "y", "y") + y_output)).find("form no cycle") != std::string::npos);
    CHECK(refusal_of(model_text(13, x_input + node("Relu", "q", "y") + y_output)) ==
          "node 'y' (Relu): reads tensor 'q', which is no input, no initialiser and no node's output");
    CHECK(refusal_of(model_text(13, x_input + "output { name: 'q' }")) == "output 'q' is made by no node");
}

TEST_CASE("names that stand twice are refused") {
    CHECK(refusal_of(model_text(13, x_input + x_input + y_output)) == "the graph has two inputs called 'x'");
    CHECK(refusal_of(model_text(13, x_input + node("Relu", "x", "y") + node("Relu", "x", "y") + y_output)) ==
          "node 'y' (Relu) gives the name 'y' to a second tensor; names must be unique");
    CHECK(refusal_of(model_text(13, x_input + node("Relu", "x", "x") + "output { name: 'x' }")).find("second tensor") != std::string::npos);
    const std::string k = "initializer { name: 'k' data_type: 1 float_data: 1 } ";
    CHECK(refusal_of(model_text(13, k + k + "output { name: 'k' }")) == "two initialisers are called 'k'");
    CHECK(refusal_of(model_text(13, x_input + "output { name: 'x' } output { name: 'x' }")) == "the graph has two outputs called 'x'");
    CHECK(refusal_of(model_text(13, x_input + node("Elu", "x", "y", number("alpha", 1) + number("alpha", 2)) + y_output)) ==
          "node 'y' (Elu): has the attribute 'alpha' twice");
    CHECK(refusal_of(model_text(13, value("input", "", 1, "2") + x_input + "output { name: 'x' }")) == "an input has no name");
}

TEST_CASE("a model must state its versions") {
    CHECK(refusal_of("ir_version: 8 graph { " + x_input + node("Relu", "x", "y") + y_output + "}") ==
          "node 'y' (Relu): the file states no version of the operator set that it is from");
    CHECK(refusal_of("ir_version: 2 graph { " + x_input + node("Relu", "x", "y") + y_output + "}").empty());
    CHECK(refusal_of("ir_version: 8 opset_import { version: 0 } graph { " + y_output + "}") ==
          "the model states version 0 of operator set ''; versions start at 1");
    CHECK(refusal_of("ir_version: 8 opset_import { version: 9 } opset_import { domain: 'ai.onnx' version: 10 } graph { " + y_output + "}")
              .find("twice") != std::string::npos);
    CHECK(refusal_of("ir_version: 8 opset_import { version: 9 }") == "the model has no graph");
    CHECK(refusal_of(model_text(13, x_input)) == "the graph has no outputs");
    CHECK(refusal_of(model_text(13, x_input + node("", "x", "y") + y_output)) == "node 'y' (): has no operator");
    CHECK(refusal_of(model_text(13, x_input + node("mine.Relu", "x", "y") + y_output)) ==
          "node 'y' (mine.Relu): has a dot in the name of its operator; write what stands before the dot as its domain");
    CHECK(refusal_of(model_text(13, x_input + "node { op_type: 'Relu' domain: 'onnx.a' input: 'x' output: 'y' } " + y_output))
              .find("has the domain 'onnx.a', which would be taken for ONNX's own; name another one") != std::string::npos);
    CHECK(refusal_of("ir_version: 99 opset_import { version: 99 } graph { " + x_input + node("Relu", "x", "y") + y_output + "}").empty());
}

TEST_CASE("names with line breaks, controls and broken UTF-8 leave a message one line of UTF-8") {
    onnx::ModelProto model = model_of(model_text(13, x_input + node("Relu", "q", "y") + y_output));
    model.mutable_graph()->mutable_node(0)->set_op_type("Re\nlu");
    model.mutable_graph()->mutable_node(0)->set_name("a\x1B[2J\r\xFF");
    const auto made = import_onnx(bytes_of(model.SerializeAsString()));
    REQUIRE_FALSE(made);
    CHECK(made.failure().message.find("node 'a\\x1b[2J\\x0d\\xff' (Re\\x0alu): reads tensor 'q'") == 0);
}

TEST_CASE("huge names are cut in messages") {
    const std::string huge(100000, 'n');
    CHECK(refusal_of(model_text(13, x_input + node("Relu", huge, "y") + y_output)).size() < 300);
    CHECK(refusal_of(model_text(13, x_input + node(huge, "q", "y") + y_output)).size() < 300);
    CHECK(refusal_of(model_text(13, x_input + "output { name: '" + huge + "' }")).size() < 300);
}
