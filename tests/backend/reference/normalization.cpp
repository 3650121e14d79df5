// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/normalization.hpp>

#include <cmath>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::normalization_operators;

namespace {
double at(const tensor& t, std::size_t i) { return static_cast<double>(t.as<float>()[i]); }
}  // namespace

TEST_CASE("batch normalisation moves and scales each channel") {
    seeded random(601);
    for (const shape64& shape : {shape64{2, 3}, shape64{2, 5, 7}, shape64{1, 4, 9, 11}}) {
        const auto channels = static_cast<std::size_t>(shape[1]);
        const tensor x = random.floats(shape), scale = random.floats({shape[1]}), bias = random.floats({shape[1]}),
                     mean = random.floats({shape[1]}), variance = random.floats({shape[1]}, 0.5f, 2.0f);
        const std::size_t size = x.count() / static_cast<std::size_t>(shape[0]) / channels;
        const auto got = run_call(entry(normalization_operators, "onnx.BatchNormalization"),
                                  {given(x), known(scale), known(bias), known(mean), given(variance)}, {{"epsilon", 1e-3}}, {x.type()})[0];
        check_floats(got, [&](std::size_t i) {
            const std::size_t c = i / size % channels;
            return (at(x, i) - at(mean, c)) / std::sqrt(at(variance, c) + 1e-3) * at(scale, c) + at(bias, c);
        });
    }
}

TEST_CASE("layer normalisation goes over the axes from the named one on") {
    seeded random(602);
    for (const std::int64_t axis : {-1, 1, 2}) {
        const shape64 shape{3, 4, 21};
        const std::int64_t n = axis == 1 ? 84 : 21;
        const shape64 row = axis == 1 ? shape64{4, 21} : shape64{21};
        const tensor x = random.floats(shape, 5, 9), scale = random.floats(row), bias = random.floats(row);
        for (const bool with : {true, false}) {
            const auto got = run_call(entry(normalization_operators, "onnx.LayerNormalization"),
                                      {given(x), known(scale), with ? known(bias) : absent()}, {{"axis", axis}}, {x.type()})[0];
            check_floats(
                got,
                [&](std::size_t i) {
                    const std::size_t line = i / static_cast<std::size_t>(n), k = i % static_cast<std::size_t>(n);
                    double mean = 0, square = 0;
                    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
                        mean += at(x, line * static_cast<std::size_t>(n) + j) / static_cast<double>(n);
                    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
                        square += std::pow(at(x, line * static_cast<std::size_t>(n) + j) - mean, 2) / static_cast<double>(n);
                    return (at(x, i) - mean) / std::sqrt(square + 1e-5) * at(scale, k) + (with ? at(bias, k) : 0.0);
                },
                1e-5);
        }
    }
    const attribute_map none;
    const tensor x(element_type::float32, {2, 3}), one(element_type::float32, {1});
    CHECK(entry(normalization_operators, "onnx.LayerNormalization")
              .refuse(site("onnx.LayerNormalization", {given(x), given(one)}, none, {x.type()})) ==
          "scale or bias is stretched; the kernel takes one per element of a row");
}

TEST_CASE("a scale of as many elements as a row has lies along the row, or the kernel is not for it [graph.broadcast.axes]") {
    const attribute_map none;
    const tensor x(element_type::float32, {2, 4, 4}), row(element_type::float32, {4}), column(element_type::float32, {4, 1}),
        flat(element_type::float32, {16});
    const auto why = [&](const tensor& scale, const attribute_map& how) {
        return entry(normalization_operators, "onnx.LayerNormalization")
            .refuse(site("onnx.LayerNormalization", {given(x), given(scale)}, how, {x.type()}));
    };
    CHECK(why(row, none).empty());
    CHECK_FALSE(why(column, none).empty());
    CHECK_FALSE(why(flat, {{"axis", std::int64_t{1}}}).empty());
}

TEST_CASE("instance normalisation goes over each plane") {
    const tensor x = seeded(603).floats({2, 3, 5, 7}, 3, 4), scale = seeded(604).floats({3}), bias = seeded(605).floats({3});
    const auto got =
        run_call(entry(normalization_operators, "onnx.InstanceNormalization"), {given(x), given(scale), given(bias)}, {}, {x.type()})[0];
    check_floats(
        got,
        [&](std::size_t i) {
            const std::size_t plane = i / 35, c = plane % 3;
            double mean = 0, square = 0;
            for (std::size_t j = 0; j < 35; ++j) mean += at(x, plane * 35 + j) / 35;
            for (std::size_t j = 0; j < 35; ++j) square += std::pow(at(x, plane * 35 + j) - mean, 2) / 35;
            return (at(x, i) - mean) / std::sqrt(square + 1e-5) * at(scale, c) + at(bias, c);
        },
        1e-5);
}

TEST_CASE("local response normalisation sums squares over neighbouring channels") {
    seeded random(606);
    for (const double beta : {0.75, 0.6})
        for (const std::int64_t size : {1, 3, 4, 5}) {
            const tensor x = random.floats({2, 7, 3, 6});
            const auto got = run_call(entry(normalization_operators, "onnx.LRN"), {given(x)},
                                      {{"size", size}, {"alpha", 0.3}, {"beta", beta}, {"bias", 1.5}}, {x.type()})[0];
            check_floats(got, [&](std::size_t i) {
                const auto c = static_cast<std::int64_t>(i / 18 % 7);
                double squares = 0;
                for (std::int64_t k = std::max<std::int64_t>(0, c - (size - 1) / 2); k <= std::min<std::int64_t>(6, c + size / 2); ++k)
                    squares += std::pow(at(x, static_cast<std::size_t>(static_cast<std::int64_t>(i) + (k - c) * 18)), 2);
                return at(x, i) / std::pow(1.5 + 0.3 / static_cast<double>(size) * squares, beta);
            });
        }
}
