// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_writer.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

const node_type row = tensor_type(element_type::float32, {2});

/// x and w are added, the sum's Relu is the result; beside it stands a call that nobody reads.
ir_module sample() {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row), w = b.constant(tensor::of<float>({2}, {1, 2}), "w");
    const node_id sum = b.call("onnx.Add", {x, w}, {}, row, "sum");
    (void)b.call("onnx.Neg", {sum}, {}, row, "unread");
    b.declare(b.function(std::vector<node_id>{x}, b.call("onnx.Relu", {sum}, {}, row, "act"), "main"));
    b.name_results({"y"});
    return b.finish();
}

onnx::GraphProto written(const ir_module& m, const export_options& options) {
    const auto bytes = detail::onnx_writer(m, options).write();
    if (!bytes) FAIL(bytes.failure().message);
    onnx::ModelProto model;
    REQUIRE(model.ParseFromString(*bytes));
    return model.graph();
}

}  // namespace

TEST_CASE("what nobody reads stays out of a whole program, and constants are initialisers") {
    const onnx::GraphProto g = written(sample(), {});
    REQUIRE(g.node_size() == 2);
    CHECK(g.node(0).op_type() == "Add");
    CHECK(g.node(1).output(0) == "y");
    REQUIRE(g.initializer_size() == 1);
    CHECK(g.initializer(0).name() == "w");
    CHECK(g.input_size() == 1);
}

TEST_CASE("a region's inputs are what it reads, its outputs what is read from it") {
    const ir_module m = sample();
    node_id act = no_node;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.name(n) == "act") act = n;
    const onnx::GraphProto g = written(m, {{act}, "piece"});
    CHECK(g.name() == "piece");
    REQUIRE(g.node_size() == 1);
    CHECK(g.input(0).name() == "sum");
    CHECK(g.output(0).name() == "act");
    CHECK(g.initializer_size() == 0);
}

TEST_CASE("a region of nodes that are not there is refused") {
    const ir_module m = sample();
    const export_options beyond{{static_cast<node_id>(m.size())}, "piece"};
    const auto refused = detail::onnx_writer(m, beyond).write();
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message.find("the program has " + std::to_string(m.size())) != std::string::npos);
}
