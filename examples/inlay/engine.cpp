// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include <inlay/candidate/refusals_at.hpp>
#include <inlay/cost/cost_table.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/machine.hpp>
#include <inlay/cost/recorded_meter.hpp>
#include <inlay/import/cost_table_file.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/import/read_file.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx_ops_elsewhere.hpp>
#include <inlay/partition/piece_job.hpp>
#include <inlay/pattern/matcher.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/runtime/recorded_rehearsal.hpp>
#include <inlay/runtime/worker.hpp>
#include <inlay/runtime/worker_meter.hpp>

#include "backends.hpp"
#include "bounds.hpp"
#include "constraint_file.hpp"
#include "model.hpp"
#include "pool.hpp"
#include "progress.hpp"
#include "target_choice.hpp"

namespace tool {

using namespace inlay;

namespace {

/// Back ends that count threads of their own get the count that the call asked for, unless their own option says otherwise.
void give_threads(back_end_list& list, std::uint32_t threads) {
    list.for_each([&](auto& b, std::size_t) {
        if constexpr (requires { b.threads = 1; }) b.threads = static_cast<int>(threads);
    });
}

}  // namespace

struct engine::state {
    explicit state(const engine_options& o) : options(o), threads(o.threads), report(o.quiet) {}

    engine_options options;
    back_end_list list;
    pool threads;
    progress report;
    cost_database database;
    bool database_is_open = false;
    std::optional<cost_table> table;  // of `--costs FILE`
    cost_table noted;                 // what plans asked for

    /// Opened when the first price is asked for: verbs that need no prices touch no file. Without its file it works in memory.
    void open_database() {
        if (std::exchange(database_is_open, true)) return;
        const std::string path = options.database.empty() ? default_database() : options.database;
        std::error_code ignored;
        if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty()) std::filesystem::create_directories(folder, ignored);
        if (auto opened = database.open(path); !opened) std::cerr << "inlay: " << opened.failure().message << "; what this run measures stays in memory\n";
    }
    static std::string default_database() {
        if (const char* own = std::getenv("INLAY_DATABASE"); own != nullptr && *own != 0) return own;
        const char* cache = std::getenv("XDG_CACHE_HOME");
        const char* home = std::getenv("HOME");
        if (cache != nullptr && *cache != 0) return std::string(cache) + "/inlay/costs.sqlite";
        return home != nullptr && *home != 0 ? std::string(home) + "/.cache/inlay/costs.sqlite" : "inlay_costs.sqlite";
    }
};

/// Calls a function and adds what it took to `seconds`.
template <class Call>
auto timed(double& seconds, Call&& call) {
    const auto start = std::chrono::steady_clock::now();
    auto made = call();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

/// The meter of `--costs measured`, timed.
struct timed_meter {
    recorded_meter<worker_meter<back_end_list>, back_end_list>* inner;
    double* seconds;

    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        return timed(*seconds, [&] { return inner->price(jobs); });
    }
};

/// How long idle threads of OpenMP spin, as the environment says it.
std::string_view spinning() {
    const char* count = std::getenv("GOMP_SPINCOUNT");
    return count != nullptr ? count : "";
}

engine::engine(std::unique_ptr<state> s) : state_(std::move(s)) {}
engine::engine(engine&&) noexcept = default;
engine& engine::operator=(engine&&) noexcept = default;
engine::~engine() = default;

outcome<engine> engine::make(const engine_options& options) {
    auto s = std::make_unique<state>(options);
    give_threads(s->list, options.threads);
    if (auto chosen = choose_targets(s->list, options); !chosen) return chosen.failure();
    // What no plan asked for takes no part when the prices are read back.
    s->noted.missing = cost_table::without::not_offered;
    s->noted.threads = options.threads;
    s->noted.peaks = highest_peaks(static_cast<double>(options.threads));
    if (options.costs != "measured" && options.costs != "model") {
        auto text = read_file(options.costs, std::size_t{1} << 28);
        if (!text) return error{"'--costs' is neither 'measured' nor 'model', and as a file of prices: " + text.failure().message};
        auto table = read_cost_table(*text);
        if (!table) return error{quoted_text(options.costs, 400) + ": " + table.failure().message};
        s->noted = *table;
        s->noted.regions.clear();
        s->noted.conversions.clear();
        s->table = *std::move(table);
    }
    return engine(std::move(s));
}

