// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/pattern_text_options.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/text/parse_pattern.hpp>

using namespace inlay;

TEST_CASE("bounds on depth and terms are kept, and what is within them is read") {
    pattern_text_options options;
    options.most_depth = 6;  // a pattern in parentheses counts twice
    CHECK(parse_pattern("f(g(*))", options));
    CHECK(parse_pattern("f(g(h(*)))", options).failure().message.find("nested more than 6 deep") != std::string::npos);
    options = {};
    options.most_terms = 3;
    CHECK(parse_pattern("f(*, *)", options));
    CHECK(parse_pattern("f(*, *, *)", options).failure().message.find("more than 3 terms") != std::string::npos);
}

TEST_CASE("an operator without a dot is of the dialect, unless it stands in quotes") {
    pattern_text_options options;
    options.dialect = "onnx";
    const auto name = [&](std::string_view text) {
        const auto p = parse_pattern(text, options);
        return p ? std::string(p->view().top().names[0]) : "none";
    };
    CHECK(name("Relu") == "onnx.Relu");
    CHECK(name("own.Relu") == "own.Relu");
    CHECK(name("\"Relu\"") == "Relu");
}
