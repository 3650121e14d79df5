// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "library_output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <inlay/core/quoted_text.hpp>

namespace tool {

namespace {

constexpr std::size_t most_printed_lines = 100, longest_printed_line = 400;

int& depth_of_calls() {
    static thread_local int depth = 0;
    return depth;
}

bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ::ssize_t sent = ::write(to, text.data(), text.size());
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace

/// Sends what a stream of C++ writes to a descriptor; inside of a library to another one.
class tool_buffer : public std::streambuf {
public:
    tool_buffer(int to, int of_libraries) : to_(to), of_libraries_(of_libraries) {}
    ~tool_buffer() override { (void)tool_buffer::sync(); }

    [[nodiscard]] int descriptor() const { return to_; }

protected:
    int_type overflow(int_type c) override {
        if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
        const char one = traits_type::to_char_type(c);
        return xsputn(&one, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const std::string_view more(text, static_cast<std::size_t>(size));
        if (depth_of_calls() > 0) return write_all(of_libraries_, more) ? size : 0;
        const std::lock_guard guard(mutex_);
        kept_ += more;
        return kept_.size() < std::size_t{1} << 16 || send() ? size : 0;
    }
    int sync() override {
        const std::lock_guard guard(mutex_);
        return send() ? 0 : -1;
    }

private:
    bool send() {
        const std::string text = std::exchange(kept_, {});
        return write_all(to_, text);
    }

    int to_, of_libraries_;
    std::mutex mutex_;
    std::string kept_;
};

struct library_output::state {
    int output = -1, errors = -1, pipe[2]{-1, -1}, stop[2]{-1, -1};
    bool quiet = false;
    std::streambuf *old_output = nullptr, *old_errors = nullptr;
    std::unique_ptr<tool_buffer> own_output, own_errors;
    std::thread reader;

    ~state() {
        for (const int one : {output, errors, pipe[0], pipe[1], stop[0], stop[1]})
            if (one >= 0) ::close(one);
    }

    void tell(std::string_view line, std::size_t& lines) const {
        if (quiet || line.empty() || lines > most_printed_lines) return;
        const std::string shown = lines++ == most_printed_lines ? std::string("... and more, which is left out")
                                                                : inlay::escaped_text(line, longest_printed_line);
        (void)write_all(errors, "inlay: a library of back ends prints: " + shown + "\n");
    }
    /// Reads until it is told to stop and nothing is left.
    void read() const {
        std::string line;
        std::size_t lines = 0;
        for (bool stopped = false;;) {
            pollfd from[]{{pipe[0], POLLIN, 0}, {stop[0], POLLIN, 0}};
            if (::poll(from, 2, stopped ? 0 : -1) < 0 && errno != EINTR) break;
            stopped = stopped || from[1].revents != 0;
            if ((from[0].revents & POLLIN) == 0) {
                if (stopped) break;
                continue;
            }
            char block[4096];
            const ::ssize_t got = ::read(pipe[0], block, sizeof block);
            for (::ssize_t i = 0; i < got; ++i) {
                // A line without an end is cut, and so takes no memory.
                if (block[i] != '\n' && line.size() <= longest_printed_line) line += block[i];
                if (block[i] == '\n') tell(std::exchange(line, {}), lines);
            }
        }
        tell(line, lines);
    }
};

library_output::library_output(bool quiet) : state_(std::make_unique<state>()) {
    state& s = *state_;
    s.quiet = quiet;
    s.output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    s.errors = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    // Without descriptors everything goes where it went before.
    if (s.output < 0 || s.errors < 0 || ::pipe2(s.pipe, O_CLOEXEC) != 0 || ::pipe2(s.stop, O_CLOEXEC) != 0) return;
    std::cout.flush();
    s.own_output = std::make_unique<tool_buffer>(s.output, s.pipe[1]);
    s.own_errors = std::make_unique<tool_buffer>(s.errors, s.pipe[1]);
    s.old_output = std::cout.rdbuf(s.own_output.get());
    s.old_errors = std::cerr.rdbuf(s.own_errors.get());
    ::dup2(s.pipe[1], STDOUT_FILENO);
    ::dup2(s.pipe[1], STDERR_FILENO);
    s.reader = std::thread([&s] { s.read(); });
}

library_output::~library_output() {
    state& s = *state_;
    if (s.own_output == nullptr) return;
    // What libraries still have in buffers of C goes into the pipe too.
    std::fflush(stdout);
    std::fflush(stderr);
    std::cout.flush();
    const std::ios::iostate ended = std::cout.rdstate();
    std::cout.rdbuf(s.old_output);
    std::cout.setstate(ended);
    std::cerr.rdbuf(s.old_errors);
    ::dup2(s.output, STDOUT_FILENO);
    ::dup2(s.errors, STDERR_FILENO);
    (void)write_all(s.stop[1], "x");
    s.reader.join();
}

library_call::library_call() { ++depth_of_calls(); }
library_call::~library_call() { --depth_of_calls(); }

int errors_descriptor() {
    const auto* own = dynamic_cast<const tool_buffer*>(std::cerr.rdbuf());
    return own != nullptr ? own->descriptor() : STDERR_FILENO;
}

}  // namespace tool
