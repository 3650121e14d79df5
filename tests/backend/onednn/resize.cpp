// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/resize.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

namespace {

ir_module resized(list x, list to, const char* mode, const char* place, const char* round) {
    small_graph s;
    const attribute_map a{
        {"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string(place)}, {"nearest_mode", std::string(round)}};
    return s.finish(s.call("onnx.Resize", {s.input(std::move(x)), s.absent(), s.absent(), s.integers(std::move(to))}, a));
}

const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());

}  // namespace

TEST_CASE("the nearest place is taken with whole factors, in the rules that agree with the library's") {
    for (const auto& [place, round] :
         {std::pair("asymmetric", "floor"), std::pair("half_pixel", "round_prefer_floor"), std::pair("half_pixel", "round_prefer_ceil")})
        for (const std::int64_t factor : {1, 2, 3, 4}) {
            const taken t = expect_taken(resized({1, 20, 5, 6}, {1, 20, 5 * factor, 6 * factor}, "nearest", place, round), 1);
            CHECK(t.has("channels_last->channels_last"));
            CHECK(t.has(blocked + "->" + blocked));
        }
}

TEST_CASE("linear resizing is taken with half-pixel coordinates, up and down") {
    expect_taken(resized({1, 20, 5, 6}, {1, 20, 10, 9}, "linear", "half_pixel", "floor"), 1);
    expect_taken(resized({2, 16, 9, 8}, {2, 16, 4, 3}, "linear", "pytorch_half_pixel", "floor"), 1);
}

TEST_CASE("scales are taken where they give whole extents") {
    for (const float scale : {2.0f, 1.7f}) {
        small_graph s;
        const node_id y = s.call(
            "onnx.Resize", {s.input({1, 16, 5, 5}), s.absent(), s.constant(tensor::of<float>({4}, std::vector<float>{1, 1, scale, scale}))},
            {{"mode", std::string("linear")}});
        const ir_module g = s.finish(y);
        if (scale == 2.0f)
            expect_taken(g, 1);
        else
            CHECK(why_not(g).find("have the ratio 1.6") != std::string::npos);
    }
}

TEST_CASE("rules that the library does not have are refused by name") {
    CHECK(why_not(resized({1, 16, 5, 6}, {1, 16, 10, 12}, "nearest", "align_corners", "floor")).find("align_corners") != std::string::npos);
    CHECK(why_not(resized({1, 16, 5, 6}, {1, 16, 7, 12}, "nearest", "asymmetric", "floor")).find("whole factor") != std::string::npos);
    CHECK(why_not(resized({1, 16, 5, 6}, {1, 16, 7, 12}, "linear", "asymmetric", "floor")).find("half_pixel") != std::string::npos);
    CHECK(why_not(resized({1, 16, 5, 6}, {1, 16, 7, 12}, "cubic", "half_pixel", "floor")).find("cubic") != std::string::npos);
}