std::vector<backend_facts> engine::back_ends() {
    std::vector<backend_facts> all;
    const back_end_list list;
    list.for_each([&](const auto& b, std::size_t) {
        using back_end = std::remove_cvref_t<decltype(b)>;
        const target_schema schema = schema_of<back_end>();
        backend_facts facts;
        facts.kind = schema.kind;
        facts.device = name_of(schema.device);
        facts.refines = schema.refines;
        facts.version = b.version();
        if (const auto can = b.usable(); !can) facts.not_usable = can.failure().message;
        for (const option_schema& o : schema.options) facts.options.push_back({o.name, std::string(name_of(o.type())), argument_text(o.otherwise), o.doc});
        back_end::patterns().for_each([&](auto c, std::size_t) { facts.patterns.emplace_back(c.name); });
        all.push_back(std::move(facts));
    });
    return all;
}

namespace {

/// Whether a pattern matches at a program's result.
bool takes_result(const pattern_view& p, const ir_module& m) {
    const user_lists users(m);
    matcher<ir_module> search(m, users);
    bool found = false;
    search.each(p, m.results()[0], [&](const found_match&) { return found = true; });
    return found;
}

}  // namespace

bool engine::all_name(const ir_module& one_call) {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", one_call.type(one_call.inputs()[0]));
    b.declare(b.function(std::span(&x, 1), b.call("inlay.Unheard", {x}, {}, one_call.type(one_call.results()[0])), "main"));
    const ir_module unheard = b.finish();
    bool all = true;
    const back_end_list list;
    list.for_each([&](const auto& back_end, std::size_t) {
        bool any = false;
        std::remove_cvref_t<decltype(back_end)>::patterns().for_each([&](auto c, std::size_t) {
            const pattern_view& p = view_of(typename decltype(c)::pattern_type{});
            // What takes an operator that nobody knows, as an interpreter's pattern does, is no kernel for this one.
            any = any || (takes_result(p, one_call) && !takes_result(p, unheard));
        });
        all = all && any;
    });
    return all;
}

std::vector<std::string> engine::kinds() const {
    std::vector<std::string> kinds;
    for (const std::size_t i : state_->list.chosen()) kinds.emplace_back(state_->list.kind(i));
    return kinds;
}

std::string engine::kind(backend_id number) const { return std::string(state_->list.kind(number)); }

candidate_set engine::candidates(const ir_module& m) const { return enumerate(m, state_->list); }

std::vector<refusal> engine::refusals_at(const ir_module& m, const candidate_set& set, const std::string& kind, node_id node) const {
    return inlay::refusals_at(m, state_->list, set, static_cast<backend_id>(back_end_list::index_of(kind)), node, [&](node_id n) { return name_of_node(m, n); });
}

