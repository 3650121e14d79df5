// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_device.hpp>

#include <string>

#include <doctest/doctest.h>

#include "played_driver.hpp"

using namespace inlay;
using namespace cuda_test;

namespace {

std::string no_device(const played_driver& driver) {
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    return opened ? "" : opened.failure().message;
}

}  // namespace

TEST_CASE("a machine without a CUDA device is told from one whose driver does not start") {
    const auto none = detail::cuda_device::open("libno_such_driver.so.1");
    REQUIRE(!none);
    CHECK(none.failure().message == "there is no CUDA device here: NVIDIA's driver is not installed (libno_such_driver.so.1)");
    CHECK(no_device(played_driver(0)) == "there is no CUDA device here: NVIDIA's driver knows none");
    CHECK(no_device(played_driver(1, 3)) == "there is no CUDA device here: NVIDIA's driver does not start: not started");
}

TEST_CASE("a device has a name and an architecture, and waits for its stream") {
    const played_driver driver(1);
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    REQUIRE(opened);
    CHECK(opened->name() == "Played device");
    CHECK(opened->arch() == "sm_86");
    CHECK(opened->use());
    CHECK(opened->wait());
}
