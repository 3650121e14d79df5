// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/io/onnx/onnx_export.hpp>
#include <inlay/io/onnx/tensor_proto.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_extract(const verb_options& o, const extract_options& extract) {
    if (extract.part.has_value() == !extract.nodes.empty()) return say(answer::wrong, error{"give either --part N or --nodes A,B,..."});
    model_options which = o.model;
    // Nodes are named as the file has them; a part is one of what was planned.
    which.as_written = which.as_written || !extract.nodes.empty();
    auto model = load_static(which);
    if (!model) return say(answer::wrong, model.failure());
    export_options what;
    if (extract.part) {
        auto back_ends = engine::make(o.engine);
        if (!back_ends) return say(answer::wrong, back_ends.failure());
        answer failed = answer::no;
        auto made = back_ends->make_plan(*model, plan_request_of(o), nullptr, &failed);
        if (!made) return say(failed, made.failure());
        if (*extract.part >= made->cut.parts.size())
            return say(answer::wrong, error{"the plan has " + counted(made->cut.parts.size(), "part") + ", counted from 0; '--part " +
                                            std::to_string(*extract.part) + "' is none of them"});
        what.region = made->cut.parts[*extract.part].nodes;
    } else {
        for (std::size_t at = 0; at <= extract.nodes.size();) {
            const std::size_t comma = std::min(extract.nodes.find(',', at), extract.nodes.size());
            auto n = node_named(model->program, extract.nodes.substr(at, comma - at));
            if (!n) return say(answer::wrong, n.failure());
            if (model->program.kind(*n) == node_kind::input)
                return say(answer::wrong, error{quoted_text(name_of_node(model->program, *n)) +
                                                " is an input of the model; --nodes takes the names of what computes"});
            what.region.push_back(*n);
            at = comma + 1;
        }
        std::sort(what.region.begin(), what.region.end());
        what.region.erase(std::unique(what.region.begin(), what.region.end()), what.region.end());
    }
    auto bytes = export_onnx(model->program, what);
    if (!bytes) return say(answer::wrong, bytes.failure());
    std::error_code fault;
    const std::string data = o.out + "/test_data_set_0";
    std::filesystem::create_directories(data, fault);
    if (fault) return say(answer::wrong, error{"the folder " + quoted_text(data, 400) + " cannot be made: " + fault.message()});
    const std::string path = o.out + "/model.onnx";
    if (auto saved = write_file(path, *bytes); !saved) return say(answer::wrong, saved.failure());
    model_options written;
    written.path = path;
    auto alone = load_model(written);
    if (!alone) return say(answer::no, alone.failure());
    auto inputs = model_inputs(*alone, {}, {}, extract.seed);
    if (!inputs) return say(answer::wrong, inputs.failure());
    auto expected = interpret(*alone, *inputs);
    if (!expected) return say(answer::no, expected.failure());
    json_output input_files = json_output::array(), output_files = json_output::array();
    for (std::size_t i = 0; i < inputs->size(); ++i) {
        const std::string file = data + "/input_" + std::to_string(i) + ".pb";
        if (auto saved = save_tensor_proto(file, (*inputs)[i], alone->name(alone->inputs()[i])); !saved)
            return say(answer::wrong, saved.failure());
        input_files.push_back(file);
    }
    for (std::size_t i = 0; i < expected->size(); ++i) {
        const std::string file = data + "/output_" + std::to_string(i) + ".pb";
        if (auto saved = save_tensor_proto(file, (*expected)[i], alone->result_names()[i]); !saved)
            return say(answer::wrong, saved.failure());
        output_files.push_back(file);
    }
    // What an earlier call left here would be taken for this model's data.
    const auto remove_from = [&](const std::string& stem, std::size_t first) {
        while (std::filesystem::remove(data + "/" + stem + std::to_string(first) + ".pb", fault)) ++first;
    };
    remove_from("input_", inputs->size());
    remove_from("output_", expected->size());
    if (!o.json) {
        std::cout << path << "\n";
        return answer::done;
    }
    json_output whole{{"version", 1}, {"model", path}};
    json_output nodes = json_output::array();
    for (const node_id n : what.region) nodes.push_back(name_of_node(model->program, n));
    whole["nodes"] = std::move(nodes);
    whole["inputs"] = std::move(input_files);
    whole["outputs"] = std::move(output_files);
    std::cout << write_json(whole, 2) << "\n";
    return answer::done;
}

}  // namespace tool
