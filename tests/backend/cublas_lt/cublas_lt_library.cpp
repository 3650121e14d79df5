// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../cuda/played_driver.hpp"

using namespace inlay;
using namespace cuda_test;
using detail::cublas_lt_library;

TEST_CASE("a library that is another one, or is not there, is one sentence") {
    const played_driver other(1);
    const auto opened = cublas_lt_library::open(other.library());
    REQUIRE(!opened);
    CHECK(opened.failure().message ==
          "NVIDIA's cuBLASLt (" + other.library() + ") has no function cublasLtGetVersion; install a newer one");
    CHECK(cublas_lt_library::open("/no/such.so").failure().message.find("NVIDIA's cuBLASLt cannot be loaded from '/no/such.so': ") == 0);
    CHECK(cublas_lt_library().said(7) == "status 7");
}

TEST_CASE("a session needs a device first") {
    if (detail::cuda_device::here()) return;
    CHECK(detail::cublas_lt_session::open("/no/such.so").failure().message == detail::cuda_device::here().failure().message);
}
