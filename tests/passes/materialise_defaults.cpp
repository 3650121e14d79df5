// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/materialise_defaults.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>

using namespace inlay;

namespace {

const tensor_type image(element_type::float32, {1, 2, 5, 5});

/// A convolution that leaves its attributes out, one that says two groups, and what neither knows.
ir_module program() {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", image);
    tensor one(element_type::float32, {2, 2, 1, 1}), two(element_type::float32, {2, 1, 1, 1});
    for (float& v : one.as<float>()) v = 0.5f;
    for (float& v : two.as<float>()) v = 2;
    const node_id plain = b.call("onnx.Conv", {x, b.constant(one)}, {}, image, "plain");
    const node_id grouped = b.call("onnx.Conv", {plain, b.constant(two)}, {{"group", std::int64_t{2}}}, image, "grouped");
    const node_id leaky = b.call("onnx.LeakyRelu", {grouped}, {}, image, "leaky");
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, b.call("onnx.Abs", {leaky}, {}, image), "main"));
    return b.finish();
}

std::size_t matches(const ir_module& m, const char* text) {
    const auto p = parse_pattern(text, {"onnx"});
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    const user_lists users(m);
    matcher<ir_module> search(m, users);
    std::size_t count = 0;
    for (node_id n = 0; n < m.size(); ++n) count += search.matches(p->view(), n) ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE(
    "attributes that are left out are written out with what the operator means by that, and nothing else changes "
    "[pattern.attributes.defaults]") {
    const ir_module m = program(), spelled = materialise_defaults(m);
    REQUIRE(spelled.size() == m.size());
    for (node_id n = 0; n < m.size(); ++n) {
        CHECK(spelled.kind(n) == m.kind(n));
        CHECK(spelled.op(n) == m.op(n));
        CHECK(spelled.name(n) == m.name(n));
        CHECK(spelled.type(n) == m.type(n));
    }
    CHECK(matches(m, "Conv[group=1]") == 0);
    CHECK(matches(spelled, "Conv[group=1]") == 1);
    CHECK(matches(spelled, "Conv[group=2]") == 1);
    CHECK(matches(spelled, "Conv[strides=[1,1], pads=[0,0,0,0], auto_pad=\"NOTSET\"]") == 2);
    CHECK(matches(spelled, "LeakyRelu[alpha=0.01]") == 1);
    CHECK(relay_text(materialise_defaults(spelled)) == relay_text(spelled));
    const tensor inputs[] = {random_weights(element_type::float32, {1, 2, 5, 5}, 3)};
    const auto before = interpret(m, inputs), after = interpret(spelled, inputs);
    REQUIRE_MESSAGE(before.has_value(), before.failure().message);
    REQUIRE_MESSAGE(after.has_value(), after.failure().message);
    CHECK((*before)[0].content() == (*after)[0].content());
}

TEST_CASE("where names are given only these attributes are written out") {
    const std::vector<std::string> names{"group"};
    const ir_module m = program(), spelled = materialise_defaults(m, names);
    CHECK(matches(spelled, "Conv[group=1]") == 1);
    CHECK(matches(spelled, "Conv[strides=[1,1]]") == 0);
    CHECK(matches(spelled, "LeakyRelu[alpha=0.01]") == 0);
}