namespace {

/// Writes down what the plan took the prices for in the end, where whole programs had told more than pieces by themselves.
template <class Noting>
void correct_prices(Noting& noting, const ir_module& m, const plan& p) {
    const piece_jobs jobs(m);
    for (std::size_t i = 0; i < p.set.candidates.size(); ++i)
        if (p.prices[i].is_measured()) noting.correct(jobs(p.set.candidates[i]).job, p.prices[i]);
    for (const priced_conversion& c : p.conversions_asked) {
        if (c.price.is_measured()) noting.correct(pricing_job::of(c.tensor, c.from, c.to), c.price);
    }
}

/// Calls `call(meter, bounds, rehearse)` with the prices that the engine was asked for, and keeps what the meter was asked. Tables set what a launch
/// costs in `options`.
template <class Made, class Call>
outcome<Made> with_prices(engine::state& s, const ir_module& m, executor_ref executor, plan_options& options, plan_times* times, answer& how_failed, Call&& call) {
    const auto start = std::chrono::steady_clock::now();
    const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const auto noted = [&](auto& prices, const lower_bounds& bounds, auto& rehearse) {
        noting_meter noting(prices, s.list);
        auto made = call(noting, bounds, rehearse);
        noting.add_to(s.noted);
        return made;
    };
    const double threads = static_cast<double>(s.options.threads);
    no_rehearsal none;
    if (s.table) {
        const cost_table& table = *s.table;
        options.launch_seconds = table.launch;
        model_meter model{static_cast<double>(table.threads)};
        table_meter tabled(table, s.list, model);
        auto made = noted(tabled, lower_bounds{table.peaks}, none);
        if (times != nullptr) times->search_seconds = since();
        if (tabled.missing() != 0) {
            how_failed = answer::wrong;
            return error{quoted_text(s.options.costs, 400) + ": there is no price for " + tabled.first_missing() +
                         (tabled.missing() > 1 ? ", nor for " + std::to_string(tabled.missing() - 1) + " others that the plan asks for" : std::string()) +
                         "; add an entry, or say \"missing\": \"model\" or \"never\""};
        }
        return made;
    }
    const lower_bounds bounds{highest_peaks(threads)};
    if (s.options.costs == "model") {
        model_meter model{threads};
        auto made = noted(model, bounds, none);
        if (times != nullptr) times->search_seconds = since();
        return made;
    }
    s.open_database();
    worker_options measuring;
    measuring.threads = s.options.threads;
    measuring.stop = &interrupted();
    measuring.progress = s.report;
    worker_meter<back_end_list> workers(s.list, measuring);
    const machine here = this_machine();
    recording_conditions conditions;
    conditions.machine = content_of(here);
    conditions.threads = s.options.threads;
    const measure_options& how = measuring.measuring;
    conditions.measuring = digest_builder().add(std::uint64_t{how.warm_up}).add(std::uint64_t{how.least_samples}).add(std::uint64_t{how.most_samples})
                               .add(how.seconds_per_kernel).add(how.bytes_between).add(s.threads.name()).add(spinning()).finish();
    conditions.place = here.cpu + ", " + std::to_string(s.options.threads) + " threads";
    recorded_meter<worker_meter<back_end_list>, back_end_list> recorded(workers, s.database, s.list, conditions);
    double measuring_seconds = 0;
    timed_meter metered{&recorded, &measuring_seconds};
    s.noted.note = "measured on " + conditions.place;
    recorded_rehearsal rehearse(m, s.list, s.database, conditions, executor, rehearse_options{}, [] { return interrupted().load(); });
    auto reported_rehearse = [&](const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
        s.report("running whole programs", rehearse.programs_run(), rehearse.programs_run() + covers.size());
        return timed(measuring_seconds, [&] { return rehearse(set, covers); });
    };
    auto made = noted(metered, bounds, reported_rehearse);
    s.report.end();
    // What rests on bounds, because nothing could be measured, is no answer.
    if (workers.fault() && made && !interrupted().load()) made = *workers.fault();
    if (recorded.fault() && s.database.is_open()) std::cerr << "inlay: " << recorded.fault()->message << "\n";
    if (times != nullptr) {
        times->measure_seconds = measuring_seconds;
        times->search_seconds = since() - times->measure_seconds;
        times->rehearsed = rehearse.programs_run();
        times->measured = recorded.asked();
        times->known = recorded.known();
    }
    return made;
}

/// What a request says of constraints and of what the plan is to have least of.
outcome<plan_options> options_for(const engine::state& s, const engine& e, const ir_module& m, const plan_request& request) {
    plan_options options;
    if (request.objective != plan_objective::latency && request.partitioner != "exact")
        return error{"other objectives than latency are the partitioner exact's alone; leave --partitioner out, or --objective"};
    options.objective = request.objective;
    options.partitioner = request.partitioner;
    options.prefer = request.prefer;
    options.keep_problem = request.keep_problem;
    options.search.cancel = &interrupted();
    options.search.budget_ms = request.budget_ms;
    if (!request.fallback.empty()) {
        const auto policy = fallback_policy_named(request.fallback);
        if (!policy)
            return error{"there is no fallback policy " + quoted_text(request.fallback) + name_hint(request.fallback, fallback_policy_names) +
                         "; write require, warn or allow"};
        options.fallbacks.push_back({*policy, {}, "--fallback " + request.fallback});
    }
    if (request.constraints.empty()) return options;
    std::vector<std::string> all;
    for (std::size_t b = 0; b < back_end_list::size; ++b) all.emplace_back(s.list.kind(b));
    auto read = read_constraints(request.constraints, m, all, e);
    if (!read) return read.failure();
    if (request.partitioner != "exact" && !(read->constraints.empty() && read->limits.empty()))
        return error{"constraints other than fallback are kept by the partitioner exact alone; leave --partitioner out, or --constraints"};
    options.constraints = std::move(read->constraints);
    options.limits = std::move(read->limits);
    for (fallback_rule& rule : read->fallbacks) options.fallbacks.push_back(std::move(rule));
    return options;
}

}  // namespace

