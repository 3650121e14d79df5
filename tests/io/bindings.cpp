// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/bindings.hpp>

#include <cstddef>
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

static placement near_place() {
    placement p = placement::on(device_type::cuda, 1);
    p.scope = "near";
    return p;
}

static ir_module weighted() {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {extent(), 2}));
    const node_id weight = b.input("weight", tensor_type(element_type::float32, {2, 3}));
    const node_id bias = b.input("bias", tensor_type(element_type::float32, {extent("channels")}));
    const node_id any = b.input("any", node_type());
    const node_id pair = b.input("pair", node_type::tuple({tensor_type(element_type::int8, {})}));
    b.set_where(weight, near_place());
    const node_id dense = b.call("onnx.MatMul", {x, weight});
    b.declare(b.function({{x, weight, bias, any, pair}}, b.call("onnx.Add", {dense, b.call("onnx.Add", {bias, any})}), "main"));
    return b.finish();
}

TEST_CASE("parameters become constants, and the program has the others alone") {
    const tensor weight = tensor::of({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}), bias = tensor::of({3}, std::vector<float>{7, 8, 9});
    const named_constant two[] = {{"bias", bias}, {"weight", weight}};
    const auto bound = bind_constants(weighted(), two);
    REQUIRE_MESSAGE(bound, (bound ? std::string() : bound.failure().message));
    std::vector<std::string> names;
    for (const node_id n : bound->inputs()) names.emplace_back(bound->name(n));
    CHECK(names == std::vector<std::string>{"x", "any", "pair"});
    REQUIRE(bound->type(bound->main()).fields.size() == 4);
    CHECK(bound->type(bound->main()).fields[1] == node_type());
    std::size_t constants = 0;
    for (node_id n = 0; n < bound->size(); ++n) {
        const tensor* value = bound->constant(n);
        if (value == nullptr) continue;
        ++constants;
        CHECK(value->content() == (bound->name(n) == "weight" ? weight : bias).content());
        CHECK((bound->where(n) == near_place()) == (bound->name(n) == "weight"));
    }
    CHECK(constants == 2);
    // Extents that are open are those of the constant from here on, and a parameter whose type is open takes any.
    const named_constant all[] = {{"any", tensor::scalar(1.0f)}, {"x", tensor(element_type::float32, {4, 2})}, two[0], two[1]};
    const auto none = bind_constants(weighted(), all);
    REQUIRE(none);
    CHECK(none->inputs().size() == 1);
    CHECK(to_string(none->type(none->operands(none->main())[0])) == "(int8[])");
    CHECK(bind_constants(weighted(), {})->inputs().size() == 5);
}

TEST_CASE("what cannot be a parameter's constant is told in one sentence") {
    const auto refusal = [](const std::vector<named_constant>& constants, const ir_module& m = weighted()) {
        const auto bound = bind_constants(m, constants);
        return bound ? std::string() : bound.failure().message;
    };
    const tensor good(element_type::float32, {2, 3});
    CHECK(refusal({{"wieght", good}}) == "the program has no parameter 'wieght' (did you mean 'weight'?)");
    CHECK(refusal({{"weight", good}, {"weight", good}}) == "parameter 'weight' is given twice; give each constant once");
    CHECK(refusal({{"weight", tensor(element_type::float64, {2, 3})}}) ==
          "parameter 'weight' is of type float32[2,3], and was given float64[2,3]");
    CHECK(refusal({{"weight", tensor(element_type::float32, {3, 2})}}) ==
          "parameter 'weight' is of type float32[2,3], and was given float32[3,2]");
    CHECK(refusal({{"bias", tensor::scalar(1.0f)}}) == "parameter 'bias' is of type float32[channels], and was given float32[]");
    CHECK(refusal({{"pair", tensor(element_type::int8, {})}}) ==
          "parameter 'pair' is of type (int8[]), and only a tensor can be a constant");
    CHECK(refusal({{"weight", tensor()}}) == "parameter 'weight' was given a tensor that holds nothing");
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {}));
    b.declare(b.function({{x}}, b.apply({{b.global("main", {}), x}}), "main"));
    CHECK(refusal({{"x", tensor::scalar(1.0f)}}, b.finish()) ==
          "the program calls its main function itself, so that the parameters of that cannot be constants");
}
