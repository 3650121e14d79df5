// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/measure/machine_watch.hpp>
#include <inlay/plan/plan_jobs.hpp>
#include <inlay/runtime/profile.hpp>

#include "progress.hpp"
#include "rival.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// One way to run the model, ready, with its times.
struct runner {
    std::string name, reason;
    double predicted = 0;  // seconds
    double spread = 0;     // of its pieces' prices together
    std::size_t parts = 0;
    std::map<std::string, std::size_t> composites;  // how many pieces there are of each
    std::optional<program> code;
    program_frame frame;
    std::vector<tensor> results;
    std::optional<rival> other;                              // instead of code of ours
    std::vector<double> seconds;                             // by round; no number where it took no part
    double least = std::numeric_limits<double>::infinity();  // of all rounds, those that warm up among them
    bool is_out = false;                                     // so slow that it takes no further part

    [[nodiscard]] bool runs() const { return code || other; }
};

/// Starts the rivals, which are named as in "ort=python3 ort.py model.onnx". One that does not start takes no part, with the reason.
outcome<void> add_rivals(std::vector<runner>& runners, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos)
            return error{"'--rival' wants NAME=COMMAND, but " + quoted_text(text) + " has no name before an equals sign"};
        auto started = rival::start(text.substr(equals + 1));
        runner r;
        r.name = text.substr(0, equals);
        if (started)
            r.other.emplace(*std::move(started));
        else
            r.reason = started.failure().message;
        runners.push_back(std::move(r));
    }
    return {};
}

/// A contender of a plan, made ready to run, its steps side by side where asked for and faster; or the reason why it does not.
runner runner_of(const contender& c, const std::string& name, const plan& p, const ir_module& model, const engine& back_ends,
                 bool side_by_side) {
    runner r;
    r.name = name;
    r.reason = c.reason;
    if (!c.seconds) return r;
    r.predicted = *c.seconds;
    for (const std::size_t piece : c.chosen) {
        const candidate& chosen = p.set.candidates[piece];
        r.spread += p.prices[piece].spread;
        ++r.composites[back_ends.kind(chosen.backend) + "." + std::string(chosen.name)];
    }
    r.parts = partition(model, p.set, c.chosen).parts.size();
    auto code = back_ends.link(model, p, c.chosen);
    if (!code) {
        r.reason = code.failure().message;
        return r;
    }
    if (side_by_side)
        if (auto placed = back_ends.run_side_by_side(*code); !placed) {
            r.reason = placed.failure().message;
            return r;
        }
    auto frame = code->make_frame();
    auto results = code->make_results();
    if (frame && results) {
        r.code.emplace(*std::move(code));
        r.frame = *std::move(frame);
        r.results = *std::move(results);
    } else {
        r.reason = frame ? results.failure().message : frame.failure().message;
    }
    return r;
}

/// Contenders that run in turns, in rounds, and whether something else ran meanwhile.
class race {
public:
    /// `busy`: something else is meant to run, so that every round counts.
    race(std::span<const tensor> inputs, executor_ref executor, std::uint64_t seed, bool quiet, bool busy)
        : report_(quiet), inputs_(inputs), executor_(executor), random_(seed), is_busy_(busy) {}

    std::vector<runner> runners;

    /// Rounds that do not count: they warm up, and show how often all are to run in one. Who is slow needs one.
    void warm_up() {
        constexpr int rounds = 3;
        constexpr double slow = 0.2;
        std::vector<char> sits_out(runners.size(), 0);
        for (int i = 0; i < rounds && !interrupted().load(); ++i) {
            report_("warming up", static_cast<std::size_t>(i), rounds);
            const std::vector<double> took = run_round(1, sits_out);
            for (std::size_t r = 0; r < took.size(); ++r)
                if (took[r] > std::max(too_slow * best(), slow)) sits_out[r] = 1;
            if (runners.front().runs()) turns_ = turns_in_a_round(took.front());
        }
    }

