// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_VERBS_HPP
#define INLAY_EXAMPLES_INLAY_VERBS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer.hpp"
#include "engine.hpp"
#include "model.hpp"

namespace tool {

/// What all verbs understand.
struct verb_options {
    model_options model;
    engine_options engine;
    std::string partitioner = "exact";
    std::string constraints;                   // a file
    std::string fallback;                      // a policy for all nodes; empty: none
    std::vector<std::string> isolated;         // of `--isolate`, likewise
    std::vector<std::string> backend_folders;  // of `--backend-dir`, which were read ahead of all other options
    bool json = false;
    std::string out;         // a file or a folder, as the verb says
    std::string save_costs;  // a file for the prices that were asked for
};

/// What they say of the plan that a verb makes.
[[nodiscard]] inline plan_request plan_request_of(const verb_options& o) {
    plan_request request;
    request.partitioner = o.partitioner;
    request.constraints = o.constraints;
    request.fallback = o.fallback;
    return request;
}

struct show_options {
    bool text = false, dot = false;
};

struct partition_options {
    bool text = false;  // the outlined program instead of the plan
    std::string objective = "latency";
    std::optional<double> budget_ms;
};

struct list_options {
    std::string second = "peak";
    std::optional<double> budget_ms;
};

struct run_options {
    std::string plan, output, profile;
    std::vector<std::string> inputs, arguments, outs;
    std::uint64_t seed = 1;
    bool check = false;
    bool by_interpreter = false;
    bool simulate = false;  // a placed program, over simulated devices
    bool anew = false;      // decide, whatever was decided before
    bool serve = false;     // answer lines of standard input with times
};

struct check_options {
    std::vector<std::string> folders;
    std::string prefer;
    double rtol = 1e-3, atol = 1e-5, seconds = 60;
    bool alone = false;  // one folder, in this process
};

struct bench_options {
    std::uint32_t rounds = 20;
    std::uint64_t seed = 1;
    std::vector<std::string> rivals;  // "NAME=COMMAND"
    bool steps = false;
    bool pieces = false;
    bool exact_alone = false;  // no other contender is priced or run
    bool last = false;         // races the plan that was last decided
};

struct search_options {
    std::string instance;
    std::optional<double> budget_ms;
    bool marginals = false;
    bool certificate = false;
};

struct extract_options {
    std::optional<std::size_t> part;
    std::string nodes;
    std::uint64_t seed = 1;
};

struct lower_options {
    std::optional<std::size_t> phase;
    bool cuda = false;  // as CUDA C++
};

struct emit_options {
    std::string plan, name, weights;  // weights: embedded, in_file or empty
    std::uint64_t seed = 1;
    bool without_data = false;  // no inputs and expected outputs beside the program
};

struct grep_options {
    std::string pattern;
    std::string at;  // the only node to ask at; empty: all
    bool root = false, count = false;
    std::size_t limit = 1000;  // matches that are listed; 0: all
};

struct rewrite_verb_options {
    std::string rules;  // a file
    std::size_t fuel = 0;
    bool check = false;      // run both sides of each rule before it is applied
    bool unchecked = false;  // with `check`: a rule that no program could be made for is applied too
};

struct place_options {
    std::vector<std::string> targets;
    std::string host, fallback_device;  // empty: as the targets have it
    bool share_copies = false;
};

struct why_options {
    std::string node, kind;     // no kind: all that take part
    double budget_ms = 10'000;  // of the searches for what other ways would cost, all together
};

// Each verb prints its result to standard output, messages to standard error, and says how it ended.
[[nodiscard]] answer verb_targets(const verb_options& o);
[[nodiscard]] answer list_failures(const verb_options& o);
[[nodiscard]] answer verb_show(const verb_options& o, const show_options& show);
[[nodiscard]] answer verb_partition(const verb_options& o, const partition_options& how);
[[nodiscard]] answer verb_verify(const verb_options& o, const std::string& plan_file);
[[nodiscard]] answer verb_run(const verb_options& o, const run_options& run);
[[nodiscard]] answer verb_check(const verb_options& o, const check_options& check);
[[nodiscard]] answer verb_bench(const verb_options& o, const bench_options& bench);
[[nodiscard]] answer verb_search(const verb_options& o, const search_options& search);
[[nodiscard]] answer verb_price(const verb_options& o);
[[nodiscard]] answer verb_tune(const verb_options& o, const std::vector<std::string>& models);
[[nodiscard]] answer verb_extract(const verb_options& o, const extract_options& extract);
[[nodiscard]] answer verb_lower(const verb_options& o, lower_options how);
[[nodiscard]] answer verb_emit(const verb_options& o, const emit_options& how);
[[nodiscard]] answer verb_grep(const verb_options& o, const grep_options& grep);
[[nodiscard]] answer verb_rewrite(const verb_options& o, const rewrite_verb_options& how);
[[nodiscard]] answer verb_why(const verb_options& o, const why_options& why);
[[nodiscard]] answer verb_pareto(const verb_options& o, const list_options& list);
[[nodiscard]] answer verb_peak(const verb_options& o);
[[nodiscard]] answer verb_place(const verb_options& o, const place_options& how);
[[nodiscard]] answer verb_equal(const verb_options& o, const std::string& other);
[[nodiscard]] answer verb_devices(const verb_options& o);

/// Reads the arguments and runs a verb; gives the exit code.
[[nodiscard]] int run_command_line(int argc, char** argv);

/// Says what went wrong, in one sentence on standard error.
answer say(answer how, const inlay::error& what);

}  // namespace tool

#endif
