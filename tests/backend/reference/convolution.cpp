// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/convolution.hpp>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::convolution_operators;

namespace {

struct conv_case {
    std::int64_t batch = 1, groups = 1, in = 1, out = 1;  // channels per group
    std::int64_t size[2]{1, 1}, taps[2]{1, 1}, stride[2]{1, 1}, dilation[2]{1, 1}, before[2]{0, 0}, after[2]{0, 0};
    bool bias = false, known_weights = true, one_axis = false;
};

std::int64_t outputs(const conv_case& c, int i) {
    return (c.size[i] + c.before[i] + c.after[i] - (c.taps[i] - 1) * c.dilation[i] - 1) / c.stride[i] + 1;
}

void check_conv(const conv_case& c, seeded& random, std::string_view rule = "NOTSET") {
    const std::int64_t h = outputs(c, 0), w = outputs(c, 1);
    const auto spatial = [&](std::int64_t a, std::int64_t b, std::int64_t y, std::int64_t x) {
        return c.one_axis ? shape64{a, b, x} : shape64{a, b, y, x};
    };
    const auto pair = [&](const std::int64_t(&v)[2]) { return c.one_axis ? shape64{v[1]} : shape64{v[0], v[1]}; };
    const tensor x = random.floats(spatial(c.batch, c.groups * c.in, c.size[0], c.size[1]), -1, 1);
    const tensor weights = random.floats(spatial(c.groups * c.out, c.in, c.taps[0], c.taps[1]), -1, 1);
    const tensor bias = random.floats({c.groups * c.out});
    attribute_map attributes{{"group", c.groups}, {"strides", pair(c.stride)}, {"dilations", pair(c.dilation)}};
    if (rule == "NOTSET") {
        shape64 pads = pair(c.before);
        for (const std::int64_t p : pair(c.after)) pads.push_back(p);
        attributes.set("pads", pads);
    } else {
        attributes.set("auto_pad", std::string(rule));
    }
    INFO(to_string(x.type()) << " by " << to_string(weights.type()) << ", " << c.groups << " groups, strides " << c.stride[0] << " "
                             << c.stride[1] << ", dilations " << c.dilation[0] << " " << c.dilation[1] << ", pads " << c.before[0] << " "
                             << c.before[1] << " " << c.after[0] << " " << c.after[1]);
    const auto got =
        run_call(convolution_operators[0], {given(x), c.known_weights ? known(weights) : given(weights), c.bias ? known(bias) : absent()},
                 attributes, {float_type(spatial(c.batch, c.groups * c.out, h, w))})[0];
    check_floats(
        got,
        [&](std::size_t flat) {
            const auto i = static_cast<std::int64_t>(flat), ox = i % w, oy = i / w % h, channel = i / w / h % (c.groups * c.out),
                       n = i / w / h / (c.groups * c.out);
            double sum = c.bias ? static_cast<double>(bias.as<float>()[static_cast<std::size_t>(channel)]) : 0.0;
            for (std::int64_t k = 0; k < c.in; ++k)
                for (std::int64_t ty = 0; ty < c.taps[0]; ++ty)
                    for (std::int64_t tx = 0; tx < c.taps[1]; ++tx) {
                        const std::int64_t iy = oy * c.stride[0] + ty * c.dilation[0] - c.before[0],
                                           ix = ox * c.stride[1] + tx * c.dilation[1] - c.before[1];
                        if (iy < 0 || ix < 0 || iy >= c.size[0] || ix >= c.size[1]) continue;
                        const std::int64_t from =
                            ((n * c.groups + channel / c.out) * c.in + k) * c.size[0] * c.size[1] + iy * c.size[1] + ix;
                        const std::int64_t by = (channel * c.in + k) * c.taps[0] * c.taps[1] + ty * c.taps[1] + tx;
                        sum += static_cast<double>(x.as<float>()[static_cast<std::size_t>(from)]) *
                               static_cast<double>(weights.as<float>()[static_cast<std::size_t>(by)]);
                    }
            return sum;
        },
        1e-5);
}

conv_case random_case(seeded& random, bool depthwise) {
    conv_case c;
    c.batch = random.integer(1, 2);
    c.groups = depthwise ? random.integer(1, 9) : random.integer(1, 3);
    c.in = depthwise ? 1 : random.integer(1, 9);
    c.out = depthwise ? random.integer(1, 2) : random.integer(1, 9);
    c.bias = random.coin();
    c.known_weights = random.coin();
    c.one_axis = random.integer(0, 4) == 0;
    for (int i = c.one_axis ? 1 : 0; i < 2; ++i) {
        c.size[i] = random.integer(1, depthwise ? 70 : 24);
        c.taps[i] = random.integer(1, 5);
        c.stride[i] = random.integer(1, 3);
        c.dilation[i] = random.integer(1, 2);
        c.before[i] = random.integer(0, 3);
        c.after[i] = random.integer(0, 3);
        while (outputs(c, i) < 1 || c.size[i] + c.before[i] + c.after[i] < (c.taps[i] - 1) * c.dilation[i] + 1) ++c.size[i];
    }
    return c;
}

}  // namespace

