// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <new>

#include <unistd.h>

#include <inlay/backend/plugin/isolate_backend.hpp>
#include <inlay/backend/plugin/try_libraries.hpp>

#include "verbs.hpp"

namespace {

/// Idle threads of OpenMP and of OpenBLAS spin for milliseconds unless told otherwise, and keep the cores from other libraries' threads;
/// and OpenBLAS makes its threads at once, before a worker knows its cores. Weights that libraries pack stand on small pages, unless
/// glibc is told to ask for huge ones. What they are to do they read when they are loaded, before `main`: so the program starts itself once
/// more, with what the environment does not say: some hundredths of a millisecond, threads when wanted, huge pages, on which blocks of less
/// than 64 MiB stand together.
void set_up_libraries(char** argv) {
    bool changed = false;
    const auto set = [&](const char* name, const char* value) {
        if (getenv(name) == nullptr) changed = setenv(name, value, 0) == 0 || changed;
    };
    if (getenv("OMP_WAIT_POLICY") == nullptr) set("GOMP_SPINCOUNT", "2000");
    set("OPENBLAS_THREAD_TIMEOUT", "20");  // cycles, as a power of 2
    set("OPENBLAS_NUM_THREADS", "1");
    set("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864");
    if (changed) execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
    if (const auto code = inlay::isolation_main(argc, argv)) return *code;
    if (const auto code = inlay::trial_main(argc, argv)) return *code;
    if (const auto code = tool::run_as_worker(argc, argv)) return *code;
    set_up_libraries(argv);
    try {
        return tool::run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("inlay: there is not enough memory for this model; take a smaller one, or a larger machine\n", stderr);
        return 2;
    }
}
