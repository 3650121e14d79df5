// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/device_memory.hpp>

#include <array>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "../device_toys.hpp"

#include <inlay/codegen/list/backend_list.hpp>

using namespace inlay;

TEST_CASE("a block goes back to its device once, with its last owner") {
    static std::size_t given_back;
    given_back = 0;
    std::array<std::byte, 8> bytes{};
    {
        device_block first(bytes.data(), bytes.size(), [](void*, std::size_t size) { given_back += size; });
        device_block second(std::move(first));
        CHECK(first.address() == nullptr);
        CHECK(second.address() == bytes.data());
        CHECK(second.bytes() == 8);
        device_block third;
        third = std::move(second);
        CHECK(given_back == 0);
    }
    CHECK(given_back == 8);
}

TEST_CASE("a memory's source is the back end that has it and takes part, as it is configured") {
    device_toys::apart with;
    with.size = 100;
    backend_list<device_toys::host, device_toys::apart> backends(device_toys::host(), with);
    const auto own = source_of(backends, device_toys::device_main);
    REQUIRE(own.has_value());
    CHECK(own->scope() == device_toys::device_main);
    CHECK(own->allocate(100)->bytes() == 100);
    const auto full = own->allocate(101);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.failure().message == "the toy has 100 bytes");
    CHECK_FALSE(source_of(backends, {device_type::cuda, 0}).has_value());
    backends.choose({0});
    CHECK_FALSE(source_of(backends, device_toys::device_main).has_value());
}

TEST_CASE("only who says so is simulated, and only who lists memories has any") {
    static_assert(owns_memory<device_toys::apart> && !owns_memory<device_toys::host>);
    static_assert(!is_simulated<device_toys::apart>() && is_simulated<device_toys::played>());
}
