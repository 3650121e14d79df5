// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/softmax.hpp>

#include <cmath>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::softmax_operators;

TEST_CASE("softmax and its logarithm sum to one along the axis") {
    seeded random(701);
    for (int round = 0; round < 40; ++round) {
        const shape64 shape = random.shape(static_cast<std::size_t>(random.integer(1, 4)), 40);
        const auto rank = static_cast<std::int64_t>(shape.size());
        const std::int64_t axis = random.integer(-rank, rank - 1);
        const auto a = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
        std::size_t step = 1;
        for (std::size_t i = a + 1; i < shape.size(); ++i) step *= static_cast<std::size_t>(shape[i]);
        const auto n = static_cast<std::size_t>(shape[a]);
        if (tensor(element_type::int8, shape).count() > 60000) continue;
        const tensor x = random.floats(shape, -20, 20);
        INFO("seed 701, round " << round << ": axis " << axis << " of " << to_string(x.type()));
        for (const bool logarithm : {false, true}) {
            const auto got = run_call(entry(softmax_operators, logarithm ? "onnx.LogSoftmax" : "onnx.Softmax"), {given(x)},
                                      {{"axis", axis}}, {x.type()})[0];
            std::vector<double> sums(x.count());
            for (std::size_t i = 0; i < x.count(); ++i)
                sums[i / (n * step) * step + i % step] += std::exp(static_cast<double>(x.as<float>()[i]));
            check_floats(got, [&](std::size_t i) {
                const double e = static_cast<double>(x.as<float>()[i]), sum = sums[i / (n * step) * step + i % step];
                return logarithm ? e - std::log(sum) : std::exp(e) / sum;
            });
        }
    }
}

TEST_CASE("softmax keeps large numbers finite and masked ones at zero") {
    const float infinity = std::numeric_limits<float>::infinity();
    const tensor x = list(std::vector<float>{1e30f, 1e30f, -infinity, -1e30f});
    const auto got = run_call(entry(softmax_operators, "onnx.Softmax"), {given(x)}, {}, {x.type()})[0];
    CHECK(got.as<float>()[0] == 0.5f);
    CHECK(got.as<float>()[2] < 1e-37f);
    const attribute_map outside{{"axis", std::int64_t{1}}};
    CHECK(entry(softmax_operators, "onnx.Softmax").refuse(site("onnx.Softmax", {given(x)}, outside, {x.type()})) ==
          "the axis lies outside of the rank");
}
