// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRETER_HPP
#define INLAY_OPS_INTERPRET_INTERPRETER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/interpret/interpret_options.hpp>
#include <inlay/ops/interpret/loop_run.hpp>
#include <inlay/ops/interpret/running_frames.hpp>
#include <inlay/ops/interpret/runtime_value.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>

namespace inlay::detail {

/// Runs a module by demand: a stack of tasks, each a node of a running function, which first asks for the operands that it needs. Native
/// recursion is nowhere, so that only `interpret_options` bounds the depth of programs.
class interpreter {
public:
    interpreter(const ir_module& m, const function_scopes& scopes, op_finder find, const interpret_options& options)
        : m_(m), scopes_(scopes), find_(find), options_(options), outputs_(call_outputs(m)), frames_(m, scopes, options_) {}

    outcome<std::vector<tensor>> run(std::span<const tensor> inputs) {
        if (m_.functions().empty()) return error{"the module declares no function, so there is nothing to run"};
        const node_id main = m_.main();
        std::vector<runtime_value> arguments;
        if (auto wrong = take_inputs(inputs, arguments)) return std::move(*wrong);
        if (auto wrong = frames_.enter(no_node, nullptr, {})) return std::move(*wrong);
        demand(0, main);
        if (auto wrong = work()) return std::move(*wrong);
        const runtime_value whole = value(0, main);
        if (auto wrong = frames_.enter(main, whole.as_closure(), std::move(arguments))) return std::move(*wrong);
        demand(frames_.innermost(), m_.result(main));
        if (auto wrong = work()) return std::move(*wrong);
        const runtime_value result = value(frames_.innermost(), m_.result(main));
        std::vector<tensor> results;
        const auto give = [&](const runtime_value& v) {
            if (v.as_tensor() != nullptr) results.push_back(*v.as_tensor());
            return v.as_tensor() != nullptr;
        };
        if (const auto* record = result.as_record()) {
            for (const runtime_value& f : record->fields)
                if (!give(f))
                    return error{"result " + std::to_string(results.size()) + " of the program is " + std::string(f.kind()) +
                                 ", where a tensor was expected"};
        } else if (!give(result)) {
            return error{"the result of the program is " + std::string(result.kind()) + ", where a tensor was expected"};
        }
        return results;
    }

private:
    struct task {
        std::size_t frame = 0;
        node_id node = no_node;
        std::uint32_t stage = 0;
    };

    std::optional<error> take_inputs(std::span<const tensor> inputs, std::vector<runtime_value>& arguments) const {
        const auto parameters = m_.inputs();
        if (inputs.size() != parameters.size())
            return error{"the program has " + std::to_string(parameters.size()) + " inputs and was given " + std::to_string(inputs.size())};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const node_type& type = m_.type(parameters[i]);
            const std::string name = "input " + (m_.name(parameters[i]).empty() ? std::to_string(i) : quoted_text(m_.name(parameters[i])));
            if (!inputs[i].ok()) return error{name + " was given a tensor that holds nothing"};
            if (type.kind != node_type::form::unknown && !type.is_tensor())
                return error{name + " is of type " + to_string(type) + ", and only tensors can be given"};
            if (type.is_tensor() && !fits(inputs[i], type.of_tensor))
                return error{name + " is of type " + to_string(type) + " and was given a tensor of type " + to_string(inputs[i].type())};
            auto widened = frames_.in_scalar(inputs[i]);
            if (!widened) return error{name + " cannot be widened to float64"};
            arguments.emplace_back(std::move(*widened));
        }
        return std::nullopt;
    }

    [[nodiscard]] runtime_value value(std::size_t f, node_id n) { return frames_.value(f, n); }
    [[nodiscard]] bool has(std::size_t f, node_id n) { return frames_.has(f, n); }
    void release(std::size_t f, node_id n) { frames_.release(f, n); }

    void demand(std::size_t f, node_id n) { tasks_.push_back({f, n, 0}); }

    /// Asks for operands first to last-1 of the task on top; whether all of them are there.
    bool ready(task& t, std::size_t first, std::size_t last) {
        for (std::size_t i = std::max<std::size_t>(first, t.stage); i < last; ++i) {
            t.stage = static_cast<std::uint32_t>(i);
            if (has(t.frame, m_.operand(t.node, i))) continue;
            demand(t.frame, m_.operand(t.node, i));
            return false;
        }
        return true;
    }

    std::optional<error> work() {
        while (!tasks_.empty()) {
            task& top = tasks_.back();
            if (has(top.frame, top.node)) {
                tasks_.pop_back();
                continue;
            }
            const node_id n = top.node;
            if (auto wrong = step(top)) return at_node(m_, n, *wrong);
        }
        return std::nullopt;
    }

