// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/pooling.hpp>

#include <limits>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::pooling_operators;

namespace {

void check_pool(seeded& random, bool largest) {
    const std::size_t axes = random.integer(0, 4) == 0 ? 1 : 2;
    shape64 shape{random.integer(1, 3), random.integer(1, 5)}, taps, stride, dilation, before, after, to{shape};
    const bool up = random.coin(), padding = random.coin();
    for (std::size_t i = 0; i < axes; ++i) {
        taps.push_back(random.integer(1, 5));
        stride.push_back(random.integer(1, 3));
        dilation.push_back(random.integer(1, 2));
        before.push_back(random.integer(0, taps[i] - 1));
        after.push_back(random.integer(0, taps[i] - 1));
        const std::int64_t reach = (taps[i] - 1) * dilation[i] + 1;
        const std::int64_t n = random.integer(std::max<std::int64_t>(1, reach), reach + 40);
        shape.push_back(n);
        const std::int64_t room = n + before[i] + after[i] - reach;
        std::int64_t out = (up ? (room + stride[i] - 1) / stride[i] : room / stride[i]) + 1;
        // A window that would start in the padding after the operand is left out.
        if (up && (out - 1) * stride[i] >= n + before[i]) --out;
        to.push_back(out);
    }
    shape64 pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    const tensor x = random.floats(shape);
    const attribute_map attributes{{"kernel_shape", taps},          {"strides", stride},
                                   {"dilations", dilation},         {"pads", pads},
                                   {"ceil_mode", std::int64_t{up}}, {"count_include_pad", std::int64_t{padding}}};
    INFO((largest ? "largest" : "mean") << " of " << to_string(x.type()) << " to " << to_string(float_type(to)));
    const auto got =
        run_call(entry(pooling_operators, largest ? "onnx.MaxPool" : "onnx.AveragePool"), {given(x)}, attributes, {float_type(to)})[0];
    check_floats(got, [&](std::size_t flat) {
        const auto at = index_of(flat, to);
        double best = -std::numeric_limits<double>::infinity(), sum = 0, count = 0;
        const std::int64_t ys = axes == 2 ? taps[0] : 1;
        for (std::int64_t ty = 0; ty < ys; ++ty)
            for (std::int64_t tx = 0; tx < taps[axes - 1]; ++tx) {
                shape64 from = at;
                bool inside = true, padded = true;
                for (std::size_t i = 0; i < axes; ++i) {
                    from[2 + i] = at[2 + i] * stride[i] + (i + 1 == axes ? tx : ty) * dilation[i] - before[i];
                    inside = inside && from[2 + i] >= 0 && from[2 + i] < shape[2 + i];
                    padded = padded && from[2 + i] < shape[2 + i] + after[i];
                }
                if (padding && padded) count += 1;
                if (!inside) continue;
                if (!padding) count += 1;
                const auto v = static_cast<double>(x.as<float>()[stretched(from, shape)]);
                best = std::max(best, v);
                sum += v;
            }
        return largest ? best : sum / count;
    });
}

}  // namespace

TEST_CASE("pooling takes the largest or the mean of each window") {
    seeded random(401);
    for (int round = 0; round < 120; ++round) {
        INFO("seed 401, round " << round);
        check_pool(random, round % 2 == 0);
    }
}

TEST_CASE("global pooling takes whole planes") {
    const tensor x = seeded(402).floats({2, 3, 7, 9});
    const auto mean = run_call(entry(pooling_operators, "onnx.GlobalAveragePool"), {given(x)}, {}, {float_type({2, 3, 1, 1})})[0];
    const auto top = run_call(entry(pooling_operators, "onnx.GlobalMaxPool"), {given(x)}, {}, {float_type({2, 3, 1, 1})})[0];
    const auto plane = [&](std::size_t i) { return x.as<float>().subspan(i * 63, 63); };
    check_floats(mean, [&](std::size_t i) {
        double sum = 0;
        for (const float v : plane(i)) sum += static_cast<double>(v);
        return sum / 63;
    });
    check_floats(top, [&](std::size_t i) { return static_cast<double>(*std::max_element(plane(i).begin(), plane(i).end())); });
}

TEST_CASE("pooling refuses what it does not give") {
    const attribute_map none;
    const tensor x(element_type::float32, {1, 1, 4, 4});
    CHECK(entry(pooling_operators, "onnx.MaxPool")
              .refuse(site("onnx.MaxPool", {given(x)}, none, {x.type(), type_of<std::int64_t>({1, 1, 4, 4})})) ==
          "the places of the largest elements are wanted; the kernel gives none");
}
