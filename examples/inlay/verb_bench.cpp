// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include <inlay/cost/statistics.hpp>
#include <inlay/import/json.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/partition/piece_job.hpp>
#include <inlay/runtime/profile.hpp>

#include "rival.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// One way to run the model, ready, with its times.
struct runner {
    std::string name, reason;
    double predicted = 0;
    std::size_t parts = 0;
    std::optional<program> code;
    program_frame frame;
    std::vector<tensor> results;
    std::optional<rival> other;  // instead of code of ours
    std::vector<double> seconds;

    [[nodiscard]] bool runs() const { return code || other; }
};

/// Starts the rivals, which are named as in "ort=python3 ort.py model.onnx".
outcome<void> add_rivals(std::vector<runner>& runners, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos)
            return error{"'--rival' wants NAME=COMMAND, but " + quoted_text(text) + " has no name before an equals sign"};
        auto started = rival::start(text.substr(equals + 1));
        if (!started) return started.failure();
        runner r;
        r.name = text.substr(0, equals);
        r.other.emplace(*std::move(started));
        runners.push_back(std::move(r));
    }
    return {};
}

/// The time of one inference in seconds; nothing where it fails: it runs no more and says why.
std::optional<double> run_once(runner& r, std::span<const tensor> inputs, executor_ref executor) {
    if (r.other) {
        const auto took = r.other->run();
        if (took) return *took;
        r.reason = took.failure().message;
        r.other.reset();
        return std::nullopt;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto ran = r.code->run(r.frame, inputs, r.results, executor);
    if (ran) return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    r.reason = ran.failure().message;
    r.code.reset();
    return std::nullopt;
}

/// How often all run in a round, whose mean counts: where runs are short, one interruption would make a round.
std::size_t turns_in_a_round(const runner& exact) {
    constexpr double long_enough = 5e-3, most = 16;
    if (exact.seconds.empty()) return 1;
    return static_cast<std::size_t>(std::clamp(long_enough / std::max(summarise(exact.seconds).median, 1e-6), 1.0, most));
}

/// Runs all contenders so many times, in a new order each time: what slows the machine slows all alike, and each comes after each.
void run_round(std::vector<runner>& runners, std::size_t turns, std::mt19937_64& random, std::span<const tensor> inputs, executor_ref executor) {
    std::vector<double> sums(runners.size(), 0);
    std::vector<std::size_t> order(runners.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t turn = 0; turn < turns; ++turn) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order) {
            if (!runners[i].runs()) continue;
            sums[i] += run_once(runners[i], inputs, executor).value_or(0);
            // The threads of a rival may spin for a while after its work is done.
            if (runners[i].other) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    for (std::size_t i = 0; i < runners.size(); ++i)
        if (runners[i].runs()) runners[i].seconds.push_back(sums[i] / static_cast<double>(turns));
}

/// One contender's row: to JSON and, unless JSON is wanted, to standard output.
json_output row_of(const runner& r, const runner& exact, bool quiet) {
    json_output one{{"name", r.name}};
    if (!r.runs()) {
        one["median_ms"] = nullptr;
        one["reason"] = r.reason;
        if (!quiet) std::cout << r.name << "\t-\t" << r.reason << "\n";
        return one;
    }
    const summary s = summarise(r.seconds);
    const interval ratio = bootstrap_paired_ratio(r.seconds, exact.seconds);
    one["median_ms"] = s.median * 1e3;
    one["min_ms"] = s.minimum * 1e3;
    one["max_ms"] = *std::max_element(r.seconds.begin(), r.seconds.end()) * 1e3;
    if (r.code) {
        one["predicted_ms"] = r.predicted * 1e3;
        one["partitions"] = r.parts;
    }
    one["ratio_to_exact"] = {ratio.low, ratio.high};
    if (quiet) return one;
    std::cout << r.name << "\tmedian " << json_number(s.median * 1e3) << " ms\tmin " << json_number(s.minimum * 1e3) << " ms\tspread "
              << json_number(s.spread * 1e3) << " ms";
    if (r.code) std::cout << "\tpredicted " << json_number(r.predicted * 1e3) << " ms\t" << r.parts << " parts";
    std::cout << "\tto exact " << json_number(ratio.low) << " .. " << json_number(ratio.high) << "\n";
    return one;
}

/// What the plan expects a step to take, in seconds.
double price_of(const step_facts& step, const plan& p) {
    if (!step.is_conversion) return p.prices[step.number].median;
    const auto at = p.conversions.find(p.cut.conversions[step.number]);
    return at == p.conversions.end() ? 0 : at->second.median;
}

/// Each piece is measured in two rounds, if there are as many.
std::size_t pieces_shares(std::uint32_t rounds) { return std::max<std::size_t>(rounds / 2, 1); }

/// The pieces of the chosen plan, each by itself: candidates in their order, then conversions.
class pieces_alone {
public:
    pieces_alone(const ir_module& model, const plan& p, const engine& back_ends)
        : plan_(&p), back_ends_(&back_ends), pieces_(piece_jobs(model)(p)), first_equal_(back_ends.first_equals(pieces_)), seconds_(pieces_.size()) {
        for (std::size_t i = 0; i < first_equal_.size(); ++i)
            if (first_equal_[i] == i) distinct_.push_back(i);
    }

    /// Measures every `of`-th of the pieces that differ, from number `share` on.
    void measure(std::size_t share, std::size_t of) {
        std::vector<std::size_t> some;
        for (std::size_t i = share; i < distinct_.size(); i += of) some.push_back(distinct_[i]);
        if (some.empty()) return;
        const std::vector<measurement> found = back_ends_->measure(pieces_, some);
        for (std::size_t i = 0; i < some.size(); ++i)
            if (found[i].is_measured()) seconds_[some[i]].push_back(found[i].median);
    }

    /// What they take, per kind of back end, and the conversions.
    [[nodiscard]] json_output rows() const {
        struct sum {
            std::size_t pieces = 0, measured = 0;
            double priced = 0, seconds = 0;
        };
        std::map<std::string, sum> sums;
        const auto add = [&](const std::string& what, double price, std::size_t piece) {
            sum& s = sums[what];
            ++s.pieces;
            s.priced += price;
            const std::vector<double>& measured = seconds_[first_equal_[piece]];
            if (measured.empty()) return;
            ++s.measured;
            s.seconds += summarise(measured).median;
        };
        std::size_t number = 0;
        for (const std::size_t c : plan_->chosen.chosen) add(back_ends_->kind(plan_->set.candidates[c].backend), plan_->prices_alone[c].median, number++);
        for (const conversion& c : plan_->cut.conversions) {
            const auto price = plan_->conversions_alone.find(c);
            add("conversion", price == plan_->conversions_alone.end() ? 0 : price->second.median, number++);
        }
        json_output list = json_output::array();
        for (const auto& [what, s] : sums) {
            json_output row{{"what", what}, {"pieces", s.pieces}, {"predicted_ms", s.priced * 1e3}};
            if (s.measured == s.pieces) row["median_ms"] = s.seconds * 1e3;
            list.push_back(std::move(row));
        }
        return list;
    }

private:
    const plan* plan_;
    const engine* back_ends_;
    std::vector<piece_job> pieces_;
    std::vector<std::size_t> first_equal_, distinct_;
    std::vector<std::vector<double>> seconds_;  // by piece, of those that stand for their equals
};

/// The steps of the chosen plan, dearest difference first: the median inside the running program against the price.
outcome<json_output> rows_of_steps(runner& r, const plan& p, std::span<const tensor> inputs, executor_ref executor, std::uint32_t rounds, bool quiet) {
    profile taken;
    for (std::uint32_t i = 0; i < rounds + 1; ++i)
        if (auto ran = run_profiled(*r.code, r.frame, inputs, r.results, executor, taken); !ran) return ran.failure();
    const std::vector<std::vector<double>> seconds = step_seconds(taken, r.code->steps().size(), 1);
    std::vector<std::size_t> order(seconds.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<double> measured, priced;
    for (std::size_t i = 0; i < order.size(); ++i) {
        measured.push_back(summarise(seconds[i]).median);
        priced.push_back(price_of(r.code->steps()[i], p));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(measured[a] - priced[a]) > std::abs(measured[b] - priced[b]); });
    json_output list = json_output::array();
    for (const std::size_t i : order) {
        const step_facts& step = r.code->steps()[i];
        list.push_back({{"step", i}, {"label", step.label}, {"note", step.note}, {"median_ms", measured[i] * 1e3}, {"predicted_ms", priced[i] * 1e3}});
        if (!quiet)
            std::cout << "step " << i << "\t" << json_number(measured[i] * 1e3) << " ms\tpredicted " << json_number(priced[i] * 1e3) << " ms\t" << step.label
                      << "\t" << step.note << "\n";
    }
    return list;
}

}  // namespace