namespace {

/// One line for each node that the fallback runs against a warning, and one for those that are too many.
void warn_of_fallbacks(const ir_module& m, const plan& p) {
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(most, p.fallbacks.size()); ++i) {
        const node_id n = p.fallbacks[i].node;
        std::cerr << "inlay: " << name_of_node(m, n) << " (" << m.op(n) << ") falls back on reference; `inlay why` says what the others have to say\n";
    }
    if (p.fallbacks.size() > most) std::cerr << "inlay: so do " << p.fallbacks.size() - most << " more nodes\n";
}

}  // namespace

outcome<plan> engine::make_plan(const ir_module& m, const plan_request& request, plan_times* times, answer* failed) {
    answer unused = answer::no;
    answer& how_failed = failed != nullptr ? *failed : unused;
    how_failed = answer::wrong;
    if (auto known = knows_partitioner(request.partitioner, kinds()); !known) return known.failure();
    auto asked = options_for(*state_, *this, m, request);
    if (!asked) return asked.failure();
    plan_options& options = *asked;
    how_failed = answer::no;
    selection_status ended = selection_status::infeasible;
    options.ended = &ended;
    if (request.with_others) {
        options.others = {"exact", "eager"};
        for (const std::string& k : kinds()) options.others.push_back("single:" + k);
    }
    auto made = with_prices<plan>(*state_, m, executor(), options, times, how_failed, [&](auto& noting, const lower_bounds& bounds, auto& rehearse) {
        auto planned = inlay::make_plan(m, state_->list, noting, bounds, options, rehearse);
        if (planned) correct_prices(noting, m, *planned);
        // Without an answer, plain enumeration has refused what is too much for it.
        if (!planned && request.partitioner == "exhaustive" && ended == selection_status::gap) how_failed = answer::wrong;
        if (interrupted().load()) return outcome<plan>(error{"interrupted; what was measured is kept, and the same call goes on from there"});
        return planned;
    });
    if (made) warn_of_fallbacks(m, *made);
    if (made && !made->rehearsal_failure.empty())
        std::cerr << "inlay: a program could not be run whole, so prices alone stand for its pieces: " << made->rehearsal_failure << "\n";
    return made;
}

outcome<plan_list> engine::list_plans(const ir_module& m, const plan_request& request, plan_objective second, plan_times* times, answer* failed) {
    answer unused = answer::no;
    answer& how_failed = failed != nullptr ? *failed : unused;
    how_failed = answer::wrong;
    auto asked = options_for(*state_, *this, m, request);
    if (!asked) return asked.failure();
    plan_options& options = *asked;
    for (const plan_constraint& one : options.constraints)
        if (one.rule == constraint_rule::prefer)
            return error{quoted_text(request.constraints, 400) + ": " + one.text + " is a preference, which has no place where plans are told by their time; leave it out"};
    how_failed = answer::no;
    return with_prices<plan_list>(*state_, m, executor(), options, times, how_failed,
                       [&](auto& noting, const lower_bounds& bounds, auto&) { return inlay::list_plans(m, state_->list, noting, bounds, second, options); });
}

std::vector<std::size_t> engine::first_equals(std::span<const piece_job> pieces) const {
    std::map<digest, std::size_t> known;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        first.push_back(known.try_emplace(job_content(pieces[i].job, state_->list), i).first->second);
    return first;
}

std::vector<measurement> engine::measure(std::span<const piece_job> pieces, std::span<const std::size_t> some) const {
    std::vector<pricing_job> jobs;
    for (const std::size_t i : some) jobs.push_back(pieces[i].job);
    worker_options measuring;
    measuring.threads = state_->options.threads;
    measuring.stop = &interrupted();
    return worker_meter<back_end_list>(state_->list, measuring).price(jobs);
}

const cost_table& engine::prices() const { return state_->noted; }

outcome<program> engine::link(const ir_module& m, const plan& p) const { return inlay::link(m, state_->list, p.set, p.cut); }

outcome<program> engine::link(const ir_module& m, const plan& p, const std::vector<std::size_t>& chosen) const {
    return inlay::link(m, state_->list, p.set, partition(m, p.set, chosen));
}

executor_ref engine::executor() const { return executor_ref(state_->threads); }

std::optional<int> run_as_worker(int argc, char** argv) { return worker_main<pool>(argc, argv, back_end_list()); }

std::atomic<bool>& interrupted() {
    static std::atomic<bool> set{false};
    return set;
}

}  // namespace tool
