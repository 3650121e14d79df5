// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/read_number.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("numbers are read as they are written, and the cursor stands behind them") {
    for (const auto& [text, expected] : {std::pair<std::string_view, double>{"2,", 2},
                                         {"-0.5,", -0.5},
                                         {"1e3,", 1000},
                                         {"inf,", std::numeric_limits<double>::infinity()}}) {
        text_cursor c(text, "text");
        const auto v = read_number(c);
        REQUIRE(v);
        CHECK(*v == expected);
        CHECK(c.take(","));
    }
    text_cursor nothing("nan", "text");
    CHECK(std::isnan(*read_number(nothing)));
    text_cursor word("x", "text");
    CHECK(read_number(word).failure().message.find("line 1, column 1: expected a number") != std::string::npos);
}

TEST_CASE("a whole number that does not fit, or is none, is told by what was expected") {
    text_cursor fits("4294967295", "text"), too_large("4294967296", "text"), negative("-1", "text"), wide("4294967296", "text");
    CHECK(*read_whole(fits, "a count") == 4294967295u);
    CHECK(read_whole(too_large, "a count").failure().message.find("expected a count") != std::string::npos);
    CHECK_FALSE(read_whole(negative, "a count"));
    CHECK(*read_whole<std::int64_t>(wide, "a size") == 4294967296);
}

TEST_CASE("a name is a word, or anything in quotes") {
    text_cursor word("axis=1", "text"), quoted("\"a b\" c", "text"), none("=", "text");
    CHECK(*read_name(word, "a name") == "axis");
    CHECK(word.take("="));
    CHECK(*read_name(quoted, "a name") == "a b");
    CHECK(read_name(none, "a name").failure().message.find("expected a name") != std::string::npos);
}
