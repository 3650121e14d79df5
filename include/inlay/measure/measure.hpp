// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_MEASURE_HPP
#define INLAY_MEASURE_MEASURE_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/measure/machine_watch.hpp>
#include <inlay/measure/random_values.hpp>

namespace inlay {

/// How to measure.
struct measure_options {
    std::uint32_t warm_up = 1;         // runs of each kernel that do not count
    std::uint32_t least_samples = 5;   // runs of each that always count
    std::uint32_t most_samples = 30;   // more runs add nothing
    double seconds_per_kernel = 0.05;  // what a kernel's runs may take, once it has its least samples
    double far_above = 1.25;           // times its rival's price, at which a kernel leaves with its least samples: see `measure`
    double most_seconds = 1;           // after which a slow kernel leaves with the samples it has, one at least
    double window_seconds = 0.1;       // about how often is looked whether something else ran
    double patience = 1;               // how much longer it may all take, since what was disturbed is repeated: 1 is as long again
    /// Other memory that passes between two runs of one kernel, at least: what a whole network touches in one inference. It decides
    /// how cold weights are.
    std::uint64_t bytes_between = std::uint64_t{16} << 20;
    /// Another process is meant to run meanwhile (`busy_core.hpp`): nobody watches, nothing is repeated, and all samples are told, not
    /// those of the quickest window.
    bool beside_load = false;

    friend bool operator==(const measure_options&, const measure_options&) = default;
};

/// A kernel to be measured, with what it reads and writes.
struct measured_kernel {
    struct border {
        element_type element = element_type::float32;
        std::size_t bytes = 0;
    };

    const kernel* code = nullptr;
    std::vector<border> inputs, results;
    std::size_t weight_bytes = 0;                            // what the kernel owns and reads at every run, about
    double rival = std::numeric_limits<double>::infinity();  // seconds in which another does the same
    std::uint32_t contest = 0;  // kernels of one number other than 0 do the same, so that each is the others' rival
};

namespace detail {

/// How many samples in a row are compared with others: fewer, and the luckiest window would be told, not the quietest. Beside a load all
/// are one, since each is to have its share of the load.
[[nodiscard]] constexpr std::size_t samples_in_a_window(bool beside_load) {
    return beside_load ? std::numeric_limits<std::size_t>::max() : 15;
}

/// What `run(watch)` gives, with the watch that suits. `best_clock`: the least reading of the clock kernel that is known of this machine;
/// 0: none.
template <class Run>
[[nodiscard]] auto with_watch(bool beside_load, double best_clock, Run&& run) {
    if (beside_load) {
        indifferent_watch watch;
        return run(watch);
    }
    machine_watch watch(best_clock);
    return run(watch);
}

/// Memory that is read to make the caches forget: what a network or its host touches in between.
class other_memory {
public:
    explicit other_memory(std::size_t bytes) : memory_(bytes) {}

    [[nodiscard]] std::size_t size() const { return memory_.size(); }

    /// Reads so many bytes on, from the front again after the end.
    void pass(std::size_t bytes) {
        if (memory_.size() < 64) return;
        const std::byte* from = memory_.data();
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < bytes; i += 64) {
            std::uint64_t word = 0;
            std::memcpy(&word, from + at_, sizeof word);
            sum += word;
            at_ += 64;
            if (at_ + 64 > memory_.size()) at_ = 0;
        }
        // The buffer holds zeros: written back, the sum keeps the reads from being optimised away.
        std::memcpy(memory_.data(), &sum, sizeof sum);
    }

private:
    buffer memory_;
    std::size_t at_ = 0;
};

/// Activations of all kernels share one piece of memory, as they do in a network's arena. Inputs are written just before a run, as
/// their producer would; other memory is read before that, as the rest of the network would.
class measuring_ground {
public:
    using clock = std::chrono::steady_clock;

