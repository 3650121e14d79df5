// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <new>

#include <unistd.h>

#include "verbs.hpp"

namespace {

/// OpenMP's idle threads spin for milliseconds unless told otherwise, and keep the cores from the threads of other libraries meanwhile.
/// The runtime reads how long when it is loaded, before `main`: so the program starts itself once more, with some tenths of a millisecond.
void spin_briefly(char** argv) {
    if (getenv("GOMP_SPINCOUNT") != nullptr || getenv("OMP_WAIT_POLICY") != nullptr) return;
    if (setenv("GOMP_SPINCOUNT", "20000", 0) == 0) execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
    if (const auto code = tool::run_as_worker(argc, argv)) return *code;
    spin_briefly(argv);
    try {
        return tool::run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("inlay: there is not enough memory for this model; take a smaller one, or a larger machine\n", stderr);
        return 2;
    }
}
