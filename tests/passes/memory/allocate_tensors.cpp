// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/memory/allocate_tensors.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include <inlay/passes/functions/lift_functions.hpp>
#include <inlay/passes/functions/lower_primitives.hpp>
#include <inlay/passes/memory/allocation_table.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "passes/memory/allocated.hpp"

using namespace inlay;
using allocated::calls_of;
using allocated::numbers;

TEST_CASE("a kernel writes into a tensor in storage on its device, and a copy into one where it goes") {
    const std::string text = R"(
        def @main(%x {virtual_device=[gpu]}: Tensor[(2, 3), float32], virtual_device=[cpu]) -> Tensor[(2, 3), float32] {
          negative(on_device(add(%x, 1f), virtual_device=[gpu])) })";
    const ir_module made = allocated::program(text);
    std::vector<std::string> places;
    for (const node_id n : calls_of(made, "memory.alloc_storage")) {
        CHECK(made.constant(made.operand(n, 0))->as<std::int64_t>()[0] == 24);
        places.emplace_back(name_of(*made.where(n).device));
    }
    std::sort(places.begin(), places.end());
    CHECK(places == std::vector<std::string>{"cpu", "cpu", "cuda"});
    CHECK(calls_of(made, "memory.alloc_tensor").size() == 3);
    CHECK(calls_of(made, "vm.invoke_tvm_op").size() == 2);
    CHECK(calls_of(made, "memory.copy").size() == 1);
    CHECK(calls_of(made, "device_copy").empty());
    CHECK(calls_of(made, "vm.shape_of").empty());
    CHECK(allocations_of(made).on_their_own.empty());
    kept_meaning::check_places(made);
    kept_meaning::check_runs(made, {numbers({2, 3})}, allocated::meaning(text, {numbers({2, 3})}));
}

TEST_CASE("a kernel of several results writes into as many tensors") {
    const std::string text = R"(
        def @main(%x: Tensor[(4), float32]) -> Tensor[(2), float32] {
          %0 = split(%x, indices_or_sections=2);
          subtract(%0.1, %0.0) })";
    const ir_module made = allocated::program(text);
    CHECK(calls_of(made, "memory.alloc_tensor").size() == 3);
    kept_meaning::check_places(made);
    kept_meaning::check_runs(made, {numbers({4})}, allocated::meaning(text, {numbers({4})}));
}

TEST_CASE("shapes that the run decides are computed on the host") {
    const std::string text = R"(
        def @main(%x {virtual_device=[gpu]}: Tensor[(?, 3), float32], %y {virtual_device=[gpu]}: Tensor[(3), float32],
                  virtual_device=[cpu]) -> Tensor[(?, 3), float32] { negative(on_device(add(%x, %y), virtual_device=[gpu])) })";
    const ir_module made = allocated::program(text);
    CHECK(calls_of(made, "vm.shape_of").size() == 4);
    CHECK(calls_of(made, "vm.shape_func").size() == 2);
    for (const char* op : {"vm.shape_of", "vm.shape_func", "vm.storage_size"})
        for (const node_id n : calls_of(made, op)) CHECK(made.where(n).device == device_type::cpu);
    const allocation_table table = allocations_of(made);
    REQUIRE(table.all.size() == 3);
    for (const auto& s : table.all) CHECK_FALSE(s.bytes.has_value());
    kept_meaning::check_places(made);
    for (const std::int64_t rows : {1, 5})
        kept_meaning::check_runs(made, {numbers({rows, 3}), numbers({3})}, allocated::meaning(text, {numbers({rows, 3}), numbers({3})}));
}

TEST_CASE("primitive functions and lowered ones are kernels; a shape that depends on data is left to its kernel") {
    const std::string text = R"(
        def @main(%x: Tensor[(2, 2), float32], %s: Tensor[(1), int64]) -> Tensor[(?), float32] {
          %0 = fn (%a: Tensor[(2, 2), float32], Primitive=1) -> Tensor[(2, 2), float32] { negative(add(%a, %a)) };
          reshape(%0(%0(%x)), %s) })";
    const std::vector<tensor> inputs{numbers({2, 2}), tensor::of({1}, std::vector<std::int64_t>{4})};
    const std::vector<tensor> meant = allocated::meaning(text, inputs);
    const ir_module planned_program = allocated::placed(text);
    for (const ir_module& m : {planned_program, lower_primitives(planned_program).program}) {
        const ir_module made = allocated::with_storage(m);
        CHECK(calls_of(made, "vm.invoke_tvm_op").size() == 2);
        CHECK(allocations_of(made).on_their_own.size() == 1);
        kept_meaning::check_places(made);
        kept_meaning::check_runs(made, inputs, meant);
    }
}

TEST_CASE("random programs: explicit memory keeps meaning and places, of lifted and lowered programs too") {
    std::size_t kernels = 0, programs = 0;
    kept_meaning::check_random([&](const ir_module& m) {
        ir_module made = allocated::with_storage(m);
        kernels += calls_of(made, "vm.invoke_tvm_op").size();
        ++programs;
        return made;
    });
    CHECK(kernels > programs);
    kept_meaning::check_random([](const ir_module& m) {
        const auto lifted = lift_functions(to_a_normal_form(m));
        REQUIRE(lifted.has_value());
        return allocated::with_storage(lower_primitives(*lifted).program);
    });
}
