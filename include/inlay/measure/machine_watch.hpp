// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_MACHINE_WATCH_HPP
#define INLAY_MEASURE_MACHINE_WATCH_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

namespace inlay {

/// What a stretch of time showed of the machine, beside our own work.
struct machine_window {
    double seconds = 0;  // its length
    double others = 0;   // seconds that other processes, or the host of a virtual machine, had of the cores that we may use
    double clock = 0;    // of the clock kernel: the slower of its readings before and after

    friend bool operator==(const machine_window&, const machine_window&) = default;
};

/// From where on a window counts as disturbed.
struct calm_limits {
    double others = 0.25;  // of one core; less than that is within what ticks of 10 ms can tell of a tenth of a second
    double clock = 1.08;   // times its best reading
};

/// Whether nothing else ran, as far as a window shows it. `best_clock` is the least reading that is known; 0 where none is.
[[nodiscard]] inline bool is_calm(const machine_window& w, double best_clock, const calm_limits& limits = {}) {
    constexpr double ticks = 0.015;  // what rounding of ticks may come to
    return w.others <= limits.others * w.seconds + ticks && (best_clock <= 0 || w.clock <= limits.clock * best_clock);
}

namespace detail {

/// A chain of 64 multiplications, each of which waits for the one before: its time is the core's clock and nothing else.
inline std::uint64_t multiply_in_a_chain(std::uint64_t x, std::uint64_t factor) {
#if defined(__x86_64__)
    asm volatile(".rept 64\n\timul %1, %0\n\t.endr" : "+r"(x) : "r"(factor) : "cc");
#elif defined(__aarch64__)
    asm volatile(".rept 64\n\tmul %0, %0, %1\n\t.endr" : "+r"(x) : "r"(factor));
#else
    for (int i = 0; i < 64; ++i) x *= factor;
#endif
    return x;
}

/// What the kernel says in a small file; empty where it says nothing.
inline std::string_view text_of(int file, char* block, std::size_t size) {
    const ssize_t got = file < 0 ? -1 : ::pread(file, block, size, 0);
    return {block, got > 0 ? static_cast<std::size_t>(got) : 0};
}

/// The next number of a text, which is taken off; 0 where there is none.
inline std::uint64_t next_number(std::string_view& text) {
    std::size_t at = 0;
    while (at < text.size() && text[at] == ' ') ++at;
    std::uint64_t number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
    text.remove_prefix(at);
    return number;
}

/// A file that is read again and again.
class kept_file {
public:
    explicit kept_file(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    kept_file(kept_file&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    kept_file& operator=(kept_file&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~kept_file() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

/// Ticks that the listed processors were busy, of all that `/proc/stat` says; those that a host took count as busy.
inline std::uint64_t busy_ticks(std::string_view stat, const std::vector<char>& listed) {
    std::uint64_t busy = 0;
    while (!stat.empty()) {
        std::string_view line = stat.substr(0, stat.find('\n'));
        stat.remove_prefix(std::min(stat.size(), line.size() + 1));
        if (!line.starts_with("cpu")) break;
        line.remove_prefix(3);
        if (line.empty() || line.front() == ' ') continue;  // the sum of all
        const std::uint64_t number = next_number(line);
        if (number >= listed.size() || listed[number] == 0) continue;
        for (int field = 0; field < 8; ++field) {  // user, nice, system, idle, iowait, irq, softirq, steal
            const std::uint64_t ticks = next_number(line);
            if (field != 3 && field != 4) busy += ticks;
        }
    }
    return busy;
}

}  // namespace detail

/// The clock kernel: some microseconds of arithmetic whose time says how fast the core is. Seconds; the least of a few tries, so that an
/// interruption does not count.
[[nodiscard]] inline double clock_reading() {
    using clock = std::chrono::steady_clock;
    double least = 1;
    std::uint64_t x = 3;
    for (int turn = 0; turn < 4; ++turn) {
        const auto start = clock::now();
        for (int i = 0; i < 256; ++i) x = detail::multiply_in_a_chain(x, 0x5851'F42D'4C95'7F2Dull);
        least = std::min(least, std::chrono::duration<double>(clock::now() - start).count());
    }
    // The result is of no use, but somebody has to want it.
    return x == 0 ? 0 : least;
}

/// Watches whether something else runs on the machine while this process measures. Two things are watched. Over a window of time: how much
/// of the cores that we may use others had, and how fast a core is, by a clock kernel before and after. Around one run: how long threads
/// of ours were ready and had no core, which the scheduler counts in nanoseconds. Where the system does not say, all looks calm.
class machine_watch {
public:
    /// `best_clock`: the least reading of the clock kernel that is known of this machine; 0: none.
    explicit machine_watch(double best_clock = 0) : best_clock_(best_clock), stat_("/proc/stat"), ticks_a_second_(sysconf(_SC_CLK_TCK)) {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
            for (std::size_t i = 0; i < CPU_SETSIZE; ++i) ours_.push_back(CPU_ISSET(i, &allowed) ? 1 : 0);
        else
            ours_.assign(CPU_SETSIZE, 1);
    }

    /// Begins a window.
    void begin() {
        find_threads();
        before_ = read();
    }
    /// Ends the window and says what it showed.
    [[nodiscard]] machine_window end() {
        const reading after = read();
        machine_window w;
        w.seconds = after.time - before_.time;
        const double busy = static_cast<double>(after.busy - before_.busy) / static_cast<double>(ticks_a_second_);
        w.others = std::max(0.0, busy - (after.own - before_.own));
        w.clock = std::max(before_.clock, after.clock);
        return w;
    }
    /// The same, as an answer: whether the window was calm.
    [[nodiscard]] bool end_calm() {
        last_ = end();
        return is_calm(last_, best_clock_);
    }
    [[nodiscard]] const machine_window& last() const { return last_; }
    /// Seconds that passed since the window began.
    [[nodiscard]] double age() const { return now() - before_.time; }

    /// Seconds that the threads which were there when the window began have been ready without a core, all together, since they began.
    [[nodiscard]] double waited() {
        std::uint64_t sum = 0;
        for (watched_thread& t : threads_) {
            char block[96];
            std::string_view text = detail::text_of(t.file.number(), block, sizeof block);
            if (!text.empty()) {
                (void)detail::next_number(text);
                t.waited = detail::next_number(text);
            }
            sum += t.waited;  // a thread that has ended keeps what it had
        }
        return static_cast<double>(sum) * 1e-9;
    }
    /// Whether threads that waited so long within a run of that length were pushed aside; waking up takes some microseconds by itself.
    [[nodiscard]] static bool was_pushed_aside(double waited, double seconds) { return waited > 100e-6 + 0.02 * seconds; }

    /// The least reading of the clock kernel so far.
    [[nodiscard]] double best_clock() const { return best_clock_; }

private:
    struct reading {
        double time = 0, own = 0, clock = 0;
        std::uint64_t busy = 0;
    };
    struct watched_thread {
        long id;
        detail::kept_file file;
        std::uint64_t waited = 0;
    };

    static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

    [[nodiscard]] reading read() {
        reading r;
        r.clock = clock_reading();
        best_clock_ = best_clock_ > 0 ? std::min(best_clock_, r.clock) : r.clock;
        r.time = now();
        timespec own{};
        if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0)
            r.own = static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec);
        text_.resize(std::max<std::size_t>(text_.size(), 4096));
        std::string_view text = detail::text_of(stat_.number(), text_.data(), text_.size());
        // The lines of the processors come first; behind them one line may be very long.
        while (text.size() == text_.size() && text.substr(text.rfind('\n') + 1).starts_with("cpu")) {
            text_.resize(2 * text_.size());
            text = detail::text_of(stat_.number(), text_.data(), text_.size());
        }
        r.busy = detail::busy_ticks(text, ours_);
        return r;
    }

    void find_threads() {
        DIR* folder = ::opendir("/proc/self/task");
        if (folder == nullptr) return;
        while (const dirent* entry = ::readdir(folder)) {
            const long id = std::atol(entry->d_name);
            if (id <= 0 || std::any_of(threads_.begin(), threads_.end(), [&](const watched_thread& t) { return t.id == id; })) continue;
            threads_.push_back({id, detail::kept_file("/proc/self/task/" + std::to_string(id) + "/schedstat"), 0});
        }
        ::closedir(folder);
    }

    double best_clock_;
    detail::kept_file stat_;
    long ticks_a_second_;
    std::vector<char> ours_;  // by number of processor
    std::vector<watched_thread> threads_;
    std::string text_;
    reading before_;
    machine_window last_;
};

/// In the place of `machine_watch` where another process is meant to run: all that is seen counts.
class indifferent_watch {
public:
    void begin() { start_ = std::chrono::steady_clock::now(); }
    [[nodiscard]] static bool end_calm() { return true; }
    [[nodiscard]] double age() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    [[nodiscard]] static double waited() { return 0; }
    [[nodiscard]] static bool was_pushed_aside(double, double) { return false; }
    /// None: under load the clock kernel tells nothing of the core.
    [[nodiscard]] static double best_clock() { return 0; }

private:
    std::chrono::steady_clock::time_point start_;
};

/// Whether nothing else runs now, as far as so many seconds show it.
[[nodiscard]] inline bool is_machine_calm(double best_clock = 0, double seconds = 0.15) {
    machine_watch watch(best_clock);
    watch.begin();
    const timespec pause{0, static_cast<long>(std::min(seconds, 0.999) * 1e9)};
    ::nanosleep(&pause, nullptr);
    return watch.end_calm();
}

}  // namespace inlay

#endif
