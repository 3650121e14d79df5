// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/parse_nest.hpp>

#include <string>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
bool says(const std::string& text, const std::string& what) {
    const auto made = parse_nest(text);
    return !made && made.failure().message.find(what) != std::string::npos;
}
}  // namespace

TEST_CASE("a text that is no nest is refused at its place [loops.parse.errors]") {
    CHECK(says("", "expected 'nest' and its name, found the end of the text"));
    CHECK(says("nest n { outptu y: float32[1] }", "there is no buffer 'outptu'"));
    CHECK(says("nest n { output y: float31[1] }", "expected an element type of a fixed size"));
    CHECK(says("nest n { output y: float32[1] y[0] = 1.0 ", "expected '}'"));
    CHECK(says("nest n { output y: float32[1] yy[0] = 1.0 }", "there is no buffer 'yy' (did you mean 'y'?)"));
    CHECK(says("nest n { output y: float32[1] for y < 1 { } }", "the name 'y' is taken"));
    CHECK(says("nest n { output y: float32[1] for i < 1 sideways { } }", "how the loop runs"));
    CHECK(says("nest n { output y: float32[1] y[0] -= 1.0 }", "expected '=', '+='"));
    CHECK(says("nest n { output y: float32[1] y[0] = 1.0 } more", "expected the end of the text"));
    CHECK(says("nest n { output y: float32[1] for i < 5 { y[i] = 1.0 } }", "may leave its extent 1"));
}

TEST_CASE("texts deeper than anybody writes are refused, not run into [loops.parse.limits]") {
    std::string deep = "nest n { output y: float32[1] ";
    for (int i = 0; i < 100000; ++i) deep += "if 0 <= 0 < 1 {";
    CHECK(says(deep, "more than 200 deep"));
}

TEST_CASE("blanks and comments mean nothing [loops.parse.form]") {
    const loop_nest n = nests::parsed("nest n{output y:float32[2]// the result\ny[0]=1.0 for i<1{y[i+1]=2.0}}");
    CHECK(n == nests::parsed("nest n { output y: float32[2] y[0] = 1.0 for i < 1 { y[i + 1] = 2.0 } }"));
}

TEST_CASE("over random nests, what is read back computes the same [loops.parse.same]") {
    const bool holds = rc::check([] {
        const loop_nest n = nests::random_nest();
        const auto again = parse_nest(to_text(n));
        RC_ASSERT(again.has_value());
        const auto inputs = nests::random_inputs(n);
        const auto a = run_nest(n, inputs), b = run_nest(*again, inputs);
        RC_ASSERT((a.has_value() && b.has_value()));
        RC_ASSERT(a->front().content() == b->front().content());
    });
    CHECK(holds);
}

TEST_CASE("what is no function, or no call of one, is refused at its place [loops.parse.calls]") {
    const std::string head = "nest n { output y: float32[2] ", f = "external f(i) { output b: float32[2] } ";
    CHECK(says(head + f + "call g(y[0]) }", "there is no function 'g'"));
    CHECK(says(head + f + "call f(z[0], 1) }", "there is no buffer 'z'"));
    CHECK(says(head + f + "call f(y[0], j) }", "there is no loop over 'j'"));
    CHECK(says(head + f + f + "call f(y[0], 1) }", "there is a function 'f' already"));
    CHECK(says(head + "external f(i, i) { } }", "the name 'i' is taken"));
    CHECK(says(head + "external f { output b: float32[2] b[0] = 1.0 } }", "nobody knows what an external function means"));
    CHECK(says(head + f + "call f(y[0] along 0, 1) }", "expected '[' and axes"));
    CHECK(says(head + f + "call f(y[0] along [i], 1) }", "expected an axis of the buffer"));
    CHECK(says(head + f + "call f(y[0] along [-1], 1) }", "axes are 0 or more"));
    CHECK(says(head + f + "call f(y[0] along [0 by], 1) }", "expected how many elements a step goes"));
    CHECK(says(head + f + "call f(y[0] along [0 0], 1) }", "expected ',' or ']'"));
    // Words that begin functions and calls are names as well.
    const auto words = parse_nest("nest n { output call: float32[2] output external: float32[1] call[0] = 1.0 external[0] = 2.0 }");
    CHECK(words.has_value());
    CHECK(parse_nest("nest n { output y: float32[2] external g(k) { } for i < 2 { call g(2*i - 1) call g(3) } }").has_value());
}
