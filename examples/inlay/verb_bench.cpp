// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

#include <inlay/cost/statistics.hpp>
#include <inlay/import/json.hpp>

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
    std::vector<double> seconds;
};

}  // namespace

answer verb_bench(const verb_options& o, const bench_options& bench) {
    auto model = load_prepared(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto inputs = model_inputs(*model, {}, {}, bench.seed);
    if (!inputs) return say(answer::wrong, inputs.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_times times;
    auto made = back_ends->make_plan(*model, {"exact", true, {}}, &times);
    if (!made) return say(answer::no, made.failure());

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

    const auto run = [&](runner& r) -> bool {
        if (!r.code) return true;
        const auto start = std::chrono::steady_clock::now();
        const auto ran = r.code->run(r.frame, *inputs, r.results, back_ends->executor());
        r.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        if (ran) return true;
        r.reason = ran.failure().message;
        r.code.reset();
        return false;
    };
    // Each round runs every contender once, in an order that turns from round to round, so that what slows the machine slows all alike.
    constexpr std::uint32_t warm_up = 3;
    std::uint32_t done = 0;
    for (std::uint32_t round = 0; round < bench.rounds + warm_up && !interrupted().load(); ++round) {
        for (std::size_t i = 0; i < runners.size(); ++i) static_cast<void>(run(runners[(i + round) % runners.size()]));
        if (round + 1 == warm_up)
            for (runner& r : runners) r.seconds.clear();
        if (round >= warm_up) ++done;
    }
    if (done == 0) return say(answer::no, error{"interrupted before the first round was complete"});

    json_output list = json_output::array();
    bool best = true;
    for (runner& r : runners) {
        json_output one{{"name", r.name}};
        if (!r.code) {
            one["median_ms"] = nullptr;
            one["reason"] = r.reason;
            if (!o.json) std::cout << r.name << "\t-\t" << r.reason << "\n";
            list.push_back(std::move(one));
            continue;
        }
        const summary s = summarise(r.seconds);
        const interval ratio = bootstrap_paired_ratio(r.seconds, runners.front().seconds);
        one["median_ms"] = s.median * 1e3;
        one["min_ms"] = s.minimum * 1e3;
        one["max_ms"] = *std::max_element(r.seconds.begin(), r.seconds.end()) * 1e3;
        one["predicted_ms"] = r.predicted * 1e3;
        one["partitions"] = r.parts;
        one["ratio_to_exact"] = {ratio.low, ratio.high};
        best = best && !(ratio.high < 0.97);
        if (!o.json)
            std::cout << r.name << "\tmedian " << json_number(s.median * 1e3) << " ms\tmin " << json_number(s.minimum * 1e3) << " ms\tspread "
                      << json_number(s.spread * 1e3) << " ms\tpredicted " << json_number(r.predicted * 1e3) << " ms\t" << r.parts << " parts\tto exact "
                      << json_number(ratio.low) << " .. " << json_number(ratio.high) << "\n";
        list.push_back(std::move(one));
    }
    if (o.json) {
        json_output whole{{"version", 1}, {"model", o.model.path}, {"threads", o.engine.threads}, {"rounds", done}};
        whole["contenders"] = std::move(list);
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
