// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>

#include "back_ends.hpp"
#include "library_output.hpp"
#include "loaded_back_ends.hpp"
#include "verbs.hpp"
#include "waiting.hpp"
#include "watched_library.hpp"

namespace tool {

answer say(answer how, const inlay::error& what) {
    waiting::here().stop();
    std::cerr << "inlay: " << what.message << "\n";
    return how;
}

namespace {

void add_threads(CLI::App& verb, verb_options& o, const char* doc) {
    verb.add_option("--threads", o.engine.threads, doc)->capture_default_str()->check(CLI::Range(1, 1024));
}

/// `--target-KIND-NAME`: which there are, and what the call says of them, as KIND.NAME.
struct target_words {
    std::vector<kind_options> known;
    std::map<std::string, std::string> given;
};

void add_targets(CLI::App& verb, verb_options& o, target_words& words) {
    verb.add_option("--target", o.engine.targets,
                    "back ends that take part, most preferred first: \"onednn -threads=2, xnnpack\", as JSON, or in a file of JSON; may be "
                    "repeated")
        ->take_all()
        ->allow_extra_args(false);
    for (const kind_options& b : words.known)
        for (const option_facts& f : b.options)
            verb.add_option_function<std::string>(
                "--target-" + b.kind + "-" + f.name,
                [&words, where = b.kind + "." + f.name](const std::string& value) { words.given[where] = value; },
                f.doc + " (" + f.type + ", default " + f.otherwise + ")");
}

void add_unchecked(CLI::App& verb, verb_options& o) {
    verb.add_flag(
        "--unchecked{false}", o.engine.checks,
        "run kernels without comparing their results with the meaning of their regions; prices are apart from those of checked kernels");
}

void add_strict(CLI::App& verb, verb_options& o) {
    verb.add_flag("--strict", o.engine.strict, "run no kernel whose results cannot be compared with the meaning of its region")
        ->excludes(verb.get_option("--unchecked"));
}

void add_engine(CLI::App& verb, verb_options& o, target_words& words) {
    add_targets(verb, o, words);
    verb.add_option("--costs", o.engine.costs, "where prices come from: measured, model or a file")->capture_default_str();
    verb.add_option("--database", o.engine.database, "the file in which measurements are kept");
    add_threads(verb, o, "threads that a program runs on");
    add_unchecked(verb, o);
    verb.add_flag(
        "--busy", o.engine.busy,
        "a competing process takes a core as long as the call lasts; prices are those beside it, apart from those of a quiet machine");
}

/// For verbs that measure again what was disturbed, unless they are told otherwise.
void add_refresh(CLI::App& verb, verb_options& o) {
    verb.add_flag("--refresh{stale}", o.engine.refresh,
                  "measure again what was measured over 30 days ago or while something else ran; --refresh=all: everything; "
                  "--refresh=never: nothing that has a price")
        ->check(CLI::IsMember({"stale", "all", "never"}));
}

void add_fixed_defaults(CLI::App& verb, verb_options& o) {
    verb.add_flag("--fixed-defaults", o.model.fixed_defaults,
                  "an initialiser that is also an input has no other value, so it is a constant; else a run may give it another one");
}

void add_model(CLI::App& verb, verb_options& o) {
    verb.add_option("model", o.model.path,
                    "an ONNX file; Relay text in a file that ends in .relay, .rly or .txt; '-': such text from standard input")
        ->required();
    verb.add_option("--shape", o.model.shapes, "the shape of an input: NAME=1,3,48,320")->allow_extra_args(false);
    verb.add_option("--set", o.model.symbols, "the size of a symbolic dimension: NAME=VALUE")->allow_extra_args(false);
    verb.add_option("--param", o.model.constants, "a parameter that becomes a constant: NAME=FILE.npy or .pb; may be repeated")
        ->allow_extra_args(false);
    add_fixed_defaults(verb, o);
}

/// For verbs that apply rules.
void add_reassociate(CLI::App& verb, verb_options& o) {
    verb.add_flag("--reassociate", o.model.reassociate,
                  "apply rules of the class 'cancelling', too: they join constants over sums, as in (x + c) - c, and lose their rounding");
}

/// For verbs that work on what is partitioned, not on what the file has.
void add_rewrites(CLI::App& verb, verb_options& o) {
    verb.add_flag("--no-rewrites", o.model.as_written,
                  "apply no rules before: batch normalisations, transposes that cancel and spelled forms stay");
    verb.add_flag(
        "--by-steps", o.model.by_steps,
        "where a quantiser wrote DequantizeLinear before and QuantizeLinear behind an operator, compute with the steps; results may "
        "be one step off");
    add_reassociate(verb, o);
}

void add_partitioner(CLI::App& verb, verb_options& o) {
    verb.add_option("--partitioner", o.partitioner, "exact, eager, exhaustive or single:KIND")->capture_default_str();
}

void add_constraints(CLI::App& verb, verb_options& o) {
    verb.add_option(
        "--constraints", o.constraints,
        "a file of what exact has to keep to: pin, forbid, prefer, colocate, separate, keep, part_limit, capacity, limit, fallback");
    verb.add_option(
        "--fallback", o.fallback,
        "whether 'reference', or 'c' without it, may run what no other back end takes: require (that it need not), warn or allow");
}

void add_decision(CLI::App& verb, verb_options& o) {
    add_partitioner(verb, o);
    add_constraints(verb, o);
}

/// An option that leaves others without use: they are refused beside it.
void leaves_no_use(CLI::App& verb, const char* option, std::initializer_list<const char*> others) {
    for (const char* other : others) verb.get_option(option)->excludes(verb.get_option(other));
}

CLI::Validator not_negative() {
    return {[](std::string& value) { return value.starts_with("-") ? inlay::quoted_text(value) + " is below 0" : std::string(); }, ""};
}

void add_save_costs(CLI::App& verb, verb_options& o) {
    verb.add_option("--save-costs", o.save_costs, "write the prices that were asked for to this file, for --costs");
}

/// Whether the reader of standard output has gone. The stream's failure does not say why it failed.
bool is_output_closed() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

/// What is wrong with the arguments, in one sentence; for a mistyped name with the nearest known one.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
    std::vector<std::string> verbs;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) verbs.push_back(sub->get_name());
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty()) return "a verb is missing";
    if (first.front() == '-') return "there is no option " + inlay::quoted_text(first) + " ahead of a verb";
    if (std::find(verbs.begin(), verbs.end(), first) == verbs.end())
        return "there is no verb " + inlay::quoted_text(first) + inlay::name_hint(first, verbs);
    const CLI::App& verb = *app.get_subcommand(first);
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
        std::vector<std::string> known;
        for (const CLI::Option* option : verb.get_options())
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        const std::vector<std::string> extra = app.remaining(true);
        for (const std::string& word : extra) {
            const std::string name = word.substr(0, word.find('='));
            if (word.starts_with("-") && std::find(known.begin(), known.end(), name) == known.end())
                return "'inlay " + first + "' has no option " + inlay::quoted_text(name) + inlay::name_hint(name, known);
        }
        if (!extra.empty()) return "'inlay " + first + "' has no use for the argument " + inlay::quoted_text(extra.front());
    }
    std::string message = e.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    return message;
}

}  // namespace

