// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/pool.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_simd/backend.hpp>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("poolings of random windows agree with their definition") {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t kh = pick(1, 4), kw = pick(1, 4);
        attribute_map a{{"kernel_shape", extents{kh, kw}},
                        {"strides", extents{pick(1, 3), pick(1, 3)}},
                        {"pads", extents{pick(0, kh - 1), pick(0, kw - 1), pick(0, kh - 1), pick(0, kw - 1)}}};
        const bool average = pick(0, 1) == 0;
        if (average && pick(0, 1) == 0) a.set("count_include_pad", std::int64_t{1});
        if (!average && pick(0, 2) == 0) a.set("dilations", extents{2, 1});
        small_graph t(seed);
        const node_id x = t.input({pick(1, 2), pick(1, 40), pick(8, 12), pick(8, 40)});
        expect_taken(t.finish(t.call(average ? "onnx.AveragePool" : "onnx.MaxPool", {x}, a)), 1);
    }
}

TEST_CASE("windows that reach beyond the input on one side, move further than it or are all of it agree with their definition") {
    struct one_axis {
        std::int64_t extent, kernel, stride, before, after;
    };
    for (const char* op : {"onnx.AveragePool", "onnx.MaxPool"})
        for (const std::int64_t ceiling : {0, 1})
            for (const one_axis& a : {one_axis{1, 1, 5, 0, 0}, one_axis{1, 3, 1, 1, 1}, one_axis{1, 3, 2, 2, 0}, one_axis{1, 4, 7, 0, 3},
                                      one_axis{2, 4, 3, 3, 0}, one_axis{2, 5, 1, 0, 4}, one_axis{5, 2, 6, 0, 0}, one_axis{5, 3, 4, 2, 2}})
                for (const bool is_row : {false, true}) {
                    CAPTURE(op);
                    CAPTURE(ceiling);
                    CAPTURE(a.extent);
                    CAPTURE(a.kernel);
                    CAPTURE(is_row);
                    const auto both = [&](std::int64_t here, std::int64_t there) {
                        return is_row ? extents{there, here} : extents{here, there};
                    };
                    extents x = both(a.extent, 6), pads = both(a.before, 1);
                    x.insert(x.begin(), {2, 18});
                    for (const std::int64_t after : both(a.after, 1)) pads.push_back(after);
                    small_graph t;
                    const attribute_map window{
                        {"kernel_shape", both(a.kernel, 3)}, {"strides", both(a.stride, 1)}, {"pads", pads}, {"ceil_mode", ceiling}};
                    expect_taken(t.finish(t.call(op, {t.input(x)}, window)), 1);
                }
    small_graph none;
    const attribute_map window{{"kernel_shape", extents{2, 2}}};
    CHECK(why_not(none.finish(none.call("onnx.MaxPool", {none.input({0, 4, 5, 5})}, window))).find("no elements") != std::string::npos);
}

TEST_CASE("what is no number stays so in the maximum of each window that holds it, whatever the instructions") {
    for (const std::string& isa : instruction_sets()) {
        const simd::kernel_table& table = *cpu_simd{1, isa}.table();
        constexpr std::size_t places = 21, width = places + 2;
        for (std::size_t bad = 0; bad < width; ++bad) {
            std::vector<float> x(width * table.lanes), y(places * table.lanes);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
            x[bad * table.lanes] = std::numeric_limits<float>::quiet_NaN();
            simd::pool_job j;
            j.x = x.data();
            j.y = y.data();
            j.x_place = j.y_place = static_cast<std::ptrdiff_t>(table.lanes);
            j.rows_end = 1;
            j.window_columns = 3;
            j.places = places;
            j.width = width;
            j.columns = table.lanes;
            table.pool(j);
            for (std::size_t p = 0; p < places; ++p) CHECK(std::isnan(y[p * table.lanes]) == (p <= bad && bad <= p + 2));
        }
    }
}

TEST_CASE("poolings over all places leave row-major where that is the same") {
    for (const char* op : {"onnx.GlobalAveragePool", "onnx.GlobalMaxPool"}) {
        small_graph t;
        const taken got = expect_taken(t.finish(t.call(op, {t.input({2, 48, 7, 5})})), 1);
        CHECK(got.has("channels_last->plain"));
    }
    small_graph t;
    expect_taken(t.finish(t.call("onnx.ReduceMean", {t.input({2, 19, 7, 5}), t.integers({2, 3})}, {{"keepdims", std::int64_t{0}}})), 1);
}

TEST_CASE("the mean of a large image keeps its digits, though one sum of all its numbers would lose them") {
    // Of 210,000 numbers between 1 and 2 one sum in float32 is off in its fourth digit.
    small_graph t;
    expect_taken(t.finish(t.call("onnx.GlobalAveragePool", {t.input({1, 2, 700, 300})})), 1, 1e-5, 1, 2);
    small_graph row;
    expect_taken(row.finish(row.call("onnx.GlobalAveragePool", {row.input({1, 1, 1, 20000})})), 1, 1e-5, 1, 2);
}
