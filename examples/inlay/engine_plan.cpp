// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include <inlay/candidate/refusals_at.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/constraint_file.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/measure/kernel_check.hpp>
#include <inlay/partition/existing_part.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/plan/constraints_of.hpp>
#include <inlay/plan/decision_key.hpp>
#include <inlay/plan/plan_jobs.hpp>
#include <inlay/plan/recorded_plan.hpp>
#include <inlay/plan_blocks.hpp>

#include "engine_state.hpp"
#include "model.hpp"
#include "operators.hpp"

namespace tool {

using namespace inlay;

outcome<plan_rules> engine::rules(const std::string& path, const ir_module& m) const { return load_constraints(path, m, state_->list); }

candidate_set engine::candidates(const ir_module& m) const {
    enumerate_options how;
    how.executor = executor();
    return enumerate(m, state_->list, how);
}

std::vector<refusal> engine::refusals_at(const ir_module& m, const candidate_set& set, const std::string& kind, node_id node) const {
    return inlay::refusals_at(m, state_->list, set, static_cast<backend_id>(state_->list.index_of(kind)), node,
                              [&](node_id n) { return shown_name(m, n); });
}

std::vector<std::string> engine::composites_at(const ir_module& m, const std::string& kind, node_id node) const {
    back_end_list alone = state_->list;
    alone.choose({alone.index_of(kind)});
    std::vector<std::string> names;
    for (const candidate& c : enumerate(m, alone).candidates)
        if (std::find(c.nodes.begin(), c.nodes.end(), node) != c.nodes.end()) names.push_back(c.name);
    return names;
}

namespace {

/// Writes down what the plan took the prices for in the end, where whole programs had told more than pieces by themselves.
void correct_prices(const price_sources& prices, const plan& p) {
    for (std::size_t i = 0; i < p.set.candidates.size(); ++i)
        if (p.prices[i].is_measured()) prices.correct(pricing_job::of(p.set.candidates[i]), p.prices[i]);
    for (const priced_conversion& c : p.conversions_asked)
        if (c.price.is_measured()) prices.correct(pricing_job::of(c.tensor, c.from, c.to), c.price);
}

/// What a request says of constraints and of what the plan is to have least of.
outcome<plan_options> options_for(const engine& e, const planned_model& m, const plan_request& request) {
    plan_options options;
    options.existing = m.parts;
    // Bodies are not there in the process in which programs are run whole.
    if (calls_bodies(m.program)) options.rehearsals = 0;
    options.placements = placements_in(m.program);
    const auto decided_by = read_partitioner(request.partitioner, e.kinds());
    if (!decided_by) return decided_by.failure();
    options.partitioner = *decided_by;
    options.fallback = e.fallback();
    options.objective = request.objective;
    options.prefer = request.prefer;
    options.keep_problem = request.keep_problem;
    options.search.cancel = &interrupted();
    options.search.executor = e.executor();
    options.enumeration.executor = e.executor();
    options.search.budget_ms = request.budget_ms;
    if (!request.fallback.empty()) {
        const auto policy = fallback_policy_named(request.fallback);
        if (!policy)
            return error{"there is no fallback policy " + quoted_text(request.fallback) +
                         name_hint(request.fallback, fallback_policy_names) + "; write require, warn or allow"};
        options.fallbacks.push_back({*policy, {}, "--fallback " + request.fallback});
    }
    if (request.constraints.empty()) {
        if (auto keeps = can_keep(options); !keeps) return keeps.failure();
        return options;
    }
    auto read = e.rules(request.constraints, m.program);
    if (!read) return read.failure();
    options.constraints = std::move(read->constraints);
    options.limits = std::move(read->limits);
    for (fallback_rule& rule : read->fallbacks) options.fallbacks.push_back(std::move(rule));
    if (auto keeps = can_keep(options); !keeps) return keeps.failure();
    return options;
}

/// One line for each node that the fallback runs against a warning, and one for those that are too many.
void warn_of_fallbacks(const ir_module& m, const plan& p) {
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(most, p.fallbacks.size()); ++i) {
        const node_id n = p.fallbacks[i].node;
        std::cerr << "inlay: " << shown_name(m, n) << " (" << escaped_text(m.op(n))
                  << ") falls back on reference; `inlay why` says what the others have to say\n";
    }
    if (p.fallbacks.size() > most) std::cerr << "inlay: so do " << p.fallbacks.size() - most << " more nodes\n";
}

/// What `make(options, prices, failed)` makes with the options of a request and the prices of the engine. `failed`, unless it is null, gets
/// how the program ends where there is nothing.
template <class Made, class Make>
outcome<Made> planned(engine::state& s, const engine& e, const planned_model& m, const plan_request& request, plan_times* times,
                      answer* failed, Make make) {
    answer unused = answer::no;
    answer& how_failed = failed != nullptr ? *failed : unused;
    how_failed = answer::wrong;
    auto options = options_for(e, m, request);
    if (!options) return options.failure();
    how_failed = answer::no;
    s.programs_again = request.programs_again;
    s.mends_prices = request.mends_prices;
    outcome<Made> made = error{"nothing was planned"};
    const auto priced = with_prices(s, m.program, *options, times, how_failed,
                                    [&](const price_sources& prices) { made = make(*options, prices, how_failed); });
    if (!priced) return priced.failure();
    return made;
}

/// Whether what is decided is kept for later calls: where it rests on the prices of the database.
bool keeps_decisions(const engine::state& s) { return s.options.costs == "measured"; }

/// The key under which the plan of a request is kept.
outcome<digest> decision_key_of(const engine::state& s, const planned_model& m, const plan_request& request) {
    const recording_conditions conditions = conditions_of(s);
    digest_builder asked;
    asked.add(conditions.machine).add(conditions.threads).add(conditions.measuring);
    asked.add(request.partitioner).add(request.prefer).add(request.fallback).add(name_of(request.objective));
    for (const ir_module& body : m.bodies) asked.add(decision_key(body, s.targets, digest()));
    for (const existing_part& part : m.parts) {
        asked.add(part.owner);
        for (const node_id n : part.nodes) asked.add(static_cast<std::uint64_t>(n));
    }
    for (const placement_rule& rule : placements_in(m.program)) {
        asked.add(to_string(rule.where));
        for (const node_id n : rule.nodes) asked.add(static_cast<std::uint64_t>(n));
    }
    if (!request.constraints.empty()) {
        auto text = read_file(request.constraints, std::size_t{1} << 28);
        if (!text) return text.failure();
        asked.add(*text);
    }
    return decision_key(m.program, s.targets, asked.finish());
}

/// Keeps the plan of a request, without what only people ask for.
void keep_decision(engine::state& s, const engine& e, const planned_model& m, const plan_request& request, const plan& p) {
    const auto key = decision_key_of(s, m, request);
    if (!key) return;
    plan_record record = record_of(
        m.program, p, [&](backend_id number) { return e.kind(number); }, s.targets, true);
    record.proof.reset();
    record.others.clear();
    if (auto kept = s.database.keep_decision(*key, write_plan_record(record)); !kept && s.database.is_open() && !s.options.quiet)
        std::cerr << "inlay: " << kept.failure().message << "\n";
}

}  // namespace

