// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/threads.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include <cblas.h>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using inlay::detail::openblas_threads;

TEST_CASE("the number of threads holds while somebody asks for it, and is then what it was") {
    const int before = openblas_get_num_threads();
    {
        const openblas_threads two(2);
        CHECK(openblas_get_num_threads() == 2);
        const openblas_threads again(2);
        CHECK(openblas_get_num_threads() == 2);
    }
    CHECK(openblas_get_num_threads() == before);
    {
        const openblas_threads one(1);
        CHECK(openblas_get_num_threads() == 1);
    }
    CHECK(openblas_get_num_threads() == before);
}

TEST_CASE("nobody sees another number than he asked for") {
    const int before = openblas_get_num_threads();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> askers;
    for (int asker = 0; asker < 4; ++asker)
        askers.emplace_back([&wrong, asker] {
            const int wanted = 1 + asker % 2;
            for (int i = 0; i < 200; ++i) {
                const openblas_threads scope(wanted);
                if (openblas_get_num_threads() != wanted) ++wrong;
            }
        });
    for (std::thread& t : askers) t.join();
    CHECK(wrong == 0);
    CHECK(openblas_get_num_threads() == before);
}

TEST_CASE("without memory for OpenBLAS there is no room, and no product that waits for it") {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit little{std::size_t{1} << 20, std::size_t{1} << 20};
        if (setrlimit(RLIMIT_AS, &little) != 0) _exit(2);
        alarm(20);
        _exit(openblas_threads::has_room(64) ? 1 : 0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(openblas_threads::has_room(1));
    CHECK(openblas_threads::has_room(1));
}
