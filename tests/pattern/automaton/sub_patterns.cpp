// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/sub_patterns.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

#include "pattern/random_terms.hpp"

namespace d = inlay::dsl;
using inlay::sub_pattern;
using inlay::sub_pattern_view;
using form = inlay::sub_pattern::form;

namespace {

template <class... Ps>
struct inventory {
    std::vector<const inlay::pattern_view*> views;
    inlay::sub_patterns made;

    explicit inventory(Ps... ps) : views{&inlay::view_of(ps)...}, made(views) {}
    [[nodiscard]] sub_pattern_view view() const { return made.view(); }
};

std::size_t nodes_in(const sub_pattern_view& v) {
    std::size_t count = 0;
    for (const sub_pattern& s : v.forms) count += s.kind == form::node;
    return count;
}

}  // namespace

TEST_CASE("a sub-pattern that stands in several places stands in the inventory once") {
    constexpr auto conv = d::op<"Conv">(d::any, d::any);
    const inventory set(conv, d::op<"Relu">(conv), d::op<"Add">(conv, conv), d::as<"x">(conv));
    CHECK(nodes_in(set.view()) == 3);
    CHECK(set.view().names.size() == 3);
    CHECK(set.view().patterns[0] == set.view().patterns[3]);
    CHECK(set.view().patterns[0].exact);
    // What a pattern tries with and without a call on top doubles its terms each time, but not its sub-patterns.
    constexpr auto once = d::maybe_call_on<2, "Mul">(d::maybe_call_on<2, "Add">(d::maybe_call_on<1, "Norm">(d::op<"Conv">)));
    constexpr auto twice = d::maybe_call_on<1, "Relu">(d::maybe_call_on<2, "Sum">(once));
    const inventory chain(twice);
    CHECK(inlay::view_of(twice).terms.size() > 60);
    CHECK(nodes_in(chain.view()) == 6);
}

TEST_CASE("operands in any order make one sub-pattern, in whatever order they are written") {
    const inventory set(d::commutative<"Add">(d::input, d::constant), d::commutative<"Add">(d::constant, d::input),
                        d::op<"Add">(d::input, d::constant), d::op<"Add">(d::constant, d::input));
    const auto patterns = set.view().patterns;
    CHECK(patterns[0] == patterns[1]);
    CHECK_FALSE(patterns[2] == patterns[3]);
    CHECK_FALSE(patterns[0] == patterns[2]);
}

TEST_CASE("alternatives are a set, and any and never swallow what they decide") {
    constexpr auto f = d::op<"f">;
    const inventory set(f | f, f, f | d::any, f & d::any, d::any, !d::any, d::op<"g">(!d::any), (!d::any) | f,
                        (d::op<"g"> | f) & (f | d::op<"g">), f | d::op<"g">);
    const auto patterns = set.view().patterns;
    CHECK(patterns[0] == patterns[1]);
    CHECK(patterns[2].root == sub_pattern_view::always);
    CHECK(patterns[3] == patterns[1]);
    CHECK(patterns[4].root == sub_pattern_view::always);
    CHECK(patterns[5].root == sub_pattern_view::never);
    CHECK(patterns[6].root == sub_pattern_view::never);
    CHECK(patterns[7] == patterns[1]);
    CHECK(patterns[8] == patterns[9]);
    for (const auto& p : patterns) CHECK(p.exact);
}