    /// So many rounds that count. Rounds in which something else ran are repeated, up to as many again. `after(i)` is called behind each
    /// with its number.
    template <class After>
    void run(std::uint32_t rounds, After&& after) {
        const std::size_t first = calm_.size();
        for (std::size_t i = 0; i < 2 * std::size_t{rounds} && !interrupted().load(); ++i) {
            if (i >= rounds && calm_from(first) >= rounds) break;
            report_(i < rounds ? "rounds" : "rounds again", i < rounds ? i : i - rounds, rounds);
            if (!is_open_) watch_.begin();
            is_open_ = true;
            pushed_ = false;
            const std::vector<double> took = run_round(turns_, {});
            if (interrupted().load()) break;
            for (std::size_t r = 0; r < runners.size(); ++r) {
                // Who joined late took no part in the rounds before.
                runners[r].seconds.resize(calm_.size(), missing);
                runners[r].seconds.push_back(took[r]);
            }
            take_out_slow();
            calm_.push_back(pushed_ ? round::pushed : round::open);
            // Ticks tell nothing of less than a tenth of a second.
            if (watch_.age() >= 0.1) close();
            after(i);
        }
        if (is_open_) close();
        report_.end();
    }

    [[nodiscard]] std::size_t rounds() const { return calm_.size(); }
    [[nodiscard]] std::size_t disturbed() const { return calm_.size() - calm_from(0); }

    /// The times of a contender that count: of calm rounds, where these are half of those in which it ran, else all; with those of another
    /// beside them, of the same rounds.
    struct pairs {
        std::vector<double> own, others;
    };
    [[nodiscard]] pairs times_of(const runner& r, const runner& other) const {
        pairs all, calm;
        for (std::size_t i = 0; i < r.seconds.size(); ++i) {
            if (std::isnan(r.seconds[i]) || i >= other.seconds.size() || std::isnan(other.seconds[i])) continue;
            for (pairs* p : {&all, &calm}) {
                if (p == &calm && calm_[i] != round::calm) continue;
                p->own.push_back(r.seconds[i]);
                p->others.push_back(other.seconds[i]);
            }
        }
        return 2 * calm.own.size() >= all.own.size() ? calm : all;
    }
    [[nodiscard]] summary summary_of(const runner& r) const { return summarise(times_of(r, r).own); }

private:
    enum class round : std::uint8_t { open, calm, disturbed, pushed };
    static constexpr double too_slow = 5;  // times the best
    static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

    /// How often all run in a round, whose mean counts: where runs are short, one interruption would make a round.
    static std::size_t turns_in_a_round(double exact) {
        constexpr double long_enough = 5e-3, most = 16;
        return static_cast<std::size_t>(std::clamp(long_enough / std::max(exact, 1e-6), 1.0, most));
    }
    [[nodiscard]] double best() const {
        double least = std::numeric_limits<double>::infinity();
        for (const runner& r : runners) least = std::min(least, r.least);
        return least;
    }
    /// After its first round that counts. The least of all its times is asked, so that one that was pushed aside does not go for it.
    void take_out_slow() {
        for (runner& r : runners)
            r.is_out =
                r.is_out || (r.runs() && std::count_if(r.seconds.begin(), r.seconds.end(), [](double s) { return !std::isnan(s); }) == 1 &&
                             r.least > too_slow * best());
    }
    [[nodiscard]] std::size_t calm_from(std::size_t first) const {
        std::size_t sum = 0;
        for (std::size_t i = first; i < calm_.size(); ++i) sum += calm_[i] == round::calm || calm_[i] == round::open;
        return sum;
    }
    void close() {
        const bool calm = watch_.end_calm() || is_busy_;
        for (round& r : calm_)
            if (r == round::open) r = calm ? round::calm : round::disturbed;
        is_open_ = false;
    }

    /// The time of one inference in seconds; no number where it fails: it runs no more and says why.
    double run_once(runner& r) {
        const double waited = watch_.waited();
        double seconds = missing;
        if (r.other) {
            const auto took = r.other->run();
            if (took) return *took;
            r.reason = took.failure().message;
            r.other.reset();
            return missing;
        }
        const auto start = std::chrono::steady_clock::now();
        const auto ran = r.code->run(r.frame, inputs_, r.results, executor_);
        if (ran) {
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            pushed_ = pushed_ || (!is_busy_ && machine_watch::was_pushed_aside(watch_.waited() - waited, seconds));
        } else {
            r.reason = ran.failure().message;
            r.code.reset();
        }
        return seconds;
    }