TEST_CASE("convolutions of any window, group and padding equal the sum of products") {
    seeded random(301);
    for (int round = 0; round < 80; ++round) {
        INFO("seed 301, round " << round);
        check_conv(random_case(random, false), random);
    }
}

TEST_CASE("depthwise convolutions, with a multiplier too, equal the sum of products") {
    seeded random(302);
    for (int round = 0; round < 80; ++round) {
        INFO("seed 302, round " << round);
        check_conv(random_case(random, true), random);
    }
}

TEST_CASE("layers as networks have them") {
    seeded random(303);
    conv_case pointwise;
    pointwise.in = 40;
    pointwise.out = 33;
    pointwise.size[0] = pointwise.size[1] = 14;
    check_conv(pointwise, random);
    conv_case small = pointwise;
    small.size[0] = small.size[1] = 3;
    small.out = 64;
    check_conv(small, random);
    conv_case three = pointwise;
    three.taps[0] = three.taps[1] = 3;
    three.before[0] = three.before[1] = three.after[0] = three.after[1] = 1;
    three.bias = true;
    check_conv(three, random);
    conv_case first;
    first.in = 3;
    first.out = 16;
    first.size[0] = first.size[1] = 64;
    first.taps[0] = first.taps[1] = 7;
    first.stride[0] = first.stride[1] = 2;
    first.before[0] = first.before[1] = first.after[0] = first.after[1] = 3;
    check_conv(first, random);
}

TEST_CASE("padding by rule puts the odd element after or before") {
    seeded random(304);
    conv_case c;
    c.in = 2;
    c.out = 3;
    c.size[0] = c.size[1] = 10;
    c.taps[0] = c.taps[1] = 4;
    c.stride[0] = c.stride[1] = 2;
    c.before[0] = c.before[1] = c.after[0] = c.after[1] = 1;
    check_conv(c, random, "SAME_UPPER");
    c.size[0] = c.size[1] = 11;
    c.after[0] = c.after[1] = 2;
    check_conv(c, random, "SAME_UPPER");
    std::swap(c.before, c.after);
    check_conv(c, random, "SAME_LOWER");
    for (int i = 0; i < 2; ++i) c.before[i] = c.after[i] = 0;
    check_conv(c, random, "VALID");
}

TEST_CASE("convolutions over three axes, of other element types or of windows that are none are refused") {
    const attribute_map none, stuck{{"strides", shape64{0, 1}}}, parted{{"group", std::int64_t{2}}};
    const tensor flat(element_type::float32, {1, 1, 2, 2});
    CHECK(convolution_operators[0].refuse(site("onnx.Conv", {given(flat), given(flat)}, stuck, {flat.type()})) ==
          "Conv has attribute strides with entry 0, which must be from 1 to 2147483647");
    CHECK(convolution_operators[0].refuse(site("onnx.Conv", {given(flat), given(flat)}, parted, {flat.type()})) ==
          "operand, weights and groups do not fit");
    const tensor x(element_type::float32, {1, 1, 2, 2, 2}), d(element_type::float64, {1, 1, 2, 2});
    CHECK(convolution_operators[0].refuse(site("onnx.Conv", {given(x), given(x)}, none, {x.type()})) ==
          "the operand is of rank 5; the kernel takes 3 and 4");
    CHECK(convolution_operators[0].refuse(site("onnx.Conv", {given(d), given(d)}, none, {d.type()})) ==
          "an operand is float64; the kernel takes float32");
}
