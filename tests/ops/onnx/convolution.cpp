// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/convolution.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::attribute_map;
using inlay::extent;
using inlay::shape;
using inlay::tensor;
using ops_under_test = inlay::onnx_convolution<>;

namespace {

struct parameters {
    ints x, w, strides, dilations, pads, extra;
    std::int64_t group;
    bool bias;
};

attribute_map attributes_of(const parameters& p) {
    return {{"strides", p.strides}, {"dilations", p.dilations}, {"pads", p.pads}, {"group", p.group}};
}

// Conv of two spatial axes by its definition: each result element on its own.
template <class T>
std::vector<T> conv_by_definition(const tensor& x, const tensor& w, const tensor& b, const parameters& p, const ints& out) {
    std::vector<T> y;
    const auto xs = x.as<T>(), ws = w.as<T>();
    for (std::int64_t n = 0; n < out[0]; ++n)
        for (std::int64_t o = 0; o < out[1]; ++o)
            for (std::int64_t i = 0; i < out[2]; ++i)
                for (std::int64_t j = 0; j < out[3]; ++j) {
                    double sum = b.ok() ? static_cast<double>(b.as<T>()[static_cast<std::size_t>(o)]) : 0;
                    for (std::int64_t c = 0; c < p.w[1]; ++c)
                        for (std::int64_t u = 0; u < p.w[2]; ++u)
                            for (std::int64_t v = 0; v < p.w[3]; ++v) {
                                const std::int64_t row = i * p.strides[0] + u * p.dilations[0] - p.pads[0];
                                const std::int64_t column = j * p.strides[1] + v * p.dilations[1] - p.pads[1];
                                if (row < 0 || column < 0 || row >= p.x[2] || column >= p.x[3]) continue;
                                const std::int64_t channel = o / (p.w[0] / p.group) * p.w[1] + c;
                                sum += static_cast<double>(
                                           xs[static_cast<std::size_t>(((n * p.x[1] + channel) * p.x[2] + row) * p.x[3] + column)]) *
                                       static_cast<double>(ws[static_cast<std::size_t>(((o * p.w[1] + c) * p.w[2] + u) * p.w[3] + v)]);
                            }
                    y.push_back(static_cast<T>(sum));
                }
    return y;
}

// ConvTranspose of two spatial axes by scattering each input element.
std::vector<float> transposed_by_definition(const tensor& x, const tensor& w, const tensor& b, const parameters& p, const ints& out) {
    std::vector<double> y(static_cast<std::size_t>(out[0] * out[1] * out[2] * out[3]), 0.0);
    const auto at = [&](std::int64_t n, std::int64_t o, std::int64_t i, std::int64_t j) {
        return static_cast<std::size_t>(((n * out[1] + o) * out[2] + i) * out[3] + j);
    };
    std::size_t from = 0;
    for (std::int64_t n = 0; n < p.x[0]; ++n)
        for (std::int64_t c = 0; c < p.x[1]; ++c)
            for (std::int64_t i = 0; i < p.x[2]; ++i)
                for (std::int64_t j = 0; j < p.x[3]; ++j, ++from)
                    for (std::int64_t o = 0; o < p.w[1]; ++o)
                        for (std::int64_t u = 0; u < p.w[2]; ++u)
                            for (std::int64_t v = 0; v < p.w[3]; ++v) {
                                const std::int64_t row = i * p.strides[0] + u * p.dilations[0] - p.pads[0];
                                const std::int64_t column = j * p.strides[1] + v * p.dilations[1] - p.pads[1];
                                if (row < 0 || column < 0 || row >= out[2] || column >= out[3]) continue;
                                const auto weight = static_cast<std::size_t>(((c * p.w[1] + o) * p.w[2] + u) * p.w[3] + v);
                                const std::int64_t group = c / (p.x[1] / p.group);
                                y[at(n, group * p.w[1] + o, row, column)] +=
                                    static_cast<double>(x.as<float>()[from]) * static_cast<double>(w.as<float>()[weight]);
                            }
    if (b.ok())
        for (std::size_t k = 0; k < y.size(); ++k)
            y[k] += static_cast<double>(b.as<float>()[k / static_cast<std::size_t>(out[2] * out[3]) % static_cast<std::size_t>(out[1])]);
    return {y.begin(), y.end()};
}

struct draw {
    std::uint64_t state;
    std::int64_t operator()(std::int64_t least, std::int64_t most) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return least + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(most - least + 1));
    }
};

}  // namespace