    /// The task on top has its value: it releases what it read.
    std::optional<error> done(const task& of, runtime_value v, bool release_operands = true) {
        const task t = of;
        tasks_.pop_back();
        frames_.set(t.frame, t.node, std::move(v));
        if (release_operands)
            for (const node_id o : m_.operands(t.node)) release(t.frame, o);
        return std::nullopt;
    }

    std::optional<error> step(task& t) {
        const node_id n = t.node;
        const std::size_t f = t.frame;
        switch (m_.kind(n)) {
            case node_kind::input:
                return error{"the variable is read where it is not bound"};
            case node_kind::constant:
                return std::nullopt;
            case node_kind::global:
                return global(t);
            case node_kind::function:
                return make_closure(t);
            case node_kind::apply:
                return apply(t);
            case node_kind::let:
                return let(t);
            case node_kind::if_else:
                return if_else(t);
            case node_kind::match:
                return match(t);
            case node_kind::call:
                if (m_.op(n) == "onnx.Loop" || m_.op(n) == "onnx.Scan") return loop(t);
                break;
            default:
                break;
        }
        if (!ready(t, 0, m_.arity(n))) return std::nullopt;
        std::vector<runtime_value> operands;
        for (const node_id o : m_.operands(n)) operands.push_back(value(f, o));
        switch (m_.kind(n)) {
            case node_kind::call:
                return call(t, operands);
            case node_kind::tuple:
                return record(t, {}, std::move(operands));
            case node_kind::construct:
                return record(t, m_.symbol(n), std::move(operands));
            case node_kind::projection: {
                const auto* fields = operands[0].as_record();
                // A call of one output gives the tensor itself, whoever asks for its first field.
                if (fields == nullptr && operands[0].as_tensor() != nullptr && m_.field(n) == 0) return done(t, operands[0]);
                if (fields == nullptr || m_.field(n) >= fields->fields.size())
                    return error{"field " + std::to_string(m_.field(n)) + " is taken of " + std::string(operands[0].kind()) +
                                 " that does not have it"};
                return done(t, fields->fields[m_.field(n)]);
            }
            case node_kind::make_ref:
                return done(t, runtime_value::reference(operands[0]));
            case node_kind::read_ref:
                if (operands[0].as_cell() == nullptr)
                    return error{"reads " + std::string(operands[0].kind()) + ", where a reference was expected"};
                return done(t, operands[0].as_cell()->content);
            case node_kind::write_ref:
                if (operands[0].as_cell() == nullptr)
                    return error{"writes " + std::string(operands[0].kind()) + ", where a reference was expected"};
                operands[0].as_cell()->content = operands[1];
                return done(t, runtime_value::tuple({}));
            default:
                return error{"is of a kind that the interpreter does not know"};
        }
    }

    std::optional<error> record(const task& t, std::string_view constructor, std::vector<runtime_value> fields) {
        runtime_value made = runtime_value::of_record(constructor, std::move(fields));
        if (made.as_record()->depth > runtime_value::deepest_record)
            return error{"makes a value of more than " + std::to_string(runtime_value::deepest_record) + " records within records"};
        return done(t, std::move(made));
    }

