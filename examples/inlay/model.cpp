// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/bindings.hpp>
#include <inlay/io/npy.hpp>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/io/onnx/tensor_proto.hpp>
#include <inlay/io/onnx/unsupported.hpp>
#include <inlay/io/relay/read_relay.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/measure/rewrite_check.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/books/onnx_book.hpp>
#include <inlay/passes/books/relay_to_onnx.hpp>
#include <inlay/passes/control/lift_control.hpp>
#include <inlay/passes/flat_results.hpp>
#include <inlay/passes/functions/inline_calls.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/passes/inline_parts.hpp>
#include <inlay/passes/normalise.hpp>
#include <inlay/passes/own_dequantized.hpp>
#include <inlay/plan/constraints_of.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "back_ends.hpp"
#include "operators.hpp"
#include "plan_text.hpp"

namespace tool {

using namespace inlay;

namespace {

outcome<type_bindings> bindings_of(const model_options& options) {
    type_bindings bindings;
    for (const std::string& s : options.shapes)
        if (auto added = add_shape(bindings, s); !added) return added.failure();
    for (const std::string& s : options.symbols)
        if (auto added = add_symbol(bindings, s); !added) return added.failure();
    return bindings;
}

/// An error about the model, with its name.
error of_model(const model_options& options, const error& what) {
    return error{(options.path == "-" ? std::string("standard input") : quoted_text(options.path, 400)) + ": " + what.message};
}

/// A tensor of a file, of NumPy's form or of ONNX's.
outcome<tensor> load_tensor(const std::string& path) { return path.ends_with(".pb") ? load_tensor_proto(path) : load_npy(path); }

/// The model with the constants that the options have for its parameters.
outcome<ir_module> with_constants(ir_module m, const model_options& options) {
    if (options.constants.empty()) return m;
    std::vector<named_constant> constants;
    for (const std::string& pair : options.constants) {
        const std::size_t cut = pair.find('=');
        if (cut == std::string::npos || cut == 0)
            return error{quoted_text("--param " + pair, 400) + " must be written as NAME=FILE.npy or NAME=FILE.pb"};
        auto read = load_tensor(pair.substr(cut + 1));
        if (!read) return read.failure();
        constants.push_back({pair.substr(0, cut), *std::move(read)});
    }
    auto bound = bind_constants(m, constants);
    if (!bound) return of_model(options, bound.failure());
    return bound;
}

outcome<ir_module> load_relay_file(const model_options& options) {
    auto read = load_relay(options.path);
    return read ? with_constants(*std::move(read), options) : read;
}

outcome<ir_module> load_file(const model_options& options) {
    if (is_relay(options.path)) {
        auto read = load_relay_file(options);
        if (!read) return read;
        auto typed = infer_types(*read, {}, relay_ops());
        if (!typed) return of_model(options, typed.failure());
        *read = flat_results(*typed);
        // A program that is no flow of data is left as it is, for the interpreter.
        auto flow = inline_calls(*read);
        const ir_module& written = flow ? *flow : *read;
        // What annotations say of places stands at the calls from here on.
        auto placed = constraints_of(written);
        if (!placed) return of_model(options, placed.failure());
        auto mapped = relay_to_onnx(placed->program);
        if (!mapped) return of_model(options, mapped.failure());
        return mapped;
    }
    import_options how;
    how.operators = &onnx_ops::find;
    how.fixed_defaults = options.fixed_defaults;
    how.fixed_inputs = options.fixed_inputs;
    auto read = load_onnx(options.path, how);
    return read ? with_constants(*std::move(read), options) : read;
}

/// A Relay program as it is written, with the types that its operators' rules give.
outcome<ir_module> load_relay_program(const model_options& options, const type_bindings& bindings) {
    auto read = load_relay_file(options);
    if (!read) return read;
    infer_options how;
    how.bindings = bindings;
    auto typed = infer_types(*read, how, relay_ops());
    if (!typed) return of_model(options, typed.failure());
    return typed;
}

/// Operators that forms may be recognised as: those that every back end of this build has a kernel for, if it has any for what the form is
/// written in.
std::vector<std::string> operators_of_all() {
    struct form {
        const char* op;
        std::vector<std::string_view> written;
    };
    const form forms[] = {
        {"onnx.Attention", {"onnx.MatMul", "onnx.Softmax", "onnx.Add", "onnx.Mul", "onnx.Div", "onnx.Transpose"}},
        {"onnx.Gelu", {"onnx.Add", "onnx.Mul", "onnx.Div", "onnx.Erf", "onnx.Tanh", "onnx.Pow"}},
        {"onnx.HardSwish", {"onnx.Add", "onnx.Mul", "onnx.Div", "onnx.Clip", "onnx.HardSigmoid"}},
        {"onnx.LayerNormalization", {"onnx.ReduceMean", "onnx.Sub", "onnx.Pow", "onnx.Sqrt", "onnx.Div", "onnx.Mul", "onnx.Add"}}};
    std::vector<std::string> common;
    for (const form& f : forms)
        if (nobody_loses(f.op, f.written)) common.emplace_back(f.op);
    return common;
}

outcome<ir_module> bind_to(const ir_module& m, const type_bindings& bindings, const model_options& options) {
    auto bound = bind(m, bindings);
    if (!bound) return of_model(options, bound.failure());
    return bound;
}

}  // namespace

outcome<ir_module> load_model(const model_options& options) {
    const auto bindings = bindings_of(options);
    if (!bindings) return bindings.failure();
    auto read = load_file(options);
    if (!read) return read;
    if (auto known = all_supported(*read, onnx_ops{}); !known) return of_model(options, known.failure());
    return bind_to(*read, *bindings, options);
}

outcome<ir_module> load_written(const model_options& options) {
    const auto bindings = bindings_of(options);
    if (!bindings) return bindings.failure();
    if (is_relay(options.path)) return load_relay_program(options, *bindings);
    auto read = load_file(options);
    if (!read || !all_supported(*read, onnx_ops{})) return read;
    return bind_to(*read, *bindings, options);
}

bool is_relay(const std::string& path) {
    return path == "-" || path.ends_with(".relay") || path.ends_with(".rly") || path.ends_with(".txt");
}

std::optional<attribute_value> relay_default_of(std::string_view op, std::string_view attribute) {
    const op_definition* known = relay_ops::find(op);
    if (known == nullptr) return std::nullopt;
    for (const declared_attribute& a : known->attributes) {
        if (a.name != attribute || !a.has_default) continue;
        switch (a.form) {
            case attribute_form::integer:
                return attribute_value(a.integer);
            case attribute_form::number:
                return attribute_value(a.number);
            case attribute_form::text:
                return attribute_value(std::string(a.text));
            case attribute_form::integers:
                return attribute_value(std::vector<std::int64_t>(a.integers.begin(), a.integers.end()));
            default:
                return std::nullopt;
        }
    }
    return std::nullopt;
}

outcome<planned_model> prepared(const ir_module& loaded, const model_options& options, preparation how_far) {
    normalise_options how;
    how.by_rules = !options.as_written;
    how.recognised = operators_of_all();
    how.reassociate = options.reassociate;
    rewrite_referee referee(meaning_of);
    std::optional<ir_module> by_steps;
    if (options.by_steps) {
        rewrite_options steps;
        steps.infer = &infer_call<onnx_ops>;
        by_steps = options.checks ? std::move(rewrite(loaded, rows_of(onnx_book::quantization), steps, referee).graph)
                                  : std::move(rewrite(loaded, rows_of(onnx_book::quantization), steps).graph);
    }
    if (options.checks) how.judge = referee;
    auto made = normalise(by_steps ? *by_steps : loaded, how);
    if (!made) return made.failure();
    for (const rewrite_report::line& l : made->report.rules)
        if (const std::size_t wrong = l.refused[static_cast<std::size_t>(rule_refusal::wrong)]; wrong != 0)
            std::cerr << "inlay: rule " << quoted_text(l.name) << " is not applied at " << counted(wrong, "match") << ": " << l.last_reason
                      << "\n";
    if (by_steps) made->graph = with_own_dequantized(made->graph);
    auto inlined = inline_parts(made->graph);
    if (!inlined) return of_model(options, inlined.failure());
    planned_model whole{std::move(inlined->program), std::move(inlined->parts), {}, {}};
    if (!how_far.lifts_control || !has_control(whole.program)) return whole;
    auto lifted = lift_control(whole.program, onnx_ops());
    if (!lifted) {
        whole.not_lifted = lifted.failure().message;
    } else {
        whole.program = std::move(lifted->program);
        whole.bodies = std::move(lifted->bodies);
    }
    return whole;
}

outcome<planned_model> load_prepared(const model_options& options, preparation how_far) {
    auto loaded = load_model(options);
    if (!loaded) return loaded.failure();
    return prepared(*loaded, options, how_far);
}

namespace {

outcome<void> is_static(const ir_module& m, node_id input) {
    const node_type& type = m.type(input);
    if (type.is_tensor() && type.is_static()) return {};
    const std::string name(m.name(input));
    return error{"input " + quoted_text(name) + " has the type " + to_string(type) + "; give its extents with '--shape " + name + "=...'"};
}

}  // namespace

outcome<planned_model> load_static(const model_options& options) {
    auto loaded = load_prepared(options);
    if (!loaded) return loaded;
    for (const node_id input : loaded->program.inputs())
        if (auto bound = is_static(loaded->program, input); !bound) return of_model(options, bound.failure());
    return loaded;
}

std::string shown_name(const ir_module& m, node_id n) { return escaped_text(name_of_node(m, n)); }

bool fix_defaults_left(model_options& options, const ir_module& m, const std::vector<std::string>& named, std::size_t in_order) {
    const std::size_t before = options.fixed_inputs.size();
    const auto inputs = m.inputs();
    for (std::size_t i = in_order; i < inputs.size(); ++i) {
        const std::string name(m.name(inputs[i]));
        const auto gives_it = [&](const std::string& pair) { return pair.substr(0, pair.find('=')) == name; };
        if (default_of(m, inputs[i]) != nullptr && std::none_of(named.begin(), named.end(), gives_it)) options.fixed_inputs.push_back(name);
    }
    return options.fixed_inputs.size() != before;
}

outcome<std::vector<tensor>> model_inputs(const ir_module& m, const std::vector<std::string>& named,
                                          const std::vector<std::string>& in_order, std::uint64_t seed, bool types_open) {
    const auto parameters = m.inputs();
    std::vector<tensor> inputs(parameters.size());
    if (in_order.size() > parameters.size())
        return error{"the model has " + std::to_string(parameters.size()) + " inputs and " + std::to_string(in_order.size()) +
                     " '--arg' were given; give at most one each"};
    std::vector<std::string_view> names;
    for (const node_id p : parameters) names.push_back(m.name(p));
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        auto read = load_tensor(in_order[i]);
        if (!read) return read.failure();
        inputs[i] = *std::move(read);
    }
    for (const std::string& pair : named) {
        const std::size_t cut = pair.find('=');
        if (cut == std::string::npos)
            return error{quoted_text("--input " + pair, 400) + " has no '='; write NAME=FILE.npy or NAME=FILE.pb"};
        const std::string name = pair.substr(0, cut);
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) return error{"the model has no input " + quoted_text(name) + name_hint(name, names)};
        tensor& to = inputs[static_cast<std::size_t>(at - names.begin())];
        if (to.ok()) return error{"input " + quoted_text(name) + " was given twice; give each input once"};
        auto read = load_tensor(pair.substr(cut + 1));
        if (!read) return read.failure();
        to = *std::move(read);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const node_type& type = m.type(parameters[i]);
        if (types_open && inputs[i].ok()) continue;
        const std::string where = "input " + quoted_text(std::string(names[i]));
        if (auto bound = is_static(m, parameters[i]); !bound) return bound.failure();
        const std::vector<std::int64_t> wanted = static_shape(type.of_tensor);
        if (inputs[i].ok()) {
            if (inputs[i].element() != type.of_tensor.element || inputs[i].extents() != wanted)
                return error{where + " must be " + to_string(type) + ", and the file holds " + to_string(inputs[i].type())};
            continue;
        }
        if (const tensor* const otherwise = default_of(m, parameters[i]); otherwise != nullptr && otherwise->extents() == wanted) {
            inputs[i] = *otherwise;
            continue;
        }
        inputs[i] = tensor(type.of_tensor.element, wanted);
        if (!inputs[i].ok()) return error{where + " of type " + to_string(type) + " does not fit the memory; bind smaller extents"};
        fill_random(inputs[i].data(), type.of_tensor.element, inputs[i].count(), 1.0, false, seed + i);
    }
    return inputs;
}

}  // namespace tool
