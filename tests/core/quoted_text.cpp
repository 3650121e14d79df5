// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/quoted_text.hpp>

#include <string>

#include <doctest/doctest.h>

using inlay::escaped_text;
using inlay::quoted_text;

TEST_CASE("a plain text stands in quotes") {
    CHECK(quoted_text("conv1") == "'conv1'");
    CHECK(quoted_text("") == "''");
    CHECK(quoted_text("größe") == "'größe'");
}

TEST_CASE("whatever stands in a text, the message stays one line") {
    CHECK(quoted_text("a\nb\x1B[31m\x7F") == "'a\\x0ab\\x1b[31m\\x7f'");
    CHECK(quoted_text(std::string("a\0b", 3)) == "'a\\x00b'");
}

TEST_CASE("bytes that are no UTF-8, and characters that break a line or turn it round, are written as bytes") {
    CHECK(quoted_text("a\xFFz") == "'a\\xffz'");
    CHECK(quoted_text("\xC3") == "'\\xc3'");                             // cut off
    CHECK(quoted_text("\xC0\xAF") == "'\\xc0\\xaf'");                    // longer than it need be
    CHECK(quoted_text("\xED\xA0\x80") == "'\\xed\\xa0\\x80'");           // half of a pair
    CHECK(quoted_text("\xF4\x90\x80\x80") == "'\\xf4\\x90\\x80\\x80'");  // past the last character
    CHECK(quoted_text("\xC2\x85") == "'\\xc2\\x85'");                    // next line
    CHECK(quoted_text("\xE2\x80\xA8") == "'\\xe2\\x80\\xa8'");           // separator of lines
    CHECK(quoted_text("\xE2\x80\xAE") == "'\\xe2\\x80\\xae'");           // right to left
    CHECK(quoted_text("\xE6\xBC\xA2\xF0\x9F\x98\x80") == "'\xE6\xBC\xA2\xF0\x9F\x98\x80'");
    // A character is not cut in two.
    CHECK(quoted_text("ab\xC3\xA4z", 3) == "'ab...'");
    CHECK(quoted_text("ab\xC3\xA4z", 4) == "'ab\xC3\xA4...'");
}

TEST_CASE("what stands without quotes is one line as well") {
    CHECK(escaped_text("Conv") == "Conv");
    CHECK(escaped_text("Co\nnv") == "Co\\x0anv");
    CHECK(escaped_text("Convolution", 4) == "Conv...");
}

TEST_CASE("a long text is cut") {
    CHECK(quoted_text(std::string(1000, 'x'), 5) == "'xxxxx...'");
    CHECK(quoted_text(std::string(5, 'x'), 5) == "'xxxxx'");
}

TEST_CASE("a name is escaped without quotes, and control characters of two bytes are") {
    CHECK(escaped_text("conv1") == "conv1");
    CHECK(escaped_text("a\tb") == "a\\x09b");
    CHECK(escaped_text("a\xC2\x9B"
                       "31m") == "a\\xc2\\x9b31m");
    CHECK(escaped_text("\xC2\xB5\xC2") == "\xC2\xB5\\xc2");
}

TEST_CASE("any bytes become UTF-8 and come back, and other text stays as it is") {
    using inlay::escaped_bytes;
    using inlay::unescaped_bytes;
    CHECK(escaped_bytes("a\xFFz") == "a\\xffz");
    CHECK(escaped_bytes("two\nlines, \xC3\xA4") == "two\nlines, \xC3\xA4");
    CHECK(escaped_bytes("C:\\x41\\xy\\n") == "C:\\x41\\xy\\n");
    CHECK(escaped_bytes("a\\xffz") == "a\\x5cxffz");  // as text, it comes back as text
    for (const char* text : {"a\xFFz", "a\\xffz", "\\x5cxff", "\\\xFF", "\\x\xFF", "\xED\xA0\x80", "\\x5c\\x5c", "\\x4", "\\"}) {
        CAPTURE(escaped_bytes(text));
        CHECK(unescaped_bytes(escaped_bytes(text)) == text);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    CHECK(unescaped_bytes(escaped_bytes(all)) == all);
    CHECK(escaped_bytes(escaped_bytes(all)) != all);
}
