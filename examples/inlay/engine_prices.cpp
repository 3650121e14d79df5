// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// What runs code of back ends: prices that are measured, programs, workers.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/own_threads.hpp>
#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/machine.hpp>
#include <inlay/cost/recorded_meter.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/measure/checked_run.hpp>
#include <inlay/measure/hand_over.hpp>
#include <inlay/measure/kernel_check.hpp>
#include <inlay/measure/machine_watch.hpp>
#include <inlay/measure/measure_program.hpp>
#include <inlay/measure/measure_schedule.hpp>
#include <inlay/measure/recorded_program_meter.hpp>
#include <inlay/measure/recorded_referee.hpp>
#include <inlay/measure/worker.hpp>
#include <inlay/measure/worker_meter.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/runtime/openmp.hpp>

#include "cache_paths.hpp"
#include "engine_state.hpp"
#include "loaded_back_ends.hpp"
#include "operators.hpp"
#include "watched_library.hpp"

namespace tool {

using namespace inlay;

namespace {

/// Kernels of single calls, with which checks compute what is too much for chosen elements.
constexpr auto kernel_of_call = [](const region_view& r) { return reference().emit(r); };

using model_prices = roofline_meter<work_counter<onnx_ops>>;

/// The meaning of an operator of any dialect that the tool reads.

/// Calls a function and adds what it took to `seconds`.
template <class Call>
auto timed(double& seconds, Call&& call) {
    const auto start = std::chrono::steady_clock::now();
    auto made = call();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

/// A meter, timed.
template <meter M>
struct timed_meter {
    M* inner;
    double* seconds;

    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        return timed(*seconds, [&] { return inner->price(jobs); });
    }
};

/// What a hand-over to OpenMP's threads costs under these conditions; 0 where no back end that takes part has threads of its own.
double hand_over(engine::state& s, const recording_conditions& conditions) {
    const std::vector<std::size_t>& chosen = s.list.chosen();
    const auto wakes = [](const auto& b) { return wakes_own_threads(b, {}); };
    if (std::none_of(chosen.begin(), chosen.end(), [&](std::size_t b) { return s.list.visit(b, wakes); })) return 0;
    openmp_executor theirs(s.options.threads);
    std::optional<error> fault;
    const double seconds = recorded_hand_over(s.threads, theirs, s.database, conditions, &fault);
    if (fault) std::cerr << "inlay: " << fault->message << "\n";
    return seconds;
}

/// Whether it is worth while to measure again what was disturbed; looked up once.
bool is_calm_now() {
    static const bool calm = is_machine_calm();
    return calm;
}

/// How long idle threads of OpenMP and of OpenBLAS spin, as the environment says it.
std::string spinning() {
    const auto said = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    return said("GOMP_SPINCOUNT") + " " + said("OPENBLAS_THREAD_TIMEOUT");
}

/// The machine as it is while this engine lives.
machine machine_of(const engine::state& s) {
    machine here = this_machine();
    here.busy = s.load ? 1 : 0;
    return here;
}

/// How pieces are measured.
measure_options measuring_of(const engine::state& s) {
    measure_options how;
    how.beside_load = s.load.has_value();
    return how;
}

/// Whether all that is measured runs on the CPU, whose peaks bound it then. What is played states its prices.
bool measures_cpu_alone(const engine::state& s) {
    const backends_ref all(s.list);
    const std::vector<std::size_t> chosen = s.list.chosen();
    return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t i) {
        return all.device(i) == device_type::cpu || s.list.visit(i, [](const auto& b) { return is_simulated(b); });
    });
}

}  // namespace

bool has_libraries(const engine::state& s) { return s.options.loaded != nullptr && !s.options.loaded->backends.empty(); }

std::string end_of_library(const engine::state& s, backend_id number) {
    return s.list.visit(number, [](const auto& b) -> std::string {
        if constexpr (requires { b.origin(); })
            if (const auto can = b.usable(); !can) return can.failure().message;
        return {};
    });
}

