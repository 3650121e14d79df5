// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/limit.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("a limit is kept up to rounding, and one of 0 exactly") {
    CHECK(inlay::keeps_limit(0.1 + 0.2, 0.3));
    CHECK(inlay::keeps_limit(0, 0));
    CHECK_FALSE(inlay::keeps_limit(1e-300, 0));
    CHECK_FALSE(inlay::keeps_limit(1.00000001, 1));
}

TEST_CASE("unsound limits are refused in a sentence") {
    inlay::problem p;
    p.nodes = 1;
    p.candidates = {{.nodes = {0}}};
    const auto fault = [&](const inlay::limit& one) {
        const auto sound = inlay::check(std::vector<inlay::limit>{one}, p);
        return sound ? std::string() : sound.failure().message;
    };
    const std::string wrong =
        " allows for no finite number of at least 0, up to 1e300; give one, or leave it out where nothing is limited.";
    CHECK(fault({{}, 0, ""}).empty());
    CHECK(fault({{}, -1, "peak"}) == "limits[0] (peak)" + wrong);
    CHECK(fault({{}, std::nan(""), ""}) == "limits[0]" + wrong);
    CHECK(fault({{}, std::numeric_limits<double>::infinity(), ""}) == "limits[0]" + wrong);
    CHECK(fault({{}, 1e301, ""}) == "limits[0]" + wrong);
    CHECK(fault({{.of_candidate = {-1}}, 1, ""}) ==
          "limits[0]: of_candidate[0] is no finite number of at least 0, but an amount is; give one.");
}
