// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/resize.hpp>

#include <cmath>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::resize_operators;

namespace {

// In float32, step by step. `length` is the result's, before it is rounded down.
float coordinate(const std::string& rule, std::int64_t o, float scale, std::int64_t in, std::int64_t out, float length) {
    const auto x = static_cast<float>(o);
    if (in == out && scale == 1) return x;
    if (rule == "asymmetric") return x / scale;
    if (rule == "align_corners") return out == 1 ? 0 : x * static_cast<float>(in - 1) / (length - 1);
    if (rule == "pytorch_half_pixel" && out <= 1) return 0;
    return (x + 0.5f) / scale - 0.5f;
}

std::int64_t nearest(const std::string& rounding, double x, std::int64_t in) {
    const double half = x - std::floor(x);
    const double whole = rounding == "floor"           ? std::floor(x)
                         : rounding == "ceil"          ? std::ceil(x)
                         : std::abs(half - 0.5) < 1e-6 ? std::floor(x) + (rounding == "round_prefer_ceil" ? 1 : 0)
                                                       : std::round(x);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(whole), 0, in - 1);
}

}  // namespace

TEST_CASE("resizing reads where the coordinates of the rule lie") {
    seeded random(901);
    const std::vector<std::string> rules{"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"},
        roundings{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
    for (int round = 0; round < 64; ++round) {
        const std::string rule = rules[static_cast<std::size_t>(round) % 4], rounding = roundings[static_cast<std::size_t>(round) / 4 % 4];
        const bool linear = round % 2 == 1;
        const shape64 shape{random.integer(1, 2), random.integer(1, 3), random.integer(1, 20), random.integer(1, 40)};
        const bool sized = random.coin();
        std::vector<float> scales{1, 1, random.coin() ? 2.0f : random.number(0.6f, 3), random.coin() ? 0.5f : random.number(0.6f, 3)};
        shape64 to = shape;
        for (std::size_t i = 2; i < 4; ++i) {
            to[i] = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(static_cast<float>(shape[i]) * scales[i])));
            if (sized) scales[i] = static_cast<float>(to[i]) / static_cast<float>(shape[i]);
        }
        const tensor x = random.floats(shape);
        INFO("seed 901, round " << round << ": " << rule << " " << rounding << " " << to_string(x.type()) << " to "
                                << to_string(float_type(to)));
        const attribute_map attributes{
            {"mode", std::string(linear ? "linear" : "nearest")}, {"coordinate_transformation_mode", rule}, {"nearest_mode", rounding}};
        const auto got =
            run_call(resize_operators[0], {given(x), absent(), sized ? absent() : known(list(scales)), sized ? known(list(to)) : absent()},
                     attributes, {float_type(to)})[0];
        check_floats(
            got,
            [&](std::size_t i) {
                const auto at = index_of(i, to);
                double place[2];
                for (std::size_t k = 0; k < 2; ++k) {
                    const float scale = scales[2 + k],
                                length = sized ? static_cast<float>(to[2 + k]) : scale * static_cast<float>(shape[2 + k]);
                    place[k] = static_cast<double>(coordinate(rule, at[2 + k], scale, shape[2 + k], to[2 + k], length));
                }
                const auto value = [&](std::int64_t y, std::int64_t xx) {
                    return static_cast<double>(x.as<float>()[stretched({at[0], at[1], y, xx}, shape)]);
                };
                if (!linear) return value(nearest(rounding, place[0], shape[2]), nearest(rounding, place[1], shape[3]));
                double part[2];
                std::int64_t low[2], high[2];
                for (std::size_t k = 0; k < 2; ++k) {
                    const double inside = std::clamp(place[k], 0.0, static_cast<double>(shape[2 + k] - 1));
                    low[k] = static_cast<std::int64_t>(inside);
                    high[k] = std::min(shape[2 + k] - 1, low[k] + 1);
                    part[k] = inside - std::floor(inside);
                }
                return (value(low[0], low[1]) * (1 - part[1]) + value(low[0], high[1]) * part[1]) * (1 - part[0]) +
                       (value(high[0], low[1]) * (1 - part[1]) + value(high[0], high[1]) * part[1]) * part[0];
            },
            1e-5);
    }
}

TEST_CASE("resizing refuses modes and axes it has no kernel for") {
    const tensor x(element_type::float32, {1, 2, 4, 4});
    const auto refuse = [&](const attribute_map& attributes, const shape64& to) {
        return resize_operators[0].refuse(
            site("onnx.Resize", {given(x), absent(), absent(), known(list(to))}, attributes, {float_type(to)}));
    };
    CHECK(refuse({{"mode", std::string("cubic")}}, {1, 2, 8, 8}) == "the mode is cubic; the kernel takes nearest and linear");
    CHECK(refuse({}, {1, 4, 8, 8}) == "more than the last two axes are resized");
    CHECK(refuse({{"antialias", std::int64_t{1}}}, {1, 2, 2, 2}) == "the result is to be smoothed (antialias)");
    CHECK(refuse({}, {1, 2, 8, 8}).empty());
}
