// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_module.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("no code is loaded without a device, and it says so") {
    if (detail::cuda_device::here()) return;
    CHECK(detail::cuda_module::load("no code").failure().message == detail::cuda_device::here().failure().message);
}
