// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/functions/a_normal_form.hpp>

#include <doctest/doctest.h>

#include "passes/functions/kept_meaning.hpp"
#include "placement/planned.hpp"

using namespace inlay;

namespace {

/// Whether every operand of every node is an atom, but for let values, bodies, results and the arguments of lowered functions.
bool is_normal(const ir_module& m) {
    const std::vector<char> left = inside_left_functions(m);
    const auto is_atom = [&](node_id n) {
        const node_kind k = m.kind(n);
        return k == node_kind::input || k == node_kind::constant || k == node_kind::global ||
               (k == node_kind::function && m.attributes(n).integer("Primitive", 0) != 0);
    };
    for (node_id n = 0; n < m.size(); ++n) {
        if (left[n] != 0) continue;
        const node_kind k = m.kind(n);
        if (k == node_kind::function || k == node_kind::let) continue;
        const std::size_t looked_at = k == node_kind::if_else || k == node_kind::match ? 1 : m.arity(n);
        for (std::size_t i = 0; i < looked_at; ++i)
            if (!is_atom(m.operand(n, i))) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("operands are bound in the order in which they are evaluated, and what is shared once") {
    const ir_module made = to_a_normal_form(planned::program(R"(
        def @main(%x: int64, %y: int64) -> int64 {
          %0 = negative(%x);
          add(multiply(%0, %y), subtract(%0, 1i64)) })"));
    CHECK_FALSE(compare_programs(made, planned::program(R"(
        def @main(%x: int64, %y: int64) -> int64 {
          let %a: int64 = negative(%x);
          let %b: int64 = multiply(%a, %y);
          let %c: int64 = subtract(%a, 1i64);
          let %d: int64 = add(%b, %c);
          %d })")));
}

TEST_CASE("lets keep their order and their variables, and one that only renames goes") {
    const ir_module made = to_a_normal_form(planned::program(R"(
        def @main(%x: int64) -> int64 {
          let %r: ref(int64) = ref(%x);
          let %same: ref(int64) = %r;
          let %v: () = ref_write(%same, add(ref_read(%r), 1i64));
          ref_read(%same) })"));
    CHECK_FALSE(compare_programs(made, planned::program(R"(
        def @main(%x: int64) -> int64 {
          let %r: ref(int64) = ref(%x);
          let %a: int64 = ref_read(%r);
          let %b: int64 = add(%a, 1i64);
          let %v: () = ref_write(%r, %b);
          let %c: int64 = ref_read(%r);
          %c })")));
}

TEST_CASE("branches and functions have bindings of their own, primitive functions none") {
    const ir_module made = to_a_normal_form(planned::program(R"(
        def @main(%c: bool, %x: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 { negative(add(%a, %x)) };
          %0 = fn (%b: int64, Primitive=1) -> int64 { add(negative(%b), %b) };
          if (%c) { %f(%0(%x)) } else { negative(negative(%x)) } })"));
    CHECK_FALSE(compare_programs(made, planned::program(R"(
        def @main(%c: bool, %x: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 {
            let %s: int64 = add(%a, %x);
            let %t: int64 = negative(%s);
            %t };
          let %i: int64 = if (%c) {
            %0 = fn (%b: int64, Primitive=1) -> int64 { add(negative(%b), %b) };
            let %p: int64 = %0(%x);
            let %q: int64 = %f(%p);
            %q
          } else {
            let %u: int64 = negative(%x);
            let %v: int64 = negative(%u);
            %v
          };
          %i })")));
}

TEST_CASE("a function that calls itself is bound to its own variable") {
    const ir_module made = to_a_normal_form(planned::program(R"(
        def @main(%c: bool, %x: int64) -> int64 {
          let %f: fn (bool, int64) -> int64 = fn (%d: bool, %a: int64) -> int64 { if (%d) { %f(False, negative(%a)) } else { %a } };
          %f(%c, %x) })"));
    CHECK(is_normal(made));
    CHECK_FALSE(compare_programs(made, planned::program(R"(
        def @main(%c: bool, %x: int64) -> int64 {
          let %f: fn (bool, int64) -> int64 = fn (%d: bool, %a: int64) -> int64 {
            let %i: int64 = if (%d) { let %n: int64 = negative(%a); let %g: int64 = %f(False, %n); %g } else { %a };
            %i };
          let %h: int64 = %f(%c, %x);
          %h })")));
}

TEST_CASE("the arguments of a lowered function stay where it is called") {
    const ir_module made = to_a_normal_form(planned::program(R"(
        extern def @g(%A: int64, %B: int64) -> int64;
        def @main(%x: int64) -> int64 { call_lowered(@g, (negative(%x), %x)) })"));
    CHECK_FALSE(compare_programs(made, planned::program(R"(
        extern def @g(%A: int64, %B: int64) -> int64;
        def @main(%x: int64) -> int64 {
          let %n: int64 = negative(%x);
          let %g: int64 = call_lowered(@g, (%n, %x));
          %g })")));
}

TEST_CASE("a hundred thousand values deep is put in normal form") {
    ir_builder b;
    const node_type one = tensor_type(element_type::float32, shape{});
    const node_id x = b.input("x", one);
    node_id now = x;
    for (int i = 0; i < 100'000; ++i) now = b.call("negative", {now}, {}, one);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, now, "main"));
    const ir_module made = to_a_normal_form(b.finish_in_blocks());
    std::size_t lets = 0;
    for (node_id n = 0; n < made.size(); ++n) lets += made.kind(n) == node_kind::let ? 1 : 0;
    CHECK(lets == 100'000);
}

TEST_CASE("random programs: normal form is normal, keeps meaning and places, and is its own normal form") {
    kept_meaning::check_random([](const ir_module& m) {
        const ir_module made = to_a_normal_form(m);
        CHECK(is_normal(made));
        CHECK(compare_programs(to_a_normal_form(made), made).value_or("") == "");
        return made;
    });
}
