// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/isolate_backend.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a process that cannot be started, or leaves, is a reason and no back end") {
    isolation_options how;
    how.executable = "/nowhere/at/all";
    const auto none = isolate_backend("/lib/x.so", how);
    REQUIRE(!none);
    CHECK(none.failure().message == "a process for it cannot be started: No such file or directory");
    // What `false` and `true` do with the arguments is to leave.
    how.executable = "/bin/false";
    CHECK(isolate_backend("/lib/x.so", how).failure().message == "its process ended with exit status 1");
}

TEST_CASE("a process that was not started to keep a back end goes on") {
    char name[] = "program", word[] = "targets", other[] = "x";
    char* arguments[] = {name, word, other, nullptr};
    CHECK(!isolation_main(3, arguments));
    CHECK(!isolation_main(1, arguments));
}
