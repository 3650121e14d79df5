// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/memory/allocation_table.hpp>

#include <doctest/doctest.h>

#include "passes/memory/allocated.hpp"

using namespace inlay;

TEST_CASE("the table says what each function asks for, where, and which tensors stand in it") {
    const ir_module made = plan_storage(allocated::program(R"(
        def @twice(%x {virtual_device=[gpu]}: Tensor[(2, 16), float32], virtual_device=[gpu]) -> Tensor[(2, 16), float32] {
          negative(negative(%x)) }
        def @main(%x {virtual_device=[gpu]}: Tensor[(2, 16), float32], virtual_device=[cpu]) -> Tensor[(2, 16), float32] {
          negative(on_device(@twice(%x), virtual_device=[gpu])) })"));
    const allocation_table table = allocations_of(made);
    CHECK(to_string(table) ==
          "@twice: 256 bytes on cuda:0 target='cuda'\n"
          "  at 0: float32[2,16]\n"
          "  at 128: float32[2,16]\n"
          "@main: 256 bytes on cpu:0 target='llvm'\n"
          "  at 0: float32[2,16]\n"
          "  at 128: float32[2,16]\n");
    CHECK(table.all[0].alignment == 64);
    CHECK(table.on_their_own.empty());
}

TEST_CASE("kernels and copies that ask for memory themselves are listed") {
    const ir_module made = allocated::program(R"(
        def @main(%x {virtual_device=[gpu]}: float32, virtual_device=[cpu]) -> (float32, float32) {
          let %t: (float32, float32) = on_device((%x, %x), virtual_device=[gpu]);
          device_copy(%t, src_virtual_device=[gpu], dst_virtual_device=[cpu]) })");
    CHECK(allocations_of(made).on_their_own.size() == 1);
    CHECK(to_string(allocations_of(made)) == "1 more ask for memory themselves\n");
}