    /// Runs all contenders so many times, in a new order each time: what slows the machine slows all alike, and each comes after each.
    /// Their mean times; no number for those that took no part.
    std::vector<double> run_round(std::size_t turns, const std::vector<char>& sits_out) {
        std::vector<double> sums(runners.size(), 0);
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < runners.size(); ++i) {
            const bool takes_part = runners[i].runs() && !runners[i].is_out && (i >= sits_out.size() || sits_out[i] == 0);
            if (takes_part)
                order.push_back(i);
            else
                sums[i] = missing;
        }
        for (std::size_t turn = 0; turn < turns; ++turn) {
            std::shuffle(order.begin(), order.end(), random_);
            for (const std::size_t i : order) {
                if (!runners[i].runs() || interrupted().load()) continue;
                sums[i] += run_once(runners[i]);
                // The threads of a rival may spin for a while after its work is done.
                if (runners[i].other) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] /= static_cast<double>(turns);
            if (!std::isnan(sums[i])) runners[i].least = std::min(runners[i].least, sums[i]);
        }
        return sums;
    }

    progress report_;
    std::span<const tensor> inputs_;
    executor_ref executor_;
    std::mt19937_64 random_;
    machine_watch watch_;
    bool is_busy_;
    std::vector<round> calm_;
    std::size_t turns_ = 1;
    bool is_open_ = false, pushed_ = false;
};

/// A contender's row as JSON.
json_output row_of(const race& all, const runner& r) {
    json_output one{{"name", r.name}};
    const std::vector<double> own = all.times_of(r, r).own;
    if (!r.runs() || own.empty()) {
        one["median_ms"] = nullptr;
        one["reason"] = r.reason;
        return one;
    }
    const summary s = summarise(own);
    const race::pairs with_exact = all.times_of(r, all.runners.front());
    const interval ratio = bootstrap_paired_ratio(with_exact.own, with_exact.others);
    one["median_ms"] = s.median * 1e3;
    one["min_ms"] = s.minimum * 1e3;
    one["max_ms"] = *std::max_element(own.begin(), own.end()) * 1e3;
    one["spread_ms"] = s.spread * 1e3;
    if (r.code) {
        one["predicted_ms"] = r.predicted * 1e3;
        one["partitions"] = r.parts;
        one["composites"] = r.composites;
        one["groups_of_lanes"] = r.code->schedule().groups_of_lanes();
    }
    one["ratio_to_exact"] = {ratio.low, ratio.high};
    if (r.is_out) one["rounds"] = own.size();
    return one;
}

/// Three digits that count: 0.0123, 1.23, 12.3, 123, 1230.
std::string three_digits(double value) {
    if (!(value > 0)) return "0";
    const int above = static_cast<int>(std::floor(std::log10(value)));
    const double unit = std::pow(10.0, above - 2);
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", std::clamp(2 - above, 0, 12), std::round(value / unit) * unit);
    return text;
}

/// The rows as a table for people.
void print_table(const std::vector<json_output>& rows) {
    double best = std::numeric_limits<double>::infinity();
    for (const json_output& row : rows)
        if (row["median_ms"].is_number()) best = std::min(best, row["median_ms"].get<double>());
    std::size_t width = 9;
    for (const json_output& row : rows) width = std::max(width, row["name"].get<std::string>().size());
    const auto line = [&](const std::string& name, std::initializer_list<std::string> cells, const std::string& rest) {
        std::cout << name << std::string(width - name.size(), ' ');
        for (const std::string& cell : cells) std::cout << std::string(cell.size() < 11 ? 11 - cell.size() : 1, ' ') << cell;
        std::cout << (rest.empty() ? "" : "  ") << rest << "\n";
    };
    line("contender", {"median ms", "min ms", "spread ms", "predicted", "parts", "to best"}, "");
    for (const json_output& row : rows) {
        const std::string name = row["name"].get<std::string>();
        if (!row["median_ms"].is_number()) {
            line(name, {"-"}, row["reason"].get<std::string>());
            continue;
        }
        const auto cell = [&](const char* key) { return row.contains(key) ? three_digits(row[key].get<double>()) : std::string("-"); };
        const std::size_t rounds = row.contains("rounds") ? row["rounds"].get<std::size_t>() : 0;
        line(name,
             {cell("median_ms"), cell("min_ms"), cell("spread_ms"), cell("predicted_ms"),
              row.contains("partitions") ? std::to_string(row["partitions"].get<std::size_t>()) : std::string("-"),
              three_digits(row["median_ms"].get<double>() / best)},
             rounds == 0 ? "" : "over 5 times slower: " + std::to_string(rounds) + (rounds == 1 ? " round" : " rounds"));
    }
}