void open_database(engine::state& s) {
    if (std::exchange(s.database_is_open, true)) return;
    const std::string path = s.options.database.empty() ? default_database() : s.options.database;
    std::error_code ignored;
    if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
        std::filesystem::create_directories(folder, ignored);
    if (auto opened = s.database.open(path); !opened)
        std::cerr << "inlay: " << opened.failure().message << "; what this run measures stays in memory\n";
    read_failures(s);
    if (s.options.page == nullptr) return;
    // Where it cannot be kept, the next call finds it out again.
    for (const kernel_note& one : ended_kernels(*s.options.page))
        (void)s.database.keep_check({one.key, 0, 0, one.ended, one.label, one.place}).has_value();
}

recording_conditions conditions_of(const engine::state& s) {
    const machine here = machine_of(s);
    const measure_options how = measuring_of(s);
    recording_conditions conditions;
    conditions.machine = content_of(here);
    conditions.threads = s.options.threads;
    conditions.measuring = digest_builder()
                               .add(std::uint64_t{how.warm_up})
                               .add(std::uint64_t{how.least_samples})
                               .add(std::uint64_t{how.most_samples})
                               .add(how.seconds_per_kernel)
                               .add(how.bytes_between)
                               .add("oneTBB")
                               .add(spinning())
                               .add(s.options.checks ? "checked " + std::to_string(check_schema) : std::string("unchecked"))
                               .finish();
    conditions.started = s.started;
    conditions.place = here.cpu + ", " + std::to_string(s.options.threads) + " threads" + (s.load ? ", beside a busy core" : "");
    return conditions;
}

