// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/found_functions.hpp>

#include <string>

#include <doctest/doctest.h>

#include "played_driver.hpp"

using namespace inlay;
using namespace cuda_test;
using detail::found_functions;

TEST_CASE("a library that is not installed, or not where it was said to be, is one sentence") {
    constexpr const char* names[] = {"libno_such.so.2", "libno_such.so"};
    CHECK(found_functions::open("NVIDIA's library", names).failure().message ==
          "NVIDIA's library is not installed (libno_such.so.2, libno_such.so)");
    CHECK(found_functions::open("NVIDIA's library", names, "").failure().message ==
          "NVIDIA's library is not installed (libno_such.so.2, libno_such.so); option -library names its file");
    const std::string why = found_functions::open("NVIDIA's library", names, "/no/such/file.so").failure().message;
    CHECK(why.find("NVIDIA's library cannot be loaded from '/no/such/file.so': ") == 0);
}

TEST_CASE("functions are found by name, and the first that is not there is named") {
    const played_driver driver(1);
    const std::string file = driver.library();
    auto found = found_functions::open("NVIDIA's library", {}, file);
    REQUIRE(found);
    int (*init)(unsigned) = nullptr;
    found->find(init, "cuInit");
    REQUIRE(static_cast<bool>(init));
    CHECK(init(0) == 0);
    CHECK(found->check());
    int (*other)() = nullptr;
    found->find(other, "noSuchFunction");
    found->find(other, "norThis");
    CHECK(!static_cast<bool>(other));
    CHECK(found->check().failure().message == "NVIDIA's library (" + file + ") has no function noSuchFunction; install a newer one");
}
