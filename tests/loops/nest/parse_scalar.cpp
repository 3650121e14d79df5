// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/parse_scalar.hpp>

#include <string>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
/// Whether statements over y: float32[2] are refused with such words.
bool says(const std::string& statements, const std::string& what) {
    const auto made = parse_nest("nest n { output y: float32[2] " + statements + " }");
    return !made && made.failure().message.find(what) != std::string::npos;
}
/// The text of what y[0] is in a loop over i of 2 rounds, as it is printed again.
std::string again(const std::string& value) {
    const auto made = parse_nest("nest n { output y: float32[2] for i < 2 { y[0] = " + value + " } }");
    if (!made) return made.failure().message;
    const std::string text = to_text(*made);
    const std::size_t at = text.find("y[0] = ") + 7;
    return text.substr(at, text.find('\n', at) - at);
}
}  // namespace

TEST_CASE("what is no scalar, index or bound is refused at its place [loops.parse.errors]") {
    CHECK(says("for i < 1 { y[j] = 1.0 }", "there is no loop over 'j'"));
    CHECK(says("y[0] = maxi(1.0, 2.0)", "there is no function 'maxi'"));
    CHECK(says("y[0] = max(1.0)", "'max' takes 2 operands here, and has 1"));
    CHECK(says("y[0] = 99999999999999999999", "no number that fits"));
    CHECK(says("y[0] = 1:float32", "floating numbers have a point"));
    CHECK(says("y[0] = ", "expected a number, an element of a buffer or a function"));
    CHECK(says("y[0 1] = 1.0", "expected ',' or ']'"));
    CHECK(says("y[*] = 1.0", "expected a loop's variable or a whole number"));
    CHECK(says("y[0] = within(0 < 1 < 2, 1.0, 2.0)", "expected '<='"));
    CHECK(says("y[0] = within(0 <= 1 < 2 1.0, 2.0)", "expected ',' and what stands within these bounds"));
    CHECK(says("y[0] = choose(true, 1.0)", "'choose' takes 3 operands here, and has 2"));
    CHECK(says("y[0] = 1.0:float31", "expected an element type of a fixed size behind ':'"));
    CHECK(says("y[0] = x", "expected '[' behind a buffer or '(' behind a function"));
    CHECK(says("y[0] = x[0]", "there is no buffer 'x'"));
}

TEST_CASE("values deeper or longer than anybody writes are refused, not run into [loops.parse.limits]") {
    CHECK(says("y[0] = " + std::string(100000, '('), "more than 200 deep"));
    std::string wide = "y[0] = 1.0";
    for (int i = 0; i < 100000; ++i) wide += " + 1.0";
    CHECK(says(wide, "more than 2000 terms"));
}

TEST_CASE("products bind before sums, and brackets that are not needed go [loops.parse.form]") {
    const auto out = run_nest(nests::parsed("nest n { output y: float32[2] y[0] = 1.0+2.0*3.0-4.0/2.0 y[1] = (1.0+2.0)*-3.0 }"), {});
    REQUIRE(out);
    CHECK(out->front().as<float>()[0] == 5);
    CHECK(out->front().as<float>()[1] == -9);
    CHECK(again("((1.0 + (2.0 * 3.0)))") == "1.0 + 2.0 * 3.0");
    CHECK(again("1.0 - (2.0 - 3.0)") == "1.0 - (2.0 - 3.0)");
    CHECK(again("float32(index(i + 2 - 3*i + 1))") == "float32(index(-2*i + 3))");
    CHECK(again("within(0 <= i < 1 and -1 <= -i < 2, y[1 - i], max(-inf, 1e-07))") ==
          "within(0 <= i < 1 and -1 <= -i < 2, y[-i + 1], max(-inf, 1e-07))");
}
