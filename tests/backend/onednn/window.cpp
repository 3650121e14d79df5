// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/window.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using list = std::vector<std::int64_t>;

TEST_CASE("pads are read, and dilations count from 0") {
    const auto w = onednn_window_of({{"pads", list{1, 0, 2, 1}}, {"dilations", list{1, 2}}, {"strides", list{2, 1}}}, {1, 4, 9, 9},
                                    {1, 4, 5, 6}, {3, 3}, false);
    REQUIRE(w.has_value());
    CHECK(w->begin == list{1, 0});
    CHECK(w->end == list{2, 1});
    CHECK(w->dilations == list{0, 1});
    CHECK(w->span(1) == 5);
}

TEST_CASE("automatic pads put an odd one at the end or at the beginning") {
    const auto upper = onednn_window_of({{"auto_pad", std::string("SAME_UPPER")}}, {1, 1, 7}, {1, 1, 7}, {4}, false);
    const auto lower = onednn_window_of({{"auto_pad", std::string("SAME_LOWER")}}, {1, 1, 7}, {1, 1, 7}, {4}, false);
    REQUIRE(upper.has_value());
    REQUIRE(lower.has_value());
    CHECK(upper->begin == list{1});
    CHECK(upper->end == list{2});
    CHECK(lower->begin == list{2});
    CHECK(lower->end == list{1});
}

TEST_CASE("a window that does not lead from one extent to the other is refused, as are numbers out of range") {
    CHECK_FALSE(onednn_window_of({}, {1, 1, 7}, {1, 1, 6}, {3}, false).has_value());
    CHECK_FALSE(onednn_window_of({{"strides", list{0}}}, {1, 1, 7}, {1, 1, 5}, {3}, false).has_value());
    CHECK_FALSE(onednn_window_of({{"strides", list{1, 1}}}, {1, 1, 7}, {1, 1, 5}, {3}, false).has_value());
    CHECK_FALSE(onednn_window_of({{"pads", list{-1, 0}}}, {1, 1, 7}, {1, 1, 4}, {3}, false).has_value());
    CHECK_FALSE(onednn_window_of({{"dilations", list{std::int64_t{1} << 40}}}, {1, 1, 7}, {1, 1, 4}, {3}, false).has_value());
}

TEST_CASE("a transposed window takes output padding from the pad at the end") {
    const auto w =
        onednn_transposed_window({{"strides", list{2}}, {"pads", list{1, 1}}, {"output_padding", list{1}}}, {1, 1, 5}, {1, 1, 10}, {3});
    REQUIRE(w.has_value());
    CHECK(w->begin == list{1});
    CHECK(w->end == list{0});
}
