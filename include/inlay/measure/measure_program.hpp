// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_MEASURE_PROGRAM_HPP
#define INLAY_MEASURE_MEASURE_PROGRAM_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/measure/last_cache.hpp>
#include <inlay/measure/machine_watch.hpp>
#include <inlay/measure/measure.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/runtime/profile.hpp>

namespace inlay {

/// How covers are rehearsed.
struct measure_program_options {
    std::uint32_t warm_up = 2;
    std::uint32_t least_runs = 5;
    std::uint32_t most_runs = 100;
    double seconds = 1;           // what the runs of all covers may take, once each has its least runs
    double window_seconds = 0.1;  // about how often is looked whether something else ran
    double patience = 1;          // how many times `seconds` it may take longer, since what was disturbed is repeated
    /// Memory read before each run: what a host does between two inferences. As much as the last cache holds, for a program whose weights
    /// stay there between runs looks quicker than it is beside others.
    std::uint64_t bytes_between = bytes_that_fill_caches();
    bool beside_load = false;  // another process is meant to run meanwhile, as in `measure_options`
};

namespace detail {

/// What each step takes of a run, from its seconds in each run: its mean over the nine tenths of the runs that were the quickest, since in
/// others something may have pushed it aside. They add up to the mean of these runs: a step that is slow at times, as those are that wake
/// threads, shows it in no median of its own, and yet runs are longer for it. Precondition: all steps were in all runs.
[[nodiscard]] inline std::vector<double> shares_of_a_run(std::span<const std::vector<double>> seconds) {
    std::vector<double> shares(seconds.size(), 0);
    const std::size_t runs = seconds.empty() ? 0 : seconds.front().size();
    if (runs == 0) return shares;
    std::vector<double> totals(runs, 0);
    for (const std::vector<double>& step : seconds)
        for (std::size_t k = 0; k < runs; ++k) totals[k] += step[k];
    std::vector<double> ordered = totals;
    const double most = quantile_of(ordered, 0.9);
    double counted = 0;
    for (std::size_t k = 0; k < runs; ++k) {
        if (totals[k] > most) continue;
        for (std::size_t i = 0; i < seconds.size(); ++i) shares[i] += seconds[i][k];
        ++counted;
    }
    for (double& share : shares) share /= counted;
    return shares;
}

/// One cover as a program, with its memory and times.
struct measured_program {
    std::optional<program> code;
    program_frame frame;
    std::vector<tensor> inputs, results;
    profile taken;
    std::string failure;
    std::vector<std::pair<std::size_t, std::string>> not_emitted{};

    template <class G, class List>
    measured_program(const G& g, const List& backends, const candidate_set& set, const partitioned& cut, emitted_kernels& known) {
        auto made = get_ready(g, backends, set, cut, known);
        if (made) return;
        failure = made.failure().message;
        for (const emit_failure& one : known.failures()) not_emitted.emplace_back(one.candidate, one.reason);
    }

    template <class G, class List>
    outcome<void> get_ready(const G& g, const List& backends, const candidate_set& set, const partitioned& cut, emitted_kernels& known) {
        auto linked = link(g, backends, set, cut, known);
        if (!linked) return linked.failure();
        auto memory = linked->make_frame();
        if (!memory) return memory.failure();
        auto made = linked->make_results();
        if (!made) return made.failure();
        for (const port& p : linked->inputs()) {
            inputs.emplace_back(p.element, p.extents);
            if (!inputs.back().ok()) return error{"there is no memory for input " + quoted_text(p.name) + "; partition a smaller model"};
            fill_random(inputs.back().data(), p.element, inputs.back().count(), 1.0, false, inputs.size());
        }
        frame = *std::move(memory);
        results = *std::move(made);
        code.emplace(*std::move(linked));
        return {};
    }

    /// What the last run took, in seconds; 0 where it failed.
    [[nodiscard]] double last() const { return !code || taken.runs == 0 ? 0 : run_seconds(taken, taken.runs - 1); }

    void run(executor_ref executor) {
        if (!code) return;
        if (auto ran = run_profiled(*code, frame, inputs, results, executor, taken); !ran) {
            failure = ran.failure().message;
            code.reset();
        }
    }

