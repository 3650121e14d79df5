// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <inlay/codegen/c/c_files.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/write_c_files.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/testing/tolerance.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

json_output ports_of(const std::vector<c_tensor>& tensors) {
    json_output list = json_output::array();
    for (const c_tensor& t : tensors)
        list.push_back({{"name", t.known},
                        {"member", t.name},
                        {"element", std::string(name_of(t.element))},
                        {"shape", t.extents},
                        {"bytes", t.bytes}});
    return list;
}

/// What there is in the folder and how to call it.
json_output manifest_of(const c_program& p, const std::vector<c_file>& files, const plan& made, const engine& back_ends) {
    json_output whole{{"version", 1}, {"entry", p.name + "_run"}, {"header", p.name + ".h"}};
    whole["inputs"] = ports_of(p.inputs);
    whole["outputs"] = ports_of(p.results);
    json_output list = json_output::array();
    for (const c_file& f : files) list.push_back(f.path);
    whole["files"] = std::move(list);
    whole["workspace_bytes"] = p.arena_bytes;
    whole["workspace_bound"] = p.arena_bound;
    whole["weights_bytes"] = p.weight_bytes;
    whole["weights"] = p.weights == c_weights::embedded ? "embedded" : "in_file";
    whole["functions"] = p.function_count;
    json_output parts = json_output::array();
    for (const part& each : made.cut.parts) parts.push_back({{"backend", back_ends.kind(each.owner)}, {"nodes", each.nodes.size()}});
    whole["parts"] = std::move(parts);
    return whole;
}

}  // namespace

answer verb_emit(const verb_options& o, const emit_options& how) {
    model_options which = o.model;
    std::optional<plan_record> record;
    if (!how.plan.empty()) {
        auto read = load_plan_record(how.plan);
        if (!read) return say(answer::wrong, read.failure());
        which = prepared_as(which, *read);
        record = *std::move(read);
    }
    auto model = load_static(which);
    if (!model) return say(answer::wrong, model.failure());
    engine_options leaving = o.engine;
    leaving.is_for_c = !record;
    leaving.only_plans_bodies = true;
    auto back_ends = record ? engine_of_plan(how.plan, *record, leaving) : engine::make(leaving);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    if (record)
        if (auto ready = back_ends->prepare_bodies(*model, plan_request_of(o), true); !ready) return say(answer::no, ready.failure());
    answer failed = answer::no;
    auto made = record ? plan_of_file(how.plan, *record, model->program, *back_ends)
                       : back_ends->make_plan(*model, plan_request_of(o), nullptr, &failed);
    if (!made) return say(record ? answer::wrong : failed, made.failure());
    if (record)
        for (const law_check& l : verify(model->program, made->set, made->cut))
            if (!l.holds)
                return say(answer::wrong, error{quoted_text(how.plan, 400) + " is no plan of this model, since it breaks the law '" +
                                                l.law + "': " + l.witness});
    c_program_options options;
    options.name = how.name.empty() ? std::filesystem::path(o.model.path).stem().string() : how.name;
    if (!how.weights.empty()) options.weights = how.weights == "embedded" ? c_weights::embedded : c_weights::in_file;
    const auto emit = [&](const plan& p) { return back_ends->emit_c(model->program, p, options); };
    // A file of a plan says what leaves; all else may go another way. What has no C may well run, so that nothing of it is kept.
    auto program = record ? emit(*made) : back_ends->code_around_failures(*model, plan_request_of(o), *made, false, failed, emit);
    if (!program) return say(record ? answer::no : failed, program.failure());

    std::optional<c_check_data> data;
    if (!how.without_data) {
        auto inputs = model_inputs(model->program, {}, {}, how.seed);
        if (!inputs) return say(answer::wrong, inputs.failure());
        // By steps, results may be one step off what the file says; what is emitted is then held to the program that it was made of.
        std::optional<ir_module> written;
        if (!o.model.by_steps) {
            auto loaded = load_model(o.model);
            if (!loaded) return say(answer::wrong, loaded.failure());
            written = *std::move(loaded);
        }
        waiting::here().now("emit: the reference interpreter computes what 'make check' compares with");
        auto expected = interpret(written ? *written : model->program, *inputs);
        if (!expected) return say(answer::no, expected.failure());
        const tolerance allowed = tolerance_of(written ? *written : model->program, *expected);
        data = c_check_data{*std::move(inputs), *std::move(expected), allowed.relative, allowed.absolute};
    }
    auto files = c_files(*program, data ? &*data : nullptr);
    if (!files) return say(answer::no, files.failure());
    const json_output manifest = manifest_of(*program, *files, *made, *back_ends);
    files->push_back({"manifest.json", write_json(manifest, 2) + "\n"});
    if (auto written = write_c_files(o.out, *files); !written) return say(answer::wrong, written.failure());
    if (o.json) {
        std::cout << write_json(manifest, 2) << "\n";
        return answer::done;
    }
    std::cout << o.out << ": " << program->name << ".h declares " << program->name << "_run; "
              << counted(program->function_count, "function") << ", " << program->arena_bytes
              << " bytes of memory to work in (none can do with less than " << program->arena_bound << "), " << program->weight_bytes
              << " bytes of weights " << (program->weights == c_weights::embedded ? "embedded" : "in " + program->name + "_weights.bin")
              << "\n";
    return answer::done;
}

}  // namespace tool