std::optional<plan> engine::last_plan_of(const planned_model& m, const plan_request& request) {
    // Whoever asks for prices of today wants a plan of today.
    const std::string& refresh = state_->options.refresh;
    if (!keeps_decisions(*state_) || !(refresh.empty() || refresh == "never")) return std::nullopt;
    const auto key = decision_key_of(*state_, m, request);
    if (!key) return std::nullopt;
    open_database(*state_);
    const std::optional<std::string> text = state_->database.decision(*key);
    if (!text) return std::nullopt;
    // A file is not trusted: what does not fit, or is no sound plan, is decided anew.
    const auto record = read_plan_record(*text);
    if (!record) return std::nullopt;
    auto made = plan_of(*record, m.program, candidates(m.program), [&](backend_id number) { return kind(number); });
    if (!made) return std::nullopt;
    for (const law_check& l : verify(m.program, made->set, made->cut))
        if (!l.holds) return std::nullopt;
    warn_of_fallbacks(m.program, *made);
    return *std::move(made);
}

const std::vector<plan>& engine::body_plans() const { return state_->body_plans; }

outcome<void> engine::prepare_bodies(const planned_model& m, const plan_request& request, bool last_will_do) {
    if (!m.not_lifted.empty()) return error{m.not_lifted + "; `inlay run MODEL --interpret` runs it"};
    state_->body_plans.clear();
    if (m.bodies.empty()) return {};
    // Who takes branches and loops takes part where there are any.
    std::vector<std::size_t> order = state_->list.chosen();
    const std::size_t control = state_->list.index_of(control_flow::kind);
    if (std::find(order.begin(), order.end(), control) == order.end()) order.push_back(control);
    state_->list.choose(std::move(order));
    plan_request of_body = request;
    of_body.with_others = of_body.keep_problem = false;
    of_body.constraints.clear();
    state_->bodies.clear();
    for (const ir_module& body : m.bodies) state_->bodies.push_back({body, {}, {}, {}});
    auto made = plan_bodies(
        m.bodies.size(), state_->list, [&](std::size_t i) -> const ir_module& { return state_->bodies[i].program; },
        [&](std::size_t i) -> outcome<plan> {
            if (last_will_do)
                if (auto last = last_plan_of(state_->bodies[i], of_body)) return *std::move(last);
            auto planned_body = make_plan_of(state_->bodies[i], of_body, nullptr, nullptr);
            // A body's kernels are checked before it is linked into its loop, so that one that is wrong is planned around.
            while (planned_body && state_->options.checks && !state_->options.only_plans_bodies) {
                if (link(state_->bodies[i].program, *planned_body) || !leaves_out_failed(state_->bodies[i].program, *planned_body)) break;
                planned_body = make_plan_of(state_->bodies[i], of_body, nullptr, nullptr);
            }
            return planned_body;
        },
        state_->options.only_plans_bodies ? bodies_are::planned : bodies_are::linked);
    if (!made) return made.failure();
    state_->body_plans = *std::move(made);
    return {};
}

