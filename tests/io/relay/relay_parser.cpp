// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_parser.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <inlay/io/relay/relay_document.hpp>
#include <inlay/ir/compare_programs.hpp>

#include "io/relay/reading.hpp"
#include "ir/random_relay.hpp"

using namespace inlay;

TEST_CASE("a text that is cut, or has pieces changed, is a program or refused with a sentence") {
    std::size_t read_anyway = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        std::string text = relay_document(inlay_test::random_relay(seed).module(seed % 20));
        for (std::size_t i = random() % 3 + 1; i > 0; --i) {
            const std::size_t at = random() % text.size();
            switch (random() % 5) {
                case 0:
                    text.resize(at + 1);
                    break;
                case 1:
                    text[at] = "(){}[],;:=%@.#\"0a_<-"[random() % 20];
                    break;
                case 2:
                    text.erase(at, random() % 9);
                    break;
                case 3:
                    text.insert(at, text.substr(random() % text.size(), random() % 20));
                    break;
                default:
                    text[at] = static_cast<char>(random());
            }
        }
        CAPTURE(seed);
        const auto read = read_relay(text);
        if (!read) {
            CHECK(read.failure().message.starts_with("line "));
            continue;
        }
        ++read_anyway;
        const std::string printed = relay_document(*read);
        const auto again = read_relay(printed);
        REQUIRE_MESSAGE(again, (again ? std::string() : again.failure().message));
        CHECK(relay_document(*again) == printed);
        CHECK_FALSE(compare_programs(*read, *again));
    }
    CHECK(read_anyway > 10);
}

TEST_CASE("after a fault what was bound there is known, and what is closed there is closed") {
    CHECK(inlay_test::faults_of("def @main() { let %a = f(;; %0 = );\n (%a, %0, %b) }\ndef @g() { %c }") ==
          "line 1, column 26: a value was expected, and ';' stands here\n"
          "line 1, column 27: a value was expected, and ';' stands here\n"
          "line 1, column 34: a value was expected, and ')' stands here\n"
          "line 2, column 11: there is no variable '%b' here (did you mean '%a'?)\n"
          "line 3, column 12: there is no variable '%c' here\n");
    CHECK(
        inlay_test::faults_of("def @main(%x) {\n  %0 = if (%x +) { 1 } else { %u };\n  match (%x) { Nil -> { 1; 2 }, _ => 3 };\n  %v\n}") ==
        "line 2, column 16: a value was expected, and ')' stands here\n"
        "line 3, column 20: '=>' was expected, and '->' stands here\n"
        "line 4, column 3: there is no variable '%v' here (did you mean '%x'?)\n");
}
