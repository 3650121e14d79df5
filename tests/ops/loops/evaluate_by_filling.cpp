// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/evaluate_by_filling.hpp>

#include <doctest/doctest.h>

namespace {

using inlay::call_view;
using inlay::error;
using inlay::outcome;
using inlay::tensor;

outcome<inlay::node_type> pair_rule(const call_view& call) {
    if (call.arity() == 0) return error{"Pair needs an operand"};
    return inlay::node_type::tuple({call.type(0), inlay::tensor_type(inlay::element_type::int64, {2})});
}

outcome<void> pair_loops(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    if (call.attributes->integer("fail", 0) != 0) return error{"Pair is told to fail"};
    results[0] = operands[0];
    results[1].as<std::int64_t>()[1] = 7;
    return {};
}

outcome<inlay::node_type> open_rule(const call_view&) {
    return inlay::node_type(inlay::tensor_type(inlay::element_type::int64, {inlay::extent()}));
}

}  // namespace

TEST_CASE("Results are made as the rule says and filled by the loops; either may refuse") {
    inlay::attribute_map attributes;
    const inlay::node_type type = inlay::tensor_type(inlay::element_type::float32, {3});
    const inlay::node_type* types[] = {&type};
    const std::vector<tensor> operands{tensor::of<float>({3}, std::vector<float>{1, 2, 3})};
    const call_view call{"onnx.Pair", &attributes, types, {}, 2};
    const auto both = inlay::filled<pair_rule, pair_loops>(call, operands);
    REQUIRE(both);
    CHECK((*both)[0].as<float>()[2] == 3);
    CHECK((*both)[1].as<std::int64_t>()[0] == 0);
    CHECK((*both)[1].as<std::int64_t>()[1] == 7);
    attributes.set("fail", std::int64_t{1});
    CHECK(inlay::filled<pair_rule, pair_loops>(call, operands).failure().message == "Pair is told to fail");
    CHECK(inlay::filled<pair_rule, pair_loops>({"onnx.Pair", &attributes, {}, {}, 2}, {}).failure().message == "Pair needs an operand");
    CHECK(inlay::filled<open_rule, pair_loops>(call, operands).failure().message.find("cannot tell the shape") != std::string::npos);
}
