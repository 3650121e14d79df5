// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/term_writer.hpp>

#include <array>
#include <string_view>

#include <doctest/doctest.h>

using inlay::pattern_term;
using inlay::term_id;

TEST_CASE("terms and their children are written one after the other") {
    std::array<pattern_term, 3> terms;
    std::array<term_id, 2> links{};
    inlay::term_writer w(terms.data(), links.data(), {});
    const term_id a = w.add({}), b = w.add({}), both = w.add({}, {b, a});
    CHECK(both == 2);
    CHECK(w.terms() == 3);
    CHECK(w.links() == 2);
    CHECK(terms[2].first == 0);
    CHECK(terms[2].count == 2);
    CHECK(links == std::array<term_id, 2>{b, a});
    CHECK((inlay::term_counts{1, 2} + inlay::term_counts{3, 4}).links == 6);
}

TEST_CASE("a name has its first slot") {
    const std::array<std::string_view, 3> slots{"a", "b", "a"};
    const inlay::term_writer w(nullptr, nullptr, slots);
    CHECK(w.slot("a") == 0);
    CHECK(w.slot("b") == 1);
    CHECK(w.slot("c") == 3);
}

TEST_CASE("a definition is known inside itself, the innermost of a name first, and nowhere else") {
    std::array<pattern_term, 4> terms;
    std::array<term_id, 4> links{};
    inlay::term_writer w(terms.data(), links.data(), {});
    term_id inner = 9, outer_inside = 9, outer_behind = 9;
    const term_id outer = w.define("p", [&](inlay::term_writer& in) {
        in.define("p", [&](inlay::term_writer& deep) {
            inner = deep.defined("p");
            return deep.add({});
        });
        outer_behind = in.defined("p");
        outer_inside = in.defined("q");
        return in.add({});
    });
    CHECK(inner == 1);
    CHECK(outer_behind == outer);
    CHECK(outer_inside == inlay::no_term);
    CHECK(w.defined("p") == inlay::no_term);
    CHECK(terms[outer].kind == inlay::term_kind::reference);
    CHECK(links[terms[outer].first] == 3);
    CHECK(links[terms[1].first] == 2);
}
