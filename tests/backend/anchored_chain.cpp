// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/anchored_chain.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;
using namespace inlay::detail;

namespace {

outcome<anchored_chain> chain_of(const ir_module& g, std::vector<node_id> nodes, std::string_view anchor = {}) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const region r(g, users, results, nodes);
    const region_view view = r.view();
    return read_anchored_chain(view, view.results[0], [&](const region_value& v) { return v.op == anchor; });
}

}  // namespace

TEST_CASE("steps stand in the order in which they are done") {
    small_graph s;
    const node_id x = s.input({3}), y = s.input({3});
    const node_id a = s.call("onnx.HardSigmoid", {x}), b = s.call("onnx.Sub", {y, a}), c = s.call("onnx.Relu", {b});
    const ir_module g = s.finish(c);
    const auto chain = chain_of(g, {a, b, c});
    REQUIRE(chain.has_value());
    REQUIRE(chain->steps.size() == 5);
    CHECK(chain->steps[0].function.kind == elementwise_function::form::linear);
    CHECK(chain->steps[1].function.kind == elementwise_function::form::clip);
    CHECK(chain->steps[2].function.alpha == -1);
    CHECK(chain->steps[3].how == chain_step::combination::add);
    CHECK(chain->steps[4].function.kind == elementwise_function::form::relu);
}

TEST_CASE("what is no chain is refused with the reason") {
    small_graph s;
    const node_id x = s.input({3}), a = s.call("onnx.Relu", {x}), b = s.call("onnx.Tanh", {x}), c = s.call("onnx.Add", {a, b});
    const ir_module g = s.finish(c);
    const auto joined = chain_of(g, {a, b, c});
    REQUIRE_FALSE(joined.has_value());
    CHECK(joined.failure().message.find("joins two values") != std::string::npos);
    const auto loose = chain_of(g, {a, c});
    CHECK(loose.has_value());
}

TEST_CASE("what comes first and is the same for all elements of a channel becomes one line") {
    small_graph s;
    const node_id x = s.call("onnx.Exp", {s.input({1, 2, 3})});
    const node_id scaled = s.call("onnx.Mul", {s.constant(tensor::of<float>({2, 1}, {2, 4})), x});
    const node_id turned = s.call("onnx.Sub", {s.scalar(10), scaled});
    const node_id halved = s.call("onnx.Div", {turned, s.constant(tensor::of<float>({1, 2, 1}, {2, 1}))});
    const node_id end = s.call("onnx.Add", {s.call("onnx.Relu", {halved}), s.scalar(1)});
    const whole_region whole(s.finish(end));
    const region_view r = whole.view();
    auto chain = read_anchored_chain(r, r.results[0], [](const region_value& v) { return v.op == "onnx.Exp"; });
    REQUIRE(chain.has_value());
    const channel_line line = take_line(r, *chain, 1);
    CHECK(line.scale == std::vector<double>{-1, -4});
    CHECK(line.shift == std::vector<double>{5, 10});
    REQUIRE(chain->steps.size() == 2);
    CHECK(chain->steps[0].function.kind == elementwise_function::form::relu);
    CHECK(chain->steps[1].function.beta == 1);
}

TEST_CASE("a line ends before numbers that are not finite") {
    small_graph s;
    const node_id sum = s.call("onnx.Add", {s.input({1, 2, 3}), s.scalar(2)});
    const whole_region whole(s.finish(s.call("onnx.Div", {sum, s.scalar(0)})));
    const region_view r = whole.view();
    auto chain = read_anchored_chain(r, r.results[0], [](const region_value&) { return false; });
    REQUIRE(chain.has_value());
    const channel_line line = take_line(r, *chain, 1);
    CHECK(line.scale == std::vector<double>{1, 1});
    CHECK(line.shift == std::vector<double>{2, 2});
    CHECK(chain->steps.size() == 1);
}

TEST_CASE("batch normalisation is a step, and a line along the second axis") {
    small_graph s;
    const whole_region whole(s.finish(s.normalized(s.input({1, 2, 3}), 2)));
    const region_view r = whole.view();
    auto chain = read_anchored_chain(r, r.results[0], [](const region_value&) { return false; });
    REQUIRE(chain.has_value());
    CHECK(r[chain->anchor].kind == region_value::role::input);
    REQUIRE(chain->steps.size() == 1);
    CHECK(chain->steps[0].kind == chain_step::form::batch_norm);
    CHECK_FALSE(line_of_step(r, chain->steps[0], 3, 2, 3).has_value());
    CHECK(line_of_step(r, chain->steps[0], 3, 1, 2).has_value());
}

namespace {

/// How many steps are left of a chain of additions behind an operator, whose shift its bias is.
std::size_t left_of(std::vector<std::pair<const char*, float>> steps, std::optional<channel_line> bias = std::nullopt) {
    small_graph s;
    node_id y = s.call("onnx.Exp", {s.input({2, 2, 3})});
    for (const auto& [op, number] : steps) y = s.call(op, {y, s.constant(tensor::of<float>({2, 1}, {number, number}))});
    const whole_region whole(s.finish(y));
    const region_view r = whole.view();
    auto chain = read_anchored_chain(r, r.results[0], [](const region_value& v) { return v.op == "onnx.Exp"; });
    static_cast<void>(take_line(r, *chain, 1, std::move(bias)));
    return chain->steps.size();
}

}  // namespace

TEST_CASE("constants that are added one after the other are joined unless one cancels the other [backend.line.cancel]") {
    CHECK(left_of({{"onnx.Add", 3}, {"onnx.Add", 5}}) == 0);
    CHECK(left_of({{"onnx.Add", 3}, {"onnx.Sub", 3}}) == 1);
    CHECK(left_of({{"onnx.Sub", 3}, {"onnx.Add", 3.001f}}) == 1);
    CHECK(left_of({{"onnx.Sub", 3}, {"onnx.Add", 2}}) == 0);
    CHECK(left_of({{"onnx.Add", 3}, {"onnx.Mul", -2}, {"onnx.Add", 5}}) == 0);
    CHECK(left_of({{"onnx.Add", 1000}, {"onnx.Mul", 0.125f}, {"onnx.Sub", 125}}) == 0);
    CHECK(left_of({{"onnx.Mul", 1e38f}, {"onnx.Div", 1e38f}}) == 1);
    CHECK(left_of({{"onnx.Mul", 1e3f}, {"onnx.Div", 1e3f}}) == 0);
    CHECK(left_of({{"onnx.Sub", 3}}, channel_line::of(2, 1, 3)) == 1);
    CHECK(left_of({{"onnx.Add", 3}}, channel_line::of(2, 1, 3)) == 0);
    CHECK(left_of({{"onnx.Mul", 2}, {"onnx.Sub", 60000}}, channel_line::of(2, 1, 30000)) == 1);
}

TEST_CASE("a constant that swamps an operator's sums is added behind them [backend.line.swamp]") {
    CHECK(left_of({{"onnx.Add", 12582912}, {"onnx.Sub", 12582912}}) == 2);
    CHECK(left_of({{"onnx.Add", 12582912}}) == 1);
    CHECK(left_of({{"onnx.Mul", 1e6f}, {"onnx.Add", 12582912}}) == 0);
    CHECK(left_of({{"onnx.Add", 1000}}) == 0);
    // A bias of its own is a part of the operator.
    CHECK(left_of({{"onnx.Add", 1}}, channel_line::of(2, 1, 12582912)) == 0);
}
