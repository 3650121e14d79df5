// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/reader_copies.hpp>

#include "planned.hpp"

using planned::check_plan;
using planned::failure;

TEST_CASE("an input that is read in two places stays in the first and is copied for the later reader [placement.conflict.first-stays]") {
    check_plan(R"(def @main(%x: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]);
                    %2 = multiply(%x, %x); %3 = on_device(%2, virtual_device=[gpu]); add(%1, %3) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %4 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %5 = multiply(%3, %4);
                    add(%2, %5) })");
}

TEST_CASE("the sum of two values times another sum, on two devices [placement.conflict.two-users]") {
    check_plan(
        R"(def @main(%a: float32, %b: float32, %c: float32) -> float32 {
                    %0 = add(%a, %b); %1 = on_device(%0, virtual_device=[cpu]);
                    %2 = add(%b, %c); %3 = on_device(%2, virtual_device=[gpu]); multiply(%1, %3) })",
        R"(def @main(%a {virtual_device=[cpu]}: float32, %b {virtual_device=[cpu]}: float32, %c {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = add(%a, %b);
                    %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = device_copy(%b, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %4 = add(%3, %c);
                    multiply(%2, %4) })");
}

TEST_CASE("a reader that is wanted nowhere gets no copy, and breaks nothing [placement.conflict.open-reader]") {
    check_plan(R"(def @main(%x: float32, %y: float32) -> float32 {
                    %0 = negative(%x); %1 = on_device(%0, virtual_device=[cpu]);
                    %2 = multiply(%x, %x); %3 = on_device(%2, virtual_device=[gpu]);
                    %4 = add(%x, %y); %5 = on_device(%4, virtual_device=[gpu], constrain_body=False); %6 = add(%1, %3); add(%6, %5) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %2 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %3 = multiply(%1, %2);
                    %4 = on_device(%3, virtual_device=[gpu], constrain_result=True);
                    %5 = device_copy(%4, src_virtual_device=[gpu], dst_virtual_device=[cpu]);
                    %6 = add(%0, %5);
                    %7 = add(%x, %y);
                    add(%6, %7) })");
}

TEST_CASE("a result that was itself given copies is copied for its readers too [placement.conflict.rebuilt-argument]") {
    check_plan(R"(def @main(%x: float32) -> float32 {
                    %0 = negative(%x);
                    %1 = multiply(%x, %0); %2 = on_device(%1, virtual_device=[cpu]);
                    %3 = add(%0, %x); %4 = on_device(%3, virtual_device=[gpu]); add(%2, %4) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = negative(%x);
                    %1 = multiply(%x, %0);
                    %2 = on_device(%1, virtual_device=[cpu], constrain_result=True);
                    %3 = device_copy(%2, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %4 = on_device(%0, virtual_device=[cpu], constrain_result=True);
                    %5 = device_copy(%4, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %6 = device_copy(%x, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                    %7 = add(%5, %6);
                    add(%3, %7) })");
}

TEST_CASE("conflicts in a function that is called where it is written are found [placement.conflict.called-literal]") {
    check_plan(R"(def @main(%x: float32) -> float32 {
                    %0 = fn (%a: float32) -> float32 {
                      %1 = negative(%a); %2 = on_device(%1, virtual_device=[cpu]);
                      %3 = multiply(%a, %a); %4 = on_device(%3, virtual_device=[gpu]); add(%2, %4) };
                    %0(%x) })",
               R"(def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                    %0 = fn (%a {virtual_device=[cpu]}: float32, virtual_device=[gpu]) -> float32 {
                      %1 = negative(%a);
                      %2 = on_device(%1, virtual_device=[cpu], constrain_result=True);
                      %3 = device_copy(%2, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                      %4 = device_copy(%a, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                      %5 = device_copy(%a, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
                      %6 = multiply(%4, %5);
                      add(%3, %6) };
                    %0(%x) })");
}

TEST_CASE(
    "a value that a fixed annotation reads in a second place is a failure, since no copy may stand there [placement.conflict.fixed]") {
    CHECK(failure(R"(def @main(%x: float32) -> float32 {
                       %0 = on_device(%x, virtual_device=[cpu], constrain_result=True); %1 = negative(%0); %2 = on_device(%1, virtual_device=[gpu]); %2 })")
              .find("one value is to be on") == 0);
}

TEST_CASE("what a let binds, a tuple holds or a branch gives says where it is, and is not copied unasked [placement.conflict.only-calls]") {
    CHECK(failure(R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32) -> (float32, float32) { (%x, %y) })")
              .find("all of a tuple is in one place") != std::string::npos);
}
