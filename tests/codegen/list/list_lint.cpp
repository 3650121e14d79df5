// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/list_lint.hpp>

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// A composite that stands behind one of a part of it, with and without a predicate.
struct unordered : toys::rows {
    static constexpr std::string_view kind = "unordered";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(
            composite<"relu">(op<"onnx.Relu">), composite<"add">(op<"onnx.Add">, [](const auto&, const auto&) { return verdict::yes(); }),
            composite<"add_relu">(op<"onnx.Relu">(op<"onnx.Add">)), composite<"mul_add">(op<"onnx.Add">(op<"onnx.Mul">, any)));
    }
};

/// Larger composites behind smaller ones that take nodes out of their middle.
struct small_first : toys::rows {
    static constexpr std::string_view kind = "small_first";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"conv">(op<"onnx.Conv">), composite<"conv_relu">(op<"onnx.Relu">(op<"onnx.Conv">)),
                             composite<"clip_conv">(op<"onnx.Clip">(op<"onnx.Tanh">(op<"onnx.Conv">(any, any)), rest)));
    }
};

/// Every larger composite has a match of which no smaller one takes a node, or may have.
struct not_shadowed : toys::rows {
    static constexpr std::string_view kind = "not_shadowed";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"grouped">(op<"onnx.Conv">, [](const auto&, const auto&) { return verdict::yes(); }),
                             composite<"conv_relu">(op<"onnx.Relu">(op<"onnx.Conv">)), composite<"tanh">(op<"onnx.Tanh">),
                             composite<"either">(op<"onnx.Neg">(op<"onnx.Tanh"> | op<"onnx.Exp">)),
                             composite<"tanh_exp">(op<"onnx.Tanh">(op<"onnx.Exp">)),
                             composite<"sqrt_of_abs">(op<"onnx.Sqrt">(op<"onnx.Abs">)),
                             composite<"twice">(op<"onnx.Add">(op<"onnx.Sqrt">(as<"a">(op<"onnx.Abs">)), as<"a">)));
    }
};

/// Lists what it emits, and one layout more that it can emit.
struct laid_out : toys::rows {
    static constexpr std::array border_layouts{layout::plain()};
    static constexpr std::array emitted_layouts{layout::channels_last(), layout::plain()};
};

static_assert(first_shadowed<unordered>() == shadowed_composite{"add_relu", "relu"});
static_assert(first_shadowed<small_first>() == shadowed_composite{"conv_relu", "conv", true});
static_assert(first_shadowed<not_shadowed>() == shadowed_composite{"tanh_exp", "tanh"});
static_assert(first_shadowed<toys::chains>() == shadowed_composite{});
static_assert(fit_for_eager<toys::list>);
static_assert(detail::emits_what_it_lists<laid_out>());
static_assert(detail::require_layouts<laid_out>::ok);
static_assert(detail::emits_what_it_lists<toys::chains>());

}  // namespace

TEST_CASE(
    "a composite behind one that matches wherever it does, and has no predicate, is told of in one sentence [codegen.lint.shadowed]") {
    CHECK(list_notes(toys::list()).empty());
    const backend_list<toys::chains, unordered> backends;
    const auto notes = list_notes(backends);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "composite 'add_relu' of back end 'unordered' stands behind 'relu', which matches wherever it does and has no predicate, so that "
          "eager never gets to it; put it first, or give the other one a predicate");
    // Who takes no part is not told of.
    auto alone = backends;
    alone.choose({0});
    CHECK(list_notes(alone).empty());
}

TEST_CASE("a composite is told of if an earlier one without a predicate takes nodes out of its middle [codegen.lint.inside]") {
    const backend_list<small_first> backends;
    const auto notes = list_notes(backends);
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] ==
          "composite 'conv_relu' of back end 'small_first' stands behind 'conv', which takes nodes out of each of its matches and has no "
          "predicate, so that eager never gets to it; put it first, or give the other one a predicate");
    CHECK(notes[1].starts_with("composite 'clip_conv'"));
    const auto fine = list_notes(backend_list<not_shadowed>());
    REQUIRE(fine.size() == 1);
    CHECK(fine[0].starts_with("composite 'tanh_exp' of back end 'not_shadowed' stands behind 'tanh', which matches wherever it does"));
}