    /// `counts`: by run.
    [[nodiscard]] program_timing told(const partitioned& cut, const std::vector<char>& counts) const {
        program_timing r;
        r.failure = failure;
        r.not_emitted = not_emitted;
        if (!code) return r;
        const std::vector<std::vector<double>> seconds =
            step_seconds(taken, code->steps().size(), [&](std::uint32_t run) { return run < counts.size() && counts[run] != 0; });
        const std::vector<double> shares = shares_of_a_run(seconds);
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const step_facts& step = code->steps()[i];
            if (seconds[i].empty()) continue;
            measurement m = measurement::of(seconds[i]);
            m.median = std::max(shares[i], m.minimum);
            if (step.is_conversion)
                r.conversions.emplace_back(cut.conversions[step.number], std::move(m));
            else
                r.candidates.emplace_back(step.number, std::move(m));
        }
        return r;
    }
};

/// The rounds in which programs ran together.
class round_book {
public:
    /// A round of the window that is open, and what all programs together took in it.
    void add(double seconds, bool pushed) { rounds_.push_back({seconds, pushed ? trust::pushed : trust::open}); }
    /// The window has ended. Where nobody else ran and most rounds waited all the same, our own threads are more than the cores.
    void close(bool calm) {
        const std::size_t all = rounds_.size() - first_open_;
        std::size_t pushed = 0;
        for (std::size_t i = first_open_; i < rounds_.size(); ++i) pushed += rounds_[i].how == trust::pushed;
        for (std::size_t i = first_open_; i < rounds_.size(); ++i)
            if (rounds_[i].how == trust::open || (calm && 2 * pushed > all)) rounds_[i].how = calm ? trust::calm : trust::doubtful;
        first_open_ = rounds_.size();
    }
    [[nodiscard]] std::size_t size() const { return rounds_.size(); }
    /// How many are to be trusted: of calm windows and of the open one.
    [[nodiscard]] std::size_t trusted() const {
        return static_cast<std::size_t>(
            std::count_if(rounds_.begin(), rounds_.end(), [](const one& r) { return r.how == trust::open || r.how == trust::calm; }));
    }

    /// Which rounds count, and whether they were disturbed.
    struct answer {
        std::vector<char> counts;  // by round
        std::uint32_t windows = 0;
        bool disturbed = false;
    };
    /// The calm ones, if there are `least`; else all in which nobody was pushed aside, if there are; else all. They are split into windows
    /// of at least `in_a_window`, and that in which all programs together were quickest counts: the same for all, since machines drift and
    /// what is compared must have been seen at one time.
    [[nodiscard]] answer chosen(std::size_t least, std::size_t in_a_window) const {
        answer made;
        made.counts.assign(rounds_.size(), 0);
        std::vector<std::size_t> among;
        for (const trust lowest : {trust::calm, trust::doubtful, trust::pushed}) {
            among.clear();
            for (std::size_t i = 0; i < rounds_.size(); ++i)
                if (rounds_[i].how <= lowest) among.push_back(i);
            made.disturbed = lowest != trust::calm;
            if (among.size() >= least) break;
        }
        const std::size_t windows = std::max<std::size_t>(among.size() / std::max<std::size_t>(in_a_window, 1), 1);
        std::size_t first = 0, last = 0;
        double quickest = 0;
        for (std::size_t w = 0; w < windows; ++w) {
            const std::size_t from = among.size() * w / windows, to = among.size() * (w + 1) / windows;
            std::vector<double> here;
            for (std::size_t i = from; i < to; ++i) here.push_back(rounds_[among[i]].seconds);
            const double median = quantile_of(here, 0.5);
            if (w != 0 && median >= quickest) continue;
            quickest = median;
            first = from;
            last = to;
        }
        for (std::size_t i = first; i < last; ++i) made.counts[among[i]] = 1;
        made.windows = static_cast<std::uint32_t>(windows);
        return made;
    }

private:
    enum class trust : std::uint8_t { calm, doubtful, pushed, open };
    struct one {
        double seconds;
        trust how;
    };

    std::vector<one> rounds_;
    std::size_t first_open_ = 0;
};

}  // namespace detail

