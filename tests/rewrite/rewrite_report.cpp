// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rewrite_report.hpp>

#include <doctest/doctest.h>

using inlay::rewrite_report;
using inlay::rule_refusal;

TEST_CASE("a report has a line for each rule that matched, names the others, and says why rewriting stopped") {
    rewrite_report r;
    r.rules.resize(4);
    r.rules[3].name = "mute";
    r.rules[0].name = "fold";
    r.rules[0].kind = inlay::exactness::exact;
    r.rules[0].matches = 3;
    r.rules[0].fired = 1;
    r.rules[0].refused[static_cast<std::size_t>(rule_refusal::shared)] = 2;
    r.rules[1].name = "silent";
    r.rules[2].name = "swap";
    r.rules[2].matches = r.rules[2].fired = 1;
    r.fired = 2;
    CHECK(to_text(r) ==
          "fold: fired 1 of 3 matches; 2 refused: an inner node is read from outside\nswap: fired 1 of 1 match\nno match: silent, mute\n"
          "bounded: swap\nno rule applies any more\n");
    r.why = rewrite_report::stop::out_of_fuel;
    r.chasing = {0, 2};
    CHECK(to_text(r).ends_with("out of fuel after 2 rewrites; these rules undo or feed each other: fold, swap\n"));
    r.why = rewrite_report::stop::stopped;
    r.rules[0].last_reason = "the rank is 3";
    CHECK(to_text(r).find("outside (the rank is 3)\n") != std::string::npos);
    CHECK(to_text(r).ends_with("stopped from outside\n"));
    r.why = rewrite_report::stop::too_large;
    r.growing = 2;
    r.nodes = 70000;
    r.rules[2].grown = 69000;
    CHECK(to_text(r).ends_with("stopped with 70000 nodes after 2 rewrites, which is too many; rule swap made 69000 of them\n"));
}

TEST_CASE("each refusal has words of its own") {
    for (std::size_t i = 0; i < inlay::rule_refusals; ++i)
        for (std::size_t j = 0; j < i; ++j)
            CHECK(std::string(to_text(static_cast<rule_refusal>(i))) != to_text(static_cast<rule_refusal>(j)));
}

TEST_CASE("a report names the rules that fired and are not exact, by their class") {
    rewrite_report r;
    r.rules.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
        r.rules[i].name = std::string(1, static_cast<char>('a' + i));
        r.rules[i].kind = static_cast<inlay::exactness>(i);
        r.rules[i].matches = r.rules[i].fired = 1;
    }
    CHECK(to_text(r).find("bounded: b\ncancelling: c\nno rule applies any more\n") != std::string::npos);
}
