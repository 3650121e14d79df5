// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/device_plan.hpp>

#include "planned.hpp"

using planned::check_plan;
using planned::failure;

TEST_CASE("a program that says nothing goes where the configuration says [placement.default.nothing-said]") {
    check_plan("def @main(%x: float32) -> float32 { negative(%x) }",
               "def @main(%x {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 { negative(%x) }");
}

TEST_CASE("where a copy is permitted and nothing else is said, none is made [placement.default.free]") {
    check_plan(R"(def @main(%x: float32, %y {virtual_device=[cpu]}: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[gpu], constrain_body=False); add(%1, %y) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = negative(%x); add(%0, %y) })");
    // The place of the function's result is the default of its parameters, and the permitted copy comes before that.
    check_plan(R"(def @main(%x: float32, %y {virtual_device=[cpu]}: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[gpu], constrain_body=False); %2 = add(%1, %y);
                    %3 = on_device(%2, virtual_device=[cpu]); negative(%3) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x); %1 = add(%0, %y);
                    %2 = on_device(%1, virtual_device=[cpu], constrain_result=True);
                    %3 = device_copy(%2, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%3) })");
}

TEST_CASE("parameters follow the function's result, and what is bound follows the let [placement.default.follow]") {
    check_plan("def @main(%x: float32, %unused: float32) -> float32 { %0 = negative(%x); on_device(%0, virtual_device=[cpu]) }",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %unused {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    negative(%x) })");
    check_plan("def @main(%x {virtual_device=[cpu]}: float32) -> float32 { let %v = 2f; negative(%x) }",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    let %v = on_device(2f, virtual_device=[cpu], constrain_result=True); negative(%x) })");
}

TEST_CASE("a result on the host takes what is unconstrained with it [placement.default.host-drags]") {
    check_plan(
        R"(def @main(%x: Tensor[(2), float32]) -> Tensor[(1), int64] { vm.shape_of(%x, dtype="int64") })",
        R"(def @main(%x {virtual_device=[host]}: Tensor[(2), float32], virtual_device=[host]) -> Tensor[(1), int64] { vm.shape_of(%x, dtype="int64") })");
}

TEST_CASE(
    "one value that is annotated once and read in several places gets a copy for each other place [placement.default.shared-annotation]") {
    check_plan(
        R"(def @main(%x: float32, %y {virtual_device=[cpu]}: float32, %z {virtual_device=[second gpu]}: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[gpu]);
                    %2 = add(%1, %y); %3 = on_device(%2, virtual_device=[cpu]); %4 = add(%1, %z); %5 = on_device(%4, virtual_device=[second gpu]);
                    add(%3, %5) })",
        R"(def @main(%x {virtual_device=[gpu]}: float32, %y {virtual_device=[cpu]}: float32, %z {virtual_device=[second gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[gpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[gpu], dst_virtual_device=[cpu]);
                    %3 = add(%2, %y);
                    %4 = on_device(%3, virtual_device=[cpu], constrain_result=True);
                    %5 = device_copy(%4, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %6 = on_device(%0, virtual_device=[gpu], constrain_result=True);
                    %7 = device_copy(%6, src_virtual_device=[gpu], dst_virtual_device=[second gpu]);
                    %8 = add(%7, %z);
                    %9 = on_device(%8, virtual_device=[second gpu], constrain_result=True);
                    %10 = device_copy(%9, src_virtual_device=[second gpu], dst_virtual_device=[gpu]);
                    add(%5, %10) })");
}

TEST_CASE("a lowered function's scopes go with its arguments' places, and where they differ a copy stands [placement.default.scopes]") {
    check_plan(R"(extern def @g(%A {virtual_device=[near]}: float32, %B: float32, virtual_device=[near]) -> float32;
                  def @main(%p {virtual_device=[cpu]}: float32, %q {virtual_device=[cpu]}: float32) -> float32 { %0 = (%p, %q); call_lowered(@g, %0) })",
               R"(extern def @g(%A {virtual_device=[near]}: float32, %B: float32, virtual_device=[near]) -> float32;
                  def @main(%p {virtual_device=[cpu.near]}: float32, %q {virtual_device=[cpu]}: float32, virtual_device=[cpu.near]) -> float32 {
                    %0 = (%p, %q); call_lowered(@g, %0) })");
}

TEST_CASE("a failure names the two annotations and the chain between them [placement.failure.chain]") {
    CHECK(failure(R"(def @main(%x {virtual_device=[cpu]}: float32, %y: float32) -> float32 {
  %0 = add(%x, %y);
  %1 = multiply(%0, %y);
  on_device(%1, virtual_device=[gpu], constrain_result=True)
})") == "one value is to be on cpu:0 target='llvm' and on cuda:0 target='cuda'; put an on_device that allows a copy between them, or "
        "change "
        "one of the two\n"
        "  on cpu:0 target='llvm': the parameter %x (line 2, column 11) is declared there\n"
        "  the call of add (line 3, column 8) reads %x (line 2, column 11) where it runs\n"
        "  the call of multiply (line 4, column 8) reads the call of add (line 3, column 8) where it runs\n"
        "  the call of on_device (line 5, column 3) passes on the call of multiply (line 4, column 8)\n"
        "  on cuda:0 target='cuda': the call of on_device (line 5, column 3) asks for it");
}

TEST_CASE("the condition of a branch is where its result is, and what contradicts that is told [placement.failure.condition]") {
    CHECK(
        failure("def @main(%c {virtual_device=[cpu]}: bool, %x {virtual_device=[gpu]}: float32) -> float32 { if (%c) { %x } else { %x } }")
            .find("has the condition") != std::string::npos);
}
