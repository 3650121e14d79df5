// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_WAITING_HPP
#define INLAY_EXAMPLES_INLAY_WAITING_HPP

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "library_output.hpp"

namespace tool {

/// Shows on standard error that a verb is still at work, from its second second on: what it does and since when. On a terminal one line
/// that is drawn anew, else a line every few seconds. Silent while a bar of `progress` shows more, and where it is not started.
///
/// There is one for the whole program, since standard error is one; all members may be called from any thread.
class waiting {
public:
    static waiting& here() {
        static waiting one;
        return one;
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;
    ~waiting() { stop(); }

    /// Begins to watch; `what` is shown until `now` says something else.
    void start(std::string what) {
        stop();
        what_ = std::move(what);
        begun_ = shown_ = clock::now();
        runs_ = true;
        watcher_ = std::thread([this] { watch(); });
    }
    /// Ends watching, and clears the line.
    void stop() {
        {
            const std::lock_guard guard(mutex_);
            runs_ = false;
        }
        wake_.notify_all();
        if (watcher_.joinable()) watcher_.join();
        clear();
    }
    /// What is done from now on.
    void now(std::string what) {
        const std::lock_guard guard(mutex_);
        what_ = std::move(what);
    }
    /// To be called before anything else is printed: clears the line, which comes back when the wait goes on.
    void clear() {
        const std::lock_guard guard(mutex_);
        shown_ = clock::now();
        if (std::exchange(drawn_, false)) std::cerr << "\r\033[K" << std::flush;
    }

private:
    using clock = std::chrono::steady_clock;

    waiting() = default;

    void watch() {
        std::unique_lock lock(mutex_);
        const bool terminal = isatty(errors_descriptor()) != 0;
        bool first = true;
        while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [this] { return !runs_; })) {
            const auto now = clock::now();
            if (now - shown_ < std::chrono::milliseconds(first || terminal ? 1000 : 5000) && !drawn_) continue;
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begun_).count();
            if (terminal) {
                std::cerr << "\r\033[K" + what_ + ": " + std::to_string(seconds) + " s so far" << std::flush;
                drawn_ = true;
            } else {
                std::cerr << what_ + ": " + std::to_string(seconds) + " s so far\n";
                shown_ = now;
            }
            first = false;
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::thread watcher_;
    std::string what_;
    clock::time_point begun_, shown_;
    bool runs_ = false, drawn_ = false;
};

}  // namespace tool

#endif
