// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cublas_lt/backend.hpp>

#include <doctest/doctest.h>

#include "../cuda/product_back_end.hpp"

using namespace inlay;
using namespace cuda_test;

static_assert(cublas_lt::kind == "cublas_lt" && cublas_lt::refines == "cuda" && cublas_lt::device == device_type::cuda);

TEST_CASE("options that make no sense are refused, and the version tells how products are computed") { check_options<cublas_lt>(); }

TEST_CASE("a product is planned in the device's memory, by the model where it is asked for, and what is none is left to others") {
    check_planned_product<cublas_lt>();
}

TEST_CASE("without a device nothing is emitted, and it says so") { check_nothing_emitted<cublas_lt>(); }
