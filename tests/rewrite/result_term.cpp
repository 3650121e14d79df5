// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/result_term.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/text/parse_pattern.hpp>

using namespace inlay;

namespace {

rule_fault fault(const char* left, const char* right) {
    pattern_text_options builds;
    builds.builds = true;
    const auto l = parse_pattern(left), r = parse_pattern(right, builds);
    REQUIRE(l);
    REQUIRE(r);
    return fault_of(l->view(), r->view());
}

}  // namespace

TEST_CASE("what can be built leaves no choice") {
    for (const char* right : {"?x", "f(?x, g(?x))", "f(?x, 2)", "f[a=1, ?x](?x)", "f(2{float32[1,3]})", "(?x, f(?x))", "f(?x).1"}) {
        CAPTURE(right);
        CHECK(fault("h(?x)", right) == rule_fault::none);
    }
    for (const char* right :
         {"*",       "f",          "f(...)",  "f(?x, ...)",       "f~(?x)",        "f/g(?x)",       "*(?x)",           "const",
          "input",   "f(?x) | ?x", "!?x",     "?x:f(?x)",         "?x{float32}",   "2{float32[?]}", "2{float32[1,*]}", "2{[1]}",
          "f(?x).*", "f[a](?x)",   "?x[a=1]", "repeat(f(_), ?x)", "if(?x, ?x, ?x)"}) {
        CAPTURE(right);
        CHECK(fault("h(?x)", right) == rule_fault::leaves_a_choice);
    }
}

TEST_CASE("names of the right side are bound by each match of the left side") {
    CHECK(fault("f(?x)", "?y") == rule_fault::unbound_capture);
    CHECK(fault("f(?x)", "g[?y](?x)") == rule_fault::unbound_capture);
    CHECK(fault("f(?x) | g(?y)", "?x") == rule_fault::maybe_unbound);
    CHECK(fault("f(?x) | g(?y)", "h[?x](1)") == rule_fault::maybe_unbound);
    CHECK(fault("f(?x) | g(?x)", "?x") == rule_fault::none);
    CHECK(fault("f(!?x)", "?x") == rule_fault::maybe_unbound);
    CHECK(fault("repeat(f(_, ?y), ?x)", "?x") == rule_fault::none);
    CHECK(fault("repeat(f(_, ?y), ?x)", "?y") == rule_fault::maybe_unbound);
    CHECK(fault("repeat[1..](f(_, ?y), ?x)", "?y") == rule_fault::none);
    CHECK(fault("dominates(?p, ?q, f)", "?p") == rule_fault::none);
    CHECK(fault("dominates(?p, ?q, f)", "?q") == rule_fault::maybe_unbound);
    CHECK(fault("%c:f(%c | ?x)", "?x") == rule_fault::maybe_unbound);
}
