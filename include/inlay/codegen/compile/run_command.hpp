// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_COMPILE_RUN_COMMAND_HPP
#define INLAY_CODEGEN_COMPILE_RUN_COMMAND_HPP

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// A program that is to run beside this one.
struct command_request {
    std::vector<std::string> words;        // the program, looked for in PATH unless it has a slash, and its arguments
    std::vector<std::string> environment;  // NAME=value, before what this process has
    double seconds = 60;                   // after these it is killed, and with it what it started
    std::size_t most_output = 65536;       // bytes of its output that are kept, from the first on
};

/// How it ended.
struct command_end {
    std::string output;  // what it wrote to both of its outputs
    int status = 0;      // its exit status, where it exited
    int signal = 0;      // that ended it; 0 where it exited
    bool is_late = false;

    [[nodiscard]] bool succeeded() const { return status == 0 && signal == 0 && !is_late; }
};

namespace detail {

[[nodiscard]] inline double steady_seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A pipe of which no end is among the first three descriptors, which the other process is given anew.
struct command_pipe {
    int ends[2]{-1, -1};

    command_pipe() {
        int raw[2];
        if (pipe2(raw, O_CLOEXEC) != 0) return;
        for (int i = 0; i < 2; ++i) {
            ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 3);
            ::close(raw[i]);
        }
    }
    command_pipe(const command_pipe&) = delete;
    command_pipe& operator=(const command_pipe&) = delete;
    ~command_pipe() {
        close(0);
        close(1);
    }
    void close(int i) {
        if (ends[i] >= 0) ::close(std::exchange(ends[i], -1));
    }
    /// Reads what is there and keeps so much of it; closes the end where no more will come.
    void drain(std::string& into, std::size_t most) {
        char block[4096];
        while (ends[0] >= 0) {
            const ::ssize_t got = ::read(ends[0], block, sizeof block);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0 && errno == EAGAIN) return;
            if (got <= 0) return close(0);
            into.append(block, std::min(static_cast<std::size_t>(got), most - std::min(most, into.size())));
        }
    }
};

/// Where a process stands: its process group, 0 for one of its own, and what it reads and writes, which is nothing where negative.
struct command_place {
    pid_t group = 0;
    int input = -1, output = -1;
};

/// Starts a program. Gives 0, or the system's reason.
[[nodiscard]] inline int start_process(const std::vector<char*>& words, const std::vector<char*>& environment, const command_place& where,
                                       pid_t& made) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&how) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    const auto give = [&](int number, int source, int mode) {
        if (source < 0)
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0);
        else
            posix_spawn_file_actions_adddup2(&actions, source, number);
    };
    give(0, where.input, O_RDONLY);
    give(1, where.output, O_WRONLY);
    give(2, where.output, O_WRONLY);
    // Signals that this process ignores or holds back are the other's again.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setpgroup(&how, where.group);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int failed = posix_spawnp(&made, words.front(), &actions, &how, words.data(), environment.data());
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/// Starts a command at a place. Gives 0, or the system's reason.
[[nodiscard]] inline int start_command(const command_request& what, const command_place& where, pid_t& made) {
    std::vector<char*> words, environment;
    for (const std::string& word : what.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    for (const std::string& one : what.environment) environment.push_back(const_cast<char*>(one.c_str()));
    for (char** e = environ; *e != nullptr; ++e) {
        const std::string_view name = std::string_view(*e).substr(0, std::string_view(*e).find('=') + 1);
        const auto is_set = [&](const std::string& one) { return std::string_view(one).substr(0, name.size()) == name; };
        if (std::none_of(what.environment.begin(), what.environment.end(), is_set)) environment.push_back(*e);
    }
    environment.push_back(nullptr);
    return start_process(words, environment, where, made);
}

/// The first of a process group, which ends all that are in it once this process is no more, even one that was killed. It waits for the
/// end of a pipe that nobody writes to.
class command_watch {
public:
    command_watch() {
        char shell[] = "sh", flag[] = "-c", text[] = "read -r word; kill -9 0";
        std::vector<char*> environment;
        for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
        environment.push_back(nullptr);
        const bool has_pipe = pipe_.ends[0] >= 0 && pipe_.ends[1] >= 0;
        if (!has_pipe || start_process({shell, flag, text, nullptr}, environment, {0, pipe_.ends[0], -1}, pid_) != 0) pid_ = 0;
        pipe_.close(0);
    }
    command_watch(const command_watch&) = delete;
    command_watch& operator=(const command_watch&) = delete;
    ~command_watch() {
        if (pid_ == 0) return;
        ::kill(-pid_, SIGKILL);
        while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
    }
    /// The group; 0 where it could not be started.
    [[nodiscard]] pid_t group() const { return pid_; }

private:
    command_pipe pipe_;
    pid_t pid_ = 0;
};

}  // namespace detail

/// Runs a command to its end, or to the end of its time, and gives what it wrote. Processes that it started and left behind are killed with
/// it, and all of them where this process ends first. The error says that it could not be started, and why. Precondition: there is a word.
[[nodiscard]] inline outcome<command_end> run_command(const command_request& what) {
    const std::string who = quoted_text(what.words.front(), 200);
    const auto refuse = [&](int reason) { return error{"the program " + who + " cannot be started: " + std::strerror(reason)}; };
    detail::command_pipe pipe;
    if (pipe.ends[0] < 0 || pipe.ends[1] < 0) return refuse(errno);
    fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
    const detail::command_watch watch;
    pid_t child = -1;
    if (const int failed = detail::start_command(what, {watch.group(), -1, pipe.ends[1]}, child); failed != 0) return refuse(failed);
    pipe.close(1);
    const double last = detail::steady_seconds() + what.seconds;
    command_end end;
    for (;;) {
        // It stays a zombie until its group is killed, so that nobody else can have the group's number meanwhile.
        siginfo_t how{};
        const bool is_over =
            waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno != EINTR : how.si_pid == child;
        pipe.drain(end.output, what.most_output);
        if (is_over) break;
        end.is_late = detail::steady_seconds() >= last;
        if (end.is_late) break;
        pollfd wait{pipe.ends[0], POLLIN, 0};
        // Without an end to read from, poll waits for the time alone.
        ::poll(&wait, 1, pipe.ends[0] >= 0 ? 20 : 1);
    }
    ::kill(watch.group() != 0 ? -watch.group() : -child, SIGKILL);
    int status = 0;
    pid_t reaped = -1;
    do reaped = waitpid(child, &status, 0);
    while (reaped < 0 && errno == EINTR);
    if (reaped != child) return error{"how the program " + who + " ended is not known, since this process ignores the end of its children"};
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
    return end;
}

}  // namespace inlay

#endif
