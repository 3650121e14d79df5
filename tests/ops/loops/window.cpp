// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/window.hpp>

#include <doctest/doctest.h>

namespace {

using ints = std::vector<std::int64_t>;

inlay::outcome<inlay::window_set> windows(const inlay::attribute_map& attributes, ints kernel) {
    return inlay::windows_of({"onnx.MaxPool", &attributes, {}, {}, 1}, std::move(kernel));
}

inlay::outcome<inlay::extent> places(const inlay::window& w, inlay::padding_mode mode, bool ceil, const inlay::extent& in) {
    const inlay::attribute_map none;
    return inlay::windowed_extent({"onnx.MaxPool", &none, {}, {}, 1}, w, mode,
                                  ceil ? inlay::window_rounding::up : inlay::window_rounding::down, in);
}

// How many windows fit, by trying each.
std::int64_t places_by_trial(const inlay::window& w, bool ceil, std::int64_t in) {
    std::int64_t count = 0;
    for (std::int64_t at = 0;; at += w.stride) {
        const bool inside = at + w.reach() <= in + w.before + w.after;
        const bool hangs = ceil && at < in + w.before && at > 0 && at - w.stride + w.reach() < in + w.before + w.after;
        if (!inside && !hangs) return count;
        ++count;
    }
}

}  // namespace

TEST_CASE("Windows are read from attributes, with defaults where they are absent") {
    const auto set = windows({{"strides", ints{2, 3}}, {"pads", ints{1, 2, 3, 4}}, {"ceil_mode", std::int64_t{1}}}, {3, -1});
    REQUIRE(set);
    CHECK(set->ceil);
    CHECK(set->axes[0].kernel == 3);
    CHECK(set->axes[1].kernel == -1);
    CHECK(set->axes[1].stride == 3);
    CHECK(set->axes[1].dilation == 1);
    CHECK(set->axes[1].before == 2);
    CHECK(set->axes[1].after == 4);
    CHECK(!windows({{"auto_pad", std::string("same")}}, {1}));
    CHECK(!windows({{"kernel_shape", ints{2}}}, {3}));
    CHECK(windows({{"kernel_shape", ints{2}}}, {-1})->axes[0].kernel == 2);
    CHECK(windows({{"auto_pad", std::string("SAME_LOWER")}, {"pads", ints{-9}}}, {1})->mode == inlay::padding_mode::same_lower);
}

TEST_CASE("The number of a window's places is what trying each place gives") {
    for (std::int64_t kernel = 1; kernel < 4; ++kernel)
        for (std::int64_t stride = 1; stride < 5; ++stride)
            for (std::int64_t dilation = 1; dilation < 3; ++dilation)
                for (std::int64_t pad = 0; pad < 3; ++pad)
                    for (std::int64_t in = 1; in < 12; ++in)
                        for (const bool ceil : {false, true}) {
                            const inlay::window w{kernel, stride, dilation, pad, pad / 2};
                            const auto got = places(w, inlay::padding_mode::given, ceil, in);
                            if (w.reach() <= in + w.before + w.after)
                                REQUIRE((got.has_value() && got->size == places_by_trial(w, ceil, in)));
                        }
}

TEST_CASE(
    "a window longer than its axis has one place in a pooling, none in a convolution, and an error below [ops.window.longer-than-axis]") {
    using inlay::window_rounding;
    const auto count = [](std::int64_t kernel, std::int64_t stride, std::int64_t in, window_rounding rounding) -> std::int64_t {
        const inlay::attribute_map none;
        const auto got =
            inlay::windowed_extent({"onnx.MaxPool", &none, {}, {}, 1}, {kernel, stride}, inlay::padding_mode::given, rounding, in);
        return got ? got->size : -1;
    };
    for (const auto rounding : {window_rounding::towards_zero, window_rounding::up}) {
        CHECK(count(3, 3, 2, rounding) == 1);
        CHECK(count(3, 4, 1, rounding) == 1);
        CHECK(count(3, 2, 1, rounding) == 0);
        CHECK(count(4, 2, 1, rounding) == 0);
        CHECK(count(3, 1, 1, rounding) == -1);
        CHECK(count(5, 2, 1, rounding) == -1);
    }
    CHECK(count(3, 3, 2, window_rounding::down) == 0);
    CHECK(count(3, 2, 1, window_rounding::down) == 0);
    CHECK(count(4, 2, 1, window_rounding::down) == -1);
}

TEST_CASE("Automatic padding covers the axis and splits an odd element as its mode says") {
    inlay::window w{4, 2, 1, 0, 0};
    CHECK(places(w, inlay::padding_mode::same_upper, false, 7)->size == 4);
    const inlay::window upper = inlay::padded_window(w, inlay::padding_mode::same_upper, 7, 4),
                        lower = inlay::padded_window(w, inlay::padding_mode::same_lower, 7, 4);
    CHECK(upper.before == 1);
    CHECK(upper.after == 2);
    CHECK(lower.before == 2);
    CHECK(lower.after == 1);
}

TEST_CASE("A symbol stays where the window keeps the extent, and is unknown elsewhere") {
    const inlay::extent n{std::string("n")};
    CHECK(*places({3, 1, 1, 1, 1}, inlay::padding_mode::given, false, n) == n);
    CHECK(*places({3, 1, 1, 0, 1}, inlay::padding_mode::given, false, n) == inlay::extent());
    CHECK(*places({3, 2, 1, 1, 1}, inlay::padding_mode::given, false, n) == inlay::extent());
    CHECK(*places({-1, 1, 1, 0, 0}, inlay::padding_mode::same_lower, false, n) == n);
    CHECK(*places({-1, 1, 1, 0, 0}, inlay::padding_mode::given, false, 5) == inlay::extent());
    CHECK(!places({1, 1, 1, 0, 0}, inlay::padding_mode::given, false, INT64_MAX));
}
