// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/parse_schedule.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
bool says(const std::string& text, const std::string& what) {
    const auto made = parse_schedule(text);
    return !made && made.failure().message.find(what) != std::string::npos;
}
}  // namespace

TEST_CASE("a text that is no schedule is refused at its place [loops.schedule.parse]") {
    CHECK(says("unroll i", "expected a step: split, reorder, run, fuse, fission, inline, compute, cache, put or call"));
    CHECK(says("split i into a, b", "expected 'by'"));
    CHECK(says("split i by j", "expected how many rounds a tile has"));
    CHECK(says("split i by 4 into a b", "expected ',' and the loop in a tile"));
    CHECK(says("reorder i, j", "expected '[' and loops"));
    CHECK(says("reorder [i j]", "expected ',' or ']'"));
    CHECK(says("run i sideways", "expected how the loop runs: serial"));
    CHECK(says("fuse i j", "expected ',' and the loop behind it"));
    CHECK(says("inline", "expected the name of a buffer"));
    CHECK(says("compute r in i", "expected 'at'"));
    CHECK(says("cache b at i", "expected 'as'"));
    CHECK(says("cache b at i as", "expected the name of the copy"));
    CHECK(says("cache b at i as p order [0, -1]", "axes are 0 or more"));
    CHECK(says("call i f", "expected 'of'"));
    CHECK(says("call i of nest f { output z: float32[1] z[1] = 0.0 }", "index 0 of 'z' may leave its extent 1"));
    CHECK(says("call i of nest f { output z: float32[1] zz[0] = 0.0 }", "there is no buffer 'zz'"));
}

TEST_CASE("blanks and comments between steps mean nothing [loops.schedule.parse]") {
    const auto made =
        parse_schedule("run i parallel// on all processors\n\n  run j vector call k of nest f{output z:float32[1]z[0]=0.0}fuse a,b");
    REQUIRE(made);
    CHECK(made->steps.size() == 4);
    CHECK(made->steps[2].function.name == "f");
    CHECK(made->steps[3] == loop_schedule().fuse("a", "b").steps.front());
    CHECK(parse_schedule("")->steps.empty());
}
