// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Compiled alone: behind some other tests g++ 12 takes the chain below for no pattern.
#include <inlay/candidate/captured_operators.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

namespace {

using namespace inlay;
using namespace inlay::dsl;

constexpr std::string_view two[] = {"Conv", "ConvTranspose"};

/// What the pattern says of the operator at capture x.
template <pattern P>
constexpr operator_fit of(P p) {
    return captured_operator(view_of(p), P::binds::slot("x"), two);
}

constexpr auto conv = op<"Conv">;
constexpr auto relu = op<"Relu">;

// Where the operator is named, at the capture or through what only asks more of the node.
static_assert(of(as<"x">(conv)) == operator_fit::fits);
static_assert(of(as<"x">(op<"Conv", "ConvTranspose">(any, rest))) == operator_fit::fits);
static_assert(of(relu(as<"x">(attribute<"group", 1>(conv)))) == operator_fit::fits);
static_assert(of(relu(as<"x">(of_element<element_type::float32>(conv)))) == operator_fit::fits);
static_assert(of(as<"x">(conv & any)) == operator_fit::fits);
static_assert(of(as<"y">(as<"x">(conv))) == operator_fit::fits);
static_assert(of(as<"x">(as<"y">(conv))) == operator_fit::fits);

// Where it is another, or may be.
static_assert(of(as<"x">(relu)) == operator_fit::foreign);
static_assert(of(as<"x">(op<"Conv", "Relu">)) == operator_fit::foreign);
static_assert(of(as<"x">(conv | relu)) == operator_fit::foreign);
static_assert(of(as<"x">(optional<"Relu">(conv))) == operator_fit::foreign);
static_assert(of(as<"x">(constant)) == operator_fit::foreign);
static_assert(of(as<"x">(maybe_call_on<1, "Relu">(conv))) == operator_fit::foreign);

// Where the pattern does not say.
static_assert(of(as<"x">) == operator_fit::open);
static_assert(of(as<"x">(any_call)) == operator_fit::open);
static_assert(of(as<"x">(!relu)) == operator_fit::open);
static_assert(of(as<"x">(conv | any)) == operator_fit::open);

// A name that stands twice means one node, so one place that names the operator is enough; in one of two alternatives it is not.
static_assert(of(op<"Add">(as<"x">(conv), as<"x">)) == operator_fit::fits);
static_assert(of(op<"Add">(as<"x">, as<"x">(conv))) == operator_fit::fits);
static_assert(of(as<"x">(conv) | relu(as<"x">)) == operator_fit::open);
static_assert(of(as<"x">(conv) | relu(as<"x">(conv))) == operator_fit::fits);
static_assert(of(op<"Add">(as<"x">(conv) | any, as<"x">)) == operator_fit::open);
static_assert(of(op<"Add">(as<"x">(relu) | any, as<"x">(conv))) == operator_fit::fits);
static_assert(of(op<"Add">(as<"x">(conv) | any, any)) == operator_fit::fits);

// Under a negation nothing is bound; in what repeats, each step may be the one.
static_assert(of(op<"Add">(!as<"x">(conv), any)) == operator_fit::unbound);
static_assert(of(repeat<>(as<"x">(conv(hole, rest)), relu)) == operator_fit::fits);
static_assert(of(repeat<>(as<"x">(conv(hole, rest)), as<"x">)) == operator_fit::open);
static_assert(of(named<"chain">(as<"x">(conv((again<"chain"> | input), rest)))) == operator_fit::fits);
static_assert(of(dominates(as<"x">(conv), relu, op<"Add">)) == operator_fit::fits);
static_assert(of(dominates(any, as<"x">(relu), as<"x">(conv))) == operator_fit::fits);

}  // namespace

TEST_CASE("a capture's operator is asked of patterns read at run time as well") {
    const pattern_view p = view_of(relu(as<"x">(conv)));
    CHECK(captured_operator(p, p.slot("x"), two) == operator_fit::fits);
    const std::string_view others[] = {"Gemm"};
    CHECK(captured_operator(p, p.slot("x"), others) == operator_fit::foreign);
}
