// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/inlined_size.hpp>

#include <string>

#include <doctest/doctest.h>

#include "io/model_text.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

const std::string mine = "opset_import { domain: 'mine' version: 1 } ";

std::string call(const std::string& name, const std::string& reads, const std::string& makes) {
    return node(name, reads, makes, "domain: 'mine'");
}
std::string function(const std::string& name, const std::string& body, const std::string& makes = "c") {
    return "functions { domain: 'mine' name: '" + name + "' input: 'a' output: '" + makes + "' " + body + "} ";
}
std::string main_calls(const std::string& name) { return value("input", "x", 1, "2 3") + call(name, "x", "y") + "output { name: 'y' } "; }

/// What the check says of a model, empty where it is small enough.
std::string said(const std::string& text, const import_options& options = {}) {
    onnx::ModelProto model = model_of(text);
    detail::onnx_functions functions;
    REQUIRE(functions.read(model));
    const auto done = detail::inlined_size(functions, options).check(model.graph());
    return done ? std::string() : done.failure().message;
}
/// Functions f0 to f`deep`, each of which calls the next one twice.
std::string doubling(int deep, const std::string& last) {
    std::string all = function("f" + std::to_string(deep), last, "a");
    for (int i = 0; i < deep; ++i) {
        const std::string next = "f" + std::to_string(i + 1);
        all += function("f" + std::to_string(i), call(next, "a", "b") + call(next, "b", "c"));
    }
    return all;
}

}  // namespace

TEST_CASE("functions that call each other twice each, sixty deep, are counted and not inlined") {
    const std::string wanted =
        "the program would have more than 4000000 nodes once its functions are inlined, of which function 'f40' brings most; let the "
        "functions "
        "call each other less often";
    const std::string message = said(model_text(18, main_calls("f0"), mine + doubling(60, node("Relu", "a", "c"))));
    CHECK(message.substr(0, 74) == wanted.substr(0, 74));
    CHECK(message.find("of which function 'f") != std::string::npos);
    CHECK(refusal_of(model_text(18, main_calls("f0"), mine + doubling(60, node("Relu", "a", "c")))) == message);
}

TEST_CASE("calls of empty functions count as well") {
    CHECK(said(model_text(18, main_calls("f0"), mine + doubling(40, ""))).find("more than 4000000 nodes") != std::string::npos);
    CHECK(said(model_text(18, main_calls("f0"), mine + doubling(10, ""))).empty());
}

TEST_CASE("a function counts as often as it is called, graphs in nodes too, up to the limit itself") {
    // 1 call, 2 calls in it and one node in each of these: 1 + 2 + 2.
    const std::string text = model_text(18, main_calls("f0"), mine + doubling(1, node("Relu", "a", "c")));
    import_options options;
    options.most_nodes = 5;
    CHECK(said(text, options).empty());
    options.most_nodes = 4;
    CHECK_FALSE(said(text, options).empty());
    const std::string nested =
        model_text(18,
                   value("input", "x", 1, "2 3") +
                       node("Loop", "", "y", "attribute { name: 'body' type: GRAPH g { name: 'b' " + call("f0", "x", "r") + "} } ") +
                       "output { name: 'y' } ",
                   mine + doubling(1, node("Relu", "a", "c")));
    options.most_nodes = 6;
    CHECK(said(nested, options).empty());
    options.most_nodes = 5;
    CHECK_FALSE(said(nested, options).empty());
}

TEST_CASE("functions that the operators know stay calls, and those that call themselves are left to the reader") {
    struct known {
        static const op_definition* find(std::string_view name) {
            static constexpr op_definition f{"mine.f1"};
            return name == f.name ? &f : nullptr;
        }
    };
    import_options options;
    options.operators = &known::find;
    CHECK(said(model_text(18, main_calls("f0"), mine + doubling(60, "")), options).empty());
    CHECK(said(model_text(18, main_calls("f"), mine + function("f", call("f", "a", "c")))).empty());
}

TEST_CASE("a chain of calls is not followed deeper than the reader goes") {
    std::string chain;
    for (int i = 0; i < 100'000; ++i) chain += function("f" + std::to_string(i), call("f" + std::to_string(i + 1), "a", "c"));
    CHECK(said(model_text(18, main_calls("f0"), mine + chain)) == "graphs and functions stand in each other more than 64 deep");
}
