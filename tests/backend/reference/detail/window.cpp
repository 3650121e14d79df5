// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/window.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../run_region.hpp"

using namespace reference_test;
using on_eigen::sliding;

namespace {

using taps = std::pair<std::int64_t, std::int64_t>;

std::string refused(const shape64& x, const attribute_map& a) {
    return on_eigen::refuse_window(site("onnx.MaxPool", {given(tensor(element_type::float32, x))}, a, {}));
}

}  // namespace

TEST_CASE("the taps of an output are those that read inside") {
    const sliding s{5, 5, 3, 1, 1, 1, 1};
    CHECK(s.taps_inside(0) == taps{1, 3});
    CHECK(s.taps_inside(2) == taps{0, 3});
    CHECK(s.taps_inside(4) == taps{0, 2});
    const sliding apart{7, 2, 3, 4, 2, 3, 3};
    CHECK(apart.taps_inside(0) == taps{2, 3});
    CHECK(apart.taps_inside(1) == taps{0, 3});
    const sliding beyond{1, 1, 1, 1, 1, 5, 0};
    const taps none = beyond.taps_inside(0);
    CHECK(none.first == none.second);
}

TEST_CASE("windows of other forms are refused") {
    CHECK(refused({1, 1, 4, 4}, {{"kernel_shape", shape64{2, 2}}}).empty());
    CHECK(refused({1, 4}, {}).find("rank 2") != std::string::npos);
    CHECK(refused({1, 1, 4, 4}, {{"strides", shape64{1, 0}}}).find("strides") != std::string::npos);
    CHECK(refused({1, 1, 4, 4}, {{"dilations", shape64{1}}}).find("dilations") != std::string::npos);
    CHECK(refused({1, 1, 4}, {{"pads", shape64{0, -1}}}).find("pads") != std::string::npos);
}

TEST_CASE("automatic pads are resolved, the odd one at the end that the model names") {
    const attribute_map upper{{"auto_pad", std::string("SAME_UPPER")}}, lower{{"auto_pad", std::string("SAME_LOWER")}};
    const auto up = on_eigen::window_of(site("onnx.MaxPool", {}, upper, {}), {4, 7}, {4, 7}, {1, 4});
    const auto low = on_eigen::window_of(site("onnx.MaxPool", {}, lower, {}), {7}, {7}, {4});
    CHECK(up.x.before == 1);
    CHECK(up.x.after == 2);
    CHECK(up.y.before == 0);
    CHECK(low.x.before == 2);
    CHECK(low.y.in == 1);
}

TEST_CASE("a plane in phases gives each output the elements under its window, and the fill outside") {
    seeded random(11);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        on_eigen::sliding_window w;
        for (sliding* s : {&w.y, &w.x}) {
            *s = {random.integer(1, 40), 0, random.integer(1, 3), random.integer(1, 3), random.integer(1, 2), random.integer(0, 2), 0};
            const std::int64_t room = s->in + s->before + 2 - (s->taps - 1) * s->dilation - 1;
            s->after = 2;
            s->out = room < 0 ? 0 : room / s->stride + 1;
        }
        if (w.y.out == 0 || w.x.out == 0) continue;
        const tensor plane = random.floats({w.y.in, w.x.in});
        const on_eigen::phase_plane laid(w);
        std::vector<float> memory(static_cast<std::size_t>(laid.size()));
        laid.fill(memory.data(), plane.as<float>().data(), 0.0f);
        std::vector<double> got(static_cast<std::size_t>(w.y.out * w.x.out), 0);
        laid.for_each_block(
            memory.data(), 0.0f,
            [](const on_eigen::lanes& all, const on_eigen::lanes& v, std::int64_t t) {
                return on_eigen::lanes(all + v * static_cast<float>(t + 1));
            },
            [&](std::int64_t row, std::int64_t column, const on_eigen::lanes& all) {
                for (std::int64_t i = 0; i < on_eigen::lane_count && column + i < w.x.out; ++i)
                    got[static_cast<std::size_t>(row * w.x.out + column + i)] = static_cast<double>(all[i]);
            });
        for (std::int64_t y = 0; y < w.y.out; ++y)
            for (std::int64_t x = 0; x < w.x.out; ++x) {
                double sum = 0;
                for (std::int64_t t = 0; t < w.y.taps * w.x.taps; ++t) {
                    const std::int64_t iy = y * w.y.stride + t / w.x.taps * w.y.dilation - w.y.before;
                    const std::int64_t ix = x * w.x.stride + t % w.x.taps * w.x.dilation - w.x.before;
                    if (iy < 0 || iy >= w.y.in || ix < 0 || ix >= w.x.in) continue;
                    sum += static_cast<double>(t + 1) * static_cast<double>(plane.as<float>()[static_cast<std::size_t>(iy * w.x.in + ix)]);
                }
                CHECK(got[static_cast<std::size_t>(y * w.x.out + x)] == doctest::Approx(sum).epsilon(1e-4));
            }
    }
}
