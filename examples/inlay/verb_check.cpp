// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/bindings.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/io/onnx/tensor_proto.hpp>
#include <inlay/io/onnx/unsupported.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/testing/compare.hpp>

#include "back_ends.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

struct folder_line {
    std::string word;  // pass, fail, unsupported
    std::string taken = "-";
    std::string reason;
};

std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    return escaped_text(text);
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder, const std::string& kind) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (std::size_t i = 0;; ++i) {
        const auto path = folder / (kind + "_" + std::to_string(i) + ".pb");
        if (!std::filesystem::exists(path, ignored)) return files;
        files.push_back(path);
    }
}

/// ONNX's own data sets of bfloat16 hold the bits as uint16: the tensor with its bits read as what the model declares.
tensor with_bits_as(const tensor& t, element_type declared) {
    if (t.element() != element_type::uint16 || declared != element_type::bfloat16) return t;
    tensor same(declared, t.extents());
    if (same.ok() && t.bytes() != 0) std::memcpy(same.data(), t.data(), t.bytes());
    return same;
}

/// The inputs with a default that no data set gives another value.
std::vector<std::string> defaults_left(const ir_module& m, const std::vector<std::filesystem::path>& sets) {
    std::vector<std::string> given;
    std::size_t in_order = 0;
    for (const auto& set : sets)
        for (const auto& file : files_of(set, "input")) {
            std::string name;
            if (load_tensor_proto(file.string(), &name) && !name.empty())
                given.push_back(std::move(name));
            else
                in_order = m.inputs().size();
        }
    model_options fixed;
    (void)fix_defaults_left(fixed, m, given, in_order);
    return fixed.fixed_inputs;
}

