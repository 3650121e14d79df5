// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_text.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {
const tensor_type row(element_type::float32, {4});
}

TEST_CASE("a straight program prints one line per call, in order") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id y = b.call("add", {x, b.constant(tensor::scalar(2.0f))}, {}, row);
    const node_id z = b.call("sum", {y}, {{"axis", std::vector<std::int64_t>{0}}, {"keepdims", std::int64_t{1}}}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, z, "main"));
    CHECK(relay_text(b.finish()) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "  %0 = add(%x, 2f);\n"
          "  %1 = sum(%0, axis=[0], keepdims=1);\n"
          "  %1\n"
          "}\n");
}

TEST_CASE("let, if and a closure that reads the function around it print as blocks") {
    ir_builder b;
    b.open_block();
    const node_type truth{tensor_type(element_type::boolean, {})};
    const node_id c = b.input("c", truth);
    const node_id x = b.input("x", row);
    const node_id v = b.input("v", row);
    const node_id value = b.call("negative", {x}, {}, row);
    b.open_block();
    const node_id a = b.input("a", row);
    const node_id inner = b.call("add", {a, x}, {}, row);
    const node_id closure_parameters[] = {a};
    const node_id closure = b.function(closure_parameters, inner);
    b.open_block();
    const node_id called[] = {closure, v};
    const node_id then_result = b.apply(called);
    b.close_block();
    b.open_block();
    const node_id else_result = b.call("relu", {v}, {}, row);
    b.close_block();
    const node_id branch = b.if_else(c, then_result, else_result);
    const node_id body = b.let(v, value, branch);
    const node_id parameters[] = {c, x};
    b.declare(b.function(parameters, body, "main"));
    const ir_module m = b.finish();
    CHECK(m.type(branch) == node_type(row));
    CHECK(relay_text(m) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%c: bool, %x: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "  %0 = negative(%x);\n"
          "  let %v: Tensor[(4), float32] = %0;\n"
          "  if (%c) {\n"
          "    %2 = fn (%a: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "      %1 = add(%a, %x);\n"
          "      %1\n"
          "    };\n"
          "    %3 = %2(%v);\n"
          "    %3\n"
          "  } else {\n"
          "    %4 = relu(%v);\n"
          "    %4\n"
          "  }\n"
          "}\n");
}

TEST_CASE("a chain of a hundred thousand calls prints without deep recursion") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    node_id last = x;
    for (int i = 0; i < 100'000; ++i) last = b.call("relu", {last}, {}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, last, "main"));
    const std::string text = relay_text(b.finish());
    CHECK(text.find("%99999 = relu(%99998);") != std::string::npos);
}
