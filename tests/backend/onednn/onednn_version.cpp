// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/onednn_version.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/onednn/program.hpp>
#include <inlay/core/buffer.hpp>

using namespace inlay;
using namespace inlay::detail;

namespace {

constexpr auto inference = dnnl::prop_kind::forward_inference;

/// The result of one primitive on an input, and on constants.
std::vector<float> result_of(const dnnl::primitive_desc_base& made, onednn_program program, const dnnl::memory::desc& y,
                             std::vector<float> x, std::vector<std::pair<int, dnnl::memory>> arguments) {
    REQUIRE(static_cast<bool>(made));
    std::vector<float> out(y.get_size() / sizeof(float));
    arguments.emplace_back(DNNL_ARG_DST, program.result(0, y));
    program.step(made, arguments);
    const kernel k = onednn_program::finish(std::move(program));
    buffer workspace(k.workspace_bytes);
    const void* inputs[] = {x.data()};
    void* results[] = {out.data()};
    run_arguments a;
    a.inputs = inputs;
    a.results = results;
    a.workspace = workspace.data();
    REQUIRE(k(a));
    return out;
}

}  // namespace

TEST_CASE("a softmax and its logarithm are one primitive with two algorithms") {
    const dnnl::memory::desc row = onednn_plain({1, 2});
    for (const bool is_logarithm : {false, true}) {
        onednn_program p(1);
        const auto made = onednn_primitive_desc<dnnl::softmax_forward>(
            p.engine(), onednn_attributes(), inference, is_logarithm ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate,
            row, row, 1);
        const dnnl::memory x = p.input(0, row);
        const std::vector<float> y = result_of(made, std::move(p), row, {0, std::log(3.0f)}, {{DNNL_ARG_SRC, x}});
        for (std::size_t i = 0; i < 2; ++i) CHECK((is_logarithm ? std::exp(y[i]) : y[i]) == doctest::Approx(i == 0 ? 0.25 : 0.75));
    }
}

TEST_CASE("a factor of a matrix product multiplies the product; the bias only where the library says so") {
    onednn_program p(1);
    dnnl::primitive_attr attributes = onednn_attributes();
    const auto argument = onednn_set_factor(attributes, 0.5f);
    const dnnl::memory::desc matrix = onednn_plain({2, 2}), row = onednn_plain({1, 2});
    const auto made = onednn_primitive_desc<dnnl::matmul>(p.engine(), attributes, matrix, matrix, row, matrix);
    const std::vector<float> weights{1, 0, 0, 1}, bias{8, 16};
    std::vector<std::pair<int, dnnl::memory>> arguments{{DNNL_ARG_SRC, p.input(0, matrix)},
                                                        {DNNL_ARG_WEIGHTS, p.constant(weights.data(), matrix, matrix)},
                                                        {DNNL_ARG_BIAS, p.constant(bias.data(), row, row)}};
    if (argument) arguments.emplace_back(*argument, p.constant(std::vector{0.5f}));
    const float of_bias = onednn_factor_of_bias ? 0.5f : 1.0f;
    CHECK(result_of(made, std::move(p), matrix, {2, 4, 6, 8}, arguments) ==
          std::vector<float>{1 + 8 * of_bias, 2 + 16 * of_bias, 3 + 8 * of_bias, 4 + 16 * of_bias});
}

TEST_CASE("a function behind a primitive keeps its parameters, and a description its extents") {
    dnnl::post_ops after;
    onednn_append_eltwise(after, dnnl::algorithm::eltwise_clip, -1, 6);
    dnnl::algorithm function{};
    float low = 0, high = 0;
    onednn_read_eltwise(after, 0, function, low, high);
    CHECK((function == dnnl::algorithm::eltwise_clip && low == -1 && high == 6));
    CHECK(onednn_dims(onednn_plain({2, 3})) == dnnl::memory::dims{2, 3});
}

TEST_CASE("a window without gaps has dilations of 0 in a pooling") {
    onednn_program p(1);
    const dnnl::memory::desc x = onednn_plain({1, 1, 2, 2}), y = onednn_plain({1, 1, 1, 1});
    const dnnl::memory::dims one{1, 1}, two{2, 2}, none{0, 0};
    const auto made = onednn_primitive_desc<dnnl::pooling_forward>(p.engine(), onednn_attributes(), inference, dnnl::algorithm::pooling_max,
                                                                   x, y, one, two, none, none, none);
    const dnnl::memory from = p.input(0, x);
    CHECK(result_of(made, std::move(p), y, {1, 7, 3, 5}, {{DNNL_ARG_SRC, from}}) == std::vector<float>{7});
}

TEST_CASE("parts are concatenated along an axis") {
    onednn_program p(1);
    const dnnl::memory::desc part = onednn_plain({2, 1}), whole = onednn_plain({2, 2});
    const auto made = onednn_concat_desc(p.engine(), onednn_attributes(), whole, 1, {part, part});
    const dnnl::memory x = p.input(0, part), constant = p.constant(std::vector<float>{3, 4}.data(), part, part);
    CHECK(result_of(made, std::move(p), whole, {1, 2}, {{DNNL_ARG_MULTIPLE_SRC, x}, {DNNL_ARG_MULTIPLE_SRC + 1, constant}}) ==
          std::vector<float>{1, 3, 2, 4});
}
