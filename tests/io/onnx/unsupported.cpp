// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/unsupported.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

/// An operator set that knows Relu alone.
struct relu_alone {
    static const op_definition* find(std::string_view name) {
        static constexpr op_definition relu{"onnx.Relu"};
        return name == relu.name ? &relu : nullptr;
    }
};

static ir_module program(std::initializer_list<const char*> operators) {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32));
    node_id at = x;
    std::size_t count = 0;
    for (const char* op : operators) at = b.call(op, {at}, {}, {}, "n" + std::to_string(count++));
    b.declare(b.function({{x}}, at, "main", {{"opset.ai.onnx", std::int64_t{9}}, {"opset.com.microsoft", std::int64_t{1}}}));
    return b.finish();
}

TEST_CASE("a program of known operators is supported") {
    CHECK(unsupported<relu_alone>(program({"onnx.Relu", "onnx.Relu"})).empty());
    CHECK(all_supported<relu_alone>(program({"onnx.Relu"})));
}

TEST_CASE("calls of unknown operators are named with node, domain and opset") {
    const ir_module m = program({"onnx.Relu", "onnx.Conv", "com.microsoft.Gelu", "onnx.Scan.v8", "onnx.Conv", "mine.F"});
    const auto calls = unsupported<relu_alone>(m);
    REQUIRE(calls.size() == 5);
    CHECK(calls[0].op == "Conv");
    CHECK(calls[0].name == "n1");
    CHECK(to_string(calls[0]) == "node 'n1' (Conv of ai.onnx, opset 9)");
    CHECK(to_string(calls[1]) == "node 'n2' (Gelu of com.microsoft, opset 1)");
    CHECK(to_string(calls[2]) == "node 'n3' (Scan in its form of opset 8 of ai.onnx, opset 9)");
    CHECK(to_string(calls[4]) == "node 'n5' (F of mine)");
    CHECK(all_supported<relu_alone>(m).failure().message ==
          "the model asks for operators that are not supported: node 'n1' (Conv of ai.onnx, opset 9), node 'n2' (Gelu of com.microsoft, "
          "opset 1), "
          "node 'n3' (Scan in its form of opset 8 of ai.onnx, opset 9), node 'n5' (F of mine)");
}

TEST_CASE("a long list is cut, and says by how many") {
    const ir_module m = program({"onnx.A", "onnx.B", "onnx.C", "onnx.D", "onnx.A"});
    const std::string message = all_supported<relu_alone>(m, {}, 2).failure().message;
    CHECK(message.find("and 2 more operators") != std::string::npos);
    CHECK(message.find("onnx.C") == std::string::npos);
}
