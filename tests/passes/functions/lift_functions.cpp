// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/functions/lift_functions.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>
#include <inlay/passes/functions/a_normal_form.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "placement/planned.hpp"

using namespace inlay;

namespace {

ir_module lifted(const ir_module& m) {
    auto made = lift_functions(m);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
void check_lifted(const std::string& text, const std::string& expected) {
    const ir_module made = lifted(planned::program(text));
    const auto difference = compare_programs(made, planned::program(expected));
    CHECK_MESSAGE(!difference, *difference << "\n" << relay_text(made));
}

/// Whether functions stand at the top alone, or are what a function with the attribute `Closure` gives.
bool is_flat(const ir_module& m) {
    const std::vector<char> left = inside_left_functions(m);
    std::vector<char> given(m.size(), 0);
    for (const node_id f : m.functions()) {
        given[f] = 1;
        if (m.attributes(f).integer("Closure", 0) != 0) given[m.result(f)] = 1;
    }
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::function && given[n] == 0 && left[n] == 0 && m.attributes(n).integer("Primitive", 0) == 0) return false;
    return true;
}

}  // namespace

TEST_CASE("a function that reads nothing around it becomes one of the module") {
    check_lifted(R"(
        def @main(%x: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 { negative(%a) };
          %f(%f(%x)) })",
                 R"(
        def @main_f(%a: int64) -> int64 { negative(%a) }
        def @main(%x: int64) -> int64 { let %f: fn (int64) -> int64 = @main_f; %f(%f(%x)) })");
}

TEST_CASE("what a function reads around it is given to a function that makes it") {
    check_lifted(R"(
        def @main_f(%x: int64) -> int64 { %x }
        def @main(%x: int64, %y: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 {
            let %g: fn (int64) -> int64 = fn (%b: int64) -> int64 { add(%b, multiply(%a, %x)) };
            %g(%y) };
          %f(%x) })",
                 R"(
        def @main_f(%x: int64) -> int64 { %x }
        def @main_g(%x: int64, %m: int64, Closure=1) -> fn (int64) -> int64 { fn (%b: int64) -> int64 { add(%b, multiply(%m, %x)) } }
        def @main_f_1(%x: int64, %y: int64, Closure=1) -> fn (int64) -> int64 {
          fn (%a: int64) -> int64 { let %g: fn (int64) -> int64 = @main_g(%x, %a); %g(%y) } }
        def @main(%x: int64, %y: int64) -> int64 { let %f: fn (int64) -> int64 = @main_f_1(%x, %y); %f(%x) })");
}

TEST_CASE("a function that calls itself makes itself anew") {
    check_lifted(R"(
        def @main(%c: bool, %x: int64) -> int64 {
          let %f: fn (bool) -> int64 = fn (%d: bool) -> int64 { if (%d) { %f(False) } else { %x } };
          %f(%c) })",
                 R"(
        def @main_f(%x: int64, Closure=1) -> fn (bool) -> int64 {
          fn (%d: bool) -> int64 { if (%d) { @main_f(%x)(False) } else { %x } } }
        def @main(%c: bool, %x: int64) -> int64 { let %f: fn (bool) -> int64 = @main_f(%x); %f(%c) })");
    check_lifted(R"(
        def @main(%c: bool) -> bool {
          let %f: fn (bool) -> bool = fn (%d: bool) -> bool { if (%d) { %f(False) } else { %d } };
          %f(%c) })",
                 R"(
        def @main_f(%d: bool) -> bool { if (%d) { @main_f(False) } else { %d } }
        def @main(%c: bool) -> bool { let %f: fn (bool) -> bool = @main_f; %f(%c) })");
}

TEST_CASE("primitive functions, and those that another compiler owns, stay where they are") {
    const char* text = R"(
        def @main(%x: int64) -> int64 { %0 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) }; %0(%x) })";
    check_lifted(text, text);
}

TEST_CASE("closures nested two hundred deep are lifted") {
    ir_builder b;
    const node_type one = tensor_type(element_type::float32, shape{});
    std::vector<node_id> parameters;
    for (int i = 0; i < 200; ++i) parameters.push_back(b.input("p", one));
    node_id body = b.call("add", {parameters.front(), parameters.back()}, {}, one);
    for (std::size_t i = parameters.size(); i-- > 1;) body = b.function(std::span(&parameters[i], 1), body);
    b.declare(b.function(std::span(parameters.data(), 1), body, "main"));
    CHECK(is_flat(lifted(b.finish_in_blocks())));
}

TEST_CASE("random programs: lifted functions are flat, and keep meaning and places, before normal form and behind it") {
    kept_meaning::check_random([](const ir_module& m) {
        const ir_module made = lifted(m);
        CHECK(is_flat(made));
        CHECK(compare_programs(lifted(made), made).value_or("") == "");
        return made;
    });
    kept_meaning::check_random([](const ir_module& m) {
        const ir_module made = lifted(to_a_normal_form(m));
        CHECK(is_flat(made));
        return made;
    });
}
