// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PROGRESS_HPP
#define INLAY_EXAMPLES_INLAY_PROGRESS_HPP

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "waiting.hpp"

namespace tool {

/// Shows how far long work is, on standard error: a bar on a terminal, else a line every few seconds; nothing where quiet.
class progress {
public:
    explicit progress(bool quiet) : quiet_(quiet), terminal_(isatty(2) != 0) {}

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
            std::fprintf(stderr, "\r%.*s [%s] %zu of %zu ", static_cast<int>(phase.size()), phase.data(), bar.c_str(), done, total);
            drawn_ = true;
        } else {
            std::fprintf(stderr, "%.*s: %zu of %zu\n", static_cast<int>(phase.size()), phase.data(), done, total);
        }
    }

    /// Clears the bar.
    void end() {
        if (drawn_) std::fprintf(stderr, "\r\033[K");
        drawn_ = false;
    }

private:
    bool quiet_, terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tool

#endif