answer verb_bench(const verb_options& o, const bench_options& bench) {
    auto model = load_prepared(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto inputs = model_inputs(*model, {}, {}, bench.seed);
    if (!inputs) return say(answer::wrong, inputs.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_times times;
    answer failed = answer::no;
    plan_request request;
    request.with_others = true;
    auto made = back_ends->make_plan(*model, request, &times, &failed);
    if (!made) return say(failed, made.failure());

    std::vector<runner> runners;
    const auto prepare = [&](const contender& c) {
        runner r;
        r.name = c.name;
        r.reason = c.reason;
        if (c.seconds) {
            r.predicted = *c.seconds;
            r.parts = partition(*model, made->set, c.chosen).parts.size();
            auto code = back_ends->link(*model, *made, c.chosen);
            if (!code) {
                r.reason = code.failure().message;
            } else {
                auto frame = code->make_frame();
                auto results = code->make_results();
                if (frame && results) {
                    r.code.emplace(*std::move(code));
                    r.frame = *std::move(frame);
                    r.results = *std::move(results);
                } else {
                    r.reason = frame ? results.failure().message : frame.failure().message;
                }
            }
        }
        runners.push_back(std::move(r));
    };
    prepare(made->chosen);
    for (const contender& c : made->others) prepare(c);

    const std::size_t ours = runners.size();
    if (auto started = add_rivals(runners, bench.rivals); !started) return say(answer::wrong, started.failure());

    std::mt19937_64 random(bench.seed);
    constexpr std::uint32_t warm_up = 3;
    pieces_alone pieces(*model, *made, *back_ends);
    std::uint32_t done = 0;
    std::size_t turns = 1;
    for (std::uint32_t round = 0; round < bench.rounds + warm_up && !interrupted().load(); ++round) {
        run_round(runners, turns, random, *inputs, back_ends->executor());
        if (round + 1 == warm_up) {
            turns = turns_in_a_round(runners.front());
            for (runner& r : runners) r.seconds.clear();
        }
        if (round < warm_up) continue;
        if (bench.pieces) pieces.measure(done % pieces_shares(bench.rounds), pieces_shares(bench.rounds));
        ++done;
    }
    if (done == 0) return say(answer::no, error{"interrupted before the first round was complete"});

    json_output list = json_output::array(), rivals = json_output::array();
    bool best = runners.front().runs();
    for (std::size_t i = 0; i < runners.size(); ++i) {
        json_output row = row_of(runners[i], runners.front(), o.json);
        if (i < ours && runners[i].runs() && best) best = !(row["ratio_to_exact"][1].get<double>() < 0.97);
        (i < ours ? list : rivals).push_back(std::move(row));
    }
    json_output steps;
    if (bench.steps && runners.front().code) {
        auto rows = rows_of_steps(runners.front(), *made, *inputs, back_ends->executor(), bench.rounds, o.json);
        if (!rows) return say(answer::no, rows.failure());
        steps = *std::move(rows);
    }
    if (o.json) {
        json_output whole{{"version", 1}, {"model", o.model.path}, {"threads", o.engine.threads}, {"rounds", done}};
        whole["contenders"] = std::move(list);
        whole["alone"] = pieces.rows();
        if (bench.steps) whole["steps"] = std::move(steps);
        if (!rivals.empty()) whole["rivals"] = std::move(rivals);
        whole["search_ms"] = times.search_seconds * 1e3;
        whole["measure_s"] = times.measure_seconds;
        std::cout << write_json(whole, 2) << "\n";
    } else {
        std::cout << done << " rounds, " << o.engine.threads << " threads; searched " << times.search_seconds * 1e3 << " ms, measured " << times.measured << " prices in "
                  << times.measure_seconds << " s" << (best ? "" : "; a contender is faster than exact by more than 3 % with 95 % confidence") << "\n";
    }
    return answer::done;
}

}  // namespace tool
