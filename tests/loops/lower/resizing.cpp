// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/resizing.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

namespace {
std::string resized(const tensor& x, const std::vector<std::int64_t>& sizes, const attribute_map& how) {
    return lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
        const node_id none = g.constant(tensor(element_type::float32, {0}));
        return g.call("onnx.Resize", {g.call("onnx.Neg", {in[0]}), none, none, g.constant(tensor::of({4}, sizes))}, how);
    });
}
}  // namespace

TEST_CASE("resized tensors come out alike where places repeat [loops.lower.resizing]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({1, 2, 6, 4});
        const std::string mode = *rc::gen::element<std::string>("nearest", "linear", "cubic");
        const std::string coordinates = *rc::gen::element<std::string>("half_pixel", "asymmetric", "pytorch_half_pixel");
        const std::string rounding = *rc::gen::element<std::string>("round_prefer_floor", "round_prefer_ceil", "floor", "ceil");
        const auto size = [](std::int64_t from) {
            return *rc::gen::element<std::int64_t>(from / 2, from, from * 2, from * 3, from * 3 / 2);
        };
        RC_ASSERT(resized(x, {1, 2, size(6), size(4)},
                          {{"mode", mode},
                           {"coordinate_transformation_mode", coordinates},
                           {"nearest_mode", rounding},
                           {"antialias", *rc::gen::element<std::int64_t>(0, 1)}}) == "");
    });
    CHECK(holds);
}

TEST_CASE("a resizing whose places follow no rule is refused [loops.lower.resizing]") {
    const tensor x(element_type::float32, {1, 1, 7, 4});
    CHECK(resized(x, {1, 1, 17, 4}, {{"mode", "linear"}}) == "onnx.Resize: a resizing whose places do not repeat has no loop nest");
    CHECK(resized(x, {1, 1, 14, 4}, {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}}) ==
          "onnx.Resize: a resizing whose places do not repeat has no loop nest");
}
