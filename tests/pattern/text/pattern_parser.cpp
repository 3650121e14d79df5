// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/pattern_parser.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/text/pattern_text.hpp>

using namespace inlay;

TEST_CASE("a parser stops where a pattern cannot go on, and leaves the rest to others") {
    text_cursor c("Relu(?x) | Tanh(?x) => rest", "rules");
    pattern_builder b;
    const pattern_text_options options;
    const auto root = pattern_parser(c, b, options).pattern();
    REQUIRE(root);
    CHECK(c.take("=>"));
    const auto made = b.finish(*root);
    REQUIRE(made);
    CHECK(to_text(made->view()) == "Relu(?x) | Tanh(?x)");
}

TEST_CASE("what a name stands for is known to the parser that read it, and to no other") {
    pattern_builder b;
    const pattern_text_options options;
    text_cursor first("%t:(f(%t) | g) %t", "pattern"), second("%t", "pattern");
    pattern_parser parser(first, b, options);
    REQUIRE(parser.pattern());
    CHECK(parser.pattern());
    CHECK(pattern_parser(second, b, options).pattern().failure().message.find("nothing to the left or around defines %t") !=
          std::string::npos);
}
