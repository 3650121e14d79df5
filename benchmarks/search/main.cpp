// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// How fast the exact search is on whole networks, against stated targets and against other solvers on the same instances.
//
//     build/benchmarks/search                              every network, seeds 1-5, conversions shared and not
//     build/benchmarks/search --list                       the networks, their sizes and targets
//     build/benchmarks/search --only nasnet_a,bert_base --seeds 1,3 --conversions shared
//     build/benchmarks/search --rival toulbar2,cbc,dijkstra --only squeezenet
//     build/benchmarks/search --only randwire --independent 500 --seeds 1 --conversions shared --rival highs   with cycles
//     build/benchmarks/search --only randwire --seeds 2 --conversions each --write randwire.json    writes the instance; solves nothing
//
//     --cost-model random|layers   layers: equal layers have equal candidates at equal costs
//     --formats backend|drawn      a candidate's formats: its back end's, or drawn for it, which is far harder to search
//     --k N                        most nodes of a candidate, 1 to 5 (default 3); the targets are for 3
//     --pairs                      pairs of nodes that read a common tensor and do not depend on each other are candidates too
//     --independent N              N drawn pairs of nodes that do not depend on each other are candidates too; the seed draws them
//     --budget-ms N                what one search may take (default 20000); without --budget-ms 0 it is never without one
//     --repeats N                  searches of one instance, at most 2 s in all, whose median counts (default 5)
//     --no-marginals               leaves the marginals out
//     --no-certificate             leaves the certificates out
//     --growth                     transformers of 1,020 to 1,000,020 nodes in place of the networks, to see how the time grows
//     --rival-s N                  what a rival may take for one instance, in seconds (default 60)
//     --json FILE                  one line of JSON for each instance, `-` for the standard output in place of the table
//
// One row for a network and a way to pay for conversions: nodes, edges, candidates (of the first seed); median and worst time in
// milliseconds over the seeds, by one thread, from a `problem` to its answer, each instance in a process of its own; the target and
// median / target; how many answers were proved optimal and the widest gap of the others, in percent; the first seed's cost; sub-problems,
// dual passes and cycle cuts (most of any seed); table entries (most); width; memory that the search took at its peak; time with all
// marginals over time without (median; `~`: for some instance some marginals are only bounds; `>`: stopped by the budget). Then the first
// cover: the time of a search that has no time, and by how many percent its answer costs more (medians; never less, or it is wrong). Then
// the certificates: time to make one over the time of the search (median), time to verify it over the time of the search in percent (median
// and worst), how many prove the search's bound and hold, and prices and sub-problems (most). With --cost-model layers, last, where equal
// layers follow one another: the time to solve the problem that states its repeats, in ms (median). Rows are printed as they are done: an
// interrupt keeps them. A search that outlives its budget is killed and counts as `died`.
//
// A rival's row: median time and, as a check, whether its optimum is the same as the engine's. toulbar2 and cbc are the Debian packages
// toulbar2 and coinor-cbc, run on files: their time is that of the process. highs is HiGHS by highs_rival.py, which says how to install it
// and what its time is; run from the repository's root, the benchmark finds both. dijkstra walks over sets of covered nodes, as TVM's
// Collage does; it knows no conversions and no cycles, so that it is compared with the engine's answer to the problem without them. Exit
// status: 0; 1 where an answer was wrong, not the same twice, or not the rival's; 2 for bad arguments; 130 after an interrupt.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/io/json/search_instance.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/proof/verify_certificate.hpp>
#include <inlay/search/repeats/select_repeated.hpp>
#include <inlay/search/select.hpp>

#include "child.hpp"
#include "instance.hpp"
#include "rival.hpp"
#include "topology.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
using text = std::string;

struct network {
    const char* name;
    bench::topology (*make)();
    double target_ms;
};