    std::optional<error> call(const task& t, const std::vector<runtime_value>& values) {
        const node_id n = t.node;
        const op_definition* definition = find_(m_.op(n));
        if (definition == nullptr) return error{"the operator " + quoted_text(m_.op(n)) + " is in no operator set that was given"};
        std::vector<tensor> operands;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto* fields = values[i].as_record();
            if (values[i].as_tensor() != nullptr)
                operands.push_back(*values[i].as_tensor());
            else if (fields != nullptr && fields->constructor.empty() && fields->fields.empty())
                operands.emplace_back();
            else
                return error{"operand " + std::to_string(i) + " is " + std::string(values[i].kind()) + ", where a tensor was expected"};
        }
        auto results = evaluate(*definition, m_.attributes(n), operands, outputs_[n]);
        if (!results) return results.failure();
        std::vector<runtime_value> fields;
        for (std::size_t i = 0; i < outputs_[n]; ++i) {
            auto widened = frames_.in_scalar((*results)[i]);
            if (!widened) return error{"cannot widen its result to float64"};
            fields.emplace_back(std::move(*widened));
        }
        return done(t, fields.size() == 1 ? std::move(fields[0]) : runtime_value::tuple(std::move(fields)));
    }

    outcome<std::vector<tensor>> evaluate(const op_definition& definition, const attribute_map& attributes,
                                          std::span<const tensor> operands, std::size_t outputs) const {
        // A cast to float would round to what float64 is to be compared with.
        const auto to =
            options_.in_float64 && definition.name == "onnx.Cast" ? element_type_attribute<&cast_attributes::to>(attributes) : std::nullopt;
        if (!to || !is_floating(*to)) return evaluate_call(definition, attributes, operands, outputs);
        attribute_map wide = attributes;
        wide.set(attribute_name<&cast_attributes::to>, onnx_number_of(element_type::float64));
        return evaluate_call(definition, wide, operands, outputs);
    }

    std::optional<error> global(const task& t) {
        for (const node_id g : m_.functions()) {
            if (m_.symbol(g) != m_.symbol(t.node)) continue;
            if (has(0, g)) return done(t, value(0, g));
            demand(0, g);
            return std::nullopt;
        }
        return error{"calls " + quoted_text(m_.symbol(t.node)) + ", and the module has no function of that name"};
    }

    std::optional<error> make_closure(task& t) {
        const auto list = scopes_.captured(t.node);
        for (; t.stage < list.size(); ++t.stage) {
            const node_id c = list[t.stage];
            // A variable that is not bound yet is the one that a let is about to bind to this very function.
            if (has(t.frame, c) || m_.kind(c) == node_kind::input) continue;
            demand(t.frame, c);
            return std::nullopt;
        }
        runtime_value::closure made;
        made.function = t.node;
        for (const node_id c : list) made.captured.push_back(value(t.frame, c));
        const std::size_t f = t.frame;
        done(t, runtime_value(std::move(made)), false);
        for (const node_id c : list) release(f, c);
        return std::nullopt;
    }

    std::optional<error> apply(task& t) {
        const node_id n = t.node;
        const std::size_t f = t.frame, arity = m_.arity(n);
        if (t.stage > arity) {  // the function has run: its frame is the last one
            const std::size_t inner = frames_.innermost();
            runtime_value result = value(inner, m_.result(frames_.function(inner)));
            frames_.leave();
            return done(t, std::move(result));
        }
        if (!ready(t, 0, arity)) return std::nullopt;
        const runtime_value callee = value(f, m_.operand(n, 0));
        const auto* closure = callee.as_closure();
        if (closure == nullptr) return error{"applies " + std::string(callee.kind()) + ", where a function was expected"};
        const std::size_t parameters = m_.arity(closure->function) - 1;
        if (parameters != arity - 1)
            return error{"gives " + std::to_string(arity - 1) + " arguments to a function of " + std::to_string(parameters) +
                         " parameters"};
        std::vector<runtime_value> arguments;
        for (std::size_t i = 1; i < arity; ++i) arguments.push_back(value(f, m_.operand(n, i)));
        t.stage = static_cast<std::uint32_t>(arity + 1);
        if (auto wrong = frames_.enter(closure->function, closure, std::move(arguments))) return wrong;
        if (closure->itself != runtime_value::npos) frames_.capture_itself(closure->itself, callee);
        demand(frames_.innermost(), m_.result(closure->function));
        return std::nullopt;
    }

    /// A Loop or a Scan: one trip after the other, each a run of the body in a frame of its own.
    std::optional<error> loop(task& t) {
        const node_id n = t.node;
        const std::size_t f = t.frame, arity = m_.arity(n);
        if (t.stage <= arity) {
            if (!ready(t, 0, arity)) return std::nullopt;
            std::vector<runtime_value> operands;
            for (const node_id o : m_.operands(n)) operands.push_back(value(f, o));
            auto run = loop_run::of(m_.op(n), m_.attributes(n), operands);
            if (!run) return run.failure();
            loops_.push_back(std::move(*run));
            t.stage = static_cast<std::uint32_t>(arity + 1);
        } else {
            const std::size_t inner = frames_.innermost();
            const runtime_value result = value(inner, m_.result(frames_.function(inner)));
            frames_.leave();
            if (auto wrong = loops_.back().take(result)) return wrong;
            if (loops_.back().trips_done() > options_.longest_loop)
                return error{"has made more than " + std::to_string(options_.longest_loop) +
                             " trips; set a higher interpret_options::longest_loop if that is meant"};
        }
        auto arguments = loops_.back().next();
        if (!arguments) return arguments.failure();
        const runtime_value body = value(f, m_.operand(n, arity - 1));
        const auto* closure = body.as_closure();
        if (!*arguments) {
            auto values = loops_.back().finish(m_.attributes(n), m_.type(m_.result(closure->function)), outputs_[n]);
            loops_.pop_back();
            if (!values) return values.failure();
            return done(t, values->size() == 1 ? std::move((*values)[0]) : runtime_value::tuple(std::move(*values)));
        }
        const std::size_t parameters = m_.arity(closure->function) - 1;
        if (parameters != (*arguments)->size())
            return error{"gives " + std::to_string((*arguments)->size()) + " arguments to a body of " + std::to_string(parameters) +
                         " parameters"};
        if (auto wrong = frames_.enter(closure->function, closure, std::move(**arguments))) return wrong;
        demand(frames_.innermost(), m_.result(closure->function));
        return std::nullopt;
    }

    std::optional<error> let(task& t) {
        const node_id n = t.node, variable = m_.operand(n, 0), bound = m_.operand(n, 1), body = m_.operand(n, 2);
        const std::size_t f = t.frame;
        if (t.stage == 0) {
            if (!has(f, bound)) {
                demand(f, bound);
                return std::nullopt;
            }
            t.stage = 1;
            if (scopes_.uses(variable) != 0) frames_.set(f, variable, itself_bound(value(f, bound), variable));
            release(f, bound);
        }
        if (!has(f, body)) {
            demand(f, body);
            return std::nullopt;
        }
        runtime_value result = value(f, body);
        done(t, std::move(result), false);
        release(f, body);
        return std::nullopt;
    }

    /// The value of a let, which, where it is a function that reads the variable, knows itself by it.
    [[nodiscard]] runtime_value itself_bound(runtime_value v, node_id variable) const {
        const auto* closure = v.as_closure();
        if (closure == nullptr) return v;
        const auto list = scopes_.captured(closure->function);
        const auto at = std::lower_bound(list.begin(), list.end(), variable);
        if (at == list.end() || *at != variable) return v;
        runtime_value::closure copy = *closure;
        copy.itself = static_cast<std::size_t>(at - list.begin());
        return runtime_value(std::move(copy));
    }

    /// Asks for the node that gives this task's value, and then passes it on.
    std::optional<error> pass_on(const task& t, node_id from, node_id read) {
        if (!has(t.frame, from)) {
            demand(t.frame, from);
            return std::nullopt;
        }
        const std::size_t f = t.frame;
        runtime_value v = value(f, from);
        done(t, std::move(v), false);
        release(f, from);
        release(f, read);
        return std::nullopt;
    }

    std::optional<error> if_else(task& t) {
        if (!ready(t, 0, 1)) return std::nullopt;
        const node_id condition = m_.operand(t.node, 0);
        const runtime_value v = value(t.frame, condition);
        const tensor* flag = v.as_tensor();
        if (flag == nullptr || flag->element() != element_type::boolean || flag->count() != 1)
            return error{"has a condition that is " + (flag == nullptr ? std::string(v.kind()) : "of type " + to_string(flag->type())) +
                         ", where one bool was expected"};
        return pass_on(t, m_.operand(t.node, flag->as<bool>()[0] ? 1 : 2), condition);
    }

    std::optional<error> match(task& t) {
        if (!ready(t, 0, 1)) return std::nullopt;
        const node_id n = t.node, scrutinee = m_.operand(n, 0);
        const runtime_value v = value(t.frame, scrutinee);
        const auto* data = v.as_record();
        const std::vector<std::int64_t> sizes = m_.attributes(n).integers("clause_sizes");
        const auto* constructors = m_.attributes(n).get<std::vector<std::string>>("patterns");
        std::size_t at = 1;
        for (std::size_t c = 0; c < sizes.size(); ++c) {
            if (sizes[c] < 0 || static_cast<std::uint64_t>(sizes[c]) >= m_.arity(n) - at)
                return error{"has clauses of more variables than it has operands"};
            const auto variables = static_cast<std::size_t>(sizes[c]);
            const std::string name = constructors != nullptr && c < constructors->size() ? (*constructors)[c] : std::string();
            const bool whole = name.empty() || name == "_";
            if (whole ? variables <= 1 : data != nullptr && data->constructor == name && data->fields.size() == variables) {
                for (std::size_t i = 0; i < variables; ++i)
                    if (!has(t.frame, m_.operand(n, at + i)) && scopes_.uses(m_.operand(n, at + i)) != 0)
                        frames_.set(t.frame, m_.operand(n, at + i), whole ? v : data->fields[i]);
                return pass_on(t, m_.operand(n, at + variables), scrutinee);
            }
            at += variables + 1;
        }
        return error{"has no clause for " +
                     (data == nullptr ? std::string(v.kind()) : "the constructor " + quoted_text(data->constructor))};
    }

    const ir_module& m_;
    const function_scopes& scopes_;
    op_finder find_;
    interpret_options options_;
    std::vector<std::size_t> outputs_;
    running_frames frames_;
    std::vector<task> tasks_;
    std::vector<loop_run> loops_;  // that are running, the innermost last
};

}  // namespace inlay::detail

#endif