    measuring_ground(std::span<const measured_kernel> kernels, const measure_options& options, executor_ref executor)
        // Beyond some size nothing gets colder.
        : executor_(executor),
          patterns_(pattern_bytes * element_types),
          other_(std::min<std::size_t>(options.bytes_between, std::size_t{256} << 20)) {
        std::size_t largest = 0;
        for (const measured_kernel& k : kernels) largest = std::max(largest, activation_bytes(k));
        activations_ = buffer(largest);
        ok_ = patterns_.size() != 0 && activations_.size() == largest && (options.bytes_between == 0 || other_.size() != 0);
        if (!ok_) return;
        for (std::size_t e = 1; e < element_types; ++e)
            if (const std::size_t size = size_of(static_cast<element_type>(e)); size != 0)
                fill_random(patterns_.data() + e * pattern_bytes, static_cast<element_type>(e), pattern_bytes / size, 1.0, false, e);
        double gaps[201];
        for (double& g : gaps) {
            const auto start = clock::now();
            g = seconds_since(start);
        }
        clock_cost_ = quantile_of(gaps, 0.5);
    }

    [[nodiscard]] bool ok() const { return ok_; }
    static double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

    [[nodiscard]] static std::size_t traffic(const measured_kernel& k) { return activation_bytes(k) + k.weight_bytes; }

    /// Seconds of one run, the clock's own cost taken off; negative where the kernel reported a failure.
    [[nodiscard]] double run(const measured_kernel& k, std::size_t other_bytes) {
        std::byte* at = activations_.data();
        const auto take = [&](std::size_t bytes) {
            std::byte* place = at;
            at += rounded(bytes);
            return place;
        };
        reads_.clear();
        writes_.clear();
        for (const auto& b : k.inputs) reads_.push_back(take(b.bytes));
        for (std::size_t i = 0; i < k.results.size(); ++i) {
            // A view stands where its input stands, as it does in a program.
            std::byte* own = take(k.results[i].bytes);
            const std::int32_t view = i < k.code->view_of.size() ? k.code->view_of[i] : -1;
            if (view >= 0 && static_cast<std::size_t>(view) < k.inputs.size()) {
                const auto input = static_cast<std::size_t>(view), bytes = k.results[i].bytes, whole = k.inputs[input].bytes;
                const bool is_slice = i < k.code->view_at.size();
                const auto begin = static_cast<std::size_t>(is_slice ? k.code->view_at[i] : 0);
                if (is_slice ? bytes <= whole && begin <= whole - bytes : bytes == whole)
                    own = static_cast<std::byte*>(const_cast<void*>(reads_[input])) + begin;
            }
            writes_.push_back(own);
        }
        run_arguments a;
        a.workspace = take(k.code->workspace_bytes);
        a.inputs = reads_.data();
        a.results = writes_.data();
        a.executor = executor_;
        other_.pass(other_bytes);
        for (std::size_t i = 0; i < k.inputs.size(); ++i) produce(static_cast<std::byte*>(const_cast<void*>(reads_[i])), k.inputs[i]);
        const auto start = clock::now();
        const bool good = (*k.code)(a);
        const double seconds = seconds_since(start) - clock_cost_;
        return good ? std::max(seconds, 0.0) : -1.0;
    }

private:
    static constexpr std::size_t pattern_bytes = 4096, element_types = element_table.size();

    static std::size_t rounded(std::size_t bytes) { return (bytes + buffer::alignment - 1) / buffer::alignment * buffer::alignment; }
    static std::size_t activation_bytes(const measured_kernel& k) {
        std::size_t sum = rounded(k.code->workspace_bytes) + buffer::alignment;
        for (const auto& b : k.inputs) sum += rounded(b.bytes);
        for (const auto& b : k.results) sum += rounded(b.bytes);
        return sum;
    }

    void produce(std::byte* to, const measured_kernel::border& b) const {
        const std::byte* pattern = patterns_.data() + static_cast<std::size_t>(b.element) * pattern_bytes;
        const std::size_t blocks = (b.bytes + pattern_bytes - 1) / pattern_bytes,
                          tasks = blocks < 16 ? 1 : std::min(blocks, executor_.threads());
        executor_.run(tasks, [&](std::size_t t) {
            for (std::size_t block = blocks * t / tasks; block < blocks * (t + 1) / tasks; ++block)
                std::memcpy(to + block * pattern_bytes, pattern, std::min(pattern_bytes, b.bytes - block * pattern_bytes));
        });
    }

