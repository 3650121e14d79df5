// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/place_constraints.hpp>

#include <string>

#include "planned.hpp"

using planned::check_plan;
using planned::failure;

TEST_CASE("operators have all operands and the result in one place, each call for itself [placement.rule.operator]") {
    check_plan(R"(def @main(%a {virtual_device=[cpu]}: float32, %b: float32, %c {virtual_device=[gpu]}: float32, %d: float32) -> float32 {
                    %0 = add(%a, %b); %1 = on_device(%0, virtual_device=[cpu]); %2 = add(%c, %d); add(%1, %2) })",
               R"(def @main(%a {virtual_device=[cpu]}: float32, %b {virtual_device=[cpu]}: float32, %c {virtual_device=[gpu]}: float32,
                      %d {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = add(%a, %b);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = add(%c, %d);
                    add(%2, %3) })");
}

TEST_CASE("a function's parameters and result are where its callers see them, for all callers alike [placement.rule.monomorphic]") {
    check_plan(R"(def @f(%a: float32) -> float32 { negative(%a) }
                  def @main(%x {virtual_device=[cpu]}: float32, %y: float32) -> float32 { %0 = @f(%x); %1 = @f(%y); add(%0, %1) })",
               R"(def @f(%a {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { negative(%a) }
                  def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = @f(%x); %1 = @f(%y); add(%0, %1) })");
}

TEST_CASE("places flow through functions that take functions [placement.rule.higher-order]") {
    check_plan(R"(def @main(%a: float32, %b: float32) -> float32 {
                    let %f = fn (%x: float32, %y: float32) -> float32 { %0 = on_device(%y, virtual_device=[cpu], constrain_result=True); %1 = add(%x, %0); %1 };
                    let %g = fn (%h: fn (float32, float32) -> float32, %x1: float32, %y1: float32) -> float32 { %h(%x1, %y1) };
                    %g(%f, %a, %b) })",
               R"(def @main(%a {virtual_device=[cpu]}: float32, %b {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    let %f = fn (%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { add(%x, %y) };
                    let %g = fn (%h {virtual_device=[cpu]}: fn (float32, float32) -> float32, %x1 {virtual_device=[cpu]}: float32,
                        %y1 {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { %h(%x1, %y1) };
                    %g(%f, %a, %b) })");
    // The parameter alone: a copy stands between it and the rest of the body.
    check_plan(R"(def @main(%a: float32, %b: float32) -> float32 {
                    let %f = fn (%x: float32, %y: float32) -> float32 { %0 = on_device(%y, virtual_device=[cpu]); add(%x, %0) };
                    let %g = fn (%h: fn (float32, float32) -> float32, %x1: float32, %y1: float32) -> float32 { %h(%x1, %y1) };
                    %g(%f, %a, %b) })",
               R"(def @main(%a {virtual_device=[gpu]}: float32, %b {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    let %f = fn (%x {virtual_device=[gpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                      %0 = device_copy(%y, src_virtual_device=[cpu], dst_virtual_device=[gpu]); add(%x, %0) };
                    let %g = fn (%h {virtual_device=[gpu]}: fn (float32, float32) -> float32, %x1 {virtual_device=[gpu]}: float32,
                        %y1 {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 { %h(%x1, %y1) };
                    %g(%f, %a, %b) })");
}

TEST_CASE("a recursive function has one place for each parameter, however deep it calls itself [placement.rule.recursion]") {
    check_plan(R"(def @main(%n {virtual_device=[cpu]}: float32, %c {virtual_device=[cpu]}: bool) -> float32 {
                    let %f: fn (float32) -> float32 = fn (%a: float32) -> float32 { if (%c) { %a } else { %0 = negative(%a); %f(%0) } };
                    %f(%n) })",
               R"(def @main(%n {virtual_device=[cpu]}: float32, %c {virtual_device=[cpu]}: bool, virtual_device=[cpu]) -> float32 {
                    let %f: fn (float32) -> float32 = fn (%a {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                      if (%c) { %a } else { %0 = negative(%a); %f(%0) } };
                    %f(%n) })");
    const char* const body = "if (%c) { %a } else { %0 = negative(%a); %f(%c, %0) } }; %f(%d, %n) }";
    check_plan(
        std::string("def @main(%n {virtual_device=[cpu]}: float32, %d: bool) -> float32 {\n"
                    "let %f: fn (bool, float32) -> float32 = fn (%c: bool, %a: float32) -> float32 { ") +
            body,
        std::string("def @main(%n {virtual_device=[cpu]}: float32, %d {virtual_device=[cpu]}: bool, virtual_device=[cpu]) -> float32 {\n"
                    "let %f: fn (bool, float32) -> float32 = fn (%c {virtual_device=[cpu]}: bool, %a {virtual_device=[cpu]}: float32, "
                    "virtual_device=[cpu]) -> float32 { ") +
            body);
}

