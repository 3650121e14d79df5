// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/functions/lower_primitives.hpp>

#include <doctest/doctest.h>

#include <inlay/passes/functions/a_normal_form.hpp>
#include <inlay/passes/functions/lift_functions.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "placement/planned.hpp"

using namespace inlay;

namespace {

lowered_program lowered(const std::string& text) {
    const auto placed = plan_devices(planned::program(text), planned::two_devices());
    REQUIRE_MESSAGE(placed.has_value(), (placed ? std::string() : placed.failure().message));
    return lower_primitives(*placed);
}
std::vector<std::string> names_of(const lowered_program& p) {
    std::vector<std::string> names;
    for (const lowered_function& f : p.functions) names.push_back(f.name);
    return names;
}
using strings = std::vector<std::string>;

}  // namespace

TEST_CASE("equal functions on one target are one kernel, on two targets two") {
    const lowered_program p = lowered(R"(
        def @main(%x {virtual_device=[gpu]}: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64, Primitive=1) -> int64 { negative(add(%a, 3i64)) };
          %0 = fn (%b: int64, Primitive=1) -> int64 { negative(add(%b, 3i64)) };
          %1 = fn (%b: int64, Primitive=1) -> int64 { negative(add(%b, 3i64)) };
          %2 = fn (%b: int64, Primitive=1) -> int64 { negative(add(%b, 4i64)) };
          let %s: int64 = on_device(%f(%x), virtual_device=[gpu]);
          let %t: int64 = on_device(%0(on_device(%s, virtual_device=[gpu])), virtual_device=[gpu]);
          %3 = device_copy(%t, src_virtual_device=[gpu], dst_virtual_device=[cpu]);
          let %u: int64 = on_device(%1(%3), virtual_device=[cpu]);
          on_device(%2(on_device(%u, virtual_device=[cpu])), virtual_device=[cpu]) })");
    CHECK(names_of(p) == strings{"lowered_add_negative", "lowered_add_negative_1", "lowered_add_negative_2"});
    REQUIRE(p.functions.size() == 3);
    CHECK(target_text(p.functions[0].target.at(0)).starts_with("cuda"));
    CHECK(target_text(p.functions[1].target.at(0)).starts_with("llvm"));
    CHECK(p.functions[0].body.main() + 1 == p.functions[0].body.size());
    std::size_t calls = 0;
    for (node_id n = 0; n < p.program.size(); ++n) {
        CHECK(p.program.kind(n) != node_kind::apply);
        if (p.program.kind(n) == node_kind::call && p.program.op(n) == "call_lowered") ++calls;
    }
    CHECK(calls == 4);
    CHECK(p.functions[2].target == p.functions[1].target);
    kept_meaning::check_places(p.program);
    kept_meaning::check_runs(p.program, {tensor::scalar(std::int64_t{5})}, {tensor::scalar(std::int64_t{4})});
}

TEST_CASE("a primitive function that somebody passes on stays, and calls inside kernels are their own") {
    const lowered_program p = lowered(R"(
        def @both(%f: fn (int64) -> int64, %x: int64) -> int64 { %f(%x) }
        def @main(%x: int64) -> int64 {
          %0 = fn (%a: int64, Primitive=1) -> int64 { negative(%a) };
          @both(%0, %x) })");
    CHECK(p.functions.empty());
    kept_meaning::check_places(p.program);
}

TEST_CASE("a global that is primitive is a kernel too, and names that are taken are not taken again") {
    const lowered_program p = lowered(R"(
        def @lowered_negative(%x: int64) -> int64 { %x }
        def @k(%a: int64, Primitive=1) -> int64 { negative(%a) }
        def @main(%x: int64) -> int64 { @k(@lowered_negative(%x)) })");
    CHECK(names_of(p) == strings{"lowered_negative_1"});
    kept_meaning::check_places(p.program);
    kept_meaning::check_runs(p.program, {tensor::scalar(std::int64_t{5})}, {tensor::scalar(std::int64_t{-5})});
}

TEST_CASE("scopes of memory make kernels of their own, which say so") {
    const lowered_program p = lowered(R"(
        def @main(%x {virtual_device=[cpu]}: int64, %y {virtual_device=[cpu.near]}: int64, virtual_device=[cpu]) -> (int64, int64) {
          %0 = fn (%a: int64, Primitive=1) -> int64 { negative(%a) };
          %1 = fn (%a: int64, Primitive=1) -> int64 { negative(%a) };
          (on_device(%0(%x), virtual_device=[cpu]), on_device(%1(%y), virtual_device=[cpu])) })");
    REQUIRE(names_of(p) == strings{"lowered_negative", "lowered_negative_1"});
    std::vector<std::string> scopes;
    for (const node_id f : p.program.functions())
        if (p.program.symbol(f) != "main") scopes.push_back(p.program.where(p.program.parameters(f)[0]).scope);
    CHECK(scopes == strings{"", "near"});
    kept_meaning::check_places(p.program);
}

TEST_CASE("random programs: lowering keeps meaning and places, behind normal form and lifting") {
    // Operators as kernels: each call is a primitive function of its own.
    const auto as_kernels = [](const ir_module& m) {
        ir_builder b;
        b.copy_from(m);
        std::vector<node_id> made(m.size()), operands;
        for (node_id n = 0; n < m.size(); ++n) {
            operands.clear();
            for (const node_id o : m.operands(n)) operands.push_back(made[o]);
            if (m.kind(n) != node_kind::call || m.op(n) == "device_copy") {
                made[n] = b.copy(m, n, operands);
                continue;
            }
            std::vector<node_id> parameters;
            for (const node_id o : m.operands(n)) parameters.push_back(b.input("p", m.type(o)));
            const node_id body = b.copy(m, n, parameters);
            b.set_where(body, {});
            operands.insert(operands.begin(), b.function(parameters, body, {}, {{"Primitive", std::int64_t{1}}}));
            b.set_where(operands.front(), m.where(n));
            made[n] = b.apply(operands, m.type(n));
            b.set_where(made[n], m.where(n));
        }
        for (const node_id f : m.functions()) b.declare(made[f]);
        return b.finish_in_blocks();
    };
    std::size_t kernels = 0;
    kept_meaning::check_random([&](const ir_module& m) {
        lowered_program p = lower_primitives(as_kernels(m));
        kernels += p.functions.size();
        for (node_id n = 0; n < p.program.size(); ++n)
            if (p.program.kind(n) == node_kind::apply) CHECK(p.program.attributes(p.program.operand(n, 0)).integer("Primitive", 0) == 0);
        return std::move(p.program);
    });
    CHECK(kernels > 0);
    kept_meaning::check_random([&](const ir_module& m) {
        auto lifted = lift_functions(to_a_normal_form(as_kernels(m)));
        REQUIRE(lifted.has_value());
        return lower_primitives(*lifted).program;
    });
}
