// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/explain_clash.hpp>

#include <string>

#include "planned.hpp"

TEST_CASE("of several chains the shortest is told [placement.failure.shortest]") {
    const std::string message =
        planned::failure(R"(def @main(%x {virtual_device=[cpu]}: float32, %y {virtual_device=[gpu]}: float32) -> float32 {
        %0 = add(%x, %x); %1 = add(%0, %0); %2 = add(%1, %y); add(%x, %2) })");
    CHECK(message.find("%1") == std::string::npos);
    std::size_t lines = 0;
    for (const char c : message) lines += c == '\n' ? 1 : 0;
    CHECK(lines == 5);
}