/// 2,000 layers are 100,020 nodes: whole layers do not make 100,000.
const std::array<network, 11> networks = {{
    {"resnet50", bench::resnet50, 1},
    {"mobilenet_v2", bench::mobilenet_v2, 0.6},
    {"squeezenet", bench::squeezenet, 0.6},
    {"inception_v3", bench::inception_v3, 2},
    {"densenet121_flat", bench::densenet121, 10},
    {"bert_base", [] { return bench::bert(12); }, 3},
    {"nasnet_a", bench::nasnet_a, 10},
    {"nasrnn", [] { return bench::nasrnn(10); }, 50},
    {"randwire", [] { return bench::randwire(bench::randwire_seed); }, 100},
    {"transformer_20020", [] { return bench::bert(400); }, 100},
    {"transformer_100020", [] { return bench::bert(2000); }, 1500},
}};

/// The same network, from 20 layers to 20,000; no targets.
const std::array<network, 4> growing = {{
    {"transformer_1020", [] { return bench::bert(20); }, 0},
    {"transformer_10020", [] { return bench::bert(200); }, 0},
    {"transformer_100020", [] { return bench::bert(2000); }, 0},
    {"transformer_1000020", [] { return bench::bert(20000); }, 0},
}};

struct arguments {
    std::vector<text> only;
    std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5};
    bench::cost_model model = bench::cost_model::random;
    bench::format_rule rule = bench::format_rule::of_backend;
    bool shared = true;
    bool each = true;
    std::uint32_t k = 3;
    bool pairs = false;
    std::uint32_t independent = 0;
    double budget_ms = 20000;
    std::uint32_t repeats = 5;
    bool marginals = true;
    bool certificate = true;
    bool growth = false;
    std::vector<text> rivals;
    double rival_s = 60;
    text json;
    text write;
    bool list = false;
};

[[noreturn]] void fail(const text& sentence) {
    std::fprintf(stderr, "search: %s\n", sentence.c_str());
    std::exit(2);
}

std::vector<text> words(const text& list) {
    std::vector<text> made(1);
    for (const char letter : list) {
        if (letter == ',') {
            made.emplace_back();
        } else {
            made.back() += letter;
        }
    }
    return made;
}

std::uint64_t whole_number(const text& option, const text& word, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size() || value < least || value > most) {
        fail(option + " has \"" + word + "\", which is no whole number from " + std::to_string(least) + " to " + std::to_string(most) +
             "; give one.");
    }
    return value;
}

text one_of(const text& option, const text& word, const std::vector<text>& known) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return word;
    text names;
    for (const text& name : known) {
        if (!names.empty()) names += ", ";
        names += name;
    }
    fail(option + " has \"" + word + "\", which is none of " + names + "; give one of these.");
}

arguments read_arguments(int count, char** given) {
    arguments made;
    std::vector<text> names;
    for (const network& n : networks) names.emplace_back(n.name);
    for (int i = 1; i < count; ++i) {
        const text option = given[i];
        const auto value = [&]() -> text {
            if (i + 1 == count) fail(option + " stands at the end, where a value was expected; give one.");
            return given[++i];
        };
        if (option == "--only") {
            for (const text& word : words(value())) made.only.push_back(one_of(option, word, names));
        } else if (option == "--seeds") {
            made.seeds.clear();
            for (const text& word : words(value())) {
                const std::size_t dash = word.find('-');
                const std::uint64_t first = whole_number(option, word.substr(0, dash), 0, 1'000'000);
                const std::uint64_t last = dash == text::npos ? first : whole_number(option, word.substr(dash + 1), first, first + 1000);
                for (std::uint64_t s = first; s <= last; ++s) made.seeds.push_back(s);
            }
        } else if (option == "--cost-model") {
            made.model = one_of(option, value(), {"random", "layers"}) == "random" ? bench::cost_model::random : bench::cost_model::layers;
        } else if (option == "--formats") {
            made.rule =
                one_of(option, value(), {"backend", "drawn"}) == "drawn" ? bench::format_rule::drawn : bench::format_rule::of_backend;
        } else if (option == "--conversions") {
            const text which = one_of(option, value(), {"shared", "each", "both"});
            made.shared = which != "each";
            made.each = which != "shared";
        } else if (option == "--k") {
            made.k = static_cast<std::uint32_t>(whole_number(option, value(), 1, 5));
        } else if (option == "--budget-ms") {
            made.budget_ms = static_cast<double>(whole_number(option, value(), 0, 3'600'000));
        } else if (option == "--repeats") {
            made.repeats = static_cast<std::uint32_t>(whole_number(option, value(), 1, 1000));
        } else if (option == "--rival") {
            for (const text& word : words(value())) made.rivals.push_back(one_of(option, word, {"toulbar2", "cbc", "highs", "dijkstra"}));
        } else if (option == "--rival-s") {
            made.rival_s = static_cast<double>(whole_number(option, value(), 1, 3600));
        } else if (option == "--json") {
            made.json = value();
        } else if (option == "--write") {
            made.write = value();
        } else if (option == "--pairs") {
            made.pairs = true;
        } else if (option == "--independent") {
            made.independent = static_cast<std::uint32_t>(whole_number(option, value(), 1, 1'000'000));
        } else if (option == "--no-marginals") {
            made.marginals = false;
        } else if (option == "--no-certificate") {
            made.certificate = false;
        } else if (option == "--growth") {
            made.growth = true;
        } else if (option == "--list") {
            made.list = true;
        } else {
            fail(text("\"") + option + "\" is no option; the top of benchmarks/search/main.cpp lists them.");
        }
    }
    return made;
}

