// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_BUSY_CORE_HPP
#define INLAY_MEASURE_BUSY_CORE_HPP

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>

namespace inlay {

/// The core that a competing process takes: the last one that this process may use; nothing where the system does not say.
[[nodiscard]] inline std::optional<int> last_usable_core() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::nullopt;
    for (int core = CPU_SETSIZE; core-- > 0;)
        if (CPU_ISSET(core, &allowed)) return core;
    return std::nullopt;
}

/// A competing process that takes one core as long as this lives: it spins at nice 0, bound to the last core that may be used. It never
/// outlives the thread that started it, however that ends. Move-only.
class busy_core {
public:
    /// Error: the system gives no process, or says nothing of cores.
    [[nodiscard]] static outcome<busy_core> start() {
        const std::optional<int> core = last_usable_core();
        if (!core) return error{"no core can be kept busy: the system does not say which cores this process may use"};
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child < 0)
            return error{"no core can be kept busy: " + std::string(std::strerror(errno)) + "; end some processes and try again"};
        if (child == 0) spin(*core, parent);
        return busy_core(child, *core);
    }

    busy_core(busy_core&& other) noexcept : process_(std::exchange(other.process_, -1)), core_(other.core_) {}
    busy_core& operator=(busy_core&& other) noexcept {
        std::swap(process_, other.process_);
        std::swap(core_, other.core_);
        return *this;
    }
    ~busy_core() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    }

    [[nodiscard]] pid_t process() const { return process_; }
    [[nodiscard]] int core() const { return core_; }

private:
    busy_core(pid_t process, int core) : process_(process), core_(core) {}

    /// What the child does. The parent may have had other threads, so nothing but calls of the system.
    [[noreturn]] static void spin(int core, pid_t parent) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);  // it ended before it could be asked for
        // These may reach the whole process group; the parent decides.
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        setpriority(PRIO_PROCESS, 0, 0);
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        if (sched_setaffinity(0, sizeof own, &own) != 0) _exit(1);
        for (volatile unsigned turns = 0;;) turns = turns + 1;
    }

    pid_t process_ = -1;
    int core_ = 0;
};

}  // namespace inlay

#endif
