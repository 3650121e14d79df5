// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_device.hpp>

#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <inlay/codegen/kernel/work_queue.hpp>

#include "played_driver.hpp"

using namespace inlay;
using namespace cuda_test;

namespace {

std::string no_device(const played_driver& driver) {
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    return opened ? "" : opened.failure().message;
}

}  // namespace

TEST_CASE("a machine without a CUDA device is told from one whose driver does not start") {
    const auto none = detail::cuda_device::open("libno_such_driver.so.1");
    REQUIRE(!none);
    CHECK(none.failure().message == "there is no CUDA device here: NVIDIA's driver is not installed (libno_such_driver.so.1)");
    CHECK(no_device(played_driver(0)) == "there is no CUDA device here: NVIDIA's driver knows none");
    CHECK(no_device(played_driver(1, 3)) == "there is no CUDA device here: NVIDIA's driver does not start: not started");
}

TEST_CASE("a device has a name and an architecture, and waits for its stream") {
    const played_driver driver(1);
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    REQUIRE(opened);
    CHECK(opened->name() == "Played device");
    CHECK(opened->arch() == "sm_86");
    CHECK(opened->use());
    CHECK(opened->wait());
}

TEST_CASE("a thread that records has a stream of its own, and what it recorded goes to the device's") {
    const played_driver driver(1);
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    REQUIRE(opened);
    void* const usual = opened->stream();
    const work_queue queue(*opened);
    REQUIRE(queue.records());
    {
        REQUIRE(queue.begin_recording());
        void* const own = opened->stream();
        CHECK(own != usual);
        void* of_another = nullptr;
        std::thread([&] { of_another = opened->stream(); }).join();
        CHECK(of_another == usual);
        const recorded_work work = queue.end_recording();
        CHECK(opened->stream() == usual);
        REQUIRE(static_cast<bool>(work));
        CHECK(work.start());
        CHECK(work.start());
        CHECK(driver.left() == 1);
    }
    CHECK(driver.left() == 0);
    REQUIRE(queue.begin_recording());
    CHECK(static_cast<bool>(queue.end_recording()));
}

TEST_CASE("a driver that makes no graph gives nothing, and is as it was before") {
    const played_driver driver(1, 0, true, false);
    const auto opened = detail::cuda_device::open(driver.library().c_str());
    REQUIRE(opened);
    void* const usual = opened->stream();
    REQUIRE(opened->begin_recording());
    CHECK_FALSE(static_cast<bool>(opened->end_recording()));
    CHECK(opened->stream() == usual);
}