TEST_CASE("a tuple, what it holds and what is taken from it are in one place [placement.rule.tuple]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32, %y: float32) -> float32 { %0 = (%x, %y); %1 = %0.1; negative(%1) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = (%x, %y); %1 = %0.1; negative(%1) })");
}

TEST_CASE("a function in a tuple is wholly where the tuple is, and so are functions that it takes [placement.rule.collapse]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32) -> float32 {
                    let %f = fn (%h: fn (float32) -> float32, %a: float32) -> float32 { %h(%a) };
                    let %n = fn (%b: float32) -> float32 { negative(%b) };
                    let %t = (%f, %x); %0 = %t.0; %0(%n, %x) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    let %f = fn (%h {virtual_device=[cpu]}: fn (float32) -> float32, %a {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { %h(%a) };
                    let %n = fn (%b {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { negative(%b) };
                    let %t = on_device((%f, %x), virtual_device=[cpu], constrain_result=True); %0 = %t.0; %0(%n, %x) })");
    CHECK(failure(R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32) -> float32 {
                       let %f: fn (float32) -> float32 = fn (%a {virtual_device=[gpu]}: float32, virtual_device=[cpu]) -> float32 {
                         negative(device_copy(%a, src_virtual_device=[gpu], dst_virtual_device=[cpu])) };
                       let %t: (fn (float32) -> float32, float32) = (%f, %x); %t.1 })")
              .find("one value is to be on") == 0);
}

TEST_CASE("a branch, its sides and its condition are in one place [placement.rule.if]") {
    check_plan(
        R"(def @main(%c: bool, %x: float32, %y {virtual_device=[cpu]}: float32) -> float32 { if (%c) { %x } else { %y } })",
        R"(def @main(%c {virtual_device=[cpu]}: bool, %x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    if (%c) { %x } else { %y } })");
}

TEST_CASE("a match, its clauses, what they bind and what is matched are in one place [placement.rule.match]") {
    check_plan(R"(type Pair[A] { Both(A, A), One(A), }
                  def @main(%p: Pair[float32], %y {virtual_device=[cpu]}: float32) -> float32 {
                    match (%p) { Both(%a, %b) => { add(%a, %b) }, One(%c) => { add(%c, %y) }, } })",
               R"(type Pair[A] { Both(A, A), One(A), }
                  def @main(%p {virtual_device=[cpu]}: Pair[float32], %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    match (%p) { Both(%a, %b) => { add(%a, %b) }, One(%c) => { add(%c, %y) }, } })");
}

TEST_CASE("a value of a data type and what it is made of are in one place [placement.rule.constructor]") {
    check_plan(R"(type Pair[A] { Both(A, A), }
                  def @main(%x: float32, %y {virtual_device=[cpu]}: float32) -> Pair[float32] { Both(%x, %y) })",
               R"(type Pair[A] { Both(A, A), }
                  def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> Pair[float32] { Both(%x, %y) })");
}

TEST_CASE("a reference and its content are in one place [placement.rule.reference]") {
    check_plan(R"(def @main(%x: float32, %y {virtual_device=[cpu]}: float32) -> float32 {
                    let %r = ref(%x); let %u = ref_write(%r, %y); ref_read(%r) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    let %r = on_device(ref(%x), virtual_device=[cpu], constrain_result=True);
                    let %u = on_device(ref_write(%r, %y), virtual_device=[cpu], constrain_result=True); ref_read(%r) })");
}

