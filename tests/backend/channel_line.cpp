// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/channel_line.hpp>

#include <cmath>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

std::optional<detail::channel_line> read(small_graph& s, node_id y, std::size_t channels) {
    const whole_region whole(s.finish(y));
    const region_view r = whole.view();
    return detail::line_of_statistics(r, r[r.results[0]], channels);
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

TEST_CASE("a line of some channels is theirs") {
    const detail::channel_line some = detail::channel_line{{1, 2, 3, 4}, {5, 6, 7, 8}}.some(1, 3);
    CHECK(some.scale == std::vector<double>{2, 3});
    CHECK(some.shift == std::vector<double>{6, 7});
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

TEST_CASE("lines follow each other") {
    detail::channel_line line{{2, 3}, {1, 1}};
    line.then({{10, 10}, {0, 5}});
    CHECK(line.scale == std::vector<double>{20, 30});
    CHECK(line.shift == std::vector<double>{10, 15});
    CHECK(detail::channel_line::of(2).scale == std::vector<double>{1, 1});
}

TEST_CASE("a constant is one number per channel where it varies along the channels alone") {
    small_graph s;
    const node_id row = s.random({3}), column = s.random({3, 1, 1}), one = s.scalar(7), wide = s.random({1, 3, 2, 1});
    const node_id x = s.input({1, 3, 2, 3});
    node_id y = x;
    for (const node_id other : {row, column, one, wide}) y = s.call("onnx.Add", {y, other});
    const whole_region whole(s.finish(y));
    const region_view r = whole.view();
    std::vector<bool> channels, columns;
    for (const region_value& v : r.calls()) {
        channels.push_back(detail::per_channel(r, v.operands[1], 4, 1, 3).has_value());
        columns.push_back(detail::per_channel(r, v.operands[1], 4, 3, 3).has_value());
    }
    CHECK(channels == std::vector<bool>{false, true, true, false});
    CHECK(columns == std::vector<bool>{true, false, true, false});
}

TEST_CASE("a line is finite where all its numbers are as floats") {
    CHECK(detail::channel_line{{1, 2}, {0, -3}}.is_finite());
    CHECK_FALSE(detail::channel_line{{1, 2}, {0, HUGE_VAL}}.is_finite());
    CHECK_FALSE(detail::channel_line{{1, NAN}, {0, 1}}.is_finite());
    CHECK_FALSE(detail::channel_line{{1e39, 2}, {0, 1}}.is_finite());
}

TEST_CASE("a constant of equal extents lies along one axis of a square, and none that raises the rank does") {
    small_graph s;
    const node_id x = s.input({2, 4, 4}), row = s.random({4}), column = s.random({4, 1}), first = s.random({4, 1, 1}),
                  four = s.random({1, 1, 1, 4});
    const whole_region whole(s.finish({s.call("onnx.Add", {x, row}), s.call("onnx.Add", {x, column}),
                                       s.call("onnx.Add", {s.input({4, 4, 4}), first}), s.call("onnx.Add", {x, four})}));
    const region_view r = whole.view();
    std::vector<bool> middle, last;
    for (const region_value& v : r.calls()) {
        middle.push_back(detail::per_channel(r, v.operands[1], 3, 1, 4).has_value());
        last.push_back(detail::per_channel(r, v.operands[1], 3, 2, 4).has_value());
    }
    CHECK(middle == std::vector<bool>{false, true, false, false});
    CHECK(last == std::vector<bool>{true, false, false, false});
}