TEST_CASE("Conv is the sum of products over its window, for many strides, pads, dilations and groups") {
    draw pick{7};
    int checked = 0;
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        parameters p;
        p.group = pick(1, 3);
        p.w = {p.group * pick(1, 3), pick(1, 4), pick(1, 3), pick(1, 4)};
        p.x = {pick(1, 2), p.w[1] * p.group, pick(1, 9), pick(1, 40)};
        p.strides = {pick(1, 3), pick(1, 3)};
        p.dilations = {pick(1, 2), pick(1, 3)};
        p.pads = {pick(0, 2), pick(0, 3), pick(0, 2), pick(0, 3)};
        p.bias = pick(0, 1) == 1;
        ints out{p.x[0], p.w[0]};
        bool fits = true;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::int64_t room = p.x[2 + i] + p.pads[i] + p.pads[2 + i] - (p.w[2 + i] - 1) * p.dilations[i] - 1;
            // A window that is longer than its axis has no place there, if it is by no more than a stride.
            fits = fits && room >= -p.strides[i];
            out.push_back(room < 0 ? 0 : room / p.strides[i] + 1);
        }
        const tensor x = noise(p.x, 1), w = noise(p.w, 2), b = p.bias ? noise({p.w[0]}, 3) : tensor();
        const tensor y = result<ops_under_test>("onnx.Conv", {x, w, b}, attributes_of(p));
        REQUIRE(y.ok() == fits);
        if (!fits) continue;
        ++checked;
        CHECK(y.extents() == out);
        CHECK(elements_of<float>(y) == conv_by_definition<float>(x, w, b, p, out));
    }
    CHECK(checked > 150);
}

TEST_CASE("Conv sums over more channels and columns than one tile holds, in either precision") {
    const parameters p{{1, 300, 3, 90}, {2, 300, 3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, {}, 1, false};
    const tensor x = noise(p.x, 4), w = noise(p.w, 5);
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {x, w}, attributes_of(p))) ==
          conv_by_definition<float>(x, w, tensor(), p, {1, 2, 3, 90}));
    const tensor dx = noise<double>(p.x, 4), dw = noise<double>(p.w, 5);
    CHECK(elements_of<double>(result<ops_under_test>("onnx.Conv", {dx, dw}, attributes_of(p))) ==
          conv_by_definition<double>(dx, dw, tensor(), p, {1, 2, 3, 90}));
}

TEST_CASE("Conv over one and over three spatial axes") {
    const tensor line = tensor::of<float>({1, 1, 5}, floats{1, 2, 3, 4, 5}), pair = tensor::of<float>({1, 1, 2}, floats{1, 10});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {line, pair})) == floats{21, 32, 43, 54});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {line, pair}, {{"strides", ints{2}}, {"pads", ints{1, 0}}})) ==
          floats{10, 32, 54});
    const tensor cube = counting({1, 1, 2, 2, 2}), ones = tensor::of<float>({1, 1, 2, 2, 2}, floats(8, 1.0f));
    const tensor y = result<ops_under_test>("onnx.Conv", {cube, ones}, {{"pads", ints{0, 0, 1, 0, 0, 0}}});
    CHECK(y.extents() == ints{1, 1, 1, 1, 2});
    CHECK(elements_of<float>(y) == floats{0 + 2 + 4 + 6, 28});
}

TEST_CASE("SAME_UPPER puts the odd element of padding at the end, SAME_LOWER at the beginning") {
    const tensor line = tensor::of<float>({1, 1, 4}, floats{1, 2, 3, 4}), pair = tensor::of<float>({1, 1, 2}, floats{1, 10});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {line, pair}, {{"auto_pad", std::string("SAME_UPPER")}})) ==
          floats{21, 32, 43, 4});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {line, pair}, {{"auto_pad", std::string("SAME_LOWER")}})) ==
          floats{10, 21, 32, 43});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Conv", {line, pair}, {{"auto_pad", std::string("VALID")}})) ==
          floats{21, 32, 43});
}

TEST_CASE("Conv of half floats is narrowed from float") {
    const tensor x = *inlay::convert_elements(tensor::of<float>({1, 1, 3}, floats{1, 2, 3}), inlay::element_type::float16);
    const tensor w = *inlay::convert_elements(tensor::of<float>({1, 1, 2}, floats{0.5f, 2}), inlay::element_type::float16);
    const tensor y = result<ops_under_test>("onnx.Conv", {x, w});
    REQUIRE(y.element() == inlay::element_type::float16);
    CHECK(elements_of<float>(*inlay::convert_elements(y, inlay::element_type::float32)) == floats{4.5f, 7});
}

