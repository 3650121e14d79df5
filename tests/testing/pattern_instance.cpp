// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/testing/pattern_instance.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>

using namespace inlay;

namespace {

struct found {
    std::size_t made = 0, matched = 0;
};
found over(const std::string& text, std::size_t tries = 200) {
    const auto p = parse_pattern(text);
    REQUIRE_MESSAGE(p, (p ? std::string() : p.failure().message));
    const pattern_view view = p->view();
    pattern_instance instance(view, 5);
    found f;
    for (std::size_t i = 0; i < tries; ++i) {
        const auto m = instance.next();
        if (!m) continue;
        ++f.made;
        const user_lists users(*m);
        f.matched += matcher<ir_module>(*m, users).matches(view, m->result(m->main())) ? 1 : 0;
    }
    return f;
}

}  // namespace

TEST_CASE("a pattern matches the programs that are made of it") {
    for (const char* text :
         {"f", "f(?x, const)", "f/g(?x) | h(?x, ?x)", "f~(?x, g(*), ...)", "f[a=1, b=[1,2], c=\"s\", !d](?x)", "?r:f(?x{float32[2,?]})",
          "f(2, 0.5)", "repeat[1..3](f(_, ?y), g(?x))", "(?x, f(?x)).1", "(f, g)", "%c:f(%c | input)", "f & ?x", "input", "const"}) {
        CAPTURE(text);
        const found f = over(text);
        CHECK(f.made > 20);
        CHECK(f.matched == f.made);
    }
}

TEST_CASE("negations are left to chance, and what no program can be made of makes none") {
    CHECK(over("f(!g)").matched > 100);
    CHECK(over("const#00000000000000000000000000000001").made == 0);
    CHECK(over("*(?x)").made == 0);
    CHECK(over("if(*, *, *)").made == 0);
}

TEST_CASE("the same seed makes the same programs, and they differ among each other") {
    const auto p = parse_pattern("f(?x, const) | g(?x)");
    const pattern_view view = p->view();
    pattern_instance a(view, 7), b(view, 7);
    std::string first;
    bool different = false;
    for (int i = 0; i < 20; ++i) {
        const std::string one = relay_text(*a.next());
        CHECK(one == relay_text(*b.next()));
        different = different || (i != 0 && one != first);
        first = one;
    }
    CHECK(different);
}
