// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {

namespace {

// A signal handler can reach nothing but a static.
volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

/// A number of KiB from this process's status.
long status_kib(const std::string& name) {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;) {
        if (word != name + ":") continue;
        long kib = 0;
        file >> kib;
        return kib;
    }
    return 0;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

child_end run_in_child(void* answer, std::size_t size, double limit_s, const std::function<void()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return child_end::died;
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return child_end::died;
    }
    if (child == 0) {
        close(ends[0]);
        setpgid(0, 0);
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        work();
        const bool told = write(ends[1], answer, size) == static_cast<ssize_t>(size);
        _exit(told ? 0 : 1);
    }
    setpgid(child, child);
    close(ends[1]);
    using clock = std::chrono::steady_clock;
    const auto until = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(limit_s));
    child_end end = child_end::died;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now()).count();
        pollfd wait{ends[0], POLLIN, 0};
        const int ready = left > 0 ? poll(&wait, 1, static_cast<int>(left < 1000 ? left : 1000)) : 0;
        if (was_interrupted()) {
            end = child_end::interrupted;
            break;
        }
        if (ready > 0) {
            if (read(ends[0], answer, size) == static_cast<ssize_t>(size)) end = child_end::answered;
            break;
        }
        if (left <= 0) {
            end = child_end::timed_out;
            break;
        }
    }
    close(ends[0]);
    kill(-child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    return end;
}

int run_program(const std::vector<std::string>& words, const std::string& output) {
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int in = open("/dev/null", O_RDONLY);
        if (out < 0 || in < 0) _exit(127);
        dup2(in, 0);
        dup2(out, 1);
        dup2(out, 2);
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

long memory_kib() { return status_kib("VmRSS"); }

long peak_memory_kib() {
    const long peak = status_kib("VmHWM");
    if (peak > 0) return peak;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

void forget_peak_memory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace bench
