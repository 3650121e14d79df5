// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/vector_functions.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/codegen/emit/task_kernel.hpp>
#include <inlay/loops/nest/parse_nest.hpp>

using namespace inlay;

namespace {

constexpr std::size_t count = 1 << 16;

/// What the compiled function gives for some numbers.
std::vector<float> computed(const std::string& name, const std::vector<float>& x) {
    const std::string n = std::to_string(count);
    const auto nest = parse_nest("nest one { input x: float32[" + n + "] output y: float32[" + n + "] for i < " + n +
                                 " vector { y[i] = " + name + "(x[i]) } }");
    REQUIRE(nest);
    const auto kernels = task_kernels(std::span(&*nest, 1), nest_compiler({"-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"}));
    if (!kernels) FAIL(kernels.failure().message);
    std::vector<float> y(count, -7.0f);
    const void* const inputs[] = {x.data()};
    void* const results[] = {y.data()};
    REQUIRE(kernels->front()({inputs, results, nullptr, {}}));
    return y;
}

double exact(scalar_function f, double x) {
    if (f == scalar_function::exponential) return std::exp(x);
    if (f == scalar_function::logarithm) return std::log(x);
    return f == scalar_function::error_function ? std::erf(x) : std::tanh(x);
}

/// Numbers of both signs from the smallest to the largest that count, evenly over their exponents; the edges at the end.
std::vector<float> numbers(double least, double most) {
    std::vector<float> x;
    const double step = std::log(most / least) / (count / 2 - 8);
    for (std::size_t i = 0; x.size() + 16 < count; ++i) {
        const double size = least * std::exp(static_cast<double>(i) * step);
        x.push_back(static_cast<float>(size));
        x.push_back(static_cast<float>(-size));
    }
    using limits = std::numeric_limits<float>;
    for (const float edge :
         {0.0f, -0.0f, limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::lowest(), 1.0f})
        x.push_back(edge);
    x.resize(count, 0.5f);
    return x;
}

}  // namespace

TEST_CASE("functions of which compilers make vectors are within their units in the last place, and have the library's edges") {
    for (const vector_function& f : vector_functions) {
        const std::string name(name_of(f.function));
        CAPTURE(name);
        const bool is_log = f.function == scalar_function::logarithm;
        const std::vector<float> x = is_log ? numbers(1e-38, 3e38) : numbers(1e-6, 110.0), y = computed(name, x);
        const double allowed = is_log ? 1 : f.function == scalar_function::error_function ? 3 : 2;
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double meant = exact(f.function, static_cast<double>(x[i]));
            const auto near = static_cast<float>(meant);
            if (std::isnan(meant)) {
                CHECK(std::isnan(y[i]));
            } else if (std::isinf(near) || std::isinf(y[i])) {
                // Where the last number before infinity lies is a matter of rounding.
                CHECK_MESSAGE((y[i] == near || std::abs(static_cast<double>(x[i])) > 88.7), "of ", x[i], ": ", y[i]);
            } else if (std::abs(meant) < 1.2e-38) {
                CHECK(std::abs(static_cast<double>(y[i]) - meant) < 3e-45);
            } else {
                const float size = std::abs(near);
                const double unit =
                    static_cast<double>(std::nextafter(size, std::numeric_limits<float>::infinity())) - static_cast<double>(size);
                worst = std::max(worst, std::abs(static_cast<double>(y[i]) - meant) / unit);
            }
        }
        CHECK_MESSAGE(worst <= allowed, worst, " units");
    }
}
