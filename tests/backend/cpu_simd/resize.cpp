// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/resize.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;
using namespace cpu_simd_test;

namespace {

ir_module resized(extents x, extents to, const char* mode, const char* place, const char* round = "floor") {
    small_graph s;
    const attribute_map a{
        {"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string(place)}, {"nearest_mode", std::string(round)}};
    return s.finish(s.call("onnx.Resize", {s.input(std::move(x)), s.absent(), s.absent(), s.integers(std::move(to))}, a));
}

}  // namespace

TEST_CASE("every rule of every mode agrees with its definition, up and down, in both layouts") {
    for (const char* mode : {"nearest", "linear", "cubic"})
        for (const char* place : {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"})
            for (const extents& to : {extents{2, 20, 10, 12}, extents{2, 20, 13, 4}, extents{2, 20, 1, 6}}) {
                CAPTURE(mode);
                CAPTURE(place);
                const taken t = expect_taken(resized({2, 20, 5, 6}, to, mode, place), 1);
                CHECK(t.ways.size() == 2);
            }
    for (const char* round : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})
        expect_taken(resized({1, 16, 5, 6}, {1, 16, 10, 18}, "nearest", "half_pixel", round), 1);
}

TEST_CASE("images of one and three spatial axes and of few channels are resized") {
    expect_taken(resized({1, 3, 9}, {1, 3, 20}, "linear", "half_pixel"), 1);
    expect_taken(resized({1, 3, 4, 5, 6}, {1, 3, 8, 5, 9}, "linear", "half_pixel"), 1);
    expect_taken(resized({1, 1, 40, 50}, {1, 1, 20, 25}, "linear", "asymmetric"), 1);
}

TEST_CASE("what is no number, or infinite, reaches the places that it is part of and nothing else") {
    for_each_special([](float special) {
        for (const char* mode : {"nearest", "linear"}) {
            CAPTURE(mode);
            small_graph s;
            const node_id x = input_with(s, {1, 20, 5, 6}, special, (17 * 5 + 3) * 6 + 5);
            expect_taken(s.finish(s.call("onnx.Resize", {x, s.absent(), s.absent(), s.integers({1, 20, 10, 12})},
                                         {{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string("half_pixel")}})),
                         1);
        }
    });
}

TEST_CASE("scales that lead to a part of a place are taken as the operator has them") {
    small_graph s;
    const node_id y = s.call("onnx.Resize",
                             {s.input({1, 16, 5, 5}), s.absent(), s.constant(tensor::of<float>({4}, std::vector<float>{1, 1, 1.7f, 1.3f}))},
                             {{"mode", std::string("linear")}});
    expect_taken(s.finish(y), 1);
}

TEST_CASE("scales and sizes that are known only while the program runs are refused, though the result's type is known") {
    const tensor_type image(element_type::float32, {1, 16, 5, 6}), larger(element_type::float32, {1, 16, 10, 12});
    for (const bool by_scales : {true, false}) {
        ir_builder b;
        b.open_block();
        const node_id x = b.input("x", image),
                      how = b.input("how", tensor_type(by_scales ? element_type::float32 : element_type::int64, {4}));
        const std::vector<node_id> operands = by_scales ? std::vector{x, b.unit(), how} : std::vector{x, b.unit(), b.unit(), how};
        const node_id y = b.call("onnx.Resize", operands, {{"mode", std::string("nearest")}}, larger);
        b.declare(b.function(std::vector{x, how}, y, "main"));
        const std::string refusal = why_not(b.finish());
        CAPTURE(refusal);
        CHECK((refusal.find("known only while it runs") != std::string::npos || refusal.find("float32") != std::string::npos));
        if (by_scales) CHECK(refusal.find("operand 2 of Resize") != std::string::npos);
    }
}

TEST_CASE("a resize of channels, and places without an element, are refused") {
    CHECK(why_not(resized({1, 16, 5, 6}, {1, 32, 5, 6}, "nearest", "asymmetric")).find("batch or the channels") != std::string::npos);
    small_graph s;
    const node_id roi = s.constant(tensor::of<float>({8}, std::vector<float>{0, 0, 0, 0, 1, 1, 1.5f, 1}));
    const node_id y = s.call("onnx.Resize", {s.input({1, 16, 5, 6}), roi, s.absent(), s.integers({1, 16, 5, 6})},
                             {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("tf_crop_and_resize")}});
    CHECK(why_not(s.finish(y)).find("no element") != std::string::npos);
}
