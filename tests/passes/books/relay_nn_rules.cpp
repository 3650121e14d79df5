// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_nn_rules.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/normalization.hpp>
#include <inlay/ops/onnx/pooling.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/softmax.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/op_table.hpp>

#include "ops/relay_program.hpp"

using namespace inlay;
using namespace inlay_test;
using ops_here = op_table<onnx_arithmetic<>, onnx_convolution<>, onnx_matrix_product<>, onnx_normalizations<>, onnx_pooling<>,
                          onnx_reshaping<>, onnx_softmaxes<>, onnx_transposition<>>;

namespace {

attribute_map with(std::initializer_list<attribute_map::entry> entries) { return attribute_map(entries); }
attribute_map layouts(const char* data, const char* kernel) {
    return with({{"data_layout", std::string(data)}, {"kernel_layout", std::string(kernel)}});
}

struct window_means {
    std::int64_t stride = 1, dilation = 1, top = 0, left = 0, group = 1;
};

/// One pixel of a convolution by definition: `x(n, c, h, w)` gives 0 outside the image, `w(o, i, h, w)` a weight.
template <class X, class W>
double convolved(const ints& i, const window_means& how, std::int64_t channels, std::int64_t outputs, std::int64_t size, X x, W w) {
    double sum = 0;
    const std::int64_t in_group = channels / how.group, group = i[1] / (outputs / how.group);
    for (std::int64_t c = 0; c < in_group; ++c)
        for (std::int64_t a = 0; a < size; ++a)
            for (std::int64_t b = 0; b < size; ++b)
                sum += x(i[0], group * in_group + c, i[2] * how.stride + a * how.dilation - how.top,
                         i[3] * how.stride + b * how.dilation - how.left) *
                       w(i[1], c, a, b);
    return sum;
}

}  // namespace

TEST_CASE("nn.conv2d has its strides, dilations, groups and paddings of all three forms") {
    const tensor x = noise({2, 4, 7, 7}, 1);
    const auto pixel = [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
        return h < 0 || h >= 7 || w < 0 || w >= 7 ? 0 : at(x, {n, c, h, w});
    };
    struct sample {
        attribute_map how;
        window_means means;
        std::int64_t in_group, rows, columns;
    };
    for (const sample& s :
         {sample{{}, {}, 4, 5, 5},
          sample{with({{"padding", std::int64_t{1}}, {"strides", ints{2, 2}}, {"kernel_size", ints{3, 3}}}), {2, 1, 1, 1, 1}, 4, 4, 4},
          sample{with({{"padding", ints{2, 1}}, {"dilation", ints{2, 2}}}), {1, 2, 2, 1, 1}, 4, 7, 5},
          sample{with({{"padding", ints{1, 0, 0, 2}}, {"groups", std::int64_t{2}}, {"data_layout", std::string("NCHW")}}),
                 {1, 1, 1, 0, 2},
                 2,
                 6,
                 7}}) {
        const tensor w = noise({6, s.in_group, 3, 3}, 2);
        check_elements(of_call<ops_here>("nn.conv2d", {x, w}, s.how), {2, 6, s.rows, s.columns}, [&](const ints& i) {
            return convolved(i, s.means, 4, 6, 3, pixel, [&](auto o, auto c, auto a, auto b) { return at(w, {o, c, a, b}); });
        });
    }
}

TEST_CASE("nn.conv2d with channels last is turned by transposes, other layouts are refused with a reason") {
    const tensor x = noise({1, 5, 5, 3}, 3), w = noise({3, 3, 3, 2}, 4);
    const auto pixel = [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t v) { return at(x, {n, h, v, c}); };
    check_elements(of_call<ops_here>("nn.conv2d", {x, w}, layouts("NHWC", "HWIO")), {1, 3, 3, 2}, [&](const ints& i) {
        return convolved({i[0], i[3], i[1], i[2]}, window_means{}, 3, 2, 3, pixel, [&](auto o, auto c, auto a, auto b) {
            return at(w, {a, b, c, o});
        });
    });
    CHECK(refusal_of<ops_here>("nn.conv2d", {x, w}, layouts("NHWC4c", "HWIO"))
              .find("nn.conv2d has data_layout 'NHWC4c', and the rules know NCHW and NHWC") != std::string::npos);
    CHECK(refusal_of<ops_here>("nn.conv2d", {x, w}, layouts("NHWC", "HWO4i")).find("kernel_layout 'HWO4i'") != std::string::npos);
    CHECK(refusal_of<ops_here>("nn.conv2d", {x, w}, with({{"out_dtype", std::string("float16")}})).find("out_dtype") != std::string::npos);
    CHECK(refusal_of<ops_here>("nn.conv2d", {x, w}, with({{"padding", ints{1, 1, 1}}})).find("length that does not go with its axes") !=
          std::string::npos);
}

