// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/image_axes.hpp>

#include <cstdint>
#include <vector>

#include "small_graph.hpp"

#include <doctest/doctest.h>

using namespace inlay;

namespace {

outcome<detail::image_axes> axes_of(const ir_module& m) {
    const inlay_test::whole_region whole(m);
    const region_view r = whole.view();
    return detail::image_axes_of(r, r[r.results[0]], {-1, -1});
}

}  // namespace

TEST_CASE("a window has its axes, with the padding of its mode") {
    inlay_test::small_graph t, u;
    const attribute_map how{
        {"kernel_shape", std::vector<std::int64_t>{3, 2}}, {"strides", std::vector<std::int64_t>{2, 1}}, {"auto_pad", "SAME_UPPER"}};
    const auto read = axes_of(t.finish(t.call("onnx.MaxPool", {t.input({1, 2, 8, 9})}, how)));
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->y == tap_axis{8, 4, 3, 2, 1, 0});
    CHECK(read->x == tap_axis{9, 9, 2, 1, 1, 0});
    const attribute_map cube{{"kernel_shape", std::vector<std::int64_t>{1, 1, 1}}};
    CHECK(axes_of(u.finish(u.call("onnx.MaxPool", {u.input({1, 2, 3, 3, 3})}, cube))).failure().message ==
          "only windows of one or two axes are computed");
}