    executor_ref executor_;
    buffer patterns_, activations_;
    other_memory other_;
    bool ok_ = false;
    double clock_cost_ = 0;
    std::vector<const void*> reads_;
    std::vector<void*> writes_;
};

/// The samples of one kernel, by how far they are to be trusted.
class sample_book {
public:
    /// A sample of the window that is open. `pushed`: a thread of ours was pushed aside meanwhile.
    void add(double seconds, double took, bool pushed) {
        (pushed ? open_pushed_ : open_).push_back(seconds);
        quickest_ = std::min(quickest_, seconds);
        open_seconds_ += took;
    }
    /// The window has ended. Where nobody else ran and most runs waited all the same, our own threads are more than the cores: it is how
    /// the kernel runs.
    void close(bool calm) {
        const bool by_nature = calm && open_pushed_.size() > open_.size();
        append(calm ? calm_ : doubtful_, open_);
        append(by_nature ? calm_ : pushed_, open_pushed_);
        (calm ? calm_seconds_ : doubtful_seconds_) += open_seconds_;
        open_.clear();
        open_pushed_.clear();
        open_seconds_ = 0;
    }

    /// How many there are, and what their runs took: those of calm windows and of the open one, or of all.
    [[nodiscard]] std::size_t count(bool all) const {
        return calm_.size() + open_.size() + open_pushed_.size() + (all ? doubtful_.size() + pushed_.size() : 0);
    }
    [[nodiscard]] double seconds(bool all) const { return calm_seconds_ + open_seconds_ + (all ? doubtful_seconds_ : 0); }

    /// The least of all; infinite where there are none.
    [[nodiscard]] double quickest() const { return quickest_; }

    /// What they say: the calm ones, if there are enough; else all whose runs had their cores; else all. No samples where there are none.
    [[nodiscard]] measurement told(std::size_t enough, std::size_t in_a_window = samples_in_a_window(false)) const {
        if (!calm_.empty() && calm_.size() >= enough) return measurement::of_windows(calm_, in_a_window);
        std::vector<double> all = calm_;
        append(all, doubtful_);
        if (all.empty()) all = pushed_;
        measurement m = measurement::of_windows(all, in_a_window);
        m.disturbed = true;
        return m;
    }

private:
    static void append(std::vector<double>& to, const std::vector<double>& more) { to.insert(to.end(), more.begin(), more.end()); }

    std::vector<double> calm_, doubtful_, pushed_, open_, open_pushed_;
    double calm_seconds_ = 0, doubtful_seconds_ = 0, open_seconds_ = 0;
    double quickest_ = std::numeric_limits<double>::infinity();
};

}  // namespace detail

