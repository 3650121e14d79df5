// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/npy.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/runtime/profile.hpp>
#include <inlay/runtime/simulate/simulate.hpp>
#include <inlay/testing/compare.hpp>
#include <inlay/testing/tolerance.hpp>

#include "off_price.hpp"
#include "plan_text.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

/// Result names as file names: what no file system minds.
std::string file_name(std::string_view result) {
    std::string name;
    for (const char c : result)
        name += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ? c : '_';
    return name.empty() || name.front() == '.' ? "result" + name : name;
}

/// Results with their names; what went wrong, and how the program ends for it.
struct computed {
    std::vector<tensor> results;
    std::vector<std::string> names;
    std::optional<std::size_t> groups_of_lanes;  // of a program that was profiled
    answer how = answer::done;
    error why;

    static computed fail(answer how, error why) {
        computed c;
        c.how = how;
        c.why = std::move(why);
        return c;
    }
};

/// Results of a model, with the names that a plan gives them.
computed named_results(const ir_module& model, std::vector<tensor> results) {
    computed c;
    c.results = std::move(results);
    const auto& names = model.result_names();
    for (std::size_t i = 0; i < c.results.size(); ++i) c.names.push_back(i < names.size() ? names[i] : "result" + std::to_string(i));
    return c;
}

computed run_by_interpreter(const ir_module& model, std::span<const tensor> inputs) {
    auto meant = interpret(model, inputs);
    if (!meant) return computed::fail(answer::no, meant.failure());
    return named_results(model, *std::move(meant));
}

/// Says `ready`, then answers each line `run` of standard input with the seconds of one inference, as `bench --rival` asks for.
computed serve(program& code, program_frame& frame, std::span<const tensor> inputs, std::vector<tensor>& results, executor_ref executor) {
    using stopwatch = std::chrono::steady_clock;
    if (auto warm = code.run(frame, inputs, results, executor); !warm) return computed::fail(answer::no, warm.failure());
    std::cout << "ready" << std::endl;
    for (std::string line; !interrupted().load() && std::getline(std::cin, line);) {
        if (line != "run")
            return computed::fail(answer::wrong, error{"'--serve' answers lines that say run, but one says " + quoted_text(line, 40)});
        const auto start = stopwatch::now();
        if (auto ran = code.run(frame, inputs, results, executor); !ran) return computed::fail(answer::no, ran.failure());
        std::cout << json_number(std::chrono::duration<double>(stopwatch::now() - start).count()) << std::endl;
    }
    return {};
}

computed run_by_back_ends(const planned_model& asked, std::span<const tensor> inputs, const verb_options& o, const run_options& run,
                          const std::optional<plan_record>& record) {
    const ir_module& model = asked.program;
    auto back_ends = record ? engine_of_plan(run.plan, *record, o.engine) : engine::make(o.engine);
    if (!back_ends) return computed::fail(answer::wrong, back_ends.failure());
    answer failed = answer::wrong;
    if (record)
        if (auto ready = back_ends->prepare_bodies(asked, plan_request_of(o), true); !ready)
            return computed::fail(answer::no, ready.failure());
    const auto decided = [&]() -> outcome<plan> {
        if (record) return plan_of_file(run.plan, *record, model, *back_ends);
        // A profile holds what pieces take against their prices of today.
        if (!run.anew && run.profile.empty())
            if (auto last = back_ends->last_plan(asked, plan_request_of(o))) return *std::move(last);
        return back_ends->make_plan(asked, plan_request_of(o), nullptr, &failed);
    };
    auto made = decided();
    if (!made) return computed::fail(failed, made.failure());
    if (record)
        for (const law_check& l : verify(model, made->set, made->cut))
            if (!l.holds)
                return computed::fail(
                    answer::wrong,
                    error{quoted_text(run.plan, 400) + " is no plan of this model, since it breaks the law '" + l.law + "': " + l.witness});
    // The program, which has run once.
    std::optional<program_frame> frame;
    std::vector<tensor> results;
    const auto link = [&](const plan& p) -> outcome<program> {
        auto code = back_ends->link(model, p);
        if (!code) return code;
        auto memory = code->make_frame();
        if (!memory) return memory.failure();
        auto room = code->make_results();
        if (!room) return room.failure();
        frame = *std::move(memory);
        results = *std::move(room);
        if (auto ran = back_ends->run_first(model, p, *code, *frame, inputs, results); !ran) return ran.failure();
        return code;
    };
    // A file of a plan says what runs; all else may go another way.
    auto code = record ? link(*made) : back_ends->code_around_failures(asked, plan_request_of(o), *made, true, failed, link);
    if (!code) return computed::fail(record ? answer::no : failed, code.failure());
    profile taken;
    // One run alone would not give back the time that the decision takes.
    if (run.serve || !run.profile.empty()) {
        if (auto placed = back_ends->run_side_by_side(*code); !placed) return computed::fail(answer::no, placed.failure());
        auto memory = code->make_frame();
        if (!memory) return computed::fail(answer::no, memory.failure());
        if (run.serve) return serve(*code, *memory, inputs, results, back_ends->executor());
        if (auto ran = run_profiled(*code, *memory, inputs, results, back_ends->executor(), taken); !ran)
            return computed::fail(answer::no, ran.failure());
    }
    if (!run.profile.empty())
        if (auto written = write_file(run.profile, chrome_trace(*code, taken)); !written)
            return computed::fail(answer::wrong, written.failure());
    // The trace shows the first run, which is cold; what a price says is held against warm ones.
    if (!run.profile.empty()) tell_off_pieces(model, *made, *back_ends, record.has_value());
    computed c;
    c.results = std::move(results);
    if (!run.profile.empty()) c.groups_of_lanes = code->schedule().groups_of_lanes();
    for (const port& p : code->results()) c.names.push_back(p.name);
    return c;
}

