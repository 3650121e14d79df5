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

/// What is said of a resize of 1 x 1 x 5 by these scales.
std::string said(const std::vector<float>& scales) {
    small_graph s;
    const node_id given = s.constant(tensor::of<float>({static_cast<std::int64_t>(scales.size())}, scales));
    const whole_region whole(s.finish(s.call("onnx.Resize", {s.input({1, 1, 5}), s.absent(), given})));
    const region_view r = whole.view();
    const auto fine = detail::check_resize_scales(r, r[r.results[0]], static_shape(r.type(0)), static_shape(r.type(r.results[0])));
    return fine ? "" : fine.failure().message;
}

}  // namespace

TEST_CASE("scales that lead to whole places are the ratios of the extents") {
    CHECK(said({1, 1, 2}).empty());
    CHECK(said({1, 1, 0.4f}).empty());
}

TEST_CASE("scales that lead to a part of a place are refused with what they lead to") {
    CHECK(said({1, 1, 1.5f}) == "Resize scales axis 2 to 7.500000 and cuts it to 7");
}

TEST_CASE("a resize to given extents has no scales to check, and scales that are computed are refused") {
    small_graph s;
    const whole_region sized(s.finish(s.call("onnx.Resize", {s.input({1, 1, 5}), s.absent(), s.absent(), s.integers({1, 1, 7})})));
    CHECK(detail::check_resize_scales(sized.view(), sized.view()[sized.view().results[0]], {1, 1, 5}, {1, 1, 7}).has_value());
    small_graph t;
    const node_id known = t.constant(tensor::of<float>({3}, {1, 1, 2}));
    const whole_region whole(t.finish(t.call("onnx.Resize", {t.input({1, 1, 5}), t.absent(), known})));
    const region_view r = whole.view();
    CHECK_FALSE(detail::check_resize_scales(r, r[r.results[0]], {1, 5}, {1, 10}).has_value());
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
