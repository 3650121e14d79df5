// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker.hpp>

#include <string>
#include <vector>

#include <sys/wait.h>

#include <doctest/doctest.h>

#include "moody_backend.hpp"

using namespace inlay;

namespace {

const moody::list backends;

/// What a process gives that is started as a worker with these bytes for a batch and nobody to hear it.
int status_of_worker(const std::string& batch) {
    const pid_t pid = fork();
    if (pid == 0) {
        const int file = memfd_create("batch", 0);
        if (write(file, batch.data(), batch.size()) != static_cast<ssize_t>(batch.size())) _exit(100);
        dup2(file, worker_batch_descriptor);
        if (file != worker_batch_descriptor) close(file);
        close(worker_result_descriptor);
        std::string name = "program", flag(worker_flag);
        char* arguments[]{name.data(), flag.data(), nullptr};
        const auto code = worker_main(2, arguments, backends);
        _exit(code ? *code : 101);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 102;
}

}  // namespace

TEST_CASE("a process that was not started as a worker is left alone") {
    std::string name = "program", other = "--version";
    char* arguments[]{name.data(), other.data(), nullptr};
    CHECK_FALSE(worker_main(2, arguments, backends).has_value());
    CHECK_FALSE(worker_main(1, arguments, backends).has_value());
    CHECK_FALSE(worker_main(0, nullptr, backends).has_value());
}

TEST_CASE("a worker without a batch, or with a damaged one, ends with a status and does nothing") {
    CHECK(status_of_worker("") == 2);
    CHECK(status_of_worker("nonsense") == 2);
    CHECK(status_of_worker(std::string(5000, '\xFF')) == 2);
    CHECK(status_of_worker(std::string(4096, '\0') + detail::write_batch({})) == 2);  // nobody hears it
}
