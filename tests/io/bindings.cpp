// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/bindings.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

static ir_module program() {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {extent("batch"), 3, extent()}));
    const node_id mask = b.input("mask", tensor_type(element_type::float32, {extent("batch"), 1, 1}));
    b.declare(b.function({{x, mask}}, b.call("onnx.Mul", {x, mask}), "main"));
    return b.finish();
}

static std::string shape_error(const std::string& text) {
    type_bindings b;
    const auto added = add_shape(b, text);
    return added ? std::string() : added.failure().message;
}

TEST_CASE("shapes and dimensions are read from their text") {
    type_bindings b;
    REQUIRE(add_shape(b, "x=1,3,48,320"));
    REQUIRE(add_shape(b, "a=b=7"));
    REQUIRE(add_shape(b, "scalar="));
    REQUIRE(add_symbol(b, "batch=2"));
    CHECK(b.inputs == decltype(b.inputs){{"x", {1, 3, 48, 320}}, {"a=b", {7}}, {"scalar", {}}});
    CHECK(b.symbols == decltype(b.symbols){{"batch", 2}});
    CHECK(add_shape(b, "x=1").failure().message == "the shape of input 'x' is given twice");
    CHECK(add_symbol(b, "batch=3").failure().message == "the dimension 'batch' is given twice");
}

TEST_CASE("what is no shape or dimension is refused") {
    for (const char* bad : {"x", "=1", "x=1,", "x=,1", "x=-1", "x=1x", "x= 1", "x=1,,2", "x=9999999999999999999", "x=1.5", ""})
        CHECK(shape_error(bad).find("must be written as NAME=1,3,48,320") != std::string::npos);
    type_bindings b;
    for (const char* bad : {"n", "n=", "=1", "n=-1", "n=1,2", ""})
        CHECK(add_symbol(b, bad).failure().message.find("must be written as NAME=VALUE") != std::string::npos);
}

TEST_CASE("bindings reach every type") {
    type_bindings b;
    REQUIRE(add_shape(b, "x=2,3,5"));
    const auto bound = bind(program(), b);
    REQUIRE(bound);
    CHECK(to_string(bound->type(bound->inputs()[1])) == "float32[2,1,1]");
    CHECK(to_string(bound->type(bound->results()[0])) == "float32[2,3,5]");
    type_bindings symbol;
    REQUIRE(add_symbol(symbol, "batch=4"));
    const auto with_symbol = bind(program(), symbol);
    REQUIRE(with_symbol);
    CHECK(to_string(with_symbol->type(with_symbol->results()[0])) == "float32[4,3,?]");
}

TEST_CASE("a binding that fits nothing is refused with the nearest name") {
    const auto why = [](const std::vector<std::string>& shapes, const std::vector<std::string>& symbols) {
        type_bindings b;
        for (const auto& s : shapes) REQUIRE(add_shape(b, s));
        for (const auto& s : symbols) REQUIRE(add_symbol(b, s));
        const auto bound = bind(program(), b);
        return bound ? std::string() : bound.failure().message;
    };
    CHECK(why({"maks=1,1,1"}, {}) == "the program has no input 'maks' (did you mean 'mask'?)");
    CHECK(why({"x=1,4,5"}, {}) == "input 'x' is declared as float32[batch,3,?], so that extent 1 cannot be 4");
    CHECK(why({}, {"btch=1"}) == "no input has a dimension 'btch' (did you mean 'batch'?)");
    CHECK(why({"x=1,3"}, {}).find("rank 2") != std::string::npos);
    CHECK(why({"x=1,3,5", "mask=2,1,1"}, {}).find("bound to both 1 and 2") != std::string::npos);
    CHECK(why({"x=1,3,5"}, {"batch=2"}).find("bound to both 2 and 1") != std::string::npos);
}
