// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_MEASURE_HPP
#define INLAY_RUNTIME_MEASURE_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/runtime/random_values.hpp>

namespace inlay {

/// How to measure.
struct measure_options {
    std::uint32_t warm_up = 1;        // runs of each kernel that do not count
    std::uint32_t least_samples = 5;  // runs of each that always count
    std::uint32_t most_samples = 60;  // more runs add nothing
    double seconds_per_kernel = 0.05; // what a kernel's runs may take, once it has its least samples
    double most_seconds = 1;          // after which a slow kernel leaves with the samples it has, one at least
    /// Other memory that passes between two runs of one kernel, at least: what a whole network touches in one inference. It decides
    /// how cold weights are.
    std::uint64_t bytes_between = std::uint64_t{16} << 20;

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
    std::size_t weight_bytes = 0;  // what the kernel owns and reads at every run, about
};

namespace detail {

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
        : executor_(executor), patterns_(pattern_bytes * 15), other_(std::min<std::size_t>(options.bytes_between, std::size_t{256} << 20)) {
        std::size_t largest = 0;
        for (const measured_kernel& k : kernels) largest = std::max(largest, activation_bytes(k));
        activations_ = buffer(largest);
        ok_ = patterns_.size() != 0 && activations_.size() == largest && (options.bytes_between == 0 || other_.size() != 0);
        if (!ok_) return;
        for (std::size_t e = 1; e < 15; ++e)
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
            const std::int32_t view = i < k.code->view_of.size() ? k.code->view_of[i] : -1;
            std::byte* own = take(k.results[i].bytes);
            const bool shares = view >= 0 && static_cast<std::size_t>(view) < k.inputs.size() && k.inputs[static_cast<std::size_t>(view)].bytes == k.results[i].bytes;
            writes_.push_back(shares ? const_cast<void*>(reads_[static_cast<std::size_t>(view)]) : own);
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
    static constexpr std::size_t pattern_bytes = 4096;

    static std::size_t rounded(std::size_t bytes) { return (bytes + buffer::alignment - 1) / buffer::alignment * buffer::alignment; }
    static std::size_t activation_bytes(const measured_kernel& k) {
        std::size_t sum = rounded(k.code->workspace_bytes) + buffer::alignment;
        for (const auto& b : k.inputs) sum += rounded(b.bytes);
        for (const auto& b : k.results) sum += rounded(b.bytes);
        return sum;
    }

    void produce(std::byte* to, const measured_kernel::border& b) const {
        const std::byte* pattern = patterns_.data() + static_cast<std::size_t>(b.element) * pattern_bytes;
        const std::size_t blocks = (b.bytes + pattern_bytes - 1) / pattern_bytes, tasks = blocks < 16 ? 1 : std::min(blocks, executor_.threads());
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

}  // namespace detail

/// Times kernels by running them in turns, in rounds: each round runs every kernel once, in a new order, so that what slows the machine
/// for a while slows all alike, and each finds the caches as others left them. A kernel leaves the rounds when it has its samples or
/// has used up its time. `before(i)` is called ahead of each run of kernel i; a true `stop()` ends it all, and what has been sampled
/// counts. A kernel that reports a failure has that as its reason. Deterministic but for the times.
template <class Before, class Stop>
[[nodiscard]] std::vector<measurement> measure(std::span<const measured_kernel> kernels, const measure_options& options, executor_ref executor,
                                               Before&& before, Stop&& stop) {
    std::vector<measurement> result(kernels.size());
    detail::measuring_ground ground(kernels, options, executor);
    if (!ground.ok()) {
        for (measurement& m : result) m = measurement::failed("there is no memory to measure in; measure fewer kernels at once");
        return result;
    }
    std::vector<std::vector<double>> samples(kernels.size());
    std::vector<double> used(kernels.size(), 0), spent(kernels.size(), 0);  // by runs that count, by all
    std::vector<std::size_t> active(kernels.size());
    for (std::size_t i = 0; i < active.size(); ++i) active[i] = i;
    const std::uint32_t least = std::max(options.least_samples, 1u), most = std::max(options.most_samples, least);
    detail::splitmix random{0x524F'554E'4453};
    bool stopped = false;
    for (std::uint32_t round = 0; !active.empty() && !stopped; ++round) {
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
            const auto start = detail::measuring_ground::clock::now();
            const double seconds = ground.run(kernels[i], static_cast<std::size_t>(missing));
            const double took = detail::measuring_ground::seconds_since(start);
            spent[i] += took;
            if (seconds < 0) {
                result[i] = measurement::failed("the kernel reported a failure");
            } else if (round >= options.warm_up) {
                samples[i].push_back(seconds);
                used[i] += took;
            }
        }
        std::erase_if(active, [&](std::size_t i) {
            const std::size_t have = samples[i].size();
            return result[i].has_failed() || have >= most || (have >= least && used[i] >= options.seconds_per_kernel) ||
                   (have != 0 && spent[i] >= options.most_seconds);
        });
    }
    for (std::size_t i = 0; i < kernels.size(); ++i)
        if (!result[i].has_failed() && !samples[i].empty()) result[i] = measurement::of(samples[i]);
    return result;
}

/// The same, without a say in between.
[[nodiscard]] inline std::vector<measurement> measure(std::span<const measured_kernel> kernels, const measure_options& options = {}, executor_ref executor = {}) {
    return measure(kernels, options, executor, [](std::size_t) {}, [] { return false; });
}

}  // namespace inlay

#endif
