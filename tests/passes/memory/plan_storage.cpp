// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/memory/plan_storage.hpp>

#include <doctest/doctest.h>

#include <inlay/passes/memory/allocation_table.hpp>

#include "passes/functions/kept_meaning.hpp"
#include "passes/memory/allocated.hpp"

using namespace inlay;
using allocated::calls_of;
using allocated::numbers;
using integers = std::vector<std::int64_t>;

namespace {

integers sizes_of(const ir_module& m) {
    integers sizes;
    for (const auto& s : allocations_of(m).all) sizes.push_back(s.bytes.value_or(-1));
    return sizes;
}
std::int64_t total(const integers& sizes) {
    std::int64_t sum = 0;
    for (const std::int64_t s : sizes)
        sum += (std::max<std::int64_t>(s, 0) + storage_alignment - 1) / storage_alignment * storage_alignment;
    return sum;
}
/// The planned program, held against what the text means.
ir_module check_planned(const std::string& text, const std::vector<tensor>& inputs) {
    const ir_module made = plan_storage(allocated::program(text));
    kept_meaning::check_places(made);
    kept_meaning::check_runs(made, inputs, allocated::meaning(text, inputs));
    CHECK(compare_programs(plan_storage(made), made).value_or("") == "");
    return made;
}

}  // namespace

TEST_CASE("a chain of kernels needs room for two tensors, a result that is read late keeps its own") {
    const ir_module chain = check_planned(R"(
        def @main(%x: Tensor[(16), float32]) -> Tensor[(16), float32] { negative(negative(negative(negative(%x)))) })",
                                          {numbers({16})});
    CHECK(sizes_of(chain) == integers{128});
    const ir_module late = check_planned(R"(
        def @main(%x: Tensor[(16), float32]) -> Tensor[(16), float32] {
          %0 = negative(%x);
          add(negative(negative(add(%0, %x))), %0) })",
                                         {numbers({16})});
    CHECK(sizes_of(late) == integers{192});
}

TEST_CASE("each device has storage of its own") {
    const ir_module made = check_planned(R"(
        def @main(%x {virtual_device=[gpu]}: Tensor[(16), float32], virtual_device=[cpu]) -> Tensor[(16), float32] {
          negative(negative(on_device(negative(negative(negative(%x))), virtual_device=[gpu]))) })",
                                         {numbers({16})});
    CHECK(sizes_of(made) == integers{128, 128});
    const allocation_table table = allocations_of(made);
    CHECK(table.all[0].where.device == device_type::cuda);
    CHECK(table.all[1].where.device == device_type::cpu);
    CHECK(table.all[0].parts.size() == 3);
}

TEST_CASE("what is put into a tuple, given on, or read by a closure is kept to the end of its block") {
    for (const char* result : {"%1 = (%a, 1f); %2 = negative(negative(%x)); add(%1.0, %2)",
                               "let %f: fn (Tensor[(16), float32]) -> Tensor[(16), float32] = fn (%v: Tensor[(16), float32]) -> "
                               "Tensor[(16), float32] { add(%v, %a) }; %f(negative(negative(%x)))",
                               "let %r: ref(Tensor[(16), float32]) = ref(%a); %2 = negative(negative(%x)); add(%2, ref_read(%r))"}) {
        CAPTURE(result);
        check_planned(
            "def @main(%x: Tensor[(16), float32]) -> Tensor[(16), float32] {\n"
            "let %a: Tensor[(16), float32] = negative(%x); " +
                std::string(result) + " }",
            {numbers({16})});
    }
}

TEST_CASE("the sides of a branch have storage of their own, and what they read around it is needed until then") {
    const std::string text = R"(
        def @main(%c: bool, %x: Tensor[(16), float32]) -> Tensor[(16), float32] {
          %0 = negative(%x);
          %1 = negative(%0);
          %2 = if (%c) { add(negative(%0), %1) } else { negative(negative(negative(%1))) };
          add(%2, %x) })";
    tensor yes(element_type::boolean, {}), no(element_type::boolean, {});
    yes.as<bool>()[0] = true;
    const ir_module made = check_planned(text, {yes, numbers({16})});
    check_planned(text, {no, numbers({16})});
    CHECK(sizes_of(made).size() == 3);
}

TEST_CASE("sizes that the run decides are not planned") {
    const ir_module made = check_planned(R"(
        def @main(%x: Tensor[(?), float32]) -> Tensor[(?), float32] { negative(negative(%x)) })",
                                         {numbers({16})});
    CHECK(sizes_of(made) == integers{-1, -1});
}

TEST_CASE("random programs: planned storage keeps meaning and places, needs no more than before, and its plan is itself") {
    std::int64_t before = 0, after = 0;
    kept_meaning::check_random([&](const ir_module& m) {
        const ir_module apart = allocated::with_storage(m);
        ir_module made = plan_storage(apart);
        CHECK(total(sizes_of(made)) <= total(sizes_of(apart)));
        CHECK(compare_programs(plan_storage(made), made).value_or("") == "");
        before += total(sizes_of(apart));
        after += total(sizes_of(made));
        return made;
    });
    CHECK(after < before);
}

TEST_CASE("a plan that lets tensors overlap while both are needed gives other numbers") {
    const std::string text = R"(
        def @main(%x: Tensor[(16), float32]) -> Tensor[(16), float32] { %0 = negative(%x); add(negative(%0), multiply(%0, %x)) })";
    const ir_module made = plan_storage(allocated::program(text));
    const ir_module wrong = rebuild(made, [&](module_rebuilder& r, node_id n) {
        const bool is_tensor = made.kind(n) == node_kind::call && made.op(n) == "memory.alloc_tensor";
        if (!is_tensor) {
            r.copy(n);
            return;
        }
        const node_id at_front = r.builder().constant(tensor::scalar(std::int64_t{0}));
        r.builder().set_where(at_front, made.where(made.operand(n, 1)));
        const node_id operands[] = {r.made(made.operand(n, 0)), at_front, r.made(made.operand(n, 2))};
        r.set_made(n, r.builder().copy(made, n, operands));
    });
    const auto found = simulate(wrong, std::vector<tensor>{numbers({16})}, relay_ops());
    REQUIRE(found.has_value());
    CHECK((*found)[0].content() != allocated::meaning(text, {numbers({16})})[0].content());
}
