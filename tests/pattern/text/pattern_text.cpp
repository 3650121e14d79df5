// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/pattern_text.hpp>

#include <string>

#include <doctest/doctest.h>

#include "pattern/by_text.hpp"

using pattern_test::printed;
using pattern_test::read;

TEST_CASE("each form prints as it is written, with no more parentheses than it needs") {
    for (const char* text : {"*",
                             "const",
                             "input",
                             "input \"x\"",
                             "input \"x\"/\"y\"",
                             "global \"main\"",
                             "Conv",
                             "Conv(*, const, ...)",
                             "Conv()",
                             "nn.conv2d(*)",
                             "*(*)",
                             "*(...)",
                             "Relu/Tanh(*)",
                             "Add~(*, const)",
                             "Sum~(const, ...)",
                             "Sum~2(const, ...)",
                             "*~(const)",
                             "?x",
                             "?x:Relu",
                             "?\"a b\":*()",
                             "f(*) | g(*) | h",
                             "f & !g",
                             "(f | g) & h",
                             "f & g | h",
                             "!f",
                             "!(f | g)",
                             "?x:(f | g)",
                             "?x:!f",
                             "f[a=1, b=0.5, c=\"t\", d=[1,2], e=[0.5,2.0], g=[\"u\"], h, !i]",
                             "f[a=[]](*)",
                             "*[a=1]",
                             "*(...)[a=1]",
                             "f[a][b]",
                             "(f | g)[a=1]",
                             "?x:*{float32}",
                             "?x{float32}.1[a=1]",
                             "(?x:*()){float32}",
                             "*{float32[1,?,n,*]}",
                             "*{[]}",
                             "*{[*]}",
                             "*{tensor}",
                             "*{?}",
                             "*{(float32, ?, ...)}",
                             "*{(int64[],)}",
                             "()",
                             "(f,)",
                             "(f, g)",
                             "(f, ...)",
                             "(...)",
                             "tuple~(f, ...)",
                             "split.1",
                             "f(*).*",
                             "(f | g).0.1",
                             "(2).0",
                             "fn(?a, f)",
                             "fn(f)",
                             "fn(..., f)",
                             "fn(...)",
                             "fn \"name\"(..., f)",
                             "apply(fn(...), ...)",
                             "let(input, *, f)",
                             "if(*, f, g)",
                             "match(*, ...)",
                             "construct \"Cons\"(*, *)",
                             "make_ref(*)",
                             "read_ref(*)",
                             "write_ref(*, *)",
                             "2",
                             "-0.5",
                             "1e-07",
                             "nan",
                             "inf",
                             "-inf",
                             "const#00112233445566778899aabbccddeeff",
                             "repeat(f(_), *)",
                             "repeat[1..](f(_), *)",
                             "repeat[0..4](f(_) | g(_, *), input)",
                             "%c:f(%c | *)",
                             "f(%a:g(*), %a)",
                             "dominates(f, * | g, h)",
                             "Relu?(f)",
                             "f(Relu?(?x:Conv, ...))",
                             "f | Relu?[a=1](g)",
                             "Add?~(f, *)",
                             "\"if\"(*)",
                             "\"a b\"",
                             "\"1\"/f"})
        CHECK(printed(text) == text);
}

TEST_CASE("alternatives of alternatives need no parentheses, of which there is one way to write them") {
    CHECK(printed("f | (g | h)") == "f | g | h");
    CHECK(printed("((f))") == "f");
    CHECK(printed("f(...)") == "f");
    CHECK(printed("f(%a:g, %a{float32}.0)") == "f(%a:g, (%a){float32}.0)");
    CHECK(printed(" f ( * ,// a comment\n g ) ") == "f(*, g)");
    CHECK(printed("construct\"Cons\"( * )") == "construct \"Cons\"(*)");
}

TEST_CASE("what is optional in what is optional does not double") {
    std::string text = "x";
    for (int i = 0; i < 60; ++i) text = "f?(" + text + ")";
    CHECK(printed(text) == text);
}

TEST_CASE("operators of the dialect are written without it, others in a way that reads back") {
    inlay::pattern_text_options options;
    options.dialect = "onnx";
    const auto p = inlay::parse_pattern("f(onnx.g, nn.x.y, \"h\", \"onnx.if\", onnx.a.b)", options);
    REQUIRE(p.has_value());
    CHECK(inlay::to_text(p->view()) == "onnx.f(onnx.g, nn.x.y, h, onnx.if, onnx.a.b)");
    CHECK(inlay::to_text(p->view(), "onnx") == "f(g, nn.x.y, \"h\", onnx.if, onnx.a.b)");
    const auto again = inlay::parse_pattern(inlay::to_text(p->view(), "onnx"), options);
    REQUIRE(again.has_value());
    CHECK(inlay::to_text(again->view()) == inlay::to_text(p->view()));
}

TEST_CASE("a name is told with its meaning where it means nothing yet, and alone behind that") {
    // A name that means itself anew is told once.
    CHECK(printed("%a:%a:%a:h") == "%a:h");
    CHECK(printed("%a:%a:f(%a)") == "%a:f(%a)");
    CHECK(printed("f(%a:g, %a, %a:h, %a)") == "f(%a:g, %a, %a:h, %a)");
    CHECK(printed("%a:f(%b:g(%a | %b))") == "%a:f(%b:g(%a | %b))");
}
