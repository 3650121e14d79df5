// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/float_region.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>
#include <inlay/ir/ir_builder.hpp>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;

namespace {

/// Why these nodes are no region of libraries for float32; empty where they are one.
std::string why_not(const ir_module& g, std::vector<node_id> nodes, std::size_t most_axes = 6) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const region r(g, users, results, nodes);
    const auto fine = detail::check_float_region(r.view(), most_axes);
    return fine ? "" : fine.failure().message;
}

}  // namespace

TEST_CASE("two results and many axes are refused") {
    small_graph s;
    const node_id x = s.input({3}), a = s.call("onnx.Relu", {x}), b = s.call("onnx.Tanh", {x}), c = s.call("onnx.Add", {a, b});
    const ir_module g = s.finish(c);
    CHECK(why_not(g, {a, b, c}).empty());
    CHECK(why_not(g, {a, b}).find("2 values leave") != std::string::npos);
    CHECK(why_not(g, {a}, 0).find("up to 0") != std::string::npos);
}

TEST_CASE("one call is asked to be applied to an input") {
    small_graph s;
    const node_id x = s.input({3}), a = s.call("onnx.Relu", {x}), b = s.call("onnx.Add", {s.scalar(1), a});
    const ir_module g = s.finish(b);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    for (const std::vector<node_id>& nodes : {std::vector<node_id>{a}, std::vector<node_id>{b}, std::vector<node_id>{a, b}}) {
        const region r(g, users, results, nodes);
        const auto fine = detail::check_one_call(r.view(), 6, "sum");
        CHECK(fine.has_value() == (nodes.size() == 1 && nodes[0] == a));
        if (!fine) CHECK(fine.failure().message == "the region is no sum of an input");
    }
}

TEST_CASE("other element types and empty tensors are refused") {
    ir_builder b;
    b.open_block();
    const node_type doubles(tensor_type(element_type::float64, {extent(3)})), none(tensor_type(element_type::float32, {extent(0)}));
    const node_id x = b.input("x", doubles), y = b.call("onnx.Relu", {x}, {}, doubles), e = b.input("e", none),
                  z = b.call("onnx.Relu", {e}, {}, none);
    const std::vector<node_id> parameters{x, e};
    b.declare(b.function(parameters, b.tuple(std::vector<node_id>{y, z}), "main"));
    const ir_module g = b.finish();
    const std::string wide = why_not(g, {y}), empty = why_not(g, {z});
    CHECK(wide.find("float64") != std::string::npos);
    CHECK(empty.find("no elements") != std::string::npos);
}
