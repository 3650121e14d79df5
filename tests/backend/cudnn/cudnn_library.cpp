// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/cudnn_library.hpp>

#include <doctest/doctest.h>

#include "../cuda/played_driver.hpp"

using namespace inlay;
using namespace cuda_test;
using detail::cudnn_library;

TEST_CASE("a library that is another one, or is not there, is one sentence") {
    const played_driver other(1);
    CHECK(cudnn_library::open(other.library()).failure().message ==
          "NVIDIA's cuDNN (" + other.library() + ") has no function cudnnGetVersion; install a newer one");
    CHECK(cudnn_library::open("/no/such.so").failure().message.find("NVIDIA's cuDNN cannot be loaded from '/no/such.so': ") == 0);
    CHECK(cudnn_library().said(7) == "status 7");
}
