// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/channel_statistics.hpp>

#include <cmath>
#include <optional>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

std::optional<detail::channel_statistics> read(small_graph& s, node_id y, std::size_t channels) {
    const whole_region whole(s.finish(y));
    const region_view r = whole.view();
    return detail::read_channel_statistics(r, r[r.results[0]], channels);
}

}  // namespace

TEST_CASE("constant statistics come to a factor and a term per channel") {
    small_graph s;
    const auto row = [&](float a, float b) { return s.constant(tensor::of<float>({2}, {a, b})); };
    const node_id y =
        s.call("onnx.BatchNormalization", {s.input({1, 2, 3}), row(2, 3), row(5, 7), row(11, 13), row(0.25f, 4)}, {{"epsilon", 0.75}});
    const auto found = read(s, y, 2);
    REQUIRE(found.has_value());
    CHECK(found->scale[0] == doctest::Approx(2));
    CHECK(found->shift[0] == doctest::Approx(5 - 11 * 2));
    CHECK(found->scale[1] == doctest::Approx(3 / std::sqrt(4.75)));
    CHECK(found->shift[1] == doctest::Approx(7 - 13 * 3 / std::sqrt(4.75)));
}

TEST_CASE("statistics of another count, computed ones and other calls have no such form") {
    small_graph s;
    CHECK_FALSE(read(s, s.normalized(s.input({1, 2, 3}), 2), 3).has_value());
    small_graph t;
    const node_id mean = t.call("onnx.Abs", {t.input({2})});
    const node_id computed =
        t.call("onnx.BatchNormalization", {t.input({1, 2, 3}), t.random({2}), t.random({2}), mean, t.random({2}, 1, 2)});
    CHECK_FALSE(read(t, computed, 2).has_value());
    small_graph u;
    CHECK_FALSE(read(u, u.call("onnx.Relu", {u.input({1, 2, 3})}), 2).has_value());
}
