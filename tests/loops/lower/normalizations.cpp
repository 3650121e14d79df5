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

TEST_CASE("normalizations of the last axes come out alike, and so do their mean and spread [loops.lower.normalizations]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({2, 3, 4}), scale = lowered::random_floats({4}), shift = lowered::random_floats({4});
        const std::int64_t axis = *rc::gen::inRange(-3, 3);
        const std::size_t outputs = *rc::gen::inRange<std::size_t>(1, 4);
        RC_ASSERT(
            lowered::difference(
                {x, scale, shift},
                [&](ir_builder& g, const std::vector<node_id>& in) {
                    const node_id call = g.call("onnx.LayerNormalization", {in[0], in[1], in[2]}, {{"axis", axis}, {"epsilon", 0.25}});
                    if (outputs == 1) return call;
                    std::vector<node_id> all;
                    for (std::size_t i = 0; i < outputs; ++i) all.push_back(g.projection(call, i));
                    return g.tuple(all);
                },
                nullptr, 1e-4) == "");
        RC_ASSERT(lowered::difference({x, scale}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.RMSNormalization", {g.call("onnx.Tanh", {in[0]}), in[1]}, {{"axis", axis}, {"epsilon", 0.25}});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("batch normalizations come out alike, also where they learn and where there are no channels [loops.lower.normalizations]") {
    const bool holds = rc::check([] {
        const std::vector<std::int64_t> extents = *rc::gen::elementOf(std::vector<std::vector<std::int64_t>>{{5}, {4, 3}, {2, 3, 4}});
        const std::int64_t channels = extents.size() > 1 ? extents[1] : 1;
        const tensor x = lowered::random_floats(extents), of_channel = lowered::random_floats({channels}),
                     spread = lowered::random_floats({channels}, true);
        const bool learns = *rc::gen::arbitrary<bool>();
        const std::size_t outputs = learns ? 3 : 1;
        RC_ASSERT(lowered::difference(
                      {x, of_channel, of_channel, of_channel, spread},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          const node_id call = g.call("onnx.BatchNormalization", {in[0], in[1], in[2], in[3], in[4]},
                                                      {{"training_mode", std::int64_t{learns}}, {"epsilon", 0.25}, {"momentum", 0.75}});
                          if (outputs == 1) return call;
                          const node_id all[] = {g.projection(call, 0), g.projection(call, 1), g.projection(call, 2)};
                          return g.tuple(all);
                      },
                      nullptr, 1e-4) == "");
    });
    CHECK(holds);
}
