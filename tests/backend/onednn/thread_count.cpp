// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/thread_count.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;

TEST_CASE("a scope sets the count of OpenMP's threads and puts the old one back") {
    const openmp_runtime openmp = openmp_runtime::loaded();
    REQUIRE(openmp.complete());
    const int before = openmp.get();
    {
        const onednn_thread_scope outer(openmp, 3);
        CHECK(openmp.get() == 3);
        {
            const onednn_thread_scope inner(openmp, 1);
            CHECK(openmp.get() == 1);
        }
        CHECK(openmp.get() == 3);
    }
    CHECK(openmp.get() == before);
}

TEST_CASE("without an OpenMP runtime a scope does nothing") {
    const openmp_runtime none;
    CHECK_FALSE(none.complete());
    const onednn_thread_scope scope(none, 2);
}