/// Times kernels by running them in turns, in rounds: each round runs every kernel once, in a new order, so that what slows the machine
/// for a while slows all alike, and each finds the caches as others left them. A kernel leaves the rounds when it has its samples or
/// has used up its time, or is far slower than what is known to do the same: with n samples, two at least, where the quickest takes over
/// 1 + (`far_above` - 1) * `least_samples` / n times the rival's. `watch` is asked about every tenth of a second whether
/// something else ran: samples of such windows, and of runs during which a thread had to wait for a core, are taken again, as long as
/// `patience` lasts; then they count, and the measurement says so. Of several windows of one kernel the quickest is told. `before(i)` is
/// called ahead of each run of kernel i; a true `stop()` ends it all, and what has been sampled counts. A kernel that reports a failure has
/// that as its reason. Deterministic but for the times.
///
/// `Watch` is `machine_watch`, or something with its `begin`, `end_calm`, `age`, `waited`, `was_pushed_aside` and `best_clock`.
template <class Watch, class Before, class Stop>
[[nodiscard]] std::vector<measurement> measure(std::span<const measured_kernel> kernels, const measure_options& options,
                                               executor_ref executor, Watch& watch, Before&& before, Stop&& stop) {
    std::vector<measurement> result(kernels.size());
    detail::measuring_ground ground(kernels, options, executor);
    if (!ground.ok()) {
        for (measurement& m : result) m = measurement::failed("there is no memory to measure in; measure fewer kernels at once");
        return result;
    }
    const std::uint32_t least = std::max(options.least_samples, 1u), most = std::max(options.most_samples, least);
    std::vector<detail::sample_book> books(kernels.size());
    std::vector<double> spent(kernels.size(), 0);  // by all runs
    double lost = 0, allowance = 0.2 + options.patience * options.seconds_per_kernel * static_cast<double>(kernels.size());
    bool patient = options.patience > 0;
    std::map<std::uint32_t, double> leaders;  // by contest: the least time so far
    const auto look_for_leaders = [&] {
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            if (kernels[i].contest == 0 || result[i].has_failed() || books[i].count(true) == 0) continue;
            const auto [at, is_new] = leaders.try_emplace(kernels[i].contest, books[i].quickest());
            at->second = std::min(at->second, books[i].quickest());
        }
    };
    const auto rival_of = [&](std::size_t i) {
        const auto leader = leaders.find(kernels[i].contest);
        return leader == leaders.end() ? kernels[i].rival : std::min(kernels[i].rival, leader->second);
    };
    // The more samples, the nearer to its rival a kernel leaves; one alone may have been held up.
    const auto is_far_off = [&](std::size_t i) {
        const std::size_t have = books[i].count(true);
        const double margin = (options.far_above - 1) * static_cast<double>(least) / static_cast<double>(std::max<std::size_t>(have, 1));
        return have >= std::min(least, 2u) && books[i].quickest() > (1 + margin) * rival_of(i);
    };
    const auto has_enough = [&](std::size_t i) {
        const std::size_t have = books[i].count(!patient);
        return result[i].has_failed() || have >= most || is_far_off(i) ||
               (have >= least && books[i].seconds(!patient) >= options.seconds_per_kernel) ||
               (have != 0 && spent[i] >= options.most_seconds);
    };
    std::vector<std::size_t> active;
    detail::splitmix random{0x524F'554E'4453};
    bool stopped = false, open = false;
    const auto close = [&] {
        const double length = watch.age();
        const bool calm = watch.end_calm();
        for (detail::sample_book& b : books) b.close(calm);
        (calm ? allowance : lost) += (calm ? options.patience : 1.0) * length;
        open = false;
    };
    for (std::uint32_t round = 0; !stopped; ++round) {
        patient = patient && lost <= allowance;
        active.clear();
        look_for_leaders();
        for (std::size_t i = 0; i < kernels.size(); ++i)
            if (!has_enough(i)) active.push_back(i);
        if (active.empty()) {
            if (!open) break;
            close();  // which may show that there is not enough after all
            continue;
        }
        if (!open) watch.begin();
        open = true;
        for (std::size_t i = active.size(); i > 1; --i) std::swap(active[i - 1], active[random.below(i)]);
        std::uint64_t touched = 0;
        for (const std::size_t i : active) touched += detail::measuring_ground::traffic(kernels[i]);
        const std::uint64_t missing = options.bytes_between > touched ? (options.bytes_between - touched) / active.size() : 0;
        for (const std::size_t i : active) {
            if (stop()) {
                stopped = true;
                break;
            }
            before(i);
            const double waited = watch.waited();
            const auto start = detail::measuring_ground::clock::now();
            const double seconds = ground.run(kernels[i], static_cast<std::size_t>(missing));
            const double took = detail::measuring_ground::seconds_since(start);
            spent[i] += took;
            if (seconds < 0) {
                result[i] = measurement::failed("the kernel reported a failure");
            } else if (round >= options.warm_up) {
                books[i].add(seconds, took, watch.was_pushed_aside(watch.waited() - waited, took));
            }
        }
        if (open && watch.age() >= options.window_seconds) close();
    }
    if (open) close();
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const std::size_t in_a_window = detail::samples_in_a_window(options.beside_load);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const bool few = spent[i] >= options.most_seconds || stopped || is_far_off(i);
        if (!result[i].has_failed() && books[i].count(true) != 0) result[i] = books[i].told(few ? 1 : least, in_a_window);
        if (!result[i].is_measured() && !result[i].has_failed()) continue;
        result[i].when = now;
        result[i].clock = watch.best_clock();
    }
    return result;
}

/// The same on this machine, watched unless something is meant to run beside.
template <class Before, class Stop>
[[nodiscard]] std::vector<measurement> measure(std::span<const measured_kernel> kernels, const measure_options& options,
                                               executor_ref executor, Before&& before, Stop&& stop) {
    return detail::with_watch(options.beside_load, 0,
                              [&](auto& watch) { return measure(kernels, options, executor, watch, before, stop); });
}

/// The same, without a say in between.
[[nodiscard]] inline std::vector<measurement> measure(std::span<const measured_kernel> kernels, const measure_options& options = {},
                                                      executor_ref executor = {}) {
    return measure(
        kernels, options, executor, [](std::size_t) {}, [] { return false; });
}

}  // namespace inlay

#endif
