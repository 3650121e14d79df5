// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/pooling.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_pooling<>;

namespace {

struct draw {
    std::uint64_t state;
    std::int64_t operator()(std::int64_t least, std::int64_t most) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return least + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(most - least + 1));
    }
};

struct pooled {
    floats max, average, average_with_padding, norm;
    ints indices;
};

// All poolings of one plane by their definition; the reach of the padded axes is walked tap by tap.
pooled pool_by_definition(const tensor& x, const ints& in, const ints& kernel, const ints& stride, const ints& dilation, const ints& pads,
                          const ints& out, bool ceil) {
    pooled p;
    for (std::int64_t i = 0; i < out[0]; ++i)
        for (std::int64_t j = 0; j < out[1]; ++j) {
            float best = 0;
            double sum = 0, absolute = 0;
            std::int64_t found = -1, met = 0, padded = 0;
            for (std::int64_t u = 0; u < kernel[0]; ++u)
                for (std::int64_t v = 0; v < kernel[1]; ++v) {
                    const std::int64_t row = i * stride[0] + u * dilation[0] - pads[0], column = j * stride[1] + v * dilation[1] - pads[1];
                    if (row >= in[0] + pads[2] || column >= in[1] + pads[3]) continue;
                    ++padded;
                    if (row < 0 || column < 0 || row >= in[0] || column >= in[1]) continue;
                    ++met;
                    const float value = x.as<float>()[static_cast<std::size_t>(row * in[1] + column)];
                    if (found < 0 || value > best) {
                        best = value;
                        found = row * in[1] + column;
                    }
                    sum += static_cast<double>(value);
                    absolute += static_cast<double>(value < 0 ? -value : value);
                }
            p.max.push_back(found < 0 ? -std::numeric_limits<float>::infinity() : best);
            p.indices.push_back(found);
            p.average.push_back(met == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(met)));
            if (!ceil) padded = kernel[0] * kernel[1];
            p.average_with_padding.push_back(padded == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(padded)));
            p.norm.push_back(static_cast<float>(absolute));
        }
    return p;
}

}  // namespace

TEST_CASE("Poolings are what their windows hold, for many strides, pads, dilations and either rounding") {
    draw pick{5};
    int checked = 0;
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        const ints in{pick(1, 9), pick(1, 9)}, kernel{pick(1, 3), pick(1, 4)}, stride{pick(1, 4), pick(1, 3)},
            dilation{pick(1, 2), pick(1, 3)};
        const auto pad = [&](std::size_t i) { return pick(0, std::min<std::int64_t>(2, (kernel[i] - 1) * dilation[i])); };
        const ints pads{pad(0), pad(1), pad(0), pad(1)};
        const bool ceil = pick(0, 1) == 1;
        ints out;
        bool counts = true;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::int64_t room = in[i] + pads[i] + pads[2 + i] - (kernel[i] - 1) * dilation[i] - 1;
            std::int64_t places = room / stride[i] + 1;
            counts = counts && places >= 0;
            if (ceil && room > 0 && room % stride[i] != 0 && places * stride[i] < in[i] + pads[i]) ++places;
            out.push_back(places);
        }
        const tensor x = noise({1, 1, in[0], in[1]}, static_cast<std::uint64_t>(round));
        inlay::attribute_map attributes{
            {"kernel_shape", kernel}, {"strides", stride}, {"dilations", dilation}, {"pads", pads}, {"ceil_mode", std::int64_t{ceil}}};
        const auto max = results<ops_under_test>("onnx.MaxPool", {x}, attributes, 2);
        REQUIRE((max.size() == 2) == counts);
        if (!counts) continue;
        ++checked;
        const pooled expected = pool_by_definition(x, in, kernel, stride, dilation, pads, out, ceil);
        CHECK(max[0].extents() == ints{1, 1, out[0], out[1]});
        CHECK(elements_of<float>(max[0]) == expected.max);
        CHECK(elements_of<std::int64_t>(max[1]) == expected.indices);
        CHECK(elements_of<float>(result<ops_under_test>("onnx.AveragePool", {x}, attributes)) == expected.average);
        attributes.set("count_include_pad", std::int64_t{1});
        CHECK(elements_of<float>(result<ops_under_test>("onnx.AveragePool", {x}, attributes)) == expected.average_with_padding);
        attributes.set("p", std::int64_t{1});
        CHECK(elements_of<float>(result<ops_under_test>("onnx.LpPool", {x}, attributes)) == expected.norm);
    }
    CHECK(checked > 150);
}

TEST_CASE("MaxPool's indices count over all planes, by rows or by columns") {
    const tensor x = tensor::of<float>({1, 2, 2, 3}, floats{0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1});
    const inlay::attribute_map rows{{"kernel_shape", ints{2, 3}}},
        columns{{"kernel_shape", ints{2, 3}}, {"storage_order", std::int64_t{1}}};
    CHECK(elements_of<std::int64_t>(results<ops_under_test>("onnx.MaxPool", {x}, rows, 2)[1]) == ints{1, 6 + 4});
    CHECK(elements_of<std::int64_t>(results<ops_under_test>("onnx.MaxPool", {x}, columns, 2)[1]) == ints{2, 6 + 3});
}

