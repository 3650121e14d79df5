// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list_lint.hpp>

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// A composite that stands behind one of a part of it, with and without a predicate.
struct unordered : toys::rows {
    static constexpr std::string_view kind = "unordered";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"relu">(op<"onnx.Relu">), composite<"add">(op<"onnx.Add">, [](const auto&, const auto&) { return verdict::yes(); }),
                             composite<"add_relu">(op<"onnx.Relu">(op<"onnx.Add">)), composite<"mul_add">(op<"onnx.Add">(op<"onnx.Mul">, any)));
    }
};

/// Lists what it emits, and one layout more that it can emit.
struct laid_out : toys::rows {
    static constexpr std::array border_layouts{layout::plain()};
    static constexpr std::array emitted_layouts{layout::channels_last(), layout::plain()};
};

static_assert(first_shadowed<unordered>() == shadowed_composite{"add_relu", "relu"});
static_assert(first_shadowed<toys::chains>() == shadowed_composite{});
static_assert(fit_for_eager<toys::list>);
static_assert(detail::emits_what_it_lists<laid_out>());
static_assert(detail::require_layouts<laid_out>::ok);
static_assert(detail::emits_what_it_lists<toys::chains>());

}  // namespace

TEST_CASE("a composite behind one that matches wherever it does, and has no predicate, is told of in one sentence [codegen.lint.shadowed]") {
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
