// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/sub_pattern_store.hpp>

#include <doctest/doctest.h>

using inlay::plain_list;
using inlay::sub_pattern;
using inlay::sub_pattern_id;
using inlay::sub_pattern_store;
using inlay::sub_pattern_view;
using form = inlay::sub_pattern::form;

namespace {

sub_pattern_id call(sub_pattern_store& store, std::string_view name, std::initializer_list<sub_pattern_id> children = {}) {
    sub_pattern s;
    s.kind = form::node;
    s.arity = static_cast<std::uint32_t>(children.size());
    return store.add(s, {children.begin(), children.size()}, {&name, 1});
}
sub_pattern_id several(sub_pattern_store& store, form kind, std::initializer_list<sub_pattern_id> of) {
    plain_list<sub_pattern_id> pending;
    pending.push_back(77);  // what stands before stays
    for (const sub_pattern_id s : of) pending.push_back(s);
    const sub_pattern_id made = store.several(kind, pending, 1);
    CHECK(pending.size() == 1);
    return made;
}

}  // namespace

TEST_CASE("equal sub-patterns have one number") {
    sub_pattern_store store;
    CHECK(store.forms().size() == 2);
    const sub_pattern_id f = call(store, "f"), g = call(store, "g");
    CHECK(f != g);
    CHECK(call(store, "f") == f);
    CHECK(call(store, "f", {f}) != f);
    CHECK(call(store, "f", {f}) == call(store, "f", {f}));
    CHECK(call(store, "f", {f}) != call(store, "f", {g}));
    CHECK(store.names().size() == 2);
}

TEST_CASE("what follows from its parts alone is none of its own") {
    sub_pattern_store store;
    const sub_pattern_id f = call(store, "f"), g = call(store, "g");
    constexpr auto always = sub_pattern_view::always, never = sub_pattern_view::never;
    CHECK(several(store, form::either, {}) == never);
    CHECK(several(store, form::both, {}) == always);
    CHECK(several(store, form::either, {f, never, f}) == f);
    CHECK(several(store, form::both, {f, always, f}) == f);
    CHECK(several(store, form::either, {f, always}) == always);
    CHECK(several(store, form::both, {f, never}) == never);
    CHECK(several(store, form::either, {f, g}) == several(store, form::either, {g, f, g}));
    CHECK(several(store, form::either, {f, g}) != several(store, form::both, {f, g}));
    CHECK(store.negated(always) == never);
    CHECK(store.negated(never) == always);
    CHECK(store.negated(f) == store.negated(f));
}

TEST_CASE("a loop is told its child later, and is never taken for another") {
    sub_pattern_store store;
    const sub_pattern_id first = store.loop(), second = store.loop();
    CHECK(first != second);
    const sub_pattern_id f = call(store, "f", {first});
    store.close(first, f);
    const sub_pattern_view view{store.forms(), store.links(), store.names(), store.guards(), {}};
    CHECK(view.children(first)[0] == f);
    CHECK(view.children(second)[0] == sub_pattern_view::always);
}

TEST_CASE("equal questions are one") {
    sub_pattern_store store;
    inlay::pattern_term two, three;
    two.kind = three.kind = inlay::term_kind::literal;
    two.number = 2;
    three.number = 3;
    const inlay::pattern_term same = two;
    CHECK(store.question({&two, nullptr, false}) == store.question({&same, nullptr, false}));
    CHECK(store.question({&two, nullptr, false}) != store.question({&three, nullptr, false}));
    CHECK(store.guards().size() == 2);
}