TEST_CASE("ConvTranspose scatters each input element over its window") {
    draw pick{11};
    int checked = 0;
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        parameters p;
        p.group = pick(1, 3);
        p.w = {p.group * pick(1, 3), pick(1, 3), pick(1, 3), pick(1, 4)};
        p.x = {pick(1, 2), p.w[0], pick(1, 5), pick(1, 6)};
        p.strides = {pick(1, 3), pick(1, 4)};
        p.dilations = {pick(1, 2), pick(1, 3)};
        p.pads = {pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2)};
        p.extra = {pick(0, p.strides[0] - 1), pick(0, p.strides[1] - 1)};
        p.bias = pick(0, 1) == 1;
        ints out{p.x[0], p.w[1] * p.group};
        bool fits = true;
        for (std::size_t i = 0; i < 2; ++i) {
            out.push_back(p.strides[i] * (p.x[2 + i] - 1) + p.extra[i] + (p.w[2 + i] - 1) * p.dilations[i] + 1 - p.pads[i] - p.pads[2 + i]);
            fits = fits && out.back() > 0;
        }
        const tensor x = noise(p.x, 1), w = noise(p.w, 2), b = p.bias ? noise({out[1]}, 3) : tensor();
        attribute_map attributes = attributes_of(p);
        attributes.set("output_padding", p.extra);
        const tensor y = result<ops_under_test>("onnx.ConvTranspose", {x, w, b}, attributes);
        REQUIRE(y.ok() == fits);
        if (!fits) continue;
        ++checked;
        CHECK(y.extents() == out);
        CHECK(elements_of<float>(y) == transposed_by_definition(x, w, b, p, out));
    }
    CHECK(checked > 120);
}

TEST_CASE("ConvTranspose with a stated result shape chooses its own padding") {
    const tensor x = tensor::of<float>({1, 1, 3}, floats{1, 2, 3}), w = tensor::of<float>({1, 1, 3}, floats{1, 10, 100});
    // Whole: 1 10 102 20 203 30 300; one element too many is taken from the beginning, or with SAME_UPPER from the end.
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ConvTranspose", {x, w}, {{"strides", ints{2}}, {"output_shape", ints{6}}})) ==
          floats{10, 102, 20, 203, 30, 300});
    CHECK(elements_of<float>(
              result<ops_under_test>("onnx.ConvTranspose", {x, w}, {{"strides", ints{2}}, {"auto_pad", std::string("SAME_UPPER")}})) ==
          floats{1, 10, 102, 20, 203, 30});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ConvTranspose", {x, w}, {{"strides", ints{2}}, {"output_shape", ints{8}}})) ==
          floats{1, 10, 102, 20, 203, 30, 300, 0});
}

TEST_CASE("Conv's type rule keeps symbols and tells what it can") {
    const shape image{symbol("n"), 3, symbol("h"), 224};
    CHECK(inferred<ops_under_test>("onnx.Conv", {f32(image), f32({64, 3, 7, 7})}, {{"strides", ints{2, 2}}, {"pads", ints{3, 3, 3, 3}}}) ==
          "float32[n,64,?,112]");
    CHECK(inferred<ops_under_test>("onnx.Conv", {f32(image), f32({64, 3, 3, 3})}, {{"pads", ints{1, 1, 1, 1}}}) == "float32[n,64,h,224]");
    CHECK(inferred<ops_under_test>("onnx.Conv", {f32(image), f32({64, 3, 3, 3})}, {{"auto_pad", std::string("SAME_UPPER")}}) ==
          "float32[n,64,h,224]");
    CHECK(inferred<ops_under_test>("onnx.Conv", {f32(image), inlay::tensor_type(inlay::element_type::float32)},
                                   {{"kernel_shape", ints{1, 1}}}) == "float32[n,?,h,224]");
    CHECK(inferred<ops_under_test>("onnx.Conv", {inlay::tensor_type(inlay::element_type::none), f32({8, 3, 1, 1})}) == "float32[?,8,?,?]");
    CHECK(inferred<ops_under_test>("onnx.ConvTranspose", {f32({1, 16, 8, symbol("w")}), f32({16, 4, 4, 4})},
                                   {{"strides", ints{2, 2}}, {"pads", ints{1, 1, 1, 1}}, {"group", std::int64_t{2}}}) ==
          "float32[1,8,16,?]");
}