/// Whether a contender of ours is quicker than exact by more than 3 %, with 95 % confidence.
bool is_beaten(const race& all, const runner& exact) {
    for (const runner& r : all.runners) {
        if (&r == &exact || !r.code) continue;
        const race::pairs both = all.times_of(r, exact);
        if (!both.own.empty() && bootstrap_paired_ratio(both.own, both.others).high < 0.97) return true;
    }
    return false;
}

/// Whether what was seen says that a price is wrong in a way that matters to the choice: another contender takes less than it was to, or,
/// on a quiet machine, exact takes longer; by more than a tenth and more than its prices and its rounds spread.
bool is_off(const race& all, const runner& exact) {
    const bool quiet = 2 * all.disturbed() <= all.rounds();
    for (const runner& r : all.runners) {
        if (!r.code || r.seconds.empty()) continue;
        const summary s = all.summary_of(r);
        const double margin = std::max(0.1 * r.predicted, r.spread + s.spread);
        if (s.samples == 0) continue;
        if (&r == &exact ? quiet && s.median > r.predicted + margin : s.median < r.predicted - margin) return true;
    }
    return false;
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
        : plan_(&p),
          back_ends_(&back_ends),
          pieces_(jobs_of(model, p)),
          first_equal_(back_ends.first_equals(pieces_)),
          seconds_(pieces_.size()) {
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

    /// What they take, per kind of back end, and the conversions. Nothing of a plan that was read back, which has no such prices.
    [[nodiscard]] json_output rows() const {
        if (plan_->prices_alone.empty()) return json_output::array();
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
        for (const std::size_t c : plan_->chosen.chosen)
            add(back_ends_->kind(plan_->set.candidates[c].backend), plan_->prices_alone[c].median, number++);
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
    std::vector<pricing_job> pieces_;
    std::vector<std::size_t> first_equal_, distinct_;
    std::vector<std::vector<double>> seconds_;  // by piece, of those that stand for their equals
};

/// The steps of the chosen plan, dearest difference first: the median inside the running program against the price.
outcome<json_output> rows_of_steps(runner& r, const plan& p, std::span<const tensor> inputs, executor_ref executor, std::uint32_t rounds,
                                   bool quiet) {
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
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(measured[a] - priced[a]) > std::abs(measured[b] - priced[b]); });
    json_output list = json_output::array();
    for (const std::size_t i : order) {
        const step_facts& step = r.code->steps()[i];
        list.push_back(
            {{"step", i}, {"label", step.label}, {"note", step.note}, {"median_ms", measured[i] * 1e3}, {"predicted_ms", priced[i] * 1e3}});
        if (!quiet)
            std::cout << "step " << i << "\t" << json_number(measured[i] * 1e3) << " ms\tpredicted " << json_number(priced[i] * 1e3)
                      << " ms\t" << escaped_text(step.label) << "\t" << step.note << "\n";
    }
    return list;
}

}  // namespace

