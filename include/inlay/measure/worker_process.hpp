// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WORKER_PROCESS_HPP
#define INLAY_MEASURE_WORKER_PROCESS_HPP

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/measure/wire.hpp>
#include <inlay/measure/worker_batch.hpp>

namespace inlay::detail {

/// A file descriptor that closes itself.
class owned_descriptor {
public:
    owned_descriptor() = default;
    /// Takes the descriptor over; moves it out of the way of those that a worker is given by number.
    explicit owned_descriptor(int raw) : number_(raw) {
        if (raw < 0 || raw > 9) return;
        number_ = fcntl(raw, F_DUPFD_CLOEXEC, 10);
        ::close(raw);
    }
    owned_descriptor(owned_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    owned_descriptor& operator=(owned_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~owned_descriptor() { reset(); }
    void reset() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_ = -1;
};

/// A worker at work on one batch: a process, the page that it shares, the pipe it speaks through. Killed and waited for when it goes.
class worker_process {
public:
    worker_process() = default;
    worker_process(worker_process&&) = delete;
    ~worker_process() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
        }
        if (memory_ != nullptr) munmap(memory_, size_);
    }

    /// Starts the executable on a batch; `quiet`: what it prints goes nowhere. Error: there is no memory, pipe or process.
    [[nodiscard]] outcome<void> start(const std::string& batch, const std::string& executable, bool quiet) {
        const auto refuse = [](const char* what) {
            return error{std::string("a measuring worker cannot be started (") + what + ": " + std::strerror(errno) +
                         "); free memory or processes and try again"};
        };
        owned_descriptor file(memfd_create("inlay_batch", MFD_CLOEXEC));
        size_ = worker_page::bytes + batch.size();
        if (file.number() < 0 || ftruncate(file.number(), static_cast<off_t>(size_)) != 0) return refuse("memory");
        void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
        if (memory == MAP_FAILED) return refuse("memory");
        memory_ = memory;
        new (memory_) worker_page{};
        std::memcpy(static_cast<char*>(memory_) + worker_page::bytes, batch.data(), batch.size());
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return refuse("pipe");
        results_ = owned_descriptor(ends[0]);
        owned_descriptor theirs(ends[1]);
        if (results_.number() < 0 || theirs.number() < 0) return refuse("pipe");
        fcntl(results_.number(), F_SETFL, O_NONBLOCK);

        posix_spawn_file_actions_t actions;
        if (posix_spawn_file_actions_init(&actions) != 0) return refuse("memory");
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (quiet) {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        } else {
            posix_spawn_file_actions_adddup2(&actions, 2, 1);
        }
        posix_spawn_file_actions_adddup2(&actions, file.number(), worker_batch_descriptor);
        posix_spawn_file_actions_adddup2(&actions, theirs.number(), worker_result_descriptor);
        std::string program = executable, flag(worker_flag), variable = std::string(worker_variable) + "=1";
        char* arguments[]{program.data(), flag.data(), nullptr};
        std::vector<char*> environment{variable.data()};
        for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
        environment.push_back(nullptr);
        errno = posix_spawn(&pid_, executable.c_str(), &actions, nullptr, arguments, environment.data());
        const int code = errno;
        posix_spawn_file_actions_destroy(&actions);
        if (code != 0) {
            pid_ = -1;
            errno = code;
            return refuse(executable.c_str());
        }
        return {};
    }

    [[nodiscard]] worker_page& page() { return *static_cast<worker_page*>(memory_); }

    /// Waits a moment for words and passes each to `hear(reader)`; false from it means nonsense. False once no more can come.
    template <class Hear>
    [[nodiscard]] bool listen(int milliseconds, Hear&& hear) {
        pollfd wait{results_.number(), POLLIN, 0};
        ::poll(&wait, 1, milliseconds);
        // Asked before reading: what a worker said before it ended is then in the pipe.
        const bool was_over = over();
        char block[4096];
        for (;;) {
            const ssize_t got = ::read(results_.number(), block, sizeof block);
            if (got > 0) {
                heard_.append(block, static_cast<std::size_t>(got));
                continue;
            }
            if (got < 0 && errno == EINTR) continue;
            closed_ = closed_ || got == 0;
            break;
        }
        for (std::uint32_t size = 0; heard_.size() >= sizeof size;) {
            std::memcpy(&size, heard_.data(), sizeof size);
            if (size > (1u << 20)) return false;
            if (heard_.size() < sizeof size + size) break;
            wire_reader r(std::string_view(heard_).substr(sizeof size, size));
            if (!hear(r)) return false;
            heard_.erase(0, sizeof size + size);
        }
        return !was_over && !closed_;
    }

    /// Ends the process, if it has not ended, and says how it ended.
    [[nodiscard]] std::string how_it_ended(bool by_force) {
        if (pid_ > 0 && by_force) ::kill(pid_, SIGKILL);
        // Its pipe may be closed a moment before it has ended; one that lives on without it is of no use.
        for (int patience = 0; pid_ > 0 && !over(); ++patience) {
            if (patience == 200) ::kill(pid_, SIGKILL);
            ::poll(nullptr, 0, 5);
        }
        if (WIFSIGNALED(status_)) return "died by signal " + std::to_string(WTERMSIG(status_)) + " (" + strsignal(WTERMSIG(status_)) + ")";
        return "ended with exit status " + std::to_string(WEXITSTATUS(status_));
    }

private:
    bool over() {
        if (pid_ <= 0) return true;
        const pid_t ended = waitpid(pid_, &status_, WNOHANG);
        if (ended == pid_ || (ended < 0 && errno != EINTR)) pid_ = -1;
        return pid_ <= 0;
    }

    pid_t pid_ = -1;
    int status_ = 0;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    owned_descriptor results_;
    std::string heard_;
    bool closed_ = false;
};

}  // namespace inlay::detail

#endif