outcome<void> with_prices(engine::state& s, const ir_module& m, plan_options& options, plan_times* times, answer& failed,
                          const std::function<void(const price_sources&)>& plan) {
    const auto start = std::chrono::steady_clock::now();
    const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const auto noted = [&](auto& prices, const lower_bounds& bounds, auto& whole) {
        noting_meter noting(prices, s.list);
        plan({noting, bounds, whole, [&](const pricing_job& job, const measurement& price) { noting.correct(job, price); }});
        noting.add_to(s.noted);
    };
    const double threads = static_cast<double>(s.options.threads);
    // What libraries did in earlier calls is known whatever prices are.
    if (has_libraries(s) || (!s.table && s.options.costs != "model")) open_database(s);
    options.failures = s.failures;
    options.energies = s.energies;
    no_program_meter none;
    if (s.table) {
        const cost_table& table = *s.table;
        options.launch_seconds = table.launch;
        model_prices model(peaks_of_cores(core_typical_peaks, static_cast<double>(table.threads)));
        table_meter tabled(table, s.list, model);
        noted(tabled, lower_bounds(table.peaks), none);
        if (times != nullptr) times->search_seconds = since();
        if (tabled.missing() != 0) {
            failed = answer::wrong;
            return error{quoted_text(s.options.costs, 400) + ": there is no price for " + tabled.first_missing() +
                         (tabled.missing() > 1 ? ", nor for " + std::to_string(tabled.missing() - 1) + " others that the plan asks for"
                                               : std::string()) +
                         "; add an entry, or say \"missing\": \"model\" or \"never\""};
        }
        return {};
    }
    const lower_bounds bounds(measures_cpu_alone(s) ? std::optional(peaks_of_cores(core_upper_peaks, threads)) : std::nullopt);
    if (s.options.costs == "model") {
        model_prices model(peaks_of_cores(core_typical_peaks, threads));
        noted(model, bounds, none);
        if (times != nullptr) times->search_seconds = since();
        return {};
    }
    worker_options measuring;
    measuring.threads = s.options.threads;
    measuring.stop = &interrupted();
    measuring.progress = s.report;
    measuring.workers = s.options.workers;
    measuring.measuring = measuring_of(s);
    measuring.best_clock = s.database.least_clock(machine_of(s).cpu);
    measuring.checks = s.options.checks;
    worker_meter<back_end_list> workers(s.list, measuring);
    recording_conditions conditions = conditions_of(s);
    conditions.programs_again = s.programs_again;
    constexpr std::int64_t month = 30 * 86400;
    if (s.options.refresh.empty())
        conditions.is_calm = s.mends_prices ? is_calm_now : [] { return false; };
    else if (s.options.refresh == "never")
        conditions.keeps_known = true;
    else
        conditions.old_before = s.options.refresh == "all" ? s.started : s.started - month;
    recorded_meter<worker_meter<back_end_list>, back_end_list> recorded(workers, s.database, s.list, conditions);
    double measuring_seconds = 0;
    hand_over_meter handing(recorded, s.list, hand_over(s, conditions));
    timed_meter<decltype(handing)> metered{&handing, &measuring_seconds};
    s.noted.note = "measured on " + conditions.place;
    measure_program_options whole_programs;
    whole_programs.beside_load = s.load.has_value();
    recorded_program_meter whole(
        m, s.list, s.database, conditions, executor_ref(s.threads), whole_programs, [] { return interrupted().load(); }, &s.kernels);
    auto reported_rehearse = [&](const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
        s.report("running whole programs", whole.programs_run(), whole.programs_run() + covers.size());
        std::vector<program_timing> told = timed(measuring_seconds, [&] { return whole(set, covers); });
        for (program_timing& t : told)
            for (auto& [number, price] : t.candidates) handing.add_to(price, pricing_job::of(set.candidates[number]));
        return told;
    };
    noted(metered, bounds, reported_rehearse);
    s.report.end();
    if (recorded.fault() && s.database.is_open()) std::cerr << "inlay: " << recorded.fault()->message << "\n";
    if (const std::size_t disturbed = recorded.disturbed() + whole.disturbed(); disturbed != 0 && !s.options.quiet)
        std::cerr << "inlay: " << recorded.disturbed() << " of " << recorded.known() + recorded.asked() << " prices and "
                  << whole.disturbed()
                  << " programs were measured while something else ran on this machine; they are measured again by `inlay partition`, "
                     "`tune` or `bench` where these find it quiet, and by `inlay tune --refresh`\n";
    if (times != nullptr) {
        times->again = recorded.again();
        times->disturbed = recorded.disturbed() + whole.disturbed();
        times->measure_seconds = measuring_seconds;
        const std::vector<double>& checks = workers.check_seconds();
        times->check_seconds = std::accumulate(checks.begin(), checks.end(), 0.0);
        times->check_median = checks.empty() ? 0 : summarise(checks).median;
        times->check_most = checks.empty() ? 0 : *std::max_element(checks.begin(), checks.end());
        times->search_seconds = since() - times->measure_seconds;
        times->rehearsed = whole.programs_run();
        times->measured = recorded.asked();
        times->known = recorded.known();
    }
    // What rests on bounds, because nothing could be measured, is no answer.
    if (workers.fault() && !interrupted().load()) return *workers.fault();
    return {};
}

std::vector<std::size_t> engine::first_equals(std::span<const pricing_job> pieces) const {
    std::map<digest, std::size_t> known;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        first.push_back(known.try_emplace(job_content(pieces[i], state_->list), i).first->second);
    return first;
}

std::vector<measurement> engine::measure(std::span<const pricing_job> pieces, std::span<const std::size_t> some) const {
    std::vector<pricing_job> jobs;
    for (const std::size_t i : some) jobs.push_back(pieces[i]);
    worker_options measuring;
    measuring.threads = state_->options.threads;
    measuring.stop = &interrupted();
    measuring.measuring = measuring_of(*state_);
    return worker_meter<back_end_list>(state_->list, measuring).price(jobs);
}

