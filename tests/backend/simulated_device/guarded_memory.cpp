// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/simulated_device/guarded_memory.hpp>

#include <cstring>
#include <utility>

#include <doctest/doctest.h>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#endif

using inlay::detail::guarded_memory;

TEST_CASE("a block of a simulated device keeps what its own side writes, from zero on, and goes back with its owner") {
    auto block = guarded_memory::allocate(10'000);
    REQUIRE(block.has_value());
    CHECK(block->bytes() >= 10'000);
    std::byte* address = block->address();
    std::byte* inside = guarded_memory::at(address + 100, 8);
    REQUIRE(inside != nullptr);
    CHECK(inside[0] == std::byte{0});
    std::memcpy(inside, "in there", 8);
    CHECK(std::memcmp(guarded_memory::at(address, 200) + 100, "in there", 8) == 0);
    {
        const inlay::device_block moved = std::move(*block);
        CHECK(moved.address() == address);
        CHECK(guarded_memory::at(address, 1) != nullptr);
    }
    CHECK(guarded_memory::at(address, 1) == nullptr);
}

TEST_CASE("only addresses of a block lead somewhere, with bytes that all stand in it") {
    const auto block = guarded_memory::allocate(64);
    REQUIRE(block.has_value());
    const std::size_t size = block->bytes();
    int here = 0;
    CHECK(guarded_memory::at(&here, sizeof here) == nullptr);
    CHECK(guarded_memory::at(nullptr, 1) == nullptr);
    CHECK(guarded_memory::at(block->address() + size - 8, 8) != nullptr);
    CHECK(guarded_memory::at(block->address() + size - 8, 9) == nullptr);
    CHECK(guarded_memory::at(block->address() + size, 1) == nullptr);
    CHECK(guarded_memory::at(block->address() - 1, 1) == nullptr);
    // Where its bytes really are is no address of the device.
    CHECK(guarded_memory::at(guarded_memory::at(block->address(), 1), 1) == nullptr);
}

TEST_CASE("more memory than the system has is an error in a sentence") {
    const auto block = guarded_memory::allocate(static_cast<std::size_t>(-1) / 2);
    REQUIRE_FALSE(block.has_value());
    CHECK(block.failure().message.find("a simulated device has no memory for ") == 0);
}

#if defined(__unix__)
namespace {

/// Whether a process that does this ends by a fault.
template <class Do>
bool faults(Do&& what) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGSEGV, SIG_DFL);
        std::signal(SIGBUS, SIG_DFL);
        what();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

}  // namespace

TEST_CASE("whoever follows an address of the device on the CPU ends with a fault, for reading and for writing") {
    const auto block = guarded_memory::allocate(4096);
    REQUIRE(block.has_value());
    volatile unsigned char* p = reinterpret_cast<unsigned char*>(block->address());
    CHECK(faults([&] { (void)p[0]; }));
    CHECK(faults([&] { p[4095] = 1; }));
    CHECK_FALSE(faults([] {}));
    CHECK_FALSE(faults([&] { *guarded_memory::at(block->address(), 1) = std::byte{1}; }));
}
#endif