/// Writes results to the files that the options name.
outcome<void> write_results(const computed& c, const run_options& run) {
    if (!run.output.empty()) {
        std::error_code fault;
        std::filesystem::create_directories(run.output, fault);
        if (fault) return error{"the folder " + quoted_text(run.output, 400) + " cannot be made: " + fault.message()};
        for (std::size_t i = 0; i < c.results.size(); ++i)
            if (auto saved = save_npy(run.output + "/" + file_name(c.names[i]) + ".npy", c.results[i]); !saved) return saved;
    }
    if (run.outs.size() > c.results.size())
        return error{"the model has " + std::to_string(c.results.size()) + " results and " + std::to_string(run.outs.size()) +
                     " '--out' were given"};
    for (std::size_t i = 0; i < run.outs.size(); ++i)
        if (auto saved = save_npy(run.outs[i], c.results[i]); !saved) return saved;
    return {};
}

/// Says what the results are, and, where it is known what they have to be, how they compare with what a program gives.
answer report_results(const computed& c, const std::optional<std::vector<tensor>>& expected, const ir_module& meant_by,
                      const verb_options& o) {
    json_output report{{"version", 1}};
    json_output list = json_output::array();
    bool agrees = true;
    for (std::size_t i = 0; i < c.results.size(); ++i) {
        const tensor& r = c.results[i];
        const std::string name = c.names[i];
        json_output one{{"name", name}, {"type", to_string(r.type())}};
        std::string line = escaped_text(name) + "  " + to_string(r.type());
        if (expected) {
            const tolerance allowed = tolerance_of(meant_by, std::span(&(*expected)[i], 1));
            const comparison seen = compare(r, (*expected)[i], allowed.relative, allowed.absolute);
            agrees = agrees && seen.agrees;
            one["largest_absolute_error"] = seen.largest_absolute;
            one["largest_relative_error"] = seen.largest_relative;
            one["agrees"] = seen.agrees;
            line += "  largest absolute error " + json_number(seen.largest_absolute) + ", of the largest value " +
                    json_number(seen.largest_relative) + (seen.agrees ? "  agrees" : "  DIFFERS: " + seen.reason);
        }
        list.push_back(std::move(one));
        if (!o.json) std::cout << line << "\n";
    }
    report["results"] = std::move(list);
    if (c.groups_of_lanes) report["groups_of_lanes"] = *c.groups_of_lanes;
    if (!o.json && c.groups_of_lanes.value_or(0) != 0)
        std::cout << *c.groups_of_lanes << (*c.groups_of_lanes == 1 ? " group" : " groups") << " of steps ran side by side\n";
    if (o.json) std::cout << write_json(report, 2) << "\n";
    return agrees ? answer::done : answer::no;
}