namespace {

/// The check of a candidate's kernel in the database.
check_record check_of(const engine::state& s, const candidate& c, std::string failure) {
    const recording_conditions here = conditions_of(s);
    const region_view region = c.view();
    return s.list.visit(c.backend, [&](const auto& b) -> check_record {
        const std::string version(b.version()), target = target_text(b);
        const kernel_case of{nullptr, &region, {}, std::string_view(b.kind), version, target, c.name};
        return {check_key(of, {here.machine, here.threads, here.place}),
                0,
                0,
                std::move(failure),
                target + "." + std::string(c.name),
                here.place};
    });
}

/// A referee that compares nothing.
struct absent_referee {
    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case&) const { return kernel_verdict{0, 0, "checks are off"}; }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel&, const std::vector<std::int64_t>&, const format&,
                                                           const format&) const {
        return kernel_verdict{0, 0, "checks are off"};
    }
};

/// A referee for kernels of libraries. It refuses those that ended a process here, and sees to it that later calls know of others that
/// will. Refers to the other referee and to the engine, which must outlive it.
template <referee R>
class library_referee {
public:
    library_referee(R& inner, engine::state& s, const recording_conditions& here) : inner_(&inner), state_(&s), here_(&here) {}

    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case& c) const {
        const std::vector<loaded_backend>& libraries = state_->options.loaded->backends;
        const bool is_loaded = std::any_of(libraries.begin(), libraries.end(), [&](const loaded_backend& b) { return b.kind == c.kind; });
        if (!is_loaded || c.version.empty()) return inner_->judge(c);
        // Its other kernels are no worse for that, so that nothing of them is kept.
        if (const std::string ended = end_of(c.kind); !ended.empty()) return error{ended};
        check_record check{check_key(c, {here_->machine, here_->threads, here_->place}), 0,           0, {},
                           std::string(c.target) + "." + std::string(c.composite),       here_->place};
        if (auto known = state_->database.find_check(check.key); known && is_end_of_process(known->failure)) return error{known->failure};
        if (state_->options.page != nullptr) note_kernel(*state_->options.page, c.kind, {check.key, check.label, check.place, {}});
        auto verdict = inner_->judge(c);
        if (verdict) return verdict;
        const std::string ended = end_of(c.kind);
        if (ended.empty()) return verdict;
        check.failure = ended;
        (void)state_->database.keep_check(check).has_value();
        return error{ended};
    }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                           const format& to) const {
        return inner_->judge_conversion(code, extents, from, to);
    }

private:
    [[nodiscard]] std::string end_of(std::string_view kind) const {
        std::string ended;
        state_->list.for_each([&](const auto& b, std::size_t i) {
            if (std::string_view(b.kind) == kind) ended = end_of_library(*state_, static_cast<backend_id>(i));
        });
        return ended;
    }

    R* inner_;
    engine::state* state_;
    const recording_conditions* here_;
};

/// Links a program whose kernels are compared with the meanings of their regions, unless the options say otherwise.
outcome<program> link_checked(engine::state& s, const ir_module& m, const candidate_set& set, const partitioned& cut,
                              emitted_kernels& kernels) {
    if (has_libraries(s)) open_database(s);
    kernel_check_options how;
    how.calls = call_kernels_ref(kernel_of_call);
    kernel_referee by_meaning(meaning_of, executor_ref(s.threads), how);
    const recording_conditions here = conditions_of(s);
    recorded_referee recorded(by_meaning, s.database, {here.machine, here.threads, here.place});
    strict_referee strict(recorded);
    if (has_libraries(s)) {
        absent_referee absent;
        referee_ref others = !s.options.checks ? referee_ref(absent) : s.options.strict ? referee_ref(strict) : referee_ref(recorded);
        library_referee of_libraries(others, s, here);
        return inlay::link(m, s.list, set, cut, kernels, of_libraries);
    }
    const referee_ref referee = !s.options.checks ? referee_ref() : s.options.strict ? referee_ref(strict) : referee_ref(recorded);
    return inlay::link(m, s.list, set, cut, kernels, referee);
}

}  // namespace