/// Runs all data sets of one folder in this process.
folder_line check_folder(const std::string& folder, const verb_options& o, const check_options& check) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder + "/model.onnx", ignored)) return {"fail", "-", "the folder has no model.onnx"};
    std::vector<std::filesystem::path> sets;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.is_directory() && entry.path().filename().string().starts_with("test_data_set_")) sets.push_back(entry.path());
    std::sort(sets.begin(), sets.end());
    if (sets.empty()) return {"unsupported", "-", "the folder has no test_data_set_*, so there is nothing to compare with"};
    for (const auto& set : sets)
        if (files_of(set, "output").empty())
            return {"unsupported", "-", set.filename().string() + " has no output_0.pb, so there is nothing to compare with"};
    import_options reading;
    reading.operators = &onnx_ops::find;
    reading.fixed_defaults = o.model.fixed_defaults;
    auto loaded = load_onnx(folder + "/model.onnx", reading);
    if (loaded && !reading.fixed_defaults) {
        reading.fixed_inputs = defaults_left(*loaded, sets);
        if (!reading.fixed_inputs.empty()) loaded = load_onnx(folder + "/model.onnx", reading);
    }
    if (!loaded) return {"unsupported", "-", loaded.failure().message};
    if (auto known = all_supported(*loaded, onnx_ops{}); !known) return {"unsupported", "-", known.failure().message};
    std::size_t taken = 0;
    for (const auto& set : sets) {
        std::vector<tensor> inputs(loaded->inputs().size());
        std::vector<std::string> names;
        for (const node_id p : loaded->inputs()) names.emplace_back(loaded->name(p));
        const auto given = files_of(set, "input");
        for (std::size_t i = 0; i < given.size(); ++i) {
            std::string name;
            auto value = load_tensor_proto(given[i].string(), &name);
            if (!value) return {"unsupported", "-", value.failure().message};
            const auto at = std::find(names.begin(), names.end(), name);
            const std::size_t place = at == names.end() ? i : static_cast<std::size_t>(at - names.begin());
            if (place >= inputs.size()) return {"fail", "-", "there are more inputs than the model has"};
            inputs[place] = *std::move(value);
        }
        type_bindings bindings;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const tensor_type& declared = loaded->type(loaded->inputs()[i]).of_tensor;
            if (const tensor* const otherwise = default_of(*loaded, loaded->inputs()[i]); !inputs[i].ok() && otherwise != nullptr)
                inputs[i] = *otherwise;
            if (inputs[i].ok()) inputs[i] = with_bits_as(inputs[i], declared.element);
            if (inputs[i].ok() && declared.ranked && declared.rank() != inputs[i].rank())
                return {"unsupported", "-",
                        "input " + quoted_text(names[i]) + " is declared as " + to_string(declared) + ", and the data set gives " +
                            to_string(inputs[i].type())};
            if (!inputs[i].ok())
                return {"unsupported", "-",
                        "input " + quoted_text(names[i]) + " is not given; inputs that may be left out are not supported"};
            bindings.inputs.emplace_back(names[i], inputs[i].extents());
        }
        auto bound = bind(*loaded, bindings);
        if (!bound) return {"fail", "-", bound.failure().message};
        auto model = prepared(*bound, o.model);
        if (!model) return {"fail", "-", model.failure().message};
        engine_options how = o.engine;
        how.costs = "model";
        auto back_ends = engine::make(how);
        if (!back_ends) return {"fail", "-", back_ends.failure().message};
        plan_request request;
        request.prefer = check.prefer;
        auto made = back_ends->make_plan(*model, request);
        if (!made) return {"unsupported", "-", made.failure().message};
        for (const part& p : made->cut.parts)
            if (back_ends->kind(p.owner) == check.prefer) taken += p.nodes.size();
        std::vector<tensor> results;
        const auto first_run = [&](const plan& p) -> outcome<program> {
            auto code = back_ends->link(model->program, p);
            if (!code) return code;
            auto frame = code->make_frame();
            if (!frame) return frame.failure();
            auto room = code->make_results();
            if (!room) return room.failure();
            results = *std::move(room);
            if (auto ran = back_ends->run_first(model->program, p, *code, *frame, inputs, results); !ran) return ran.failure();
            return code;
        };
        answer failed = answer::no;
        const auto code = back_ends->code_around_failures(*model, request, *made, false, failed, first_run);
        if (!code) return {"fail", "-", code.failure().message};
        const auto wanted = files_of(set, "output");
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            auto expected = load_tensor_proto(wanted[i].string());
            if (!expected) return {"unsupported", "-", expected.failure().message};
            if (i >= results.size()) return {"fail", "-", "the model has fewer results than the data set"};
            if (const comparison c = compare(results[i], with_bits_as(*expected, results[i].element()), check.rtol, check.atol); !c.agrees)
                return {"fail", "-", "result " + std::to_string(i) + " of " + set.filename().string() + ": " + c.reason};
        }
    }
    return {"pass", check.prefer.empty() ? "-" : std::to_string(taken), {}};
}

json_output json_of(const std::string& folder, const folder_line& v) {
    json_output one{{"folder", folder}, {"answer", v.word}, {"taken", nullptr}, {"reason", one_line(v.reason)}};
    if (v.taken != "-") one["taken"] = std::stoull(v.taken);
    return one;
}

void print(const std::string& folder, const folder_line& v) {
    std::cout << v.word << "\t" << folder << "\t" << v.taken << "\t" << one_line(v.reason) << std::endl;
}

