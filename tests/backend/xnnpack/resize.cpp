// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/resize.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_resize::pattern_of_resize())>);

namespace {
ir_module resized(const char* place, const char* mode = "linear", extents sizes = {2, 5, 11, 9}, extents x = {2, 5, 7, 4}) {
    small_graph t;
    return t.finish(t.call("onnx.Resize", {t.input(std::move(x)), t.absent(), t.absent(), t.integers(sizes)},
                           {{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string(place)}}));
}
}  // namespace

TEST_CASE("linear resize agrees with its definition in the forms that the library has, up and down") {
    for (const char* place : {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"}) {
        CAPTURE(place);
        CHECK(expect_taken(resized(place), 1, 1e-4).has("channels_last->channels_last"));
        expect_taken(resized(place, "linear", {2, 5, 3, 9}), 1, 1e-4);
        expect_taken(resized(place, "linear", {2, 5, 14, 8}), 1, 1e-4);
    }
    expect_taken(resized("align_corners", "linear", {2, 5, 1, 9}), 1, 1e-4);
}

TEST_CASE("a resize that is not taken says why, with the values found") {
    CHECK(why_not(resized("half_pixel", "nearest")).find("nearest") != std::string::npos);
    CHECK(why_not(resized("pytorch_half_pixel", "linear", {2, 5, 1, 9})).find("pytorch_half_pixel") != std::string::npos);
    CHECK(why_not(resized("half_pixel", "linear", {2, 5, 11}, {2, 5, 7})).find("rank 3") != std::string::npos);
    // Scales that lead to a part of a place: coordinates hang on them, also where corners stay where they are.
    for (const char* place : {"half_pixel", "align_corners"}) {
        CAPTURE(place);
        small_graph t;
        tensor scales(element_type::float32, {4});
        const float values[] = {1, 1, 0.6f, 0.6f};
        std::copy(std::begin(values), std::end(values), scales.as<float>().begin());
        const ir_module m = t.finish(t.call("onnx.Resize", {t.input({1, 1, 2, 4}), t.absent(), t.constant(scales)},
                                            {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string(place)}}));
        CHECK(why_not(m).find("by 0.6") != std::string::npos);
    }
}
