// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/thread_pool.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("one thread needs no pool, and copies share the pool of a thread count while somebody holds it") {
    const detail::xnnpack_pools first;
    const detail::xnnpack_pools second = first;
    REQUIRE(first.of(1).has_value());
    CHECK(*first.of(1) == nullptr);
    auto two = first.of(2);
    REQUIRE(two.has_value());
    CHECK(pthreadpool_get_threads_count(two->get()) == 2);
    CHECK(*second.of(2) == *two);
    CHECK(*second.of(3) != *two);
    CHECK(*detail::xnnpack_pools().of(2) != *two);
    const std::weak_ptr<pthreadpool> watched = *two;
    *two = nullptr;
    CHECK(watched.expired());
}