TEST_CASE("a constant is where it is read [placement.rule.constant]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32) -> float32 {
                    %0 = add(%x, 1f); %1 = on_device(%0, virtual_device=[cpu]); %2 = add(%y, 1f); add(%1, %2) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = add(%x, 1f);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = add(%y, 1f);
                    add(%2, %3) })");
}

TEST_CASE("a primitive function is not looked into, and its parameters and result need not be in one place [placement.rule.primitive]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = fn (%a: float32, Primitive=1) -> float32 { negative(%a) }; %0(%x) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = fn (%a: float32, Primitive=1) -> float32 { negative(%a) }; %0(%x) })");
}

TEST_CASE("shapes are read on the host, and what shape_of gives is there [placement.rule.host]") {
    check_plan(R"(def @main(%x {virtual_device=[gpu]}: Tensor[(2, 3), float32]) -> Tensor[(?, ?), float32] {
                    %0 = vm.shape_of(%x, dtype="int64"); vm.reshape_tensor(%x, %0, newshape=[3, 2]) })",
               R"(def @main(%x {virtual_device=[gpu]}: Tensor[(2, 3), float32], virtual_device=[gpu]) -> Tensor[(?, ?), float32] {
                    %0 = vm.shape_of(%x, dtype="int64");
                    %1 = on_device(%0, virtual_device=[host], constrain_result=True);
                    vm.reshape_tensor(%x, %1, newshape=[3, 2]) })");
}

TEST_CASE("storage is made on the device that is named, its size and shape are read on the host [placement.rule.storage]") {
    check_plan(R"(type Storage { }
                  def @main(%s: int64, %a: int64, %o: int64, %h: Tensor[(1), int64]) -> Tensor[(4), float32] {
                    %0 = memory.alloc_storage(%s, %h, %a, virtual_device=[gpu], dtype="float32");
                    memory.alloc_tensor(%0, %o, %h, dtype="float32", const_shape=[4], assert_shape=[4]) })",
               R"(type Storage { }
                  def @main(%s {virtual_device=[host]}: int64, %a {virtual_device=[host]}: int64, %o {virtual_device=[host]}: int64,
                      %h {virtual_device=[host]}: Tensor[(1), int64], virtual_device=[gpu]) -> Tensor[(4), float32] {
                    %0 = memory.alloc_storage(%s, %h, %a, virtual_device=[gpu], dtype="float32");
                    memory.alloc_tensor(%0, %o, %h, dtype="float32", const_shape=[4], assert_shape=[4]) })");
}

TEST_CASE("an operator that is called with its buffers has them in one place, wherever it is written [placement.rule.invoke]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32, %y: float32) -> () {
                    %0 = fn (%a: float32, Primitive=1) -> float32 { negative(%a) };
                    %1 = (%x,); %2 = (%y,); vm.invoke_tvm_op(%0, %1, %2) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> () {
                    %0 = fn (%a: float32, Primitive=1) -> float32 { negative(%a) };
                    %1 = (%x,); %2 = (%y,); vm.invoke_tvm_op(%0, %1, %2) })");
}

TEST_CASE("a target is one of those that run the operator [placement.rule.supported-targets]") {
    const auto& c = planned::two_devices();
    const inlay::ir_module m = planned::program(
        "def @main(%x: float32) -> float32 { %0 = exp(%x); %1 = on_device(%0, virtual_device=[gpu], constrain_body=False); negative(%1) }");
    const auto only_cpu = [&](inlay::node_id n, const inlay::target_instance& t) {
        return m.op(n) != "exp" || t.device == inlay::device_type::cpu;
    };
    const auto placed = inlay::plan_devices(m, c, {}, only_cpu);
    REQUIRE(placed);
    for (inlay::node_id n = 0; n < placed->size(); ++n)
        if (placed->op(n) == "exp") CHECK(placed->where(n).device == inlay::device_type::cpu);
    const auto nobody = inlay::plan_devices(m, c, {}, [&](inlay::node_id n, const inlay::target_instance&) { return m.op(n) != "exp"; });
    CHECK_FALSE(nobody);
}