/// What was seen of one instance.
struct measured {
    std::size_t candidates = 0;
    double ms = 0;
    inlay::selection_status status = inlay::selection_status::gap;
    bool found = false;
    /// The same answer on each repeat, and what it says it costs is what it costs.
    bool sound = true;
    double cost = 0;
    double bound = 0;
    /// The optimum of the candidates' costs alone, without conversions and cycles; where a rival needs it.
    double bare_cost = 0;
    /// The first cover: what a search without any time answers.
    double first_ms = 0;
    double first_cost = 0;
    inlay::search_effort effort;
    long memory_kib = 0;
    double marginals_ms = 0;
    bool marginals_exact = true;
    bool marginals_stopped = false;
    double certify_ms = 0;
    double verify_ms = 0;
    /// Whether the certificate proves the search's bound, and holds.
    bool proved = false;
    std::size_t prices = 0;
    std::size_t sub_problems = 0;
    /// Where equal stretches follow one another: how many, and the time to solve the problem that states so.
    std::uint32_t stretches = 0;
    double stated_ms = 0;
};

double ms_since(clock_type::time_point from) { return std::chrono::duration<double, std::milli>(clock_type::now() - from).count(); }

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Solves the problem that shows a few of its equal stretches and says how many there are.
void measure_stated(const inlay::problem& given, const arguments& asked, measured& made) {
    const inlay::problem_index index(given);
    const auto ending = inlay::candidates_by_last_node(index);
    const auto repeat = inlay::repeat_finder(index, ending)(8);
    const auto shortened = repeat ? inlay::shorten(index, ending, *repeat) : std::nullopt;
    if (!shortened) return;
    const auto unit = inlay::scaling::for_total(inlay::largest_price(index));
    std::vector<double> times;
    for (std::uint32_t i = 0; i < asked.repeats; ++i) {
        const auto from = clock_type::now();
        const inlay::problem_index shown(shortened->shown);
        const auto found = inlay::select_repeated(shown, *repeat, unit, {inlay::select_options{}.table_limit});
        times.push_back(ms_since(from));
        if (!found) return;
        if (made.status == inlay::selection_status::optimal)
            made.sound = made.sound && std::abs(unit.back(found->cost) - made.cost) <= 1e-9 * made.cost;
    }
    made.stretches = repeat->count;
    made.stated_ms = median(times);
}