outcome<plan> engine::make_plan(const planned_model& m, const plan_request& request, plan_times* times, answer* failed) {
    if (auto ready = prepare_bodies(m, request, false); !ready) {
        if (failed != nullptr) *failed = answer::no;
        return ready.failure();
    }
    return make_plan_of(m, request, times, failed);
}

std::optional<plan> engine::last_plan(const planned_model& m, const plan_request& request) {
    if (!prepare_bodies(m, request, true)) return std::nullopt;
    return last_plan_of(m, request);
}

outcome<plan> engine::make_plan_of(const planned_model& m, const plan_request& request, plan_times* times, answer* failed) {
    const auto make = [&](plan_options& options, const price_sources& prices, answer& how_failed) {
        selection_status ended = selection_status::infeasible;
        options.ended = &ended;
        if (request.with_others) options.others = usual_partitioners(kinds());
        meter_ref pieces = prices.pieces;
        program_meter_ref programs = prices.programs;
        auto made = inlay::make_plan(m.program, state_->list, pieces, prices.bounds, options, programs);
        if (made) correct_prices(prices, *made);
        if (made && state_->options.checks)
            for (std::size_t i = 0; i < made->prices.size(); ++i)
                if (std::string& why = made->prices[i].unchecked; why.empty())
                    why = why_unchecked(made->set.candidates[i].view(), meaning_of);
        // Without an answer, plain enumeration has refused what is too much for it.
        if (!made && options.partitioner == partitioner::exhaustive() && ended == selection_status::gap) how_failed = answer::wrong;
        if (interrupted().load()) made = error{"interrupted; what was measured is kept, and the same call goes on from there"};
        return made;
    };
    auto made = planned<plan>(*state_, *this, m, request, times, failed, make);
    if (!made) return made;
    if (keeps_decisions(*state_)) keep_decision(*state_, *this, m, request, *made);
    warn_of_fallbacks(m.program, *made);
    if (!made->rehearsal_failure.empty())
        std::cerr << "inlay: a program could not be run whole, so prices alone stand for its pieces: " << made->rehearsal_failure << "\n";
    return made;
}

outcome<plan_list> engine::list_plans(const planned_model& m, const plan_request& request, plan_objective second, plan_times* times,
                                      answer* failed) {
    if (auto ready = prepare_bodies(m, request, false); !ready) return ready.failure();
    const auto make = [&](const plan_options& options, const price_sources& prices, answer& how_failed) {
        if (!can_list(options)) how_failed = answer::wrong;
        meter_ref pieces = prices.pieces;
        return inlay::list_plans(m.program, state_->list, pieces, prices.bounds, second, options);
    };
    return planned<plan_list>(*state_, *this, m, request, times, failed, make);
}

}  // namespace tool
