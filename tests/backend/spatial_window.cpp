// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/spatial_window.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using list = std::vector<std::int64_t>;

TEST_CASE("a window that only has extents moves by one place, without gaps and pads") {
    const spatial_window w = spatial_window::over({3, 1});
    CHECK(w.strides == list{1, 1});
    CHECK(w.dilations == list{1, 1});
    CHECK(w.span(0) == 3);
    CHECK_FALSE(w.has_pads());
    CHECK_FALSE(w.is_one_place());
    CHECK(spatial_window::over({1, 1}).is_one_place());
}

TEST_CASE("strides, dilations and pads are read axis by axis") {
    const auto w = window_between({{"pads", list{1, 0, 2, 1}}, {"dilations", list{1, 2}}, {"strides", list{2, 1}}}, {1, 4, 9, 9},
                                  {1, 4, 5, 6}, {3, 3}, false);
    REQUIRE(w.has_value());
    CHECK(w->begin == list{1, 0});
    CHECK(w->end == list{2, 1});
    CHECK(w->strides == list{2, 1});
    CHECK(w->span(1) == 5);
    CHECK(w->has_pads());
}

TEST_CASE("some of the results read a part of the input, with the pads that fall to it") {
    spatial_window w = spatial_window::over({3});
    w.strides = {2};
    w.begin = w.end = {1};
    const auto reads = [&](std::int64_t from, std::int64_t past) {
        const spatial_window::part p = w.read_by(0, from, past, 8);
        return list{p.first, p.count, p.begin, p.end};
    };
    CHECK(reads(0, 4) == list{0, 8, 1, 0});
    CHECK(reads(0, 2) == list{0, 4, 1, 0});
    CHECK(reads(2, 4) == list{3, 5, 0, 0});
    CHECK(reads(3, 5) == list{5, 3, 0, 2});
}

TEST_CASE("automatic pads are resolved, the odd one at the end that the model names") {
    const auto upper = window_between({{"auto_pad", std::string("SAME_UPPER")}}, {1, 1, 7}, {1, 1, 7}, {4}, false);
    const auto lower = window_between({{"auto_pad", std::string("SAME_LOWER")}}, {1, 1, 7}, {1, 1, 7}, {4}, false);
    REQUIRE(upper.has_value());
    REQUIRE(lower.has_value());
    CHECK(upper->begin == list{1});
    CHECK(upper->end == list{2});
    CHECK(lower->begin == list{2});
    CHECK(lower->end == list{1});
    const auto strided =
        window_between({{"auto_pad", std::string("SAME_UPPER")}, {"strides", list{2, 1}}}, {1, 3, 8, 8}, {1, 3, 4, 8}, {3, 2}, false);
    REQUIRE(strided.has_value());
    CHECK(strided->begin == list{0, 0});
    CHECK(strided->end == list{1, 1});
    const auto valid = window_between({{"auto_pad", std::string("VALID")}, {"pads", list{1, 1}}}, {1, 1, 7}, {1, 1, 5}, {3}, false);
    REQUIRE(valid.has_value());
    CHECK_FALSE(valid->has_pads());
}

TEST_CASE("a last place that is partly inside gets the pad that it needs") {
    const auto made = window_between({{"strides", list{2, 2}}}, {1, 3, 8, 7}, {1, 3, 4, 3}, {3, 3}, true);
    REQUIRE(made.has_value());
    CHECK(made->end == list{1, 0});
}

TEST_CASE("a transposed window cuts at the end or adds to it") {
    const auto cut = transposed_window_between({{"strides", list{2, 2}}, {"pads", list{1, 1, 1, 1}}}, {1, 3, 4, 4}, {1, 3, 7, 7}, {3, 3});
    REQUIRE(cut.has_value());
    CHECK(cut->begin == list{1, 1});
    CHECK(cut->end == list{1, 1});
    const auto padded =
        transposed_window_between({{"strides", list{2}}, {"pads", list{1, 1}}, {"output_padding", list{1}}}, {1, 1, 5}, {1, 1, 10}, {3});
    REQUIRE(padded.has_value());
    CHECK(padded->begin == list{1});
    CHECK(padded->end == list{0});
    const attribute_map added{{"strides", list{2, 2}}, {"output_padding", list{1, 0}}};
    const auto more = transposed_window_between(added, {1, 3, 4, 4}, {1, 3, 10, 9}, {3, 3});
    REQUIRE(more.has_value());
    CHECK(more->end == list{-1, 0});
    CHECK_FALSE(transposed_window_between(added, {1, 3, 4, 4}, {1, 3, 11, 9}, {3, 3}).has_value());
}

TEST_CASE("windows of other forms are refused with the values found") {
    const auto message = [](const attribute_map& a, const list& kernel) {
        const auto made = window_between(a, {1, 3, 8, 8}, {1, 3, 6, 6}, kernel, false);
        return made ? std::string() : made.failure().message;
    };
    CHECK(message({}, {3, 3}).empty());
    CHECK(message({}, {3}).find("of rank 4") != std::string::npos);
    CHECK(message({{"strides", list{0, 1}}}, {3, 3}).find("strides with entry 0") != std::string::npos);
    CHECK(message({{"strides", list{1}}}, {3, 3}).find("2 are expected") != std::string::npos);
    CHECK(message({{"pads", list{-1, 0, 0, 0}}}, {3, 3}).find("-1") != std::string::npos);
    CHECK(message({{"dilations", list{std::int64_t{1} << 40, 1}}}, {3, 3}).find("which must be from 1 to") != std::string::npos);
    CHECK(message({{"dilations", list{std::int64_t{1} << 25, 1}}}, {3, 3}).find("out of range") != std::string::npos);
    CHECK(message({{"auto_pad", std::string("SOME")}}, {3, 3}).find("'SOME'") != std::string::npos);
    CHECK(message({{"strides", list{2, 2}}}, {3, 3}).find("8 does not become 6") != std::string::npos);
}