measured measure(const inlay::problem& given, const arguments& asked) {
    constexpr double most_ms = 2000;
    inlay::select_options options;
    if (asked.budget_ms > 0) options.budget_ms = asked.budget_ms;
    measured made;
    made.candidates = given.candidates.size();
    bench::forget_peak_memory();
    const long before = bench::memory_kib();
    std::vector<double> times;
    std::optional<inlay::selection> first;
    double total = 0;
    while (times.size() < asked.repeats && (times.empty() || total < most_ms)) {
        const auto from = clock_type::now();
        inlay::selection found = inlay::select(given, options);
        times.push_back(ms_since(from));
        total += times.back();
        if (!first) {
            made.memory_kib = std::max(0L, bench::peak_memory_kib() - before);
            first = std::move(found);
        } else if (found.status == inlay::selection_status::optimal && first->status == found.status) {
            made.sound = made.sound && found.chosen == first->chosen && found.effort == first->effort;
        }
    }
    made.ms = median(times);
    made.status = first->status;
    made.effort = first->effort;
    made.found = first->cost.has_value();
    made.cost = first->cost.value_or(0);
    made.bound = first->lower_bound.value_or(0);
    if (made.found) {
        const std::optional<double> counted = inlay::cover_cost(inlay::problem_index(given), first->chosen);
        made.sound = made.sound && counted && std::abs(*counted - made.cost) <= 1e-9 * std::max(1.0, made.cost);
    }
    inlay::select_options at_once = options;
    at_once.budget_ms = 0;
    times.clear();
    for (std::uint32_t i = 0; i < asked.repeats; ++i) {
        const auto from = clock_type::now();
        const inlay::selection found = inlay::select(given, at_once);
        times.push_back(ms_since(from));
        made.first_cost = found.cost.value_or(-1);
        made.sound = made.sound && (!found.cost || !made.found || made.cost <= *found.cost * (1 + 1e-12));
    }
    made.first_ms = median(times);
    if (asked.marginals) {
        options.marginals = true;
        const auto from = clock_type::now();
        const inlay::selection found = inlay::select(given, options);
        made.marginals_ms = ms_since(from);
        made.marginals_exact = found.marginals_exact.empty();
        made.marginals_stopped = asked.budget_ms > 0 && made.marginals_ms >= asked.budget_ms;
    }
    if (asked.certificate && first->lower_bound) {
        const double bound = *first->lower_bound * (1 - inlay::certificate_slack);
        const auto from = clock_type::now();
        const auto proof = inlay::certify(given, bound, inlay::deadline(options.budget_ms, nullptr));
        made.certify_ms = ms_since(from);
        inlay::certificate_report report;
        std::vector<double> checks;
        for (std::uint32_t i = 0; proof && i < asked.repeats; ++i) {
            const auto start = clock_type::now();
            report = inlay::verify_certificate(given, *proof);
            checks.push_back(ms_since(start));
        }
        made.verify_ms = median(checks);
        made.sound = made.sound && (!proof || report.holds);
        made.proved = proof && report.holds && proof->bound >= bound;
        made.prices = report.prices;
        made.sub_problems = report.sub_problems;
    }
    if (asked.model == bench::cost_model::layers) measure_stated(given, asked, made);
    if (std::find(asked.rivals.begin(), asked.rivals.end(), "dijkstra") != asked.rivals.end()) {
        inlay::problem bare = given;
        bare.acyclic = false;
        std::fill(bare.conversions.begin(), bare.conversions.end(), 0.0);
        bare.conversions_of.clear();
        options.marginals = false;
        const inlay::selection found = inlay::select(bare, options);
        made.bare_cost = found.status == inlay::selection_status::optimal ? *found.cost : -1;
    }
    return made;
}

const char* name_of(bench::child_end end) {
    switch (end) {
        case bench::child_end::answered:
            return "answered";
        case bench::child_end::timed_out:
            return "killed at its time limit";
        case bench::child_end::died:
            return "died";
        default:
            return "interrupted";
    }
}

[[nodiscard]] inlay::problem make_instance(const arguments& asked, const bench::topology& of, std::vector<std::vector<inlay::node_id>> sets,
                                           bool shared, std::uint64_t seed) {
    if (asked.independent > 0) {
        for (auto& pair : bench::independent_pairs(of, asked.independent, seed)) sets.push_back(std::move(pair));
    }
    return bench::make_instance(of, sets, {asked.model, asked.rule, shared, seed});
}