/// The tensors of what the interpreter gives, in reading order.
std::vector<tensor> tensors_of(const runtime_value& whole) {
    std::vector<tensor> tensors;
    std::vector<runtime_value> left{whole};
    while (!left.empty()) {
        const runtime_value v = std::move(left.back());
        left.pop_back();
        if (v.as_tensor() != nullptr) tensors.push_back(*v.as_tensor());
        if (v.as_cell() != nullptr) left.push_back(v.as_cell()->content);
        if (const auto* record = v.as_record())
            for (std::size_t i = record->fields.size(); i-- > 0;) left.push_back(record->fields[i]);
    }
    return tensors;
}

/// Runs a placed program over simulated devices.
answer simulate_program(const verb_options& o, const run_options& run) {
    if (!is_relay(o.model.path))
        return say(answer::wrong, error{"'--simulate' runs placed programs, which are Relay text, and not " +
                                        quoted_text(o.model.path, 400) + "; 'inlay place' makes them"});
    const auto program = load_written(o.model);
    if (!program) return say(answer::wrong, program.failure());
    const auto inputs = model_inputs(*program, run.inputs, run.arguments, run.seed, true);
    if (!inputs) return say(answer::wrong, inputs.failure());
    auto found = simulate(*program, *inputs, relay_ops());
    if (!found) return say(answer::no, found.failure());
    const computed c = named_results(*program, *std::move(found));
    if (auto written = write_results(c, run); !written) return say(answer::wrong, written.failure());
    std::optional<std::vector<tensor>> expected;
    if (run.check) {
        const std::vector<runtime_value> arguments(inputs->begin(), inputs->end());
        const auto meant = interpret_values(*program, arguments, relay_ops());
        if (!meant) return say(answer::no, meant.failure());
        expected = tensors_of(*meant);
    }
    return report_results(c, expected, *program, o);
}

}  // namespace

answer verb_run(const verb_options& o, const run_options& run) {
    if (run.simulate) return simulate_program(o, run);
    model_options which = o.model;
    std::optional<plan_record> record;
    if (!run.plan.empty()) {
        auto read = load_plan_record(run.plan);
        if (!read) return say(answer::wrong, read.failure());
        which = prepared_as(which, *read);
        record = *std::move(read);
    }
    auto loaded = load_model(which);
    // A plan in a file is one for every value that an input may get.
    if (loaded && run.plan.empty() && fix_defaults_left(which, *loaded, run.inputs, run.arguments.size())) loaded = load_model(which);
    if (!loaded) return say(answer::wrong, loaded.failure());
    auto model = prepared(*loaded, which);
    if (!model) return say(answer::wrong, model.failure());
    auto inputs = model_inputs(model->program, run.inputs, run.arguments, run.seed);
    if (!inputs) return say(answer::wrong, inputs.failure());
    if (run.by_interpreter && !(run.plan.empty() && run.profile.empty()))
        return say(answer::wrong, error{"'--interpret' runs without back ends, so it takes neither '--plan' nor '--profile'"});
    if (run.serve && (run.by_interpreter || run.check || !(run.profile.empty() && run.output.empty() && run.outs.empty())))
        return say(answer::wrong,
                   error{"'--serve' gives times alone, so it takes none of '--interpret', '--check', '--profile', '--output' and '--out'"});
    const computed c = run.by_interpreter ? run_by_interpreter(*loaded, *inputs) : run_by_back_ends(*model, *inputs, o, run, record);
    if (c.how != answer::done) return say(c.how, c.why);
    if (run.serve) return answer::done;
    if (auto written = write_results(c, run); !written) return say(answer::wrong, written.failure());
    std::optional<std::vector<tensor>> expected;
    if (run.check) {
        waiting::here().now("run: the reference interpreter");
        auto meant = interpret(*loaded, *inputs);
        if (!meant) return say(answer::no, meant.failure());
        expected = *std::move(meant);
    }
    return report_results(c, expected, model->program, o);
}

}  // namespace tool