TEST_CASE("convolutions of one axis, and transposed ones") {
    const tensor x = noise({1, 2, 6}, 5), w = noise({3, 2, 2}, 6);
    check_elements(of_call<ops_here>("nn.conv1d", {x, w}, with({{"strides", std::int64_t{2}}})), {1, 3, 3}, [&](const ints& i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 2; ++c)
            for (std::int64_t a = 0; a < 2; ++a) sum += at(x, {0, c, 2 * i[2] + a}) * at(w, {i[1], c, a});
        return sum;
    });
    const tensor image = noise({1, 2, 3, 3}, 7), kernel = noise({2, 4, 2, 2}, 8);
    check_elements(
        of_call<ops_here>("nn.conv2d_transpose", {image, kernel}, with({{"strides", ints{2, 2}}, {"output_padding", ints{1, 0}}})),
        {1, 4, 7, 6}, [&](const ints& i) {
            double sum = 0;
            for (std::int64_t c = 0; c < 2; ++c)
                for (std::int64_t h = 0; h < 3; ++h)
                    for (std::int64_t v = 0; v < 3; ++v)
                        if (const std::int64_t a = i[2] - 2 * h, b = i[3] - 2 * v; a >= 0 && a < 2 && b >= 0 && b < 2)
                            sum += at(image, {0, c, h, v}) * at(kernel, {c, i[1], a, b});
            return sum;
        });
}

TEST_CASE("pools take windows or whole images, in both layouts") {
    const tensor x = noise({1, 2, 6, 6}, 9);
    const auto largest = [&](std::int64_t c, std::int64_t h, std::int64_t v) {
        double most = -9;
        for (std::int64_t a = 0; a < 2; ++a)
            for (std::int64_t b = 0; b < 2; ++b) most = std::max(most, at(x, {0, c, h + a, v + b}));
        return most;
    };
    check_elements(
        of_call<ops_here>("nn.max_pool2d", {x}, with({{"pool_size", ints{2, 2}}, {"strides", ints{2, 2}}, {"ceil_mode", std::int64_t{1}}})),
        {1, 2, 3, 3}, [&](const ints& i) { return largest(i[1], 2 * i[2], 2 * i[3]); });
    for (const bool counts : {false, true})
        check_elements(
            of_call<ops_here>("nn.avg_pool2d", {x},
                              with({{"pool_size", std::int64_t{3}}, {"padding", ints{1, 1}}, {"count_include_pad", std::int64_t{counts}}})),
            {1, 2, 6, 6}, [&](const ints& i) {
                double sum = 0, count = 0;
                for (std::int64_t h = i[2] - 1; h <= i[2] + 1; ++h)
                    for (std::int64_t v = i[3] - 1; v <= i[3] + 1; ++v) {
                        const bool inside = h >= 0 && h < 6 && v >= 0 && v < 6;
                        if (inside) sum += at(x, {0, i[1], h, v});
                        if (inside || counts) ++count;
                    }
                return sum / count;
            });
    const auto mean = [&](std::int64_t c) {
        double sum = 0;
        for (std::int64_t h = 0; h < 6; ++h)
            for (std::int64_t v = 0; v < 6; ++v) sum += at(x, {0, c, h, v});
        return sum / 36;
    };
    check_elements(of_call<ops_here>("nn.global_avg_pool2d", {x}), {1, 2, 1, 1}, [&](const ints& i) { return mean(i[1]); });
    check_elements(of_call<ops_here>("nn.adaptive_avg_pool2d", {x}, with({{"output_size", ints{1, 1}}})), {1, 2, 1, 1},
                   [&](const ints& i) { return mean(i[1]); });
    CHECK(refusal_of<ops_here>("nn.adaptive_avg_pool2d", {x}, with({{"output_size", ints{4, 4}}})).find("output_size") !=
          std::string::npos);
    const tensor last = noise({1, 4, 4, 3}, 10);
    check_elements(of_call<ops_here>("nn.global_max_pool2d", {last}, with({{"layout", std::string("NHWC")}})), {1, 1, 1, 3},
                   [&](const ints& i) {
                       double most = -9;
                       for (std::int64_t h = 0; h < 4; ++h)
                           for (std::int64_t v = 0; v < 4; ++v) most = std::max(most, at(last, {0, h, v, i[3]}));
                       return most;
                   });
}