/// The instances of one network that differ by their seeds.
class row {
public:
    row(const arguments& asked, const network& about, const bench::topology& of, const std::vector<std::vector<inlay::node_id>>& sets,
        bool shared, std::FILE* json)
        : asked_(&asked), about_(&about), of_(&of), sets_(&sets), shared_(shared), json_(json) {}

    /// Whether all answers were sound.
    [[nodiscard]] bool run(bool table) {
        for (const std::uint64_t seed : asked_->seeds) {
            // Building an instance, then the repeats, the marginals and the bare problem, each within the budget.
            const double limit_s = asked_->budget_ms > 0 ? 60 + asked_->budget_ms * 4 / 1000 : 1e7;
            measured one;
            const auto end = bench::run_in_child<measured>(one, limit_s, [&] { return measure(instance(seed), *asked_); });
            if (end == bench::child_end::interrupted) break;
            if (end != bench::child_end::answered) {
                std::fprintf(stderr, "search: %s, seed %llu, %s.\n", about_->name, static_cast<unsigned long long>(seed), name_of(end));
                ++died_;
                continue;
            }
            seeds_.push_back(seed);
            made_.push_back(one);
            write_json(seed, one);
        }
        bool sound = died_ == 0;
        for (const measured& m : made_) sound = sound && m.sound && (m.found || m.status == inlay::selection_status::gap);
        if (table && (!made_.empty() || died_ > 0)) print();
        for (const text& rival : asked_->rivals) {
            if (bench::was_interrupted()) break;
            sound = run_rival(rival, table) && sound;
        }
        return sound;
    }

private:
    [[nodiscard]] inlay::problem instance(std::uint64_t seed) const { return make_instance(*asked_, *of_, *sets_, shared_, seed); }

    void print() const {
        std::vector<double> times;
        std::vector<double> ratios;
        std::size_t proved = 0;
        double gap = 0;
        bool exact = true;
        bool stopped = false;
        std::vector<double> making, checking, first_times, first_over;
        std::size_t certified = 0, prices = 0, sub_problems = 0;
        std::vector<double> stated;
        inlay::search_effort most;
        long memory = 0;
        for (const measured& m : made_) {
            times.push_back(m.ms);
            ratios.push_back(m.marginals_ms / m.ms);
            proved += m.status == inlay::selection_status::optimal ? 1u : 0u;
            gap = std::max(gap, m.found ? 100 * (m.cost - m.bound) / std::max(1.0, m.cost) : 100);
            exact = exact && m.marginals_exact;
            stopped = stopped || m.marginals_stopped;
            most.branches = std::max(most.branches, m.effort.branches);
            most.passes = std::max(most.passes, m.effort.passes);
            most.cuts = std::max(most.cuts, m.effort.cuts);
            most.table_entries = std::max(most.table_entries, m.effort.table_entries);
            most.width = std::max(most.width, m.effort.width);
            memory = std::max(memory, m.memory_kib);
            first_times.push_back(m.first_ms);
            if (m.found && m.first_cost >= 0) first_over.push_back(100 * (m.first_cost - m.cost) / std::max(1.0, m.cost));
            making.push_back(m.certify_ms / m.ms);
            checking.push_back(100 * m.verify_ms / m.ms);
            certified += m.proved ? 1u : 0u;
            if (m.stretches != 0) stated.push_back(m.stated_ms);
            prices = std::max(prices, m.prices);
            sub_problems = std::max(sub_problems, m.sub_problems);
        }
        const measured first = made_.empty() ? measured{} : made_[0];
        std::printf("%-18s %6zu %6zu %6zu %-6s", about_->name, of_->nodes.size(), of_->edges.size(), first.candidates,
                    shared_ ? "shared" : "each");
        if (made_.empty()) {
            std::printf(" no answer\n");
            return;
        }
        const double middle = median(times);
        std::printf(" %9.2f %9.2f %7.1f %6.2f %3zu/%zu %7.3f %13.4f %5llu %6llu %5llu %10llu %3u %7.1f", middle,
                    *std::max_element(times.begin(), times.end()), about_->target_ms,
                    about_->target_ms > 0 ? middle / about_->target_ms : 0, proved, made_.size() + died_, gap, first.cost,
                    static_cast<unsigned long long>(most.branches), static_cast<unsigned long long>(most.passes),
                    static_cast<unsigned long long>(most.cuts), static_cast<unsigned long long>(most.table_entries), most.width,
                    static_cast<double>(memory) / 1024);
        char cell[40] = "-";
        if (asked_->marginals) std::snprintf(cell, sizeof cell, "%s%.2f%s", stopped ? ">" : "", median(ratios), exact ? "" : "~");
        std::printf(" %9s %8.2f", cell, median(first_times));
        if (first_over.empty())
            std::printf(" %6s", "-");
        else
            std::printf(" %6.1f", median(first_over));
        if (asked_->certificate)
            std::printf(" %7.2f %7.1f %7.1f %3zu/%zu %7zu %5zu", median(making), median(checking),
                        *std::max_element(checking.begin(), checking.end()), certified, made_.size(), prices, sub_problems);
        if (!stated.empty()) std::printf(" %8.2f", median(stated));
        std::printf("\n");
        std::fflush(stdout);
    }

