// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/annotated_program.hpp>

#include "planned.hpp"

using planned::check_plan;
using planned::failure;

TEST_CASE("a normal annotation puts the value there and lets its reader be elsewhere [placement.on_device.normal]") {
    check_plan(R"(def @main(%x: float32) -> float32 { %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]); negative(%1) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%2) })");
}

TEST_CASE("a fixed annotation says where the value is and where it is read: no copy stands there [placement.on_device.fixed]") {
    check_plan(
        R"(def @main(%x: float32) -> float32 { %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu], constrain_result=True); negative(%1) })",
        R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { %0 = negative(%x); negative(%0) })");
}

TEST_CASE("an annotation of the result alone leaves open where the value is, and a copy may stand between [placement.on_device.result]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[gpu], constrain_result=True, constrain_body=False); negative(%1) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%2) })");
}

TEST_CASE("an annotation that constrains nothing only permits a copy, and its place is ignored [placement.on_device.free]") {
    check_plan(R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32) -> float32 {
                    %0 = on_device(%x, virtual_device=[host], constrain_body=False); add(%0, %y) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]); add(%0, %y) })");
}

TEST_CASE("an annotation that constrains something names a place [placement.on_device.names-a-place]") {
    CHECK(failure("def @main(%x: float32) -> float32 { on_device(%x, virtual_device=[nowhere]) }") ==
          "an on_device that constrains something has to name a place");
}

TEST_CASE("annotations within annotations keep both places, with a copy between [placement.on_device.nested]") {
    check_plan(R"(def @main(%x: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]); %2 = on_device(%1, virtual_device=[gpu]); negative(%2) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%2) })");
    // From there to a third place: neither step is lost.
    check_plan(
        R"(def @main(%x: float32, %y {virtual_device=[second gpu]}: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]); %2 = on_device(%1, virtual_device=[gpu]); add(%2, %y) })",
        R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[second gpu]}: float32, virtual_device=[second gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = on_device(%2, virtual_device=[gpu], constrain_result=True);
                    %4 = device_copy(%3, src_virtual_device=[gpu], dst_virtual_device=[second gpu]);
                    add(%4, %y) })");
}

TEST_CASE("fixed annotations that contradict each other are a failure [placement.on_device.contradiction]") {
    const std::string message = failure(R"(def @main(%x: float32) -> float32 {
      %0 = on_device(%x, virtual_device=[cpu], constrain_result=True); on_device(%0, virtual_device=[gpu], constrain_result=True) })");
    CHECK(message.find("one value is to be on cpu:0") == 0);
    CHECK(message.find("on cuda:0") != std::string::npos);
}

TEST_CASE("a copy says where from and where to, and one to where the value is goes [placement.device_copy.places]") {
    check_plan(
        R"(def @main(%x: float32) -> float32 { %0 = device_copy(%x, src_virtual_device=[gpu], dst_virtual_device=[cpu]); negative(%0) })",
        R"(def @main(%x {virtual_device=[gpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = device_copy(%x, src_virtual_device=[gpu], dst_virtual_device=[cpu]); negative(%0) })");
    check_plan(
        R"(def @main(%x: float32) -> float32 { %0 = device_copy(%x, src_virtual_device=[cpu type], dst_virtual_device=[cpu]); negative(%0) })",
        R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { negative(%x) })");
    CHECK(failure("def @main(%x: float32) -> float32 { device_copy(%x, src_virtual_device=[nowhere], dst_virtual_device=[cpu]) }") ==
          "a device_copy has to name two places, from where and to where");
}

TEST_CASE("a copy of a copy goes through the place between, whatever that is [placement.device_copy.chain]") {
    check_plan(R"(def @main(%x: float32) -> float32 {
                    %0 = device_copy(%x, src_virtual_device=[gpu], dst_virtual_device=[cpu]);
                    %1 = device_copy(%0, src_virtual_device=[cpu], dst_virtual_device=[second gpu]); negative(%1) })",
               R"(def @main(%x {virtual_device=[gpu]}: float32, virtual_device=[second gpu]) -> float32 {
                    %0 = device_copy(%x, src_virtual_device=[gpu], dst_virtual_device=[cpu]);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[second gpu]); negative(%2) })");
}