/// Runs one folder in a process of its own, which a crash or a hang does not outlive. Gives the line that it printed, or why it did not.
folder_line in_a_process(const std::string& folder, const verb_options& o, const check_options& check) {
    int ends[2];
    if (pipe(ends) != 0) return {"fail", "-", "no pipe can be had"};
    std::vector<std::string> words{"inlay",
                                   "check",
                                   folder,
                                   "--alone",
                                   "--quiet",
                                   "--threads",
                                   std::to_string(o.engine.threads),
                                   "--rtol",
                                   json_number(check.rtol),
                                   "--atol",
                                   json_number(check.atol)};
    if (o.model.as_written) words.push_back("--no-rewrites");
    if (o.model.by_steps) words.push_back("--by-steps");
    if (o.model.reassociate) words.push_back("--reassociate");
    if (o.model.fixed_defaults) words.push_back("--fixed-defaults");
    if (!o.engine.checks) words.push_back("--unchecked");
    if (o.engine.strict) words.push_back("--strict");
    if (!check.prefer.empty()) words.insert(words.end(), {"--prefer", check.prefer});
    for (const std::string& t : o.engine.targets) words.insert(words.end(), {"--target", t});
    // The folders of libraries are in the environment.
    for (const std::string& name : o.isolated) words.insert(words.end(), {"--isolate", name});
    for (const auto& [where, value] : o.engine.set_options) {
        const std::size_t dot = where.find('.');
        words.push_back("--target-" + where.substr(0, dot) + "-" + where.substr(dot + 1) + "=" + value);
    }
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    pid_t child = 0;
    const int fault = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (fault != 0) {
        close(ends[0]);
        return {"fail", "-", "no process can be started"};
    }
    std::string printed;
    const auto start = std::chrono::steady_clock::now();
    bool late = false;
    for (;;) {
        const double left = check.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        pollfd wait{ends[0], POLLIN, 0};
        if (left <= 0 || interrupted().load() || poll(&wait, 1, static_cast<int>(std::min(left, 1.0) * 1000) + 1) < 0) {
            late = true;
            kill(child, SIGKILL);
            break;
        }
        if (wait.revents == 0) continue;
        char block[4096];
        const ssize_t got = read(ends[0], block, sizeof block);
        if (got <= 0) break;
        printed.append(block, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (late)
        return {"fail", "-",
                interrupted().load() ? "interrupted" : "it took longer than " + std::to_string(static_cast<int>(check.seconds)) + " s"};
    if (WIFSIGNALED(status)) return {"fail", "-", "it died by signal " + std::to_string(WTERMSIG(status))};
    folder_line line;
    std::string* fields[] = {&line.word, nullptr, &line.taken, &line.reason};
    std::size_t at = 0;
    for (std::string* field : fields) {
        const std::size_t end = std::min(printed.find_first_of("\t\n", at), printed.size());
        if (field != nullptr) *field = printed.substr(std::min(at, printed.size()), end - std::min(at, printed.size()));
        at = end + 1;
    }
    if (line.word != "pass" && line.word != "fail" && line.word != "unsupported") return {"fail", "-", "it ended without an answer"};
    return line;
}

}  // namespace

answer verb_check(const verb_options& o, const check_options& check) {
    if (auto usable = engine::make(o.engine); !usable) return say(answer::wrong, usable.failure());
    if (!check.prefer.empty()) {
        std::vector<std::string> kinds;
        for (const kind_options& b : all_options(o.engine.loaded)) kinds.push_back(b.kind);
        if (std::find(kinds.begin(), kinds.end(), check.prefer) == kinds.end())
            return say(answer::wrong,
                       error{"'--prefer' names no back end of this build: " + quoted_text(check.prefer) + name_hint(check.prefer, kinds)});
    }
    if (check.alone) {
        const folder_line line = check_folder(check.folders.front(), o, check);
        print(check.folders.front(), line);
        return line.word == "fail" ? answer::no : answer::done;
    }
    std::size_t passed = 0, failed = 0, unsupported_count = 0;
    json_output lines = json_output::array();
    for (const std::string& folder : check.folders) {
        if (interrupted().load()) break;
        waiting::here().now("check: folder " + std::to_string(passed + failed + unsupported_count + 1) + " of " +
                            std::to_string(check.folders.size()));
        const folder_line line = in_a_process(folder, o, check);
        if (o.json)
            lines.push_back(json_of(folder, line));
        else {
            waiting::here().clear();
            print(folder, line);
        }
        ++(line.word == "pass" ? passed : line.word == "fail" ? failed : unsupported_count);
    }
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["folders"] = std::move(lines);
        whole["passed"] = passed;
        whole["failed"] = failed;
        whole["unsupported"] = unsupported_count;
        std::cout << write_json(whole, 2) << "\n";
    } else {
        std::cout << passed << " passed, " << failed << " failed, " << unsupported_count << " unsupported\n";
    }
    return failed == 0 && !interrupted().load() ? answer::done : answer::no;
}

}  // namespace tool