answer verb_bench(const verb_options& o, const bench_options& bench) {
    auto model = load_prepared(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto inputs = model_inputs(model->program, {}, {}, bench.seed);
    if (!inputs) return say(answer::wrong, inputs.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_times times;
    answer failed = answer::no;
    plan_request request;
    request.with_others = !bench.exact_alone;
    request.mends_prices = !bench.last;
    const auto decided = [&]() -> outcome<plan> {
        if (bench.last)
            if (auto last = back_ends->last_plan(*model, request)) return *std::move(last);
        return back_ends->make_plan(*model, request, &times, &failed);
    };
    auto made = decided();
    if (!made) return say(failed, made.failure());

    race all(*inputs, back_ends->executor(), bench.seed, o.engine.quiet, o.engine.busy);
    std::vector<runner>& runners = all.runners;
    runners.push_back(runner_of(made->chosen, made->chosen.name, *made, model->program, *back_ends, true));
    for (const contender& c : made->others) runners.push_back(runner_of(c, c.name, *made, model->program, *back_ends, false));
    const std::size_t ours = runners.size();
    if (auto started = add_rivals(runners, bench.rivals); !started) return say(answer::wrong, started.failure());

    pieces_alone pieces(model->program, *made, *back_ends);
    all.warm_up();
    all.run(bench.rounds, [&](std::size_t i) {
        if (bench.pieces && i < bench.rounds) pieces.measure(i % pieces_shares(bench.rounds), pieces_shares(bench.rounds));
    });
    if (all.rounds() == 0) return say(answer::no, error{"interrupted before the first round was complete"});

    // Prices that are off are taken again, and the plan is made again; what was planned first stays, and stays what is claimed.
    std::vector<std::size_t> believed = made->chosen.chosen;
    std::size_t which = 0;  // of the runners: the one whose plan is believed
    const std::size_t most_plans = bench.last ? 0 : 2;
    for (std::size_t i = 0; i < most_plans && o.engine.costs == "measured" && !interrupted().load(); ++i) {
        if (!runners[which].code || !(is_beaten(all, runners[which]) || is_off(all, runners[which]))) break;
        request.programs_again = true;
        plan_times more;
        auto again = back_ends->make_plan(*model, request, &more, &failed);
        times.search_seconds += more.search_seconds;
        times.measure_seconds += more.measure_seconds;
        times.measured += more.measured;
        if (!again || again->chosen.chosen == believed) break;
        believed = again->chosen.chosen;
        runner mended = runner_of(again->chosen, "exact_replanned", *again, model->program, *back_ends, true);
        if (which == 0) {
            which = runners.size();
            runners.push_back(std::move(mended));
        } else {
            runners[which] = std::move(mended);
        }
        all.run(bench.rounds, [](std::size_t) {});
    }

    json_output list = json_output::array(), rivals = json_output::array();
    std::vector<json_output> rows;
    for (std::size_t i = 0; i < runners.size(); ++i) {
        rows.push_back(row_of(all, runners[i]));
        (i < ours || i == which ? list : rivals).push_back(rows.back());
    }
    if (!o.json) print_table(rows);
    json_output steps;
    if (bench.steps && runners.front().code) {
        auto stepped = rows_of_steps(runners.front(), *made, *inputs, back_ends->executor(), bench.rounds, o.json);
        if (!stepped) return say(answer::no, stepped.failure());
        steps = *std::move(stepped);
    }
    if (o.json) {
        json_output whole{{"version", 1}, {"model", o.model.path}, {"threads", o.engine.threads}, {"rounds", all.rounds()}};
        whole["disturbed_rounds"] = all.disturbed();
        if (o.engine.busy) whole["busy"] = true;
        whole["contenders"] = std::move(list);
        whole["alone"] = pieces.rows();
        if (bench.steps) whole["steps"] = std::move(steps);
        if (!rivals.empty()) whole["rivals"] = std::move(rivals);
        whole["search_ms"] = times.search_seconds * 1e3;
        whole["measure_s"] = times.measure_seconds;
        std::cout << write_json(whole, 2) << "\n";
    } else {
        const bool best = runners.front().runs() && !is_beaten(all, runners.front());
        std::cout << all.rounds() << " rounds";
        if (all.disturbed() != 0) std::cout << ", " << all.disturbed() << " of them while something else ran";
        if (const auto core = back_ends->busy_core()) std::cout << " beside a process that takes core " << *core;
        std::cout << "; " << o.engine.threads << (o.engine.threads == 1 ? " thread" : " threads") << "; searched "
                  << three_digits(times.search_seconds * 1e3) << " ms, measured " << times.measured << " prices in "
                  << three_digits(times.measure_seconds) << " s"
                  << (best ? "" : "; a contender is faster than exact by more than 3 % with 95 % confidence") << "\n";
    }
    return answer::done;
}

}  // namespace tool