    void write_json(std::uint64_t seed, const measured& m) const {
        if (json_ == nullptr) return;
        std::fprintf(json_,
                     "{\"network\": \"%s\", \"seed\": %llu, \"share_conversions\": %s, \"cost_model\": \"%s\", \"formats\": \"%s\", \"k\": "
                     "%u, \"pairs\": %s, \"independent\": %u, "
                     "\"nodes\": %zu, \"edges\": %zu, \"candidates\": %zu, \"ms\": %.4f, \"target_ms\": %g, \"status\": \"%s\", ",
                     about_->name, static_cast<unsigned long long>(seed), shared_ ? "true" : "false",
                     asked_->model == bench::cost_model::random ? "random" : "layers",
                     asked_->rule == bench::format_rule::drawn ? "drawn" : "backend", asked_->k, asked_->pairs ? "true" : "false",
                     asked_->independent, of_->nodes.size(), of_->edges.size(), m.candidates, m.ms, about_->target_ms,
                     inlay::name_of(m.status));
        if (m.found) {
            std::fprintf(json_, "\"cost\": %.17g, ", m.cost);
        } else {
            std::fprintf(json_, "\"cost\": null, ");
        }
        std::fprintf(
            json_,
            "\"lower_bound\": %.17g, \"sound\": %s, \"table_entries\": %llu, \"branches\": %llu, \"passes\": %llu, \"cuts\": %llu, "
            "\"width\": %u, \"predicted_entries\": %.0f, \"memory_kib\": %ld",
            m.bound, m.sound ? "true" : "false", static_cast<unsigned long long>(m.effort.table_entries),
            static_cast<unsigned long long>(m.effort.branches), static_cast<unsigned long long>(m.effort.passes),
            static_cast<unsigned long long>(m.effort.cuts), m.effort.width, m.effort.predicted_entries, m.memory_kib);
        std::fprintf(json_, ", \"first_ms\": %.4f", m.first_ms);
        if (m.first_cost >= 0) std::fprintf(json_, ", \"first_cost\": %.17g", m.first_cost);
        if (asked_->marginals) {
            std::fprintf(json_, ", \"marginals_ms\": %.4f, \"marginals_exact\": %s", m.marginals_ms, m.marginals_exact ? "true" : "false");
        }
        if (asked_->certificate) {
            std::fprintf(json_, ", \"certify_ms\": %.4f, \"verify_ms\": %.4f, \"certified\": %s, \"prices\": %zu, \"sub_problems\": %zu",
                         m.certify_ms, m.verify_ms, m.proved ? "true" : "false", m.prices, m.sub_problems);
        }
        if (m.stretches != 0) std::fprintf(json_, ", \"stretches\": %u, \"stated_ms\": %.4f", m.stretches, m.stated_ms);
        std::fprintf(json_, "}\n");
        std::fflush(json_);
    }