TEST_CASE("MaxPool over one and three axes, of bytes, and of numbers that are none") {
    CHECK(elements_of<float>(result<ops_under_test>("onnx.MaxPool", {counting({1, 1, 5})},
                                                    {{"kernel_shape", ints{2}}, {"strides", ints{2}}})) == floats{1, 3});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.MaxPool", {counting({1, 1, 2, 2, 2})}, {{"kernel_shape", ints{2, 1, 2}}})) ==
          floats{5, 7});
    const tensor bytes = tensor::of<std::int8_t>({1, 1, 3}, std::vector<std::int8_t>{-5, -3, -9});
    CHECK(elements_of<std::int8_t>(result<ops_under_test>("onnx.MaxPool", {bytes}, {{"kernel_shape", ints{2}}})) ==
          std::vector<std::int8_t>{-3, -3});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto y = elements_of<float>(
        result<ops_under_test>("onnx.MaxPool", {tensor::of<float>({1, 1, 4}, floats{1, nan, 2, 3})}, {{"kernel_shape", ints{2}}}));
    REQUIRE(y.size() == 3);
    CHECK(y[0] != y[0]);
    CHECK(y[1] != y[1]);
    CHECK(y[2] == 3);
}

TEST_CASE("LpPool and the global poolings") {
    const tensor x = tensor::of<float>({1, 1, 4}, floats{3, -4, 0, 2});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.LpPool", {x}, {{"kernel_shape", ints{2}}, {"strides", ints{2}}})) ==
          floats{5, 2});
    const tensor planes = tensor::of<float>({1, 2, 2, 2}, floats{1, 2, 3, 6, -1, -2, -2, 0});
    CHECK(result<ops_under_test>("onnx.GlobalAveragePool", {planes}).extents() == ints{1, 2, 1, 1});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GlobalAveragePool", {planes})) == floats{3, -1.25f});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GlobalMaxPool", {planes})) == floats{6, 0});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GlobalLpPool", {planes}))[1] == 3);
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GlobalLpPool", {planes}, {{"p", std::int64_t{1}}})) == floats{12, 5});
    CHECK(result<ops_under_test>("onnx.GlobalMaxPool", {counting({0, 2, 3})}).extents() == ints{0, 2, 1});
}

TEST_CASE("Type rules of poolings keep symbols") {
    const inlay::tensor_type x = f32({symbol("n"), 64, symbol("h"), 112});
    const inlay::attribute_map halves{{"kernel_shape", ints{3, 3}}, {"strides", ints{2, 2}}, {"pads", ints{1, 1, 1, 1}}};
    CHECK(inferred<ops_under_test>("onnx.MaxPool", {x}, halves) == "float32[n,64,?,56]");
    CHECK(inferred<ops_under_test>("onnx.MaxPool", {x}, halves, 2) == "(float32[n,64,?,56], int64[n,64,?,56])");
    CHECK(inferred<ops_under_test>("onnx.AveragePool", {x}, {{"kernel_shape", ints{3, 3}}, {"pads", ints{1, 1, 1, 1}}}) ==
          "float32[n,64,h,112]");
    CHECK(inferred<ops_under_test>("onnx.GlobalAveragePool", {x}) == "float32[n,64,1,1]");
    CHECK(inferred<ops_under_test>("onnx.MaxPool", {inlay::tensor_type(inlay::element_type::float32)}, halves) == "float32[?,?,?,?]");
}

TEST_CASE("Poolings refuse what does not fit with a sentence") {
    const auto no = [](const inlay::attribute_map& a, std::string_view words, std::size_t outputs = 1) {
        return refused<ops_under_test>("onnx.MaxPool", {f32({1, 1, 8, 8})}, a, words, outputs);
    };
    CHECK(no({}, "kernel_shape"));
    CHECK(no({{"kernel_shape", std::int64_t{3}}}, "kernel_shape"));
    CHECK(no({{"kernel_shape", ints{3}}}, "2 are expected"));
    CHECK(no({{"kernel_shape", ints{-1, 3}}}, "kernel_shape"));
    CHECK(no({{"kernel_shape", ints{0, 3}}}, "kernel_shape"));
    CHECK(no({{"kernel_shape", ints{10, 10}}}, "reaches over 10"));
    CHECK(no({{"kernel_shape", ints{2, 2}}, {"strides", ints{0, 1}}}, "strides"));
    CHECK(no({{"kernel_shape", ints{2, 2}}, {"pads", ints{2, 0, 0, 0}}}, "pads of 2"));
    CHECK(no({{"kernel_shape", ints{2, 2}}, {"storage_order", std::int64_t{2}}}, "storage_order"));
    CHECK(no({{"kernel_shape", ints{2, 2}}}, "3 outputs", 3));
    CHECK(refused<ops_under_test>("onnx.AveragePool", {f32({1, 1, 8})}, {{"kernel_shape", ints{2}}}, "2 outputs", 2));
    CHECK(refused<ops_under_test>("onnx.AveragePool", {i64({1, 1, 8})}, {{"kernel_shape", ints{2}}}, "int64"));
    CHECK(refused<ops_under_test>("onnx.MaxPool", {f32({1, 1})}, {{"kernel_shape", ints{}}}, "rank 2"));
    CHECK(refused<ops_under_test>("onnx.LpPool", {f32({1, 1, 8})}, {{"kernel_shape", ints{2}}, {"p", std::int64_t{0}}}, "p 0"));
    CHECK(refused<ops_under_test>("onnx.GlobalMaxPool", {f32({1})}, {}, "spatial axes"));
    CHECK(refused<ops_under_test>("onnx.GlobalMaxPool", {f32({1, 1, 0})}, {}, "nothing to pool"));
}

TEST_CASE("A window of many more taps than the axis has elements is not walked") {
    const std::int64_t many = inlay::largest_window;
    const tensor y =
        result<ops_under_test>("onnx.AveragePool", {counting({1, 1, 3})}, {{"kernel_shape", ints{many}}, {"pads", ints{many - 2, 0}}});
    CHECK(elements_of<float>(y) == floats{0.5f, 1});
}
