// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/compile/shared_library.hpp>

#include <utility>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a library that was loaded has its functions, and lives as long as a copy [codegen.library]") {
    auto first = shared_library::open("/lib64/../lib64/ld-linux-x86-64.so.2");
    if (!first) first = shared_library::open("/lib/ld-linux-aarch64.so.1");
    if (!first) return;  // another system's loader
    shared_library copy = *first;
    first = shared_library();
    CHECK(static_cast<bool>(copy));
    CHECK((copy.function<void()>("inlay_no_such_function") == nullptr));
    const shared_library moved = std::move(copy);
    CHECK((moved.function<void()>("__tls_get_addr") != nullptr));
}

TEST_CASE("a file that is no library is refused with the system's reason [codegen.library]") {
    const auto none = shared_library::open("/dev/null");
    REQUIRE_FALSE(none);
    CHECK(none.failure().message.find("a shared library cannot be loaded: /dev/null: ") == 0);
    CHECK_FALSE(shared_library::open("./inlay-no-such-file.so"));
    CHECK((shared_library().function<void()>("f") == nullptr));
}