TEST_CASE("Conv refuses what does not fit with a sentence") {
    const sample_operand x = f32({1, 4, 8, 8}), w = f32({6, 2, 3, 3});
    const auto no = [&](const attribute_map& attributes, std::string_view words) {
        return refused<ops_under_test>("onnx.Conv", {x, w}, attributes, words);
    };
    const std::int64_t two = 2, huge = INT64_MAX;
    CHECK(inferred<ops_under_test>("onnx.Conv", {x, w}, {{"group", two}}) == "float32[1,6,6,6]");
    CHECK(no({}, "input channels"));
    CHECK(no({{"group", std::int64_t{0}}}, "group 0"));
    CHECK(no({{"group", std::int64_t{-2}}}, "group -2"));
    CHECK(no({{"group", two}, {"strides", ints{0, 1}}}, "strides"));
    CHECK(no({{"group", two}, {"strides", ints{1}}}, "2 are expected"));
    CHECK(no({{"group", two}, {"strides", two}}, "list of integers"));
    CHECK(no({{"group", two}, {"dilations", ints{1, -1}}}, "dilations"));
    CHECK(no({{"group", two}, {"dilations", ints{1, huge}}}, "dilations"));
    CHECK(no({{"group", two}, {"dilations", ints{1, inlay::largest_window}}}, "reaches beyond"));
    CHECK(no({{"group", two}, {"pads", ints{0, 0, 0, -1}}}, "pads"));
    CHECK(no({{"group", two}, {"pads", ints{huge, huge, huge, huge}}}, "pads"));
    CHECK(no({{"group", two}, {"kernel_shape", ints{3, 5}}}, "weights have 3"));
    CHECK(no({{"group", two}, {"kernel_shape", ints{-3, 3}}}, "kernel_shape"));
    CHECK(no({{"group", two}, {"auto_pad", std::string("SOME")}}, "auto_pad"));
    CHECK(no({{"group", two}, {"dilations", ints{5, 5}}}, "reaches over 11"));
    CHECK(refused<ops_under_test>("onnx.Conv", {x}, {}, "needs operand 1"));
    CHECK(refused<ops_under_test>("onnx.Conv", {x, f32({6, 4, 3})}, {}, "one rank"));
    CHECK(refused<ops_under_test>("onnx.Conv", {f32({1, 4}), f32({6, 4})}, {}, "rank 2"));
    CHECK(refused<ops_under_test>("onnx.Conv", {x, i64({6, 4, 3, 3})}, {}, "int64"));
    CHECK(refused<ops_under_test>("onnx.Conv", {x, f32({6, 4, 0, 3})}, {}, "kernel extent"));
    CHECK(refused<ops_under_test>("onnx.Conv", {x, f32({6, 4, 3, 3}), f32({5})}, {}, "bias"));
    CHECK(refused<ops_under_test>("onnx.Conv", {f32({huge, 4, 8, 8}), f32({6, 4, 3, 3})}, {}, "beyond counting"));
    CHECK(refused<ops_under_test>("onnx.Conv", {f32({1, 4, huge, 8}), f32({6, 4, 3, 3})}, {}, "too large"));
    CHECK(refused<ops_under_test>("onnx.Conv", {f32({1, 2, 8, 8}), f32({5, 1, 3, 3})}, {{"group", two}}, "do not divide"));
}

TEST_CASE("ConvTranspose refuses what does not fit with a sentence") {
    const sample_operand x = f32({1, 4, 8, 8}), w = f32({4, 2, 3, 3});
    const auto no = [&](const attribute_map& a, std::string_view words) {
        return refused<ops_under_test>("onnx.ConvTranspose", {x, w}, a, words);
    };
    CHECK(no({{"group", std::int64_t{3}}}, "do not divide"));
    CHECK(no({{"output_padding", ints{1, 0}}}, "output_padding"));
    CHECK(no({{"output_shape", ints{0, 3}}}, "output_shape"));
    CHECK(no({{"output_shape", ints{3}}}, "output_shape"));
    CHECK(no({{"pads", ints{5, 0, 5, 0}}}, "leaves none"));
    CHECK(refused<ops_under_test>("onnx.ConvTranspose", {x, f32({5, 2, 3, 3})}, {}, "its weights have 5"));
    CHECK(refused<ops_under_test>("onnx.ConvTranspose", {f32({1, 4, INT64_MAX, 8}), w}, {}, "too large"));
    CHECK(refused<ops_under_test>("onnx.ConvTranspose", {x, f32({4, INT64_MAX, 3, 3})}, {{"group", std::int64_t{4}}}, "beyond counting"));
}

TEST_CASE("Convolutions count two flops for each product") {
    const inlay::node_type x = f32({1, 4, 8, 8}), w = f32({6, 4, 3, 3}), b = f32({6}), y = f32({1, 6, 6, 6});
    const inlay::node_type* types[] = {&x, &w, &b};
    const attribute_map none;
    const inlay::op_work work = definition<ops_under_test>("onnx.Conv").work({"onnx.Conv", &none, types, {}, 1}, y);
    CHECK(work.flops == 6 * 6 * 6 * (2.0 * 36 + 1));
    CHECK(work.bytes == 4.0 * (256 + 216 + 6 + 216));
    const inlay::node_type v = f32({4, 6, 3, 3}), z = f32({1, 6, 10, 10});
    const inlay::node_type* others[] = {&x, &v};
    CHECK(definition<ops_under_test>("onnx.ConvTranspose").work({"onnx.ConvTranspose", &none, others, {}, 1}, z).flops == 2.0 * 256 * 54);
}
