// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_driver.hpp>

#include <doctest/doctest.h>

#include "played_driver.hpp"

using namespace inlay;
using namespace cuda_test;

TEST_CASE("a driver that is not installed, or lacks a function, is one sentence") {
    CHECK(detail::cuda_driver::open("libno_such_driver.so.1").failure().message ==
          "NVIDIA's driver is not installed (libno_such_driver.so.1)");
    const played_driver old(1, 0, false);
    const auto opened = detail::cuda_driver::open(old.library().c_str());
    REQUIRE(!opened);
    CHECK(opened.failure().message == "NVIDIA's driver (" + old.library() + ") has no function cuMemAlloc_v2; install a newer one");
}

TEST_CASE("a driver says what its errors mean") {
    const played_driver driver(1);
    const auto opened = detail::cuda_driver::open(driver.library().c_str());
    REQUIRE(opened);
    CHECK(opened->said(3) == "not started");
    CHECK(detail::cuda_driver().said(3) == "error 3");
}