outcome<program> engine::link(const ir_module& m, const plan& p) const {
    auto made = link_checked(*state_, m, p.set, p.cut, state_->kernels);
    state_->not_emitted = state_->kernels.failures();
    state_->not_emitted_body.reset();
    state_->kernels = {};
    return made;
}

outcome<program> engine::link(const ir_module& m, const plan& p, const std::vector<std::size_t>& chosen) const {
    emitted_kernels none;
    return link_checked(*state_, m, p.set, partition(m, p.set, chosen), none);
}

outcome<void> engine::run_first(const ir_module& m, const plan& p, const program& code, program_frame& frame,
                                std::span<const tensor> inputs, std::span<tensor> results) const {
    kernel_check_options how;
    how.calls = call_kernels_ref(kernel_of_call);
    auto ran = state_->options.checks ? run_checked(m, p.set, p.cut, code, frame, inputs, results, executor(), meaning_of, how)
                                      : [&]() -> outcome<checked_run> {
        if (auto plain = code.run(frame, inputs, results, executor()); !plain) return plain.failure();
        return checked_run{};
    }();
    if (!ran) {
        // A library whose process has ended loses all its candidates, and planning goes on without it.
        state_->not_emitted.clear();
        for (std::size_t i = 0; i < code.steps().size(); ++i) {
            const step_facts& step = code.steps()[i];
            if (step.is_conversion || !ran.failure().message.starts_with("step " + std::to_string(i) + ", ")) continue;
            const candidate& c = p.set.candidates[step.number];
            const std::string ended = end_of_library(*state_, c.backend);
            // Where it cannot be kept, the next call finds it out again.
            if (!ended.empty()) (void)state_->database.keep_check(check_of(*state_, c, ended)).has_value();
        }
        for (const part& each : p.cut.parts)
            for (const std::size_t number : each.composites)
                if (const std::string ended = end_of_library(*state_, p.set.candidates[number].backend); !ended.empty())
                    state_->not_emitted.push_back({static_cast<std::uint32_t>(number), ended});
        return ran.failure();
    }
    if (ran->wrong.empty()) return {};
    state_->not_emitted.clear();
    for (const wrong_step& w : ran->wrong)
        if (!w.is_conversion) state_->not_emitted.push_back({w.number, w.reason});
    const wrong_step& first = ran->wrong.front();
    return error{"step " + std::to_string(first.step) + ", " + quoted_text(code.steps()[first.step].label) + ", is wrong: " + first.reason};
}

program_timing engine::rehearse(const ir_module& m, const plan& p) const {
    measure_program_options brief;
    brief.seconds = 0.3;
    brief.beside_load = state_->load.has_value();
    const std::vector<std::size_t> covers[] = {p.chosen.chosen};
    return measure_programs(m, state_->list, p.set, covers, executor_ref(state_->threads), brief, [] { return interrupted().load(); })
        .front();
}

outcome<void> engine::run_side_by_side(program& code) const {
    if (state_->options.costs != "measured") return {};
    measure_schedule_options brief;
    brief.warm_up = 1;
    brief.least_rounds = 5;
    brief.seconds = 0.5;
    const auto told = measure_schedule(code, executor_ref(state_->threads), brief, [] { return interrupted().load(); });
    if (!told) return told.failure();
    return {};
}

std::optional<int> run_as_worker(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != worker_flag) return std::nullopt;
    const loaded_folders loaded = loaded_back_ends_of_worker();
    back_end_list known = list_with(&loaded);
    known.for_each([](auto& b, std::size_t) {
        if constexpr (requires { b.cache = std::string(); }) b.cache = code_folder_of_worker();
    });
    return worker_main<inlay::tbb_executor>(argc, argv, std::move(known), [](executor_ref executor) {
        kernel_check_options options;
        options.has_walls = true;
        options.calls = call_kernels_ref(kernel_of_call);
        return kernel_referee(meaning_of, executor, options);
    });
}

}  // namespace tool
