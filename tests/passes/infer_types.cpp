// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/infer_types.hpp>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

using few_ops = op_table<onnx_arithmetic<>, onnx_logic<>, onnx_math<>>;

static std::string said(const outcome<ir_module>& m) { return m ? "no error" : m.failure().message; }

static ir_module sum(tensor_type a, tensor_type b) {
    return program({std::move(a), std::move(b)}, [](ir_builder& builder, auto& x) {
        return builder.call("onnx.Exp", {builder.call("onnx.Add", {x[0], x[1]}, {}, {}, "sum")});
    });
}

TEST_CASE("Every node gets its type, with symbols and with numbers in their place") {
    const ir_module m = sum(f32({symbol("n"), 3}), f32({symbol("n"), 1}));
    const auto open = infer_types(m, {}, few_ops());
    REQUIRE(open.has_value());
    CHECK(result_type(*open) == "float32[n,3]");
    CHECK(to_string(open->type(open->main())) == "fn(float32[n,3], float32[n,1]) -> float32[n,3]");
    const auto by_symbol = infer_types(m, {{{{"n", 7}}, {}}, true}, few_ops());
    REQUIRE(by_symbol.has_value());
    CHECK(result_type(*by_symbol) == "float32[7,3]");
    const auto by_input = infer_types(m, {{{}, {{"x1", {5, 1}}}}, true}, few_ops());
    REQUIRE(by_input.has_value());
    CHECK(result_type(*by_input) == "float32[5,3]");
    CHECK(to_string(by_input->type(named(*by_input, "x0"))) == "float32[5,3]");
}

TEST_CASE("A shape given for an input replaces the declared one, and shapes declared inside give way") {
    const ir_module m = program({f32({1, 3})}, [](ir_builder& b, auto& x) { return b.call("onnx.Exp", {x[0]}, {}, f32({1, 3})); });
    const auto wide = infer_types(m, {{{}, {{"x0", {4, 3}}}}, false}, few_ops());
    REQUIRE(wide.has_value());
    CHECK(result_type(*wide) == "float32[4,3]");
}

TEST_CASE("What is bound wrongly is said") {
    const ir_module m = sum(f32({symbol("n"), 3}), f32({symbol("n"), 1}));
    CHECK(said(infer_types(m, {{{{"m", 7}}, {}}, false}, few_ops())).find("'m'") != std::string::npos);
    CHECK(said(infer_types(m, {{{{"n", -7}}, {}}, false}, few_ops())).find("-7") != std::string::npos);
    CHECK(said(infer_types(m, {{{{"n", 7}}, {{"x0", {8, 3}}}}, false}, few_ops())).find("both 7 and 8") != std::string::npos);
    CHECK(said(infer_types(m, {{{}, {{"y", {8, 3}}}}, false}, few_ops())).find("no input of that name") != std::string::npos);
    CHECK(said(infer_types(m, {{{}, {{"x0", {8}}}}, false}, few_ops())).find("rank 1") != std::string::npos);
}

TEST_CASE("What does not fit is said with the node") {
    CHECK(said(infer_types(sum(f32({2}), f32({3})), {}, few_ops())).starts_with("node 'sum' (Add): "));
    CHECK(said(infer_types(sum(f32({symbol("n")}), f32({symbol("m")})), {{}, true}, few_ops())).find("'sum'") != std::string::npos);
}

TEST_CASE("An operator that nobody knows keeps its declared type, or is an error where that is asked") {
    const auto make = [](const node_type& declared) {
        return program({f32({symbol("n")})},
                       [&](ir_builder& b, auto& x) { return b.call("onnx.Neg", {b.call("my.op", {x[0]}, {}, declared, "mine")}); });
    };
    const auto declared = infer_types(make(f32({symbol("n"), 2})), {{{{"n", 3}}, {}}, false}, few_ops());
    REQUIRE(declared.has_value());
    CHECK(result_type(*declared) == "float32[3,2]");
    const auto undeclared = infer_types(make({}), {}, few_ops());
    REQUIRE(undeclared.has_value());
    CHECK_FALSE(undeclared->type(undeclared->result(undeclared->main())).is_static());
    CHECK(said(infer_types(make({}), {{}, true}, few_ops())).find("my.op") != std::string::npos);
}

TEST_CASE("Tuples, branches, lets, functions and references have types") {
    const ir_module m = program({f32({2}), tensor_type(element_type::boolean, {})}, [](ir_builder& b, auto& x) {
        const node_id variable = b.input("v", {}), value = b.call("onnx.Exp", {x[0]});
        b.open_block();
        const node_id y = b.input("y", f32({2}));
        const node_id f = b.function(std::vector<node_id>{y}, b.call("onnx.Less", {y, variable}));
        const node_id applied = b.apply(std::vector<node_id>{f, x[0]}, {}, "applied");
        b.open_block();
        const node_id yes = b.call("onnx.Neg", {variable});
        b.close_block();
        const node_id chosen = b.if_else(x[1], yes, x[0], "chosen");
        const node_id cell = b.add(node_kind::make_ref, {chosen}, 0, "cell", {});
        const node_id content = b.add(node_kind::read_ref, {cell}, 0, {}, {});
        return b.let(variable, value, b.tuple(std::vector<node_id>{applied, content}));
    });
    const auto typed = infer_types(m, {}, few_ops());
    REQUIRE(typed.has_value());
    CHECK(result_type(*typed) == "(bool[2], float32[2])");
    CHECK(to_string(typed->type(named(*typed, "v"))) == "float32[2]");
    CHECK(to_string(typed->type(named(*typed, "cell"))) == "ref(float32[2])");
    const ir_module torn = program({f32({2}), tensor_type(element_type::boolean, {})},
                                   [](ir_builder& b, auto& x) { return b.if_else(x[1], x[0], x[1], "torn"); });
    CHECK(said(infer_types(torn, {}, few_ops())).find("'torn'") != std::string::npos);
}

TEST_CASE("Inferring twice changes nothing, and blocks stay as they are") {
    for (std::uint8_t seed = 0; seed < 20; ++seed) {
        std::vector<std::uint8_t> choices;
        for (unsigned i = 0; i < 60; ++i) choices.push_back(static_cast<std::uint8_t>((i * 37u + seed * 101u + i * i * 11u) % 251u));
        const auto once = infer_types(random_program(choices), {}, few_ops());
        REQUIRE(once.has_value());
        const auto twice = infer_types(*once, {}, few_ops());
        REQUIRE(twice.has_value());
        CHECK(same(*once, *twice));
    }
}
