// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/functions/inline_calls.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "placement/planned.hpp"

using namespace inlay;

namespace {

void check_flow(const std::string& text, const std::string& expected) {
    const auto made = inline_calls(planned::program(text));
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    const auto difference = compare_programs(*made, planned::program(expected));
    CHECK_MESSAGE(!difference, *difference << "\n" << relay_text(*made));
}
std::string refused(const std::string& text) {
    const auto made = inline_calls(planned::program(text));
    return made ? "nothing" : made.failure().message;
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("lets go, functions stand where they are called, each call by itself") {
    check_flow(R"(
        def @twice(%x: int64) -> int64 { add(%x, %x) }
        def @main(%x: int64) -> int64 {
          let %y: int64 = @twice(%x);
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 { multiply(%a, %y) };
          add(%f(%x), %f(@twice(%y))) })",
               R"(
        def @main(%x: int64) -> int64 {
          %0 = add(%x, %x);
          add(multiply(%x, %0), multiply(add(%0, %0), %0)) })");
}

TEST_CASE("functions that are given and given back are known where they are called") {
    check_flow(R"(
        def @both(%f: fn (int64) -> int64, %x: int64) -> int64 { %f(%f(%x)) }
        def @adds(%n: int64) -> fn (int64) -> int64 { fn (%a: int64) -> int64 { add(%a, %n) } }
        def @main(%x: int64, %y: int64) -> int64 { @both(@adds(%y), %x) })",
               R"(
        def @main(%x: int64, %y: int64) -> int64 { add(add(%x, %y), %y) })");
}

TEST_CASE("a field of a tuple that is made here is that field; parts and kernels stay") {
    check_flow(R"(
        def @pair(%x: int64) -> (int64, int64) { (%x, negative(%x)) }
        def @main(%x: int64) -> int64 { let %p: (int64, int64) = @pair(%x); subtract(%p.0, %p.1) })",
               R"(
        def @main(%x: int64) -> int64 { subtract(%x, negative(%x)) })");
    check_flow(R"(
        def @k(%a: int64, Compiler="mine", global_symbol="k") -> int64 { negative(%a) }
        def @main(%x: int64) -> int64 { let %y: int64 = @k(%x); %0 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) }; %0(%y) })",
               R"(
        def @k(%a: int64, Compiler="mine", global_symbol="k") -> int64 { negative(%a) }
        def @main(%x: int64) -> int64 { %0 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) }; %0(@k(%x)) })");
}

TEST_CASE("what is no flow of data says which node it is about, and where") {
    CHECK(has(refused("def @main(%c: bool, %x: int64) -> int64 { if (%c) { %x } else { negative(%x) } }"), "is a choice"));
    CHECK(has(refused("def @f(%x: int64) -> int64 { @f(%x) }\ndef @main(%x: int64) -> int64 { @f(%x) }"), "a function that calls itself"));
    CHECK(has(refused("def @main(%x: int64) -> int64 { let %r: ref(int64) = ref(%x); ref_read(%r) }"), "is about a reference"));
    CHECK(has(refused("def @main(%x: int64) -> fn (int64) -> int64 { fn (%a: int64) -> int64 { add(%a, %x) } }"), "gives a function"));
    CHECK(has(refused("def @main(%c: bool, %x: int64) -> int64 { if (%c) { %x } else { negative(%x) } }"), "line 2, column"));
}

TEST_CASE("calls a hundred thousand deep are inlined, and what grows without end is refused") {
    ir_builder b;
    const node_type one = tensor_type(element_type::float32, shape{});
    const node_id x = b.input("x", one);
    node_id now = x;
    for (int i = 0; i < 100'000; ++i) {
        const node_id v = b.input("v", one);
        now = b.let(v, b.call("negative", {now}, {}, one), v);
    }
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, now, "main"));
    const auto made = inline_calls(b.finish_in_blocks());
    REQUIRE(made.has_value());
    CHECK(made->size() == 100'002);
}

TEST_CASE("random programs that are flows of data keep meaning and places") {
    std::size_t flows = 0;
    kept_meaning::check_random([&](const ir_module& m) {
        const auto made = inline_calls(m);
        flows += made ? 1 : 0;
        return made ? *made : m;
    });
    CHECK(flows > 0);
}
