// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0

// How far the vector functions are from the exact ones, in units in the last place.
#include <inlay/backend/cpu_simd/kernel_table.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using form = simd::step::form;

namespace {

/// The largest error over `count` numbers between two bounds.
double worst_error(const simd::kernel_table& table, form f, double (*exact)(double), double low, double high) {
    constexpr std::size_t count = 200000;
    std::vector<float> x(count), y(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
    const simd::step s{f, simd::step::place::none, 1, 0, nullptr};
    simd::chain_job j;
    j.x = x.data();
    j.y = y.data();
    j.count = count;
    j.steps = &s;
    j.step_count = 1;
    j.c_begin = y.data();
    table.chain(j);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double wanted = exact(static_cast<double>(x[i]));
        const auto rounded = static_cast<float>(wanted);
        const double unit = static_cast<double>(std::nextafter(std::abs(rounded), std::numeric_limits<float>::infinity())) -
                            std::abs(static_cast<double>(rounded));
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - wanted) / unit);
    }
    return worst;
}

}  // namespace

TEST_CASE("functions are as exact as they say, with every instruction set") {
    for (std::size_t i = 0; i < instruction_set_names.size(); ++i) {
        const auto set = static_cast<instruction_set>(i);
        const simd::kernel_table* table = processor_has(set) ? simd::kernels_for(set) : nullptr;
        if (table == nullptr) continue;
        CAPTURE(instruction_set_names[i]);
        CHECK(worst_error(
                  *table, form::exp, [](double x) { return std::exp(x); }, -87, 88.7) < 1.5);
        CHECK(worst_error(
                  *table, form::log, [](double x) { return std::log(x); }, 1e-3, 3) < 2.5);
        CHECK(worst_error(
                  *table, form::log, [](double x) { return std::log(x); }, 3, 1e30) < 2.5);
        CHECK(worst_error(
                  *table, form::erf, [](double x) { return std::erf(x); }, -5, 5) < 3);
        CHECK(worst_error(
                  *table, form::tanh, [](double x) { return std::tanh(x); }, -10, 10) < 3);
        CHECK(worst_error(
                  *table, form::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 80) < 3);
        CHECK(worst_error(
                  *table, form::softplus, [](double x) { return std::log1p(std::exp(x)); }, -40, 80) < 4);
    }
}
