// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/normalizations.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("normalizations by channels, groups and lines come out alike [loops.lower.more-normalizations]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        const tensor x = lowered::random_floats({2, 6, 3, some(1, 4)}), scale = lowered::random_floats({6}),
                     shift = lowered::random_floats({6});
        const auto of = [&](const char* op, std::size_t operands, const attribute_map& how) {
            return lowered::difference(
                {x, scale, shift},
                [&](ir_builder& g, const std::vector<node_id>& in) {
                    std::vector<node_id> given{g.call("onnx.Tanh", {in[0]})};
                    for (std::size_t i = 1; i < operands; ++i) given.push_back(in[i]);
                    return g.call(op, given, how);
                },
                nullptr, 1e-4);
        };
        RC_ASSERT(of("onnx.InstanceNormalization", 3, {{"epsilon", 1e-2}}) == "");
        RC_ASSERT(of("onnx.GroupNormalization", 3, {{"num_groups", *rc::gen::element<std::int64_t>(1, 2, 3, 6)}, {"epsilon", 1e-2}}) == "");
        RC_ASSERT(of("onnx.LRN", 1, {{"size", some(1, 7)}, {"alpha", 0.5}}) == "");
        RC_ASSERT(of("onnx.LpNormalization", 1, {{"p", some(1, 3)}, {"axis", some(-4, 4)}}) == "");
    });
    CHECK(holds);
}

TEST_CASE("a mean and a variance over some axes come out alike [loops.lower.more-normalizations]") {
    tensor x(element_type::float32, {2, 3, 4, 2});
    for (std::size_t i = 0; i < x.count(); ++i) x.as<float>()[i] = static_cast<float>(i * 7 % 13) / 4;
    const auto normal = [&](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.MeanVarianceNormalization", {in[0]}); };
    CHECK(lowered::difference({x}, normal, nullptr, 1e-4) == "");
    // A line of zeros stays.
    const auto lines = [](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.LpNormalization", {in[0]}); };
    CHECK(lowered::difference({tensor(element_type::float32, {2, 3})}, lines) == "");
}
