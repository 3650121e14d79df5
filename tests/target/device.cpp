// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/device.hpp>

#include <cstddef>

#include <doctest/doctest.h>

using inlay::device_type;

static_assert(inlay::name_of(device_type::cuda) == "cuda");
static_assert(inlay::device_type_named("cpu") == device_type::cpu);
static_assert(!inlay::device_type_named("gpu"));
static_assert(inlay::memory_scope{} == inlay::memory_scope{device_type::cpu, 0});
static_assert(inlay::memory_scope{device_type::cpu, 9} < inlay::memory_scope{device_type::cuda, 0}, "scopes are ordered by device first");

TEST_CASE("every device type is found by its name, and by no other") {
    for (std::size_t i = 0; i < inlay::detail::device_names.size(); ++i) {
        const auto d = static_cast<device_type>(i);
        CHECK(inlay::device_type_numbered(inlay::dlpack_number_of(d)) == d);
        CAPTURE(static_cast<int>(d));
        CHECK_FALSE(inlay::name_of(d).empty());
        CHECK(inlay::device_type_named(inlay::name_of(d)) == d);
    }
    for (const char* name : {"", "CPU", "cpu ", "cp"}) CHECK_FALSE(inlay::device_type_named(name).has_value());
}
