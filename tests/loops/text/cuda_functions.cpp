// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/cuda_functions.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("half precision is computed in float32 and rounded [loops.cuda.half]") {
    CHECK(detail::cuda_type_of(element_type::float16) == "__half");
    CHECK(detail::cuda_type_of(element_type::bfloat16) == "__nv_bfloat16");
    CHECK(detail::cuda_type_of(element_type::float32) == "float");
    CHECK(detail::cuda_type_of(element_type::string).empty());
    CHECK(detail::widened(element_type::float16, "a") == "__half2float(a)");
    CHECK(detail::widened(element_type::bfloat16, "a") == "__bfloat162float(a)");
    CHECK(detail::narrowed(element_type::float16, "a") == "__float2half_rn(a)");
    CHECK(detail::narrowed(element_type::bfloat16, "a", true) == "__double2bfloat16(a)");
}
