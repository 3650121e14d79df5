// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/capture.hpp>

#include "planned.hpp"

using planned::check_plan;

TEST_CASE("let values have a fixed annotation, unless they are variables, globals or functions [placement.capture.let-values]") {
    check_plan(R"(def @f(%a: float32) -> float32 { %a }
                  def @main(%x: float32) -> float32 {
                    let %a = %x; let %b = @f; let %c = fn (%v: float32) -> float32 { %v }; let %d = negative(%a); let %e = 3f; add(%d, %e) })",
               R"(def @f(%a {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 { %a }
                  def @main(%x {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 {
                    let %a = %x; let %b = @f; let %c = fn (%v {virtual_device=[gpu]}: float32, virtual_device=[gpu]) -> float32 { %v };
                    let %d = on_device(negative(%a), virtual_device=[gpu], constrain_result=True);
                    let %e = on_device(3f, virtual_device=[gpu], constrain_result=True); add(%d, %e) })");
}

TEST_CASE("an argument that is elsewhere says so, each use for itself [placement.capture.arguments]") {
    check_plan(R"(def @main(%x {virtual_device=[gpu]}: Tensor[(2), float32], virtual_device=[gpu]) -> Tensor[(?), float32] {
                    %0 = vm.shape_of(%x, dtype="int64"); %1 = vm.reshape_tensor(%x, %0, newshape=[2]); vm.reshape_tensor(%1, %0, newshape=[2]) })",
               R"(def @main(%x {virtual_device=[gpu]}: Tensor[(2), float32], virtual_device=[gpu]) -> Tensor[(?), float32] {
                    %0 = vm.shape_of(%x, dtype="int64");
                    %1 = on_device(%0, virtual_device=[host], constrain_result=True);
                    %2 = vm.reshape_tensor(%x, %1, newshape=[2]);
                    %3 = on_device(%0, virtual_device=[host], constrain_result=True);
                    vm.reshape_tensor(%2, %3, newshape=[2]) })");
}
