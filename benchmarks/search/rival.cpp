// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "rival.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include <inlay/io/json/search_instance.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/problem_index.hpp>

#include "child.hpp"
#include "dijkstra.hpp"
#include "solver_files.hpp"

namespace bench {

namespace {

using inlay::candidate_index;
using inlay::problem_index;
using clock = std::chrono::steady_clock;

[[nodiscard]] double ms_since(clock::time_point from) { return std::chrono::duration<double, std::milli>(clock::now() - from).count(); }

void say(rival_answer& to, const std::string& note) {
    to.note.fill('\0');
    note.copy(to.note.data(), to.note.size() - 1);
}

[[nodiscard]] std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A price that some cover certainly has: that of the cheapest single candidate of each node.
[[nodiscard]] double price_alone(const problem_index& index) {
    std::vector<candidate_index> chosen(index.nodes(), inlay::no_candidate);
    for (std::size_t i = 0; i < index.candidates(); ++i) {
        const auto c = static_cast<candidate_index>(i);
        if (index.members(c).size() != 1) continue;
        candidate_index& best = chosen[index.members(c)[0]];
        if (best == inlay::no_candidate || index.of().candidates[c].cost < index.of().candidates[best].cost) best = c;
    }
    return inlay::cover_cost(index, chosen).value_or(1e9);
}

/// What one run of a solver says: proved or not, and what it chose.
struct solver_run {
    bool proved = false;
    std::optional<std::vector<candidate_index>> chosen;
};

[[nodiscard]] solver_run run_once(const problem_index& index, bool is_cbc, const std::vector<no_good>& forbidden, const std::string& folder,
                                  double& ms) {
    const std::string file = folder + (is_cbc ? "/instance.lp" : "/instance.wcsp");
    const std::string solution = folder + "/solution";
    const std::string output = folder + "/output";
    {
        std::ofstream out(file);
        // One above a known price, so that the optimum is below it.
        out << (is_cbc ? lp_text(index, forbidden) : wcsp_text(index, forbidden, price_alone(index) + 1));
    }
    std::ofstream(solution).close();
    const auto from = clock::now();
    const int status = is_cbc ? run_program({"cbc", file, "-solve", "-solu", solution}, output)
                              : run_program({"toulbar2", file, "-w=" + solution}, output);
    ms += ms_since(from);
    const std::string said = text_of(output);
    solver_run made;
    made.proved = status == 0 && said.find(is_cbc ? "Result - Optimal solution found" : "Optimum:") != std::string::npos;
    made.chosen = is_cbc ? lp_choice(text_of(solution)) : wcsp_choice(index, text_of(solution));
    return made;
}

[[nodiscard]] std::string python_of_highs() {
    const std::string own = "build/highs/bin/python";
    return std::filesystem::exists(own) ? own : "python3";
}

/// The script beside this file: from the folder in which it was compiled, or from the repository's root.
[[nodiscard]] std::string script_of_highs() {
    const std::filesystem::path beside = std::filesystem::path(__FILE__).replace_filename("highs_rival.py");
    return std::filesystem::exists(beside) ? beside.string() : "benchmarks/search/highs_rival.py";
}

/// A number of the answer's line of JSON; 0 where it has none of that name.
[[nodiscard]] double number_of(const std::string& answer, const std::string& name) {
    const std::size_t at = answer.find("\"" + name + "\": ");
    return at == std::string::npos ? 0 : std::strtod(answer.c_str() + at + name.size() + 4, nullptr);
}

}  // namespace

bool has_highs() {
    return std::filesystem::exists(script_of_highs()) && run_program({python_of_highs(), "-c", "import highspy"}, "/dev/null") == 0;
}

rival_answer run_highs(const inlay::problem& given, const std::string& folder, double seconds) {
    const std::string file = folder + "/instance.json", output = folder + "/output";
    std::ofstream(file, std::ios::binary) << inlay::write_search_instance(given);
    const int status = run_program({python_of_highs(), script_of_highs(), file, std::to_string(seconds)}, output);
    const std::string said = text_of(output);
    rival_answer made;
    made.proved = status == 0 && said.find("\"proved\": true") != std::string::npos;
    made.cost = number_of(said, "cost");
    made.ms = number_of(said, "seconds") * 1000;
    made.rounds = static_cast<std::size_t>(number_of(said, "rounds"));
    if (status != 0)
        say(made, "highs_rival.py failed");
    else if (!made.proved)
        say(made, "did not prove its answer in time");
    return made;
}

rival_answer run_dijkstra(const inlay::problem& given) {
    constexpr std::size_t most_states = 8'000'000;
    rival_answer made;
    const auto from = clock::now();
    const covered_set_walk walk = walk_covered_sets(given, most_states);
    made.ms = ms_since(from);
    made.rounds = 1;
    made.states = walk.states;
    if (!walk.cost) {
        say(made, std::string("gave up at ") + std::to_string(walk.states) + " covered sets");
        return made;
    }
    made.proved = true;
    made.cost = *walk.cost;
    made.true_cost = inlay::cover_cost(problem_index(given), walk.chosen).value_or(-1);
    return made;
}

rival_answer run_solver(const inlay::problem& given, std::string_view program, const std::string& folder) {
    const bool is_cbc = program == "cbc";
    const problem_index index(given);
    rival_answer made;
    if (!is_cbc && wcsp_entries(index) > most_wcsp_entries) {
        say(made,
            std::string("its tables would have ") + std::to_string(static_cast<long>(wcsp_entries(index) / 1e6)) + " million entries");
        return made;
    }
    std::vector<no_good> forbidden;
    for (;;) {
        ++made.rounds;
        const solver_run run = run_once(index, is_cbc, forbidden, folder, made.ms);
        if (!run.proved || !run.chosen) {
            say(made, "did not say that it proved its answer");
            return made;
        }
        if (!inlay::covers_once(index, *run.chosen)) {
            say(made, "its answer is no cover");
            return made;
        }
        std::vector<candidate_index> cycle = inlay::find_cycle(index, inlay::owners(index, *run.chosen));
        if (!given.acyclic || cycle.empty()) {
            const std::optional<double> cost = inlay::cover_cost(index, *run.chosen);
            made.proved = cost.has_value();
            made.cost = cost.value_or(0);
            if (!cost) say(made, "its answer is no cover");
            return made;
        }
        // A part of one node is on a cycle whatever covers that node; so the others are what is wrong.
        cycle.erase(std::remove_if(cycle.begin(), cycle.end(), [&](candidate_index c) { return index.members(c).size() == 1; }),
                    cycle.end());
        forbidden.push_back(std::move(cycle));
    }
}

}  // namespace bench
