// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/resizing.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

/// The refusal of a resize of 1 x 1 x 5 x 5 by these scales or to these sizes, or an empty text.
std::string refusal(const std::vector<float>& scales, const std::vector<std::int64_t>& sizes, attribute_map attributes = {}) {
    small_graph s;
    attributes.set("mode", std::string("linear"));
    const node_id given = scales.empty() ? s.absent() : s.constant(tensor::of<float>({static_cast<std::int64_t>(scales.size())}, scales));
    const node_id to = sizes.empty() ? s.absent() : s.integers(sizes);
    const whole_region whole(s.finish(s.call("onnx.Resize", {s.input({1, 1, 5, 5}), s.absent(), given, to}, attributes)));
    const auto found = detail::read_resizing(whole.view(), 3, 5);
    return found ? "" : found.failure().message;
}

}  // namespace

TEST_CASE("scales that are the ratios of the extents are taken, in the order of the axes that they belong to") {
    CHECK(refusal({1, 1, 2, 1}, {}).empty());
    CHECK(refusal({1, 1, 0.4f, 1}, {}).empty());
    CHECK(refusal({2, 3}, {}, {{"axes", std::vector<std::int64_t>{-1, 2}}}).empty());
    CHECK(refusal({}, {1, 1, 7, 3}).empty());
}

TEST_CASE("scales other than the ratios of the extents are refused, and a policy's scale too") {
    CHECK(refusal({1, 1, 1.5f, 1}, {}) == "Resize scales axis 2 by 1.500000, and its extents have the ratio 1.400000");
    const attribute_map policy{{"keep_aspect_ratio_policy", std::string("not_larger")}, {"axes", std::vector<std::int64_t>{2, 3}}};
    CHECK(refusal({}, {7, 9}, policy).empty());
    small_graph s;
    attribute_map linear = policy;
    linear.set("mode", std::string("linear"));
    // Both axes have the scale 1.4, and axis 2 becomes 6 elements of 5.6.
    const whole_region whole(s.finish(s.call("onnx.Resize", {s.input({1, 1, 4, 5}), s.absent(), s.absent(), s.integers({9, 7})}, linear)));
    CHECK(detail::read_resizing(whole.view(), 3, 5).failure().message ==
          "Resize scales axis 2 by 1.400000, and its extents have the ratio 1.500000");
}

TEST_CASE("antialiased and cropped images are refused, and resized batches and channels") {
    CHECK(refusal({1, 1, 0.4f, 1}, {}, {{"antialias", std::int64_t{1}}}) == "Resize has antialias");
    CHECK(refusal({1, 2, 2, 2}, {}) == "Resize changes the batch or the channels");
}

TEST_CASE("centres are the coordinates of half_pixel, and of PyTorch's rule but where one place is left of several") {
    for (const std::int64_t width : {1, 7}) {
        small_graph s;
        const attribute_map rule{{"mode", "linear"}, {"coordinate_transformation_mode", "pytorch_half_pixel"}};
        const whole_region whole(
            s.finish(s.call("onnx.Resize", {s.input({1, 1, 5}), s.absent(), s.absent(), s.integers({1, 1, width})}, rule)));
        const auto found = detail::read_resizing(whole.view(), 3, 5);
        REQUIRE(found.has_value());
        CHECK(found->centred == (width == 7));
        CHECK(found->y_extents == std::vector<std::int64_t>{1, 1, width});
        CHECK(found->text() == "linear with coordinates in the form pytorch_half_pixel");
        CHECK(detail::read_resizing(whole.view(), 4, 4).failure().message.find("takes 4") != std::string::npos);
    }
}
