// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/transposed_convolution.hpp>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::transposed_convolution_operators;

TEST_CASE("transposed convolutions add each input, times the weights, where the taps put it") {
    seeded random(501);
    for (int round = 0; round < 60; ++round) {
        const std::int64_t batch = random.integer(1, 2), groups = random.integer(1, 2), in = random.integer(1, 5),
                           out = random.integer(1, 5);
        shape64 x_shape{batch, groups * in}, w_shape{groups * in, out}, y_shape{batch, groups * out}, stride, dilation, pads(4, 0);
        const bool one_axis = random.integer(0, 4) == 0;
        const std::size_t axes = one_axis ? 1 : 2;
        pads.resize(2 * axes);
        for (std::size_t i = 0; i < axes; ++i) {
            x_shape.push_back(random.integer(1, 12));
            w_shape.push_back(random.integer(1, 4));
            stride.push_back(random.integer(1, 3));
            dilation.push_back(random.integer(1, 2));
            const std::int64_t full =
                (x_shape.back() - 1) * stride[i] + (w_shape.back() - 1) * dilation[i] + 1 + random.integer(0, stride[i] - 1);
            pads[i] = random.integer(0, std::min<std::int64_t>(2, full - 1));
            pads[i + axes] = random.integer(0, std::min<std::int64_t>(2, full - 1 - pads[i]));
            y_shape.push_back(full - pads[i] - pads[i + axes]);
        }
        const tensor x = random.floats(x_shape), w = random.floats(w_shape), bias = random.floats({groups * out});
        const bool has_bias = random.coin();
        INFO("seed 501, round " << round << ": " << to_string(x.type()) << " by " << to_string(w.type()) << " to "
                                << to_string(float_type(y_shape)));
        const auto got =
            run_call(transposed_convolution_operators[0], {given(x), known(w), has_bias ? given(bias) : absent()},
                     {{"group", groups}, {"strides", stride}, {"dilations", dilation}, {"pads", pads}}, {float_type(y_shape)})[0];
        std::vector<double> want(got.count());
        for (std::size_t i = 0; i < want.size(); ++i)
            want[i] = has_bias ? static_cast<double>(bias.as<float>()[static_cast<std::size_t>(index_of(i, y_shape)[1])]) : 0.0;
        for (std::size_t i = 0; i < x.count(); ++i)
            for (std::size_t j = 0; j < w.count(); ++j) {
                const auto from = index_of(i, x_shape), by = index_of(j, w_shape);
                if (from[1] != by[0]) continue;
                shape64 to{from[0], from[1] / in * out + by[1]};
                bool inside = true;
                for (std::size_t a = 0; a < axes; ++a) {
                    to.push_back(from[2 + a] * stride[a] + by[2 + a] * dilation[a] - pads[a]);
                    inside = inside && to.back() >= 0 && to.back() < y_shape[2 + a];
                }
                if (inside) want[stretched(to, y_shape)] += static_cast<double>(x.as<float>()[i]) * static_cast<double>(w.as<float>()[j]);
            }
        check_floats(
            got, [&](std::size_t i) { return want[i]; }, 1e-5);
    }
}

TEST_CASE("transposed convolutions refuse weights of the run and output shapes") {
    const attribute_map none, shaped{{"output_shape", shape64{4, 4}}};
    const tensor x(element_type::float32, {1, 1, 4, 4});
    const auto refuse = transposed_convolution_operators[0].refuse;
    CHECK(refuse(site("onnx.ConvTranspose", {given(x), given(x)}, none, {x.type()})) == "the weights are not known before the run");
    CHECK(refuse(site("onnx.ConvTranspose", {given(x), known(x)}, shaped, {x.type()})) ==
          "the output shape is given; the kernel takes pads");
}
