// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "rival.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/core/quoted_text.hpp>

namespace tool {

using namespace inlay;

outcome<rival> rival::start(const std::string& command) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0) return error{"no pipe to the rival could be made; close some files and try again"};
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return error{"no pipe to the rival could be made; close some files and try again"};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    std::string shell = "sh", option = "-c", text = command;
    char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    rival made;
    const int failed = posix_spawnp(&made.process_, "sh", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    made.to_ = fdopen(to[1], "w");
    made.from_ = fdopen(from[0], "r");
    if (failed != 0) {
        made.process_ = -1;
        return error{"the rival's shell could not be started"};
    }
    std::string last;
    for (;;) {
        auto said = made.line();
        if (!said) return error{"it ended before it said 'ready'" + (last.empty() ? std::string() : "; it said " + quoted_text(last, 400))};
        if (*said == "ready") return made;
        last = *std::move(said);
    }
}

rival::rival(rival&& other) noexcept
    : to_(std::exchange(other.to_, nullptr)), from_(std::exchange(other.from_, nullptr)), process_(std::exchange(other.process_, -1)) {}

rival& rival::operator=(rival&& other) noexcept {
    std::swap(to_, other.to_);
    std::swap(from_, other.from_);
    std::swap(process_, other.process_);
    return *this;
}

rival::~rival() {
    if (to_ != nullptr) std::fclose(to_);
    if (from_ != nullptr) std::fclose(from_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
}

outcome<std::string> rival::line() {
    constexpr std::size_t longest = 10000;
    std::string text;
    for (int c; (c = std::fgetc(from_)) != EOF;) {
        if (c == '\n') return text;
        if (text.size() < longest) text.push_back(static_cast<char>(c));
    }
    return error{"the rival has ended"};
}

outcome<double> rival::run() {
    if (std::fputs("run\n", to_) < 0 || std::fflush(to_) != 0) return error{"the rival has ended"};
    const auto said = line();
    if (!said) return said.failure();
    double seconds = 0;
    const auto [end, fault] = std::from_chars(said->data(), said->data() + said->size(), seconds);
    if (fault != std::errc() || end != said->data() + said->size() || !std::isfinite(seconds) || seconds < 0)
        return error{"the rival answered " + quoted_text(*said) + " where seconds were expected"};
    return seconds;
}

}  // namespace tool