TEST_CASE("nn.bias_add goes along its axis, from either end") {
    const tensor x = noise({2, 3, 2, 2}, 11), b = counting({3}), last = counting({2}, 5);
    check_elements(of_call<ops_here>("nn.bias_add", {x, b}), {2, 3, 2, 2}, [&](const ints& i) { return at(x, i) + at(b, {i[1]}); });
    check_elements(of_call<ops_here>("nn.bias_add", {x, last}, with({{"axis", std::int64_t{-1}}})), {2, 3, 2, 2},
                   [&](const ints& i) { return at(x, i) + at(last, {i[3]}); });
    CHECK(refusal_of<ops_here>("nn.bias_add", {x, b}, with({{"axis", std::int64_t{4}}})).find("nn.bias_add has axis 4") !=
          std::string::npos);
}

TEST_CASE("products turn what they say, or what they turn by nature [ops.relay.defaults]") {
    const tensor a = noise({2, 3}, 12), w = noise({4, 3}, 13), deep = noise({2, 2, 3}, 14);
    check_elements(of_call<ops_here>("nn.dense", {a, w}, with({{"units", std::int64_t{4}}})), {2, 4}, [&](const ints& i) {
        return at(a, {i[0], 0}) * at(w, {i[1], 0}) + at(a, {i[0], 1}) * at(w, {i[1], 1}) + at(a, {i[0], 2}) * at(w, {i[1], 2});
    });
    check_elements(of_call<ops_here>("nn.dense", {deep, w}), {2, 2, 4}, [&](const ints& i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 3; ++c) sum += at(deep, {i[0], i[1], c}) * at(w, {i[2], c});
        return sum;
    });
    const tensor y = noise({2, 5, 3}, 15), z = noise({2, 3, 5}, 16), turned = noise({3, 2}, 17), right = noise({3, 4}, 18);
    check_elements(of_call<ops_here>("nn.batch_matmul", {deep, y}, with({{"transpose_b", std::int64_t{1}}})), {2, 2, 5},
                   [&](const ints& i) {
                       double sum = 0;
                       for (std::int64_t c = 0; c < 3; ++c) sum += at(deep, {i[0], i[1], c}) * at(y, {i[0], i[2], c});
                       return sum;
                   });
    check_elements(of_call<ops_here>("nn.batch_matmul", {deep, z}), {2, 2, 5}, [&](const ints& i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 3; ++c) sum += at(deep, {i[0], i[1], c}) * at(z, {i[0], c, i[2]});
        return sum;
    });
    check_elements(of_call<ops_here>("nn.matmul", {turned, right}, with({{"transpose_a", std::int64_t{1}}})), {2, 4}, [&](const ints& i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 3; ++c) sum += at(turned, {c, i[0]}) * at(right, {c, i[1]});
        return sum;
    });
}

TEST_CASE("softmax, log_softmax and batch_flatten") {
    const tensor x = noise({2, 3, 2}, 19);
    const auto share = [&](const ints& i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 3; ++c) sum += std::exp(at(x, {i[0], c, i[2]}));
        return std::exp(at(x, i)) / sum;
    };
    check_elements(of_call<ops_here>("nn.softmax", {x}, with({{"axis", std::int64_t{1}}})), {2, 3, 2}, share);
    check_elements(of_call<ops_here>("nn.log_softmax", {x}, with({{"axis", std::int64_t{1}}})), {2, 3, 2},
                   [&](const ints& i) { return std::log(share(i)); });
    check_elements(of_call<ops_here>("nn.batch_flatten", {x}), {2, 6}, [&](const ints& i) { return at(x, {i[0], i[1] / 2, i[1] % 2}); });
}

