// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_faults.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("faults are told in the order of the text, each with its line and a caret below its place") {
    relay_faults faults("first\n  second line\nthird");
    CHECK(faults.empty());
    faults.add({3, 1}, "the last one");
    faults.add({2, 10}, "the one before");
    CHECK(faults.all().size() == 2);
    CHECK(faults.told().message ==
          "line 2, column 10: the one before\n    second line\n           ^\nline 3, column 1: the last one\n  third\n  ^");
}

TEST_CASE("of a long line what stands around the place is shown, and a blank for what no line can show") {
    std::string text(1000, 'a');
    text[499] = '\t';
    text.replace(505, 2, "\xC3\xA4");
    relay_faults faults(text);
    faults.add({1, 501}, "here");
    CHECK(faults.told().message == "line 1, column 501: here\n  " + std::string(59, 'a') + " aaaaa\xC3\xA4" + std::string(53, 'a') +
                                       "\n  " + std::string(60, ' ') + "^");
    relay_faults at_end("ab");
    at_end.add({1, 90}, "beyond");
    CHECK(at_end.told().message == "line 1, column 90: beyond\n  ab\n    ^");
}

TEST_CASE("no more than twenty are kept") {
    relay_faults faults("");
    for (int i = 0; i < 30; ++i) faults.add({1, 1}, "x");
    CHECK(faults.is_full());
    CHECK(faults.all().size() == relay_faults::most);
}
