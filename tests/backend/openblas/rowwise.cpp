// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/rowwise.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay::detail;
using form = elementwise_function::form;

namespace {

double meant(const elementwise_function& f, double x) {
    const double softplus = std::log1p(std::exp(x));
    switch (f.kind) {
        case form::linear:
            return f.alpha * x + f.beta;
        case form::relu:
            return x < 0 ? f.alpha * x : x;
        case form::clip:
            return std::min(std::max(x, f.alpha), f.beta);
        case form::power:
            return f.alpha * std::pow(x, f.beta);
        case form::hard_swish:
            return x * std::min(std::max(f.alpha * x + f.beta, 0.0), 1.0);
        case form::elu:
            return x < 0 ? f.alpha * std::expm1(x) : x;
        case form::sigmoid:
            return 1 / (1 + std::exp(-x));
        case form::swish:
            return x / (1 + std::exp(-x));
        case form::tanh:
            return std::tanh(x);
        case form::gelu:
            return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        case form::gelu_tanh:
            return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        case form::softplus:
            return softplus;
        case form::mish:
            return x * std::tanh(softplus);
        case form::abs:
            return std::abs(x);
        case form::square:
            return x * x;
        case form::sqrt:
            return std::sqrt(x);
        case form::exp:
            return std::exp(x);
        case form::log:
            return std::log(x);
    }
    return 0;
}

std::vector<float> numbers(float low, float high) {
    std::vector<float> row(1003);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(row.size() - 1);
    return row;
}

/// The largest difference, over 1 or the value, whichever is larger.
double worst(const elementwise_function& f, float low, float high) {
    const std::vector<float> before = numbers(low, high);
    std::vector<float> row = before;
    rowwise_apply(f, row.data(), row.size());
    double most = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double expected = meant(f, double{before[i]}), off = std::abs(double{row[i]} - expected);
        most = std::max(most, off / std::max(1.0, std::abs(expected)));
    }
    return most;
}

}  // namespace

TEST_CASE("every function is right over the numbers that networks have, and far beyond") {
    const double infinity = elementwise_function::infinity;
    for (const elementwise_function& f : {elementwise_function{form::linear, 2, -1},
                                          {form::relu},
                                          {form::relu, 0.1},
                                          {form::clip, 0, 6},
                                          {form::clip, -infinity, 3},
                                          {form::hard_swish, 1.0 / 6, 0.5},
                                          {form::elu, 0.5},
                                          {form::sigmoid},
                                          {form::swish},
                                          {form::tanh},
                                          {form::gelu},
                                          {form::gelu_tanh},
                                          {form::softplus},
                                          {form::mish},
                                          {form::abs},
                                          {form::square}}) {
        CAPTURE(static_cast<int>(f.kind));
        CHECK(worst(f, -8, 8) < 2e-6);
        CHECK(worst(f, -60, 60) < 2e-6);
    }
    for (const elementwise_function& f : {elementwise_function{form::sqrt}, {form::log}, {form::power, 2, -1}, {form::power, 1, 1.5}})
        CHECK(worst(f, 0.1f, 50) < 2e-6);
    CHECK(worst({form::exp}, -60, 60) < 2e-6);
    std::vector<float> row{-1e30f, 1e30f};
    rowwise_apply({form::swish}, row.data(), row.size());
    CHECK(std::abs(row[0]) < 1e-30f);
    CHECK(row[1] == 1e30f);
    rowwise_apply({form::tanh}, row.data(), row.size());
    CHECK(row == std::vector<float>{0, 1});
}

TEST_CASE("what is no number stays none") {
    for (const form kind : {form::relu, form::clip, form::sigmoid, form::tanh, form::gelu, form::hard_swish}) {
        float row = std::numeric_limits<float>::quiet_NaN();
        rowwise_apply({kind, 0, 6}, &row, 1);
        CHECK(std::isnan(row));
    }
}

TEST_CASE("a row is combined with another one or with a number") {
    using how = chain_step::combination;
    const std::vector<float> other{2, -1, 4};
    const auto combined = [&](how does, std::size_t step) {
        std::vector<float> row{1, -2, 8};
        rowwise_combine(does, row.data(), other.data(), step, row.size());
        return row;
    };
    CHECK(combined(how::add, 1) == std::vector<float>{3, -3, 12});
    CHECK(combined(how::subtract, 1) == std::vector<float>{-1, -1, 4});
    CHECK(combined(how::multiply, 1) == std::vector<float>{2, 2, 32});
    CHECK(combined(how::divide, 1) == std::vector<float>{0.5f, 2, 2});
    CHECK(combined(how::maximum, 1) == std::vector<float>{2, -1, 8});
    CHECK(combined(how::minimum, 1) == std::vector<float>{1, -2, 4});
    CHECK(combined(how::add, 0) == std::vector<float>{3, 0, 10});
    CHECK(combined(how::divide, 0) == std::vector<float>{0.5f, -1, 4});
}