TEST_CASE("the fields of nn.batch_norm: what is normalised along any axis, and the statistics as they were") {
    const tensor scale = tensor::of({3}, floats{1, 2, 0.5f}), shift = tensor::of({3}, floats{0, 1, -1}),
                 mean = tensor::of({3}, floats{0.25f, 0, -0.5f}), variance = tensor::of({3}, floats{1, 4, 0.5f});
    const auto normal = [&](double v, std::int64_t c, bool scaled, bool shifted) {
        return (v - at(mean, {c})) / std::sqrt(at(variance, {c}) + 0.01) * (scaled ? at(scale, {c}) : 1) + (shifted ? at(shift, {c}) : 0);
    };
    for (const std::int64_t axis : {1, 3, -1})
        for (const bool plain : {false, true}) {
            const bool last = axis != 1;
            const tensor x = noise(last ? ints{2, 2, 2, 3} : ints{2, 3, 2, 2}, 20);
            relay_program p;
            attribute_map how{{"epsilon", 0.01}, {"axis", axis}};
            if (plain) how.set("scale", std::int64_t{0}), how.set("center", std::int64_t{0});
            const node_id all =
                p.call("nn.batch_norm", {p.input(x), p.constant(scale), p.constant(shift), p.constant(mean), p.constant(variance)}, how);
            // Others read the statistics.
            const node_id moved = p.call("nn.bias_add", {p.field(all, 0), p.field(all, 1)}, with({{"axis", axis}}));
            check_elements(p.run<ops_here>(moved), x.extents(), [&](const ints& i) {
                const std::int64_t c = last ? i[3] : i[1];
                return normal(at(x, i), c, !plain, !plain) + at(mean, {c});
            });
        }
}

TEST_CASE("normalisations of rows and of images") {
    const tensor x = noise({2, 3, 4}, 21), scale = counting({4}, 1), shift = counting({4}, -1);
    const auto by_row = [&](const ints& i) {
        double mean = 0, variance = 0;
        for (std::int64_t c = 0; c < 4; ++c) mean += at(x, {i[0], i[1], c}) / 4;
        for (std::int64_t c = 0; c < 4; ++c) variance += std::pow(at(x, {i[0], i[1], c}) - mean, 2) / 4;
        return (at(x, i) - mean) / std::sqrt(variance + 1e-5);
    };
    check_elements(of_call<ops_here>("nn.layer_norm", {x, scale, shift}), {2, 3, 4},
                   [&](const ints& i) { return by_row(i) * at(scale, {i[2]}) + at(shift, {i[2]}); });
    check_elements(of_call<ops_here>("nn.layer_norm", {x, scale, shift}, with({{"center", std::int64_t{0}}})), {2, 3, 4},
                   [&](const ints& i) { return by_row(i) * at(scale, {i[2]}); });
    const tensor column = counting({3}, 2);
    check_elements(of_call<ops_here>("nn.layer_norm", {x, column, column}, with({{"axis", std::int64_t{1}}})), {2, 3, 4},
                   [&](const ints& i) {
                       double mean = 0, variance = 0;
                       for (std::int64_t c = 0; c < 3; ++c) mean += at(x, {i[0], c, i[2]}) / 3;
                       for (std::int64_t c = 0; c < 3; ++c) variance += std::pow(at(x, {i[0], c, i[2]}) - mean, 2) / 3;
                       return (at(x, i) - mean) / std::sqrt(variance + 1e-5) * at(column, {i[1]}) + at(column, {i[1]});
                   });
    const tensor gain = counting({3}, 2), offset = counting({3}, 5);
    check_elements(of_call<ops_here>("nn.instance_norm", {x, gain, offset}), {2, 3, 4},
                   [&](const ints& i) { return by_row(i) * at(gain, {i[1]}) + at(offset, {i[1]}); });
}