    [[nodiscard]] bool run_rival(const text& name, bool table) const {
        const bool walk = name == "dijkstra";
        const auto line = [&](const text& words) {
            if (!table) return;
            std::printf("  %-16s %-27s %s\n", name.c_str(), shared_ ? "shared" : "each", words.c_str());
            std::fflush(stdout);
        };
        const bool highs = name == "highs";
        if (highs && !bench::has_highs()) {
            line("is left out: no Python has the package highspy; python3 -m venv build/highs && build/highs/bin/pip install highspy");
            return true;
        }
        if (!walk && !highs && !bench::has_program(name)) {
            line("is left out: there is no program of this name; it is in the Debian package " + text(name == "cbc" ? "coinor-cbc" : name));
            return true;
        }
        std::vector<double> times;
        std::vector<double> dearer;
        std::vector<double> above;
        std::size_t rounds = 0;
        std::size_t same = 0;
        std::size_t compared = 0;
        std::size_t cyclic = 0;
        text notes;
        for (std::size_t i = 0; i < made_.size() && !bench::was_interrupted(); ++i) {
            text folder = (std::filesystem::temp_directory_path() / "inlay_search_XXXXXX").string();
            if (mkdtemp(folder.data()) == nullptr) {
                line("is left out: no folder for its files could be made in " + std::filesystem::temp_directory_path().string());
                return true;
            }
            bench::rival_answer answer;
            const auto end = bench::run_in_child<bench::rival_answer>(answer, asked_->rival_s, [&] {
                const inlay::problem given = instance(seeds_[i]);
                if (highs) return bench::run_highs(given, folder, asked_->rival_s);
                return walk ? bench::run_dijkstra(given) : bench::run_solver(given, name, folder);
            });
            std::error_code ignored;
            std::filesystem::remove_all(folder, ignored);
            if (end == bench::child_end::interrupted) break;
            if (end != bench::child_end::answered || !answer.proved) {
                const text why = end == bench::child_end::answered ? text(answer.note.data()) : text(name_of(end));
                notes += text("; seed ") + std::to_string(seeds_[i]) + ": " + why;
                continue;
            }
            times.push_back(answer.ms);
            rounds = std::max(rounds, answer.rounds);
            const measured& ours = made_[i];
            const bool ours_proved = walk ? ours.bare_cost >= 0 : ours.status == inlay::selection_status::optimal;
            if (ours_proved) {
                const double cost = walk ? ours.bare_cost : ours.cost;
                const bool equal = std::abs(answer.cost - cost) <= 1e-9 * std::max(1.0, cost);
                ++compared;
                same += equal ? 1u : 0u;
                if (!equal)
                    notes +=
                        text("; seed ") + std::to_string(seeds_[i]) + ": " + std::to_string(answer.cost) + ", not " + std::to_string(cost);
            } else if (!walk && ours.found && answer.cost < ours.bound * (1 - 1e-9)) {
                ++compared;
                notes += text("; seed ") + std::to_string(seeds_[i]) + ": below the engine's bound";
            } else if (!walk && ours.found) {
                above.push_back(100 * (ours.cost / answer.cost - 1));
            }
            if (walk && answer.true_cost < 0) ++cyclic;
            if (walk && answer.true_cost >= 0 && ours.found) dearer.push_back(100 * (answer.true_cost / ours.cost - 1));
        }
        char front[240];
        std::snprintf(front, sizeof front, "%10.1f ms median of %zu; %zu of %zu optima are the engine's", median(times), times.size(), same,
                      compared);
        text said = times.empty() ? "no answer" : text(front);
        if (rounds > 1) said += text("; up to ") + std::to_string(rounds) + " runs until no cycle was left";
        if (!above.empty()) {
            std::snprintf(front, sizeof front, "; the engine did not prove %zu of them and is up to %.3f %% above", above.size(),
                          *std::max_element(above.begin(), above.end()));
            said += front;
        }
        if (!dearer.empty()) {
            std::snprintf(front, sizeof front, "; its cover with conversions costs %.1f %% more", median(dearer));
            said += front;
        }
        if (cyclic > 0) said += text("; ") + std::to_string(cyclic) + " of its covers have a cycle";
        line(said + notes);
        return same == compared;
    }