TEST_CASE("a matcher has to look where a node stands twice, and not where a name stands in two alternatives") {
    const auto exact = [](auto p) { return inventory(p).view().patterns[0].exact; };
    CHECK(exact(d::op<"f">(d::as<"x">, d::as<"y">)));
    CHECK_FALSE(exact(d::op<"f">(d::as<"x">, d::as<"x">)));
    CHECK(exact(d::op<"f">(d::as<"x">) | d::op<"g">(d::as<"x">)));
    CHECK_FALSE(exact(d::op<"f">(d::as<"x">, d::op<"f">(d::as<"x">) | d::input)));
    CHECK(exact(d::op<"f">(!d::op<"g">(d::as<"x">))));
    CHECK_FALSE(exact(d::op<"f">(d::as<"x">, !d::op<"g">(d::as<"x">))));
    CHECK_FALSE(exact(d::dominates(d::op<"f">, d::any, d::op<"g">)));
    // A step that binds a name binds it as often as it stands there; the base stands once, but under two holes.
    CHECK(exact(d::repeat<1>(d::op<"f">(d::hole), d::as<"x">(d::op<"g">))));
    CHECK(exact(d::repeat<0, 1>(d::op<"f">(d::hole, d::as<"x">), d::any)));
    CHECK_FALSE(exact(d::repeat<1>(d::op<"f">(d::hole, d::as<"x">), d::any)));
    CHECK_FALSE(exact(d::repeat<1>(d::op<"f">(d::hole, d::hole), d::as<"x">(d::op<"g">))));
    CHECK(exact(d::repeat<1>(d::op<"f">(d::hole) | d::op<"h">(d::hole, d::any), d::as<"x">(d::op<"g">))));
    CHECK(exact(d::named<"c">(d::op<"f">(d::again<"c">) | d::input)));
    CHECK_FALSE(exact(d::named<"c">(d::op<"f">(d::again<"c">, d::as<"x">) | d::input)));
}

TEST_CASE("a repetition without an upper bound is a loop; what refers to itself at the same node is not followed") {
    const inventory loop(d::repeat<2>(d::op<"f">(d::hole), d::input));
    std::size_t loops = 0;
    for (const sub_pattern& s : loop.view().forms) loops += s.kind == form::loop;
    CHECK(loops == 1);
    CHECK(nodes_in(loop.view()) == 4);  // the input, the loop's call, and one for each of the two that have to be there
    CHECK(loop.view().patterns[0].exact);

    const inventory bounded(d::repeat<0, 3>(d::op<"f">(d::hole), d::input));
    CHECK(nodes_in(bounded.view()) == 4);
    CHECK(bounded.view().patterns[0].exact);
    CHECK_FALSE(inventory(d::repeat<0, 40>(d::op<"f">(d::hole), d::input)).view().patterns[0].exact);
}

TEST_CASE("patterns that mean harm end, and are taken to hold where they were not followed") {
    // 5,000 calls one in the other.
    owned_pattern deep;
    inlay::term_id below = deep.add({});
    for (int i = 0; i < 5000; ++i) {
        inlay::pattern_term t;
        t.kind = inlay::term_kind::node;
        below = deep.add(t, {below});
    }
    deep.root = below;
    // Terms that are each a child twice: 2^60 ways from the root down, under a hole, so that none is remembered.
    owned_pattern wide;
    inlay::pattern_term both, repeat, hole;
    both.kind = inlay::term_kind::node;
    repeat.kind = inlay::term_kind::repeat;
    hole.kind = inlay::term_kind::hole;
    below = wide.add(hole);
    for (int i = 0; i < 60; ++i) below = wide.add(both, {below, below});
    wide.root = wide.add(repeat, {below, wide.add({})});
    // An unordered node of a thousand operands.
    owned_pattern many;
    inlay::pattern_term input, call;
    input.kind = call.kind = inlay::term_kind::node;
    input.node = inlay::node_kind::input;
    call.unordered = true;
    const inlay::term_id leaf = many.add(input);
    many.root = many.add(call, std::vector<inlay::term_id>(1000, leaf));
    for (const owned_pattern* p : {&deep, &wide, &many}) {
        const inlay::pattern_view v = p->view();
        const inlay::pattern_view* const list[] = {&v};
        const inlay::sub_patterns made(list);
        CHECK_FALSE(made.view().patterns[0].exact);
        CHECK(made.view().forms.size() < 200'000);
    }
}
