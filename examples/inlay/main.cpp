// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include <inlay/backend/plugin/isolate_backend.hpp>
#include <inlay/backend/plugin/try_libraries.hpp>

#include "library_output.hpp"
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

/// Says that the machine has too little of something, in one sentence and without memory of its own. Returns whether the exception that is
/// handled says so.
bool say_shortage() {
    const char* text = nullptr;
    try {
        throw;
    } catch (const std::bad_alloc&) {
        text = "inlay: there is not enough memory for this model; take a smaller one, or a larger machine\n";
    } catch (const std::length_error&) {
        text = "inlay: there is not enough memory for this model; take a smaller one, or a larger machine\n";
    } catch (const std::system_error&) {
        text = "inlay: the system has no thread or other resource left for this call; raise its limits, or take fewer --threads\n";
    } catch (...) {}
    if (text == nullptr) return false;
    const auto written = ::write(tool::errors_descriptor(), text, std::strlen(text));
    return written >= 0;
}

/// Ends the program by a sentence if a thread, or a function that may not throw, ran out of memory.
[[noreturn]] void end_by_sentence() {
    if (std::current_exception() != nullptr && say_shortage()) ::_exit(1);
    std::abort();
}

/// Ends the program by a sentence if it faults while the system gives it no memory: libraries use what they asked for without a look. Other
/// faults end it as ever.
void on_fault(int number) {
    constexpr std::size_t some = std::size_t{64} << 20;
    if (::mmap(nullptr, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED &&
        errno == ENOMEM) {
        constexpr std::string_view text = "inlay: there is not enough memory for this model; take a smaller one, or a larger machine\n";
        const auto written = ::write(tool::errors_descriptor(), text.data(), text.size());
        ::_exit(written >= 0 ? 1 : 2);
    }
    std::signal(number, SIG_DFL);
}

void watch_faults() {
    for (const int one : {SIGSEGV, SIGBUS}) {
        struct sigaction now {};
        // A handler that is there already, as that of a sanitizer, stays.
        if (::sigaction(one, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        std::signal(one, on_fault);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::set_terminate(end_by_sentence);
    watch_faults();
    try {
        if (const auto code = inlay::isolation_main(argc, argv)) return *code;
        if (const auto code = inlay::trial_main(argc, argv)) return *code;
        if (const auto code = tool::run_as_worker(argc, argv)) return *code;
        set_up_libraries(argv);
        return tool::run_command_line(argc, argv);
    } catch (...) {
        if (!say_shortage()) throw;
        return 1;
    }
}