TEST_CASE("what is taken from an annotated tuple is taken first and copied then [placement.rewrite.projection]") {
    check_plan(R"(def @main(%t: (float32, float32)) -> float32 { %0 = on_device(%t, virtual_device=[cpu]); %1 = %0.0; negative(%1) })",
               R"(def @main(%t {virtual_device=[cpu]}: (float32, float32), virtual_device=[gpu]) -> float32 {
                    %0 = %t.0;
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%2) })");
    check_plan(
        R"(def @main(%t: ((float32, float32), float32)) -> float32 { %0 = on_device(%t, virtual_device=[cpu]); %1 = %0.0; %2 = %1.1; negative(%2) })",
        R"(def @main(%t {virtual_device=[cpu]}: ((float32, float32), float32), virtual_device=[gpu]) -> float32 {
                    %0 = %t.0; %1 = %0.1;
                    %2 = on_device(%1, virtual_device=[cpu], constrain_result=True);
                    %3 = device_copy(%2, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    negative(%3) })");
}

TEST_CASE("an annotated value that a let binds is where the variable is [placement.rewrite.let]") {
    check_plan(R"(def @main(%x: float32, %y {virtual_device=[cpu]}: float32) -> float32 {
                    %0 = negative(%x); let %v: float32 = on_device(%0, virtual_device=[cpu]); add(%v, %y) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = negative(%x); let %v: float32 = on_device(%0, virtual_device=[cpu], constrain_result=True); add(%v, %y) })");
    CHECK(failure(R"(def @main(%x: float32, %y {virtual_device=[gpu]}: float32) -> float32 {
                       %0 = negative(%x); let %v: float32 = on_device(%0, virtual_device=[cpu]); add(%v, %y) })")
              .find("let binds") == std::string::npos);
}

TEST_CASE("an annotated body is where the function's result is [placement.rewrite.function-body]") {
    check_plan(R"(def @main(%x: float32) -> float32 { %0 = negative(%x); on_device(%0, virtual_device=[cpu]) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { negative(%x) })");
}

TEST_CASE("what goes into a lowered function and comes out of it may be copied there [placement.rewrite.lowered]") {
    check_plan(R"(extern def @g(%A {virtual_device=[far]}: float32, %B: float32, virtual_device=[far]) -> float32;
                  def @main(%p {virtual_device=[cpu.near]}: float32, %q {virtual_device=[cpu.near]}: float32, virtual_device=[cpu.near]) -> float32 {
                    %0 = (%p, %q); call_lowered(@g, %0) })",
               R"(extern def @g(%A {virtual_device=[far]}: float32, %B {virtual_device=[near]}: float32, virtual_device=[far]) -> float32;
                  def @main(%p {virtual_device=[cpu.near]}: float32, %q {virtual_device=[cpu.near]}: float32, virtual_device=[cpu.near]) -> float32 {
                    %0 = device_copy(%p, src_virtual_device=[cpu.near], dst_virtual_device=[cpu.far]);
                    %1 = on_device(%0, virtual_device=[cpu.far], constrain_result=True);
                    %2 = (%0, %q);
                    %3 = call_lowered(@g, %2);
                    %4 = on_device(%3, virtual_device=[cpu.far], constrain_result=True);
                    device_copy(%4, src_virtual_device=[cpu.far], dst_virtual_device=[cpu.near]) })");
}

TEST_CASE("functions that other compilers own, and primitive ones, are left as they are [placement.capture.opaque]") {
    const std::string text =
        R"(def @other(%a: float32, Compiler="x", Primitive=1) -> float32 { %0 = on_device(%a, virtual_device=[cpu]); negative(%0) }
        def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
          %1 = fn (%b: float32, Primitive=1) -> float32 { add(%b, %b) }; %2 = %1(%x); @other(%2) })";
    check_plan(text, text);
}
