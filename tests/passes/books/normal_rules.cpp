// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/normal_rules.hpp>

#include <set>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/passes/normalise.hpp>

using namespace inlay;

TEST_CASE("the normal rules are those of three books, each once") {
    constexpr auto normal = normal_rules();
    CHECK(normal.size == algebra_rules().size + batch_norm_rules().size + meeting_transpose_rules().size);
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < normal.size; ++i) names.insert(normal.rows<working_graph<ir_module>>[i].name);
    CHECK(names.size() == normal.size);
}

TEST_CASE("what the normal rules leave they find nothing in") {
    ir_builder b;
    const node_type row = tensor_type(element_type::float32, {4});
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id out =
        b.call("onnx.Neg", {b.call("onnx.Neg", {b.call("onnx.Relu", {b.call("onnx.Relu", {x}, {}, row)}, {}, row)}, {}, row)}, {}, row);
    b.declare(b.function({{x}}, out, "main"));
    const ir_module m = b.finish();
    constexpr auto normal = normal_rules();
    const std::span<const normal_rule> rules(normal.rows<working_graph<ir_module>>, normal.size);
    rewrite_options how;
    how.infer = &infer_call<onnx_ops>;
    const auto once = rewrite(m, rules, how);
    CHECK(once.report.fired > 0);
    CHECK(once.graph.size() < m.size());
    CHECK(rewrite(once.graph, rules, how).report.fired == 0);
}
