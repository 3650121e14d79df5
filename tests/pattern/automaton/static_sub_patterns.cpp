// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/static_sub_patterns.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

namespace d = inlay::dsl;
using inlay::composite;

namespace {

template <class List>
bool same(const List& a, const List& b) {
    return inlay::detail::same_items(a, b);
}

/// Whether an inventory made at compile time is what the same patterns give at run time.
template <class... Ps>
void check_same(const inlay::sub_pattern_view& made, Ps... ps) {
    const std::vector<const inlay::pattern_view*> views{&inlay::view_of(ps)...};
    const inlay::sub_patterns at_run_time(views);
    const inlay::sub_pattern_view v = at_run_time.view();
    CHECK(same(made.forms, v.forms));
    CHECK(same(made.links, v.links));
    CHECK(same(made.names, v.names));
    CHECK(same(made.patterns, v.patterns));
    REQUIRE(made.guards.size() == v.guards.size());
    for (std::size_t i = 0; i < made.guards.size(); ++i) CHECK(inlay::detail::same_question(made.guards[i], v.guards[i]));
}

constexpr auto affine = d::maybe_call_on<2, "Add">(d::maybe_call_on<2, "Mul">(d::maybe_call_on<1, "Norm">(d::op<"Conv">)));
constexpr auto residual = d::maybe_call_on<2, "Add", "Sum">(affine);
constexpr auto activated =
    d::maybe_call_on<1, "Relu">(residual) | d::maybe_call_on<1, "Clip">(residual) | d::call_on<2, "Add">(d::op<"Tanh">(affine));
constexpr auto swish = d::commutative<"Mul">(d::as<"x">, d::op<"Sigmoid">(d::as<"x">));
constexpr auto chain = d::repeat<1>(d::op<"Relu">(d::hole) | d::op<"Add">(d::hole, d::any), d::op<"Conv">(d::any, d::constant));
constexpr auto tree = d::named<"sum">(d::op<"Add">(d::again<"sum">, d::again<"sum">) | d::input);

}  // namespace

TEST_CASE("an inventory made at compile time is the one made at run time") {
    check_same(inlay::sub_patterns_of(activated, swish, chain, tree), activated, swish, chain, tree);
    check_same(inlay::sub_patterns_of(affine & (!d::op<"Conv">)), affine & (!d::op<"Conv">));
    check_same(inlay::sub_patterns_of());
    static_assert(inlay::sub_patterns_of(swish).patterns.size() == 1 && !inlay::sub_patterns_of(swish).patterns[0].exact);
    static_assert(inlay::sub_patterns_of(activated).patterns[0].exact);
}

TEST_CASE("a table of composites has the inventory of its patterns, in its order") {
    constexpr inlay::pattern_table table(composite<"activated">(activated), composite<"swish">(swish), composite<"tail">(chain));
    check_same(inlay::sub_patterns_of(table), activated, swish, chain);
}
