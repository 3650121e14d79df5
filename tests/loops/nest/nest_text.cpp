// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/nest_text.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

TEST_CASE("a nest prints as a person would write it [loops.text.readable]") {
    const std::string text = R"(nest n {
    input x: float32[9] strides [2]
    output y: int8[9]
    scratch s: float64[2] {
        for i < 9 parallel {
            for j < 2 vector {
                if 0 <= i + 2*j - 1 < 9 and -3 <= -j < 1 {
                    s[j] max= -1.5:float64 * (2.0:float64 + inf:float64)
                }
            }
            y[i] = int8(within(0 <= i - 1 < 8, x[i - 1] - (x[i] - 1e-07), exp(x[0]) / 3.0))
            y[i] += choose(less(index(i), 4), 3:int8, negate(2:int8))
        }
    }
}
)";
    const auto made = parse_nest(text);
    // What races is refused; its form is what counts here.
    CHECK_FALSE(made);
    std::string serial = text;
    serial.replace(serial.find(" parallel"), 9, "");
    serial.replace(serial.find(" vector"), 7, " unrolled");
    CHECK(to_text(nests::parsed(serial)) == serial);
}

TEST_CASE("over random nests, the text reads back as the same text [loops.text.reads-back]") {
    const bool holds = rc::check([] {
        const loop_nest n = nests::random_nest();
        const std::string text = to_text(n);
        const auto again = parse_nest(text);
        RC_ASSERT(again.has_value());
        RC_ASSERT(to_text(*again) == text);
    });
    CHECK(holds);
}

TEST_CASE("functions that a nest calls stand before its statements, and read back [loops.text.calls]") {
    for (const std::string& text : {nests::by_tiles, nests::by_library}) CHECK(to_text(nests::parsed(text)) == text);
    const std::string along = R"(nest n {
    input x: float32[9, 4, 9]
    external f(i) {
        input a: float32[2, 3] strides [4, 4]
    }
    call f(x[0, 3, 5] along [2, 0 by 4], 7)
}
)";
    CHECK(to_text(nests::parsed(along)) == along);
}