    const arguments* asked_;
    const network* about_;
    const bench::topology* of_;
    const std::vector<std::vector<inlay::node_id>>* sets_;
    bool shared_;
    std::FILE* json_;
    std::vector<std::uint64_t> seeds_;
    std::vector<measured> made_;
    std::size_t died_ = 0;
};

int write_instance(const text& path, const inlay::problem& made) {
    if (const auto sound = inlay::check(made); !sound) fail(sound.failure().message);
    std::ofstream file(path, std::ios::binary);
    file << inlay::write_search_instance(made);
    file.close();
    if (!file) fail(text("\"") + path + "\" could not be written; give a path in a folder that exists.");
    return 0;
}

}  // namespace

int main(int count, char** given) {
    const arguments asked = read_arguments(count, given);
    std::vector<network> chosen;
    const auto known =
        asked.growth ? std::vector<network>(growing.begin(), growing.end()) : std::vector<network>(networks.begin(), networks.end());
    for (const network& n : known) {
        if (asked.only.empty() || std::find(asked.only.begin(), asked.only.end(), n.name) != asked.only.end()) chosen.push_back(n);
    }
    if (!asked.write.empty() && (chosen.size() != 1 || asked.seeds.size() != 1 || (asked.shared && asked.each))) {
        fail("--write was given for several instances; choose one with --only NAME, --seeds N and --conversions shared or each.");
    }
    std::FILE* json = nullptr;
    if (asked.json == "-") {
        json = stdout;
    } else if (!asked.json.empty()) {
        json = std::fopen(asked.json.c_str(), "w");
        if (json == nullptr) fail(text("\"") + asked.json + "\" could not be written; give a path in a folder that exists.");
    }
    const bool table = asked.json != "-";
    bench::catch_interrupts();
    if (table && asked.write.empty() && !asked.list) {
        std::printf("%-18s %6s %6s %6s %-6s %9s %9s %7s %6s %5s %7s %13s %5s %6s %5s %10s %3s %7s %9s %8s %6s%s\n", "network", "nodes",
                    "edges", "cands", "conv", "median ms", "worst ms", "target", "ratio", "opt", "gap %", "cost", "subs", "passes", "cuts",
                    "entries", "w", "MiB", "marginals", "first ms", "over %",
                    text(asked.certificate ? "  make x verify %  worst  held  prices  subs" : "")
                        .append(asked.model == bench::cost_model::layers ? "   stated" : "")
                        .c_str());
    }
    bool sound = true;
    for (const network& n : chosen) {
        if (bench::was_interrupted()) break;
        const bench::topology of = n.make();
        if (asked.list) {
            std::printf("%-18s %6zu nodes %6zu edges, target %g ms\n", n.name, of.nodes.size(), of.edges.size(), n.target_ms);
            continue;
        }
        std::vector<std::vector<inlay::node_id>> sets = bench::connected_convex_sets(of, asked.k);
        if (asked.pairs) {
            const auto pairs = bench::independent_siblings(of);
            sets.insert(sets.end(), pairs.begin(), pairs.end());
        }
        if (!asked.write.empty()) return write_instance(asked.write, make_instance(asked, of, sets, asked.shared, asked.seeds[0]));
        for (const bool shared : {true, false}) {
            if (bench::was_interrupted() || !(shared ? asked.shared : asked.each)) continue;
            sound = row(asked, n, of, sets, shared, json).run(table) && sound;
        }
    }
    if (json != nullptr && json != stdout) std::fclose(json);
    if (bench::was_interrupted()) return 130;
    return sound ? 0 : 1;
}