int run_command_line(int argc, char** argv) {
    library_page* page = nullptr;
    if (names_folders(argc, argv))
        if (const auto code = watch_libraries(page)) return *code;
    // Ctrl-C, and a request to end: the second one ends the program at once. One that reaches a group may come twice.
    for (const int one : {SIGINT, SIGTERM})
        std::signal(one, [](int number) {
            static std::atomic<std::int64_t> first{0};
            timespec now{};
            clock_gettime(CLOCK_MONOTONIC, &now);
            const std::int64_t milliseconds = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
            if (!interrupted().exchange(true)) {
                first.store(milliseconds);
            } else if (milliseconds - first.load() > 300) {
                std::signal(number, SIG_DFL);
                std::raise(number);
            }
        });
    std::signal(SIGPIPE, SIG_IGN);
    // A file that may not grow is an error of the write, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);

    std::optional<library_output> apart;
    if (names_folders(argc, argv)) {
        const auto is_quiet = [](const char* word) { return std::string_view(word) == "--quiet"; };
        apart.emplace(std::any_of(argv, argv + argc, is_quiet));
    }
    const inlay::loaded_folders loaded = load_back_ends(argc, argv, page);
    verb_options o;
    o.engine.loaded = &loaded;
    o.engine.page = page;
    CLI::App app("Decides which back end runs which part of a network, proves the decision cheapest, and runs it.", "inlay");
    app.require_subcommand(1);
    target_words words{all_options(&loaded), {}};
    std::function<answer()> chosen;
    const auto verb = [&](const char* name, const char* doc, std::function<answer()> run) -> CLI::App& {
        CLI::App* sub = app.add_subcommand(name, doc);
        sub->add_flag("--json", o.json, "one JSON object on standard output");
        sub->add_flag("--quiet", o.engine.quiet, "no progress on standard error");
        sub->add_option("--backend-dir", o.backend_folders,
                        "a folder of libraries with back ends, ahead of those of $INLAY_BACKEND_PATH; may be repeated")
            ->allow_extra_args(false);
        sub->add_option("--isolate", o.isolated,
                        "a library that is kept in a process of its own, by the name of its file without '.so'; 'all'; may be repeated")
            ->allow_extra_args(false);
        sub->callback([&chosen, run = std::move(run)] { chosen = run; });
        return *sub;
    };

    bool lists_failures = false;
    auto& v_targets = verb("targets", "the back ends of this build", [&] { return lists_failures ? list_failures(o) : verb_targets(o); });
    v_targets.add_flag("--failures", lists_failures, "instead: the kernels that the database knows to be wrong or not to run, and why");
    v_targets.add_option("--database", o.engine.database, "the file in which measurements and checks are kept")
        ->needs(v_targets.get_option("--failures"));

    show_options show;
    auto& v_show = verb("show", "the program: nodes and types", [&] { return verb_show(o, show); });
    add_model(v_show, o);
    add_rewrites(v_show, o);
    v_show.add_flag("--text", show.text, "as Relay text");
    v_show.add_flag("--dot", show.dot, "as a Graphviz graph");

    grep_options grep;
    auto& v_grep = verb("grep", "where a pattern stands in the program as its file has it: root and captures per line",
                        [&] { return verb_grep(o, grep); });
    v_grep.add_option("pattern", grep.pattern, "a pattern in its text form: 'Relu(Add(Conv(?x, const), const))'")->required();
    add_model(v_grep, o);
    v_grep.add_option("--at", grep.at, "only at this node; where the pattern does not match there, what stands in its way");
    v_grep.add_flag("--root", grep.root, "only where the program's results are computed");
    v_grep.add_flag("--count", grep.count, "the number of matches alone");
    v_grep.add_option("--limit", grep.limit, "most matches that are listed; 0: all")->capture_default_str()->check(not_negative());

    rewrite_verb_options rewriting;
    auto& v_rewrite =
        verb("rewrite", "applies rules until none applies: the program, and what fired", [&] { return verb_rewrite(o, rewriting); });
    v_rewrite
        .add_option("rules", rewriting.rules,
                    "a file of rules: 'relu_twice: Relu(?r:Relu) => ?r;'; or book:normal, book:algebra, book:batch_norm, book:transposes, "
                    "book:forms, book:reassociation")
        ->required();
    add_model(v_rewrite, o);
    v_rewrite.add_option("--fuel", rewriting.fuel, "most rewrites; 0: 16 for each node, and 1024")
        ->capture_default_str()
        ->check(not_negative());
    add_reassociate(v_rewrite, o);
    v_rewrite.add_flag(
        "--check", rewriting.check,
        "first run both sides of each rule on random tensors; a rule that changes results, or that nothing tries, is refused");
    v_rewrite.add_flag("--unchecked", rewriting.unchecked, "with --check: also apply rules that no program could be made and run for")
        ->needs(v_rewrite.get_option("--check"));
    v_rewrite.add_option("--out", o.out, "write the program to this ONNX file");

    partition_options partition;
    auto& v_partition = verb("partition", "the plan: parts, conversions, cost, bound, and what other ways would cost",
                             [&] { return verb_partition(o, partition); });
    add_model(v_partition, o);
    add_rewrites(v_partition, o);
    add_engine(v_partition, o, words);
    add_decision(v_partition, o);
    v_partition
        .add_option("--objective", partition.objective,
                    "what the plan has least of: latency, peak (bytes alive), load (of the busiest back end) or energy (by models)")
        ->capture_default_str();
    v_partition
        .add_option("--budget", partition.budget_ms,
                    "milliseconds after which each search, one for each round of prices, gives the best it has")
        ->check(not_negative());
    add_refresh(v_partition, o);
    v_partition.add_option("--out", o.out, "write the plan to this file");
    v_partition.add_flag("--text", partition.text, "the partitioned program as Relay text: a function per part, conversions as calls");
    add_save_costs(v_partition, o);

    std::string plan_file;
    auto& v_verify =
        verb("verify", "re-checks the laws and the proof of a plan, or of a search answer", [&] { return verb_verify(o, plan_file); });
    add_model(v_verify, o);
    add_rewrites(v_verify, o);
    add_targets(v_verify, o, words);
    v_verify
        .add_option("plan", plan_file, "a plan written by `inlay partition --out`; for a search instance instead of a model, its answer")
        ->required();

    run_options run;
    auto& v_run = verb("run", "runs the model on the chosen mix", [&] { return verb_run(o, run); });
    add_model(v_run, o);
    add_rewrites(v_run, o);
    add_engine(v_run, o, words);
    add_decision(v_run, o);
    v_run.add_option("--plan", run.plan, "a plan written by `inlay partition --out`");
    add_strict(v_run, o);
    v_run.add_option("--weights", o.engine.weights, "a folder in which packed weights are kept, for later calls to map");
    v_run.add_flag("--anew", run.anew, "decide anew, though the database has what the last call decided");
    leaves_no_use(v_run, "--plan", {"--constraints", "--fallback", "--costs", "--database", "--partitioner", "--anew"});
    v_run.add_option("--input", run.inputs, "NAME=FILE.npy or NAME=FILE.pb; missing inputs are random")->allow_extra_args(false);
    v_run.add_option("--arg", run.arguments, "inputs in order, as .npy")->allow_extra_args(false);
    v_run.add_option("--seed", run.seed, "of random inputs")->capture_default_str()->check(not_negative());
    v_run.add_option("--output", run.output, "a folder for the results, as .npy");
    v_run.add_option("--out", run.outs, "a file for a single result, as .npy")->allow_extra_args(false);
    v_run.add_flag("--interpret", run.by_interpreter, "run by the reference interpreter, without back ends");
    v_run.add_flag("--simulate", run.simulate, "run a placed program over simulated devices; a tensor on the wrong one is an error");
    v_run.add_flag("--check", run.check, "compare with the reference interpreter");
    v_run.add_flag("--serve", run.serve,
                   "say 'ready', then answer each line 'run' with seconds: a rival of another build's `inlay bench --rival`");
    v_run.add_option("--profile", run.profile, "write a trace for Perfetto or chrome://tracing");
    leaves_no_use(v_run, "--simulate",
                  {"--plan", "--interpret", "--serve", "--profile", "--weights", "--anew", "--target", "--constraints", "--fallback",
                   "--costs", "--database", "--partitioner", "--busy"});

    check_options check;
    auto& v_check = verb("check", "runs ONNX conformance folders", [&] { return verb_check(o, check); });
    add_rewrites(v_check, o);
    add_fixed_defaults(v_check, o);
    v_check.add_option("folders", check.folders, "folders with model.onnx and test_data_set_*")->required();
    // Prices decide nothing here, so there is no option for them.
    add_targets(v_check, o, words);
    add_threads(v_check, o, "threads that a program runs on");
    add_unchecked(v_check, o);
    add_strict(v_check, o);
    v_check.add_option("--prefer", check.prefer, "a back end that gets whatever it can take");
    v_check.add_option("--rtol", check.rtol, "relative tolerance")->capture_default_str();
    v_check.add_option("--atol", check.atol, "absolute tolerance")->capture_default_str();
    v_check.add_flag("--alone", check.alone, "one folder in this process")->group("");
    v_check.add_option("--seconds", check.seconds, "time limit of one folder")->capture_default_str();

    bench_options bench;
    auto& v_bench = verb("bench", "times exact, eager and each single back end in turns", [&] { return verb_bench(o, bench); });
    add_model(v_bench, o);
    add_rewrites(v_bench, o);
    add_engine(v_bench, o, words);
    add_refresh(v_bench, o);
    v_bench.add_option("--rounds", bench.rounds, "how many rounds")->capture_default_str()->check(CLI::Range(1, 1000000));
    v_bench.add_option("--seed", bench.seed, "of random inputs")->capture_default_str()->check(not_negative());
    v_bench.add_flag("--exact-alone", bench.exact_alone, "exact and the rivals only: no other contender is priced or run");
    v_bench.add_flag("--last", bench.last, "exact is the plan that was last decided, as `inlay run` takes it; nothing is priced")
        ->needs(v_bench.get_option("--exact-alone"));
    v_bench.add_flag("--steps", bench.steps, "also each step of exact: measured inside the program against its price");
    v_bench.add_flag("--pieces", bench.pieces, "with --json: measures the pieces of exact by themselves, between the rounds");
    v_bench.add_option("--rival", bench.rivals, "NAME=COMMAND: a program that says 'ready' and answers each line 'run' with seconds")
        ->allow_extra_args(false);

    search_options search;
    auto& v_search = verb("search", "solves an abstract instance", [&] { return verb_search(o, search); });
    v_search.add_option("instance", search.instance, "a search instance, as JSON")->required();
    add_partitioner(v_search, o);
    v_search.add_option("--budget", search.budget_ms, "milliseconds after which the best answer so far is given")->check(not_negative());
    v_search.add_flag("--marginals", search.marginals, "for each candidate the cost of the cheapest selection with it");
    v_search.add_flag("--certificate", search.certificate, "a proof of the lower bound, for `inlay verify`");
    add_threads(v_search, o, "threads that look for first covers; the proof runs on one");

    auto& v_price = verb("price", "the price of each part of the plan", [&] { return verb_price(o); });
    add_model(v_price, o);
    add_rewrites(v_price, o);
    add_engine(v_price, o, words);
    add_decision(v_price, o);

    std::vector<std::string> models;
    auto& v_tune = verb("tune", "fills the cost database", [&] { return verb_tune(o, models); });
    add_rewrites(v_tune, o);
    v_tune.add_option("models", models, "ONNX files")->required();
    v_tune.add_option("--shape", o.model.shapes, "the shape of an input: NAME=1,3,48,320")->allow_extra_args(false);
    v_tune.add_option("--set", o.model.symbols, "the size of a symbolic dimension: NAME=VALUE")->allow_extra_args(false);
    add_engine(v_tune, o, words);
    v_tune.add_option("--workers", o.engine.workers, "processes that measure side by side, each on cores of its own")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    add_refresh(v_tune, o);
    add_save_costs(v_tune, o);

    extract_options extract;
    auto& v_extract = verb("extract", "a part of the plan, or some nodes, as a model of its own", [&] { return verb_extract(o, extract); });
    add_model(v_extract, o);
    add_rewrites(v_extract, o);
    add_engine(v_extract, o, words);
    add_decision(v_extract, o);
    v_extract.add_option("--part", extract.part, "the number of a part of the plan")->check(not_negative());
    v_extract.add_option("--nodes", extract.nodes, "names of nodes, with commas between");
    leaves_no_use(v_extract, "--nodes",
                  {"--part", "--target", "--constraints", "--fallback", "--costs", "--database", "--partitioner", "--threads", "--busy"});
    v_extract.add_option("--seed", extract.seed, "of random inputs")->capture_default_str()->check(not_negative());
    v_extract.add_option("--out", o.out, "the folder to write")->required();

    lower_options lowered;
    auto& v_lower = verb("lower", "the loop nests of the plan's parts", [&] { return verb_lower(o, lowered); });
    add_model(v_lower, o);
    add_rewrites(v_lower, o);
    add_engine(v_lower, o, words);
    add_decision(v_lower, o);
    v_lower.add_flag("--cuda", lowered.cuda, "as CUDA C++, after all loop phases unless --phase says otherwise");
    v_lower.add_option("--phase", lowered.phase, "after which loop phase, 0 to 3; without it, as they are lowered")->check(not_negative());

    emit_options emit;
    auto& v_emit = verb("emit", "the plan as a program in C, with a Makefile and a check", [&] { return verb_emit(o, emit); });
    add_model(v_emit, o);
    add_rewrites(v_emit, o);
    add_engine(v_emit, o, words);
    add_decision(v_emit, o);
    v_emit.add_option("--plan", emit.plan, "a plan to emit instead of deciding");
    v_emit.add_option("--out", o.out, "the folder to write")->required();
    v_emit.add_option("--name", emit.name, "what the program's functions and files begin with; without it, as the model's file is called");
    v_emit.add_option("--weights", emit.weights, "embedded: arrays in C; in_file: a file of bytes; without it, a file from 16 MiB on")
        ->check(CLI::IsMember({"embedded", "in_file"}));
    v_emit.add_option("--seed", emit.seed, "of the stored inputs")->capture_default_str()->check(not_negative());
    v_emit.add_flag("--without-data", emit.without_data, "write no inputs and outputs for `make check`, which the interpreter computes");

    why_options why;
    auto& v_why = verb("why", "why a node went where it went, and what every other way would cost", [&] { return verb_why(o, why); });
    add_model(v_why, o);
    add_rewrites(v_why, o);
    v_why.add_option("node", why.node, "the name of a node")->required();
    v_why.add_option("kind", why.kind, "a back end; without one, all that take part");
    v_why
        .add_option("--budget", why.budget_ms,
                    "milliseconds for what the other ways would cost, all together; what is not proved by then says so")
        ->capture_default_str()
        ->check(not_negative());
    add_engine(v_why, o, words);
    add_decision(v_why, o);

    list_options list;
    auto& v_pareto =
        verb("pareto", "the plans of which none is beaten in both its time and a second objective", [&] { return verb_pareto(o, list); });
    add_model(v_pareto, o);
    add_rewrites(v_pareto, o);
    add_engine(v_pareto, o, words);
    add_constraints(v_pareto, o);
    v_pareto
        .add_option("--second", list.second,
                    "the second objective: peak (bytes alive), load (of the busiest back end) or energy (by models)")
        ->capture_default_str();
    v_pareto.add_option("--budget", list.budget_ms, "milliseconds after which the plans found so far are given")->check(not_negative());
    add_save_costs(v_pareto, o);

    verb("peak", "what this machine can do, measured", [&] { return verb_peak(o); });

    place_options place;
    auto& v_place = verb("place", "plans on which device each value of a Relay program is, and prints the program",
                         [&] { return verb_place(o, place); });
    add_model(v_place, o);
    v_place
        .add_option("--target", place.targets,
                    "what values may be placed on: \"cuda -arch=sm_80, llvm\", as JSON, or in a file of JSON; may be repeated; without "
                    "it: llvm")
        ->take_all()
        ->allow_extra_args(false);
    v_place.add_option("--host", place.host, "the host of every target; without it the first of the CPU, else llvm");
    v_place.add_option("--fallback-device", place.fallback_device,
                       "the device type of what nothing else places: cpu or cuda; without it the only one of the targets, else cpu");
    v_place.add_flag("--share-copies", place.share_copies, "readers of one value in one other place share its copy");

    std::string other;
    auto& v_equal = verb("equal", "whether two programs are the same; prints the first difference", [&] { return verb_equal(o, other); });
    add_model(v_equal, o);
    v_equal.add_option("other", other, "the program to compare with")->required();

    auto& v_devices = verb("devices", "the device of every expression of main of a placed program", [&] { return verb_devices(o); });
    add_model(v_devices, o);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);
        std::cerr << "inlay: " << what_is_wrong(app, e, argc, argv) << "; `inlay --help` and `inlay VERB --help` list what there is\n";
        return static_cast<int>(answer::wrong);
    }
    o.model.checks = o.engine.checks;
    if (!o.engine.quiet)
        for (const inlay::skipped_library& s : loaded.skipped)
            std::cerr << "inlay: " << inlay::escaped_text(s.file, 400) << " is skipped: " << inlay::escaped_text(s.reason, 1000) << "\n";
    if (!loaded.not_found.empty())
        return static_cast<int>(
            say(answer::wrong, inlay::error{"'--isolate' names " + inlay::quoted_text(loaded.not_found.front(), 400) +
                                            ", and no folder of back ends has a library of that name; write the name of "
                                            "its file without '.so', or 'all'"}));
    for (const auto& [where, value] : words.given) o.engine.set_options.emplace_back(where, value);
    if (!o.engine.quiet) waiting::here().start(argv[1]);
    const answer given = chosen();
    waiting::here().stop();
    std::cout.flush();
    const bool is_written = static_cast<bool>(std::cout);
    apart.reset();
    // A reader that has seen enough, as `head` has, is no fault.
    if (!is_written && !is_output_closed())
        return static_cast<int>(
            say(answer::wrong, inlay::error{"the result cannot be written to standard output; make room or send it elsewhere"}));
    return static_cast<int>(given);
}

}  // namespace tool
