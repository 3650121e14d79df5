// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/window.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;
using extents = std::vector<std::int64_t>;
using pair = std::array<std::int64_t, 2>;

TEST_CASE("automatic pads are resolved, the odd one at the end that the model names") {
    const auto upper = detail::xnnpack_window_of({{"auto_pad", std::string("SAME_UPPER")}, {"strides", extents{2, 1}}}, {1, 3, 8, 8},
                                                 {1, 3, 4, 8}, {3, 2}, false);
    REQUIRE(upper.has_value());
    CHECK(upper->begin == pair{0, 0});
    CHECK(upper->end == pair{1, 1});
    const auto lower = detail::xnnpack_window_of({{"auto_pad", std::string("SAME_LOWER")}}, {1, 3, 8, 8}, {1, 3, 8, 8}, {2, 2}, false);
    REQUIRE(lower.has_value());
    CHECK(lower->begin == pair{1, 1});
    CHECK(lower->has_pads());
}

TEST_CASE("a last place that is partly inside gets the pad that it needs") {
    const auto made = detail::xnnpack_window_of({{"strides", extents{2, 2}}}, {1, 3, 8, 7}, {1, 3, 4, 3}, {3, 3}, true);
    REQUIRE(made.has_value());
    CHECK(made->end == pair{1, 0});
}

TEST_CASE("a transposed window cuts at the end or adds to it") {
    const auto cut =
        detail::xnnpack_transposed_window({{"strides", extents{2, 2}}, {"pads", extents{1, 1, 1, 1}}}, {1, 3, 4, 4}, {1, 3, 7, 7}, {3, 3});
    REQUIRE(cut.has_value());
    CHECK(cut->begin == pair{1, 1});
    CHECK(cut->end == pair{1, 1});
    CHECK(cut->adjustment == pair{0, 0});
    const auto added = detail::xnnpack_transposed_window({{"strides", extents{2, 2}}, {"output_padding", extents{1, 0}}}, {1, 3, 4, 4},
                                                         {1, 3, 10, 9}, {3, 3});
    REQUIRE(added.has_value());
    CHECK(added->adjustment == pair{1, 0});
}

TEST_CASE("windows of other forms are refused with the values found") {
    const auto message = [](const attribute_map& a, const extents& kernel) {
        const auto made = detail::xnnpack_window_of(a, {1, 3, 8, 8}, {1, 3, 6, 6}, kernel, false);
        return made ? std::string() : made.failure().message;
    };
    CHECK(message({}, {3, 3}).empty());
    CHECK(message({}, {3}).find("1 axes") != std::string::npos);
    CHECK(message({{"strides", extents{0, 1}}}, {3, 3}).find("stride 0") != std::string::npos);
    CHECK(message({{"pads", extents{-1, 0, 0, 0}}}, {3, 3}).find("-1") != std::string::npos);
    CHECK(message({{"strides", extents{2, 2}}}, {3, 3}).find("8 does not become 6") != std::string::npos);
}
