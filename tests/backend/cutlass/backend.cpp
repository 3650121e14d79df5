// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/backend.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../cuda/product_back_end.hpp"

using namespace inlay;
using namespace cuda_test;

static_assert(cutlass::kind == "cutlass" && cutlass::refines == "cuda" && cutlass::device == device_type::cuda);

TEST_CASE("versions tell of headers and a compiler that are not there") {
    cutlass b;
    b.headers = "/no/such";
    b.nvcc = "/no/such/nvcc";
    b.arch = "sm_90";
    CHECK(b.version().find("1 without CUTLASS by no compiler in float32 for sm_90 on ") == 0);
}

TEST_CASE("options that make no sense are refused, and the version tells how products are computed") {
    check_options<cutlass>();
    cutlass b;
    b.model = true;
    b.arch = "sm_75";
    CHECK(b.usable().failure().message == "target 'cutlass' copies as devices from sm_80 on do, and sm_75 is older");
}

TEST_CASE("a product is planned in the device's memory, by the model where it is asked for, and what is none is left to others") {
    check_planned_product<cutlass>();
}

TEST_CASE("without a device nothing is emitted, and it says so") { check_nothing_emitted<cutlass>(); }
