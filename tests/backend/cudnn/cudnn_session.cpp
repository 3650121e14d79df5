// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/cudnn_session.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a session needs a device first") {
    if (detail::cuda_device::here()) return;
    CHECK(detail::cudnn_session::open("/no/such.so").failure().message == detail::cuda_device::here().failure().message);
}