/// Runs covers of a graph as whole programs, in turns, and says what each piece took there: its share of the mean run.
/// Inputs are random, integers zero. It is all done in this process: kernels that crash by themselves have shown it to a
/// worker before, when they were priced alone. `stop()` ends it; what was run counts. `backends` is a `backend_list`. `watch` is asked
/// whether something else ran, as in `measure`; rounds that were disturbed are repeated, as long as `patience` lasts. `known`: kernels of
/// the program that was linked before, as in `link`.
template <attributed_graph G, class List, class Watch, class Stop>
requires requires(Watch& watch) { watch.begin(); }
[[nodiscard]] std::vector<program_timing> measure_programs(const G& g, const List& backends, const candidate_set& set,
                                                           std::span<const std::vector<std::size_t>> covers, executor_ref executor,
                                                           const measure_program_options& options, Watch& watch, Stop&& stop,
                                                           emitted_kernels* known = nullptr) {
    emitted_kernels own;
    std::vector<partitioned> cuts;
    std::vector<detail::measured_program> programs;
    programs.reserve(covers.size());
    for (const std::vector<std::size_t>& cover : covers) {
        cuts.push_back(partition(g, set, cover));
        programs.emplace_back(g, backends, set, cuts.back(), known != nullptr ? *known : own);
    }
    detail::other_memory other(options.bytes_between);
    const auto round_of = [&](std::size_t round, bool& pushed) {
        double together = 0;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            other.pass(other.size());
            detail::measured_program& now = programs[(i + round) % programs.size()];
            const double waited = watch.waited();
            now.run(executor);
            pushed = pushed || watch.was_pushed_aside(watch.waited() - waited, now.last());
            together += now.last();
        }
        return together;
    };
    bool ignored = false;
    for (std::uint32_t round = 0; round < options.warm_up && !stop(); ++round) (void)round_of(round, ignored);
    const auto start = std::chrono::steady_clock::now();
    const auto so_far = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const std::size_t least = std::max<std::size_t>(options.least_runs, 1), most = std::max<std::size_t>(options.most_runs, least);
    detail::round_book rounds;
    bool open = false, stopped = false;
    while (!stopped) {
        const bool patient = options.patience > 0 && so_far() <= (1 + options.patience) * options.seconds;
        const std::size_t have = patient ? rounds.trusted() : rounds.size();
        if (have >= most || (have >= least && so_far() > options.seconds)) {
            if (!open) break;
            rounds.close(watch.end_calm());  // which may show that there are not enough after all
            open = false;
            continue;
        }
        stopped = stop();
        if (stopped) break;
        if (!open) watch.begin();
        open = true;
        bool pushed = false;
        const double seconds = round_of(options.warm_up + rounds.size(), pushed);
        rounds.add(seconds, pushed);
        if (watch.age() < options.window_seconds) continue;
        rounds.close(watch.end_calm());
        open = false;
    }
    if (open) rounds.close(watch.end_calm());
    const detail::round_book::answer chosen =
        rounds.chosen(stopped ? 1 : least, std::max(least, detail::samples_in_a_window(options.beside_load)));
    std::vector<char> counts(options.warm_up, 0);
    counts.insert(counts.end(), chosen.counts.begin(), chosen.counts.end());
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::vector<program_timing> told;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        program_timing& t = told.emplace_back(programs[i].told(cuts[i], counts));
        const auto note = [&](measurement& m) {
            m.windows = chosen.windows;
            m.disturbed = chosen.disturbed;
            m.when = now;
            m.clock = watch.best_clock();
        };
        for (auto& [number, m] : t.candidates) note(m);
        for (auto& [c, m] : t.conversions) note(m);
    }
    return told;
}

/// The same on this machine, watched unless something is meant to run beside.
template <attributed_graph G, class List, class Stop>
[[nodiscard]] std::vector<program_timing> measure_programs(const G& g, const List& backends, const candidate_set& set,
                                                           std::span<const std::vector<std::size_t>> covers, executor_ref executor,
                                                           const measure_program_options& options, Stop&& stop,
                                                           emitted_kernels* known = nullptr) {
    return detail::with_watch(options.beside_load, 0, [&](auto& watch) {
        return measure_programs(g, backends, set, covers, executor, options, watch, stop, known);
    });
}

}  // namespace inlay

#endif
