// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PROGRESS_HPP
#define INLAY_EXAMPLES_INLAY_PROGRESS_HPP

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>

#include "library_output.hpp"
#include "waiting.hpp"

namespace tool {

/// Shows how far long work is, on standard error: a bar on a terminal, else a line every few seconds; nothing where quiet.
class progress {
public:
    explicit progress(bool quiet) : quiet_(quiet), terminal_(isatty(errors_descriptor()) != 0) {}

    void operator()(std::string_view phase, std::size_t done, std::size_t total) {
        if (quiet_ || total == 0) return;
        const auto now = std::chrono::steady_clock::now();
        const bool due = now - last_ >= std::chrono::milliseconds(terminal_ ? 100 : 5000);
        if (!due && !(terminal_ && done == total)) return;
        last_ = now;
        waiting::here().clear();
        if (terminal_) {
            constexpr std::size_t width = 30;
            const std::size_t full = width * done / total;
            const std::string bar = std::string(full, '#') + std::string(width - full, '.');
            std::cerr << "\r" + std::string(phase) + " [" + bar + "] " + std::to_string(done) + " of " + std::to_string(total) + " "
                      << std::flush;
            drawn_ = true;
        } else {
            std::cerr << std::string(phase) + ": " + std::to_string(done) + " of " + std::to_string(total) + "\n";
        }
    }

    /// Clears the bar.
    void end() {
        if (drawn_) std::cerr << "\r\033[K" << std::flush;
        drawn_ = false;
    }

private:
    bool quiet_, terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tool

#endif
