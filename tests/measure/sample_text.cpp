// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/sample_text.hpp>

#include <limits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("numbers have seven digits, and a place has an index for each axis") {
    CHECK(sampled_number(1.0 / 3) == "0.3333333");
    CHECK(sampled_number(-2) == "-2");
    CHECK(sampled_number(std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(sampled_number(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(place_text({2, 3, 4}, 23) == "[1,2,3]");
    CHECK(place_text({2, 3, 4}, 4) == "[0,1,0]");
    CHECK(place_text({}, 0) == "[]");
}
