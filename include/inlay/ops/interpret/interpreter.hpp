// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRETER_HPP
#define INLAY_OPS_INTERPRET_INTERPRETER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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
#include <inlay/ops/interpret/match_clauses.hpp>
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
        : m_(m), scopes_(scopes), find_(find), options_(options), outputs_(call_outputs(m)), frames_(m, scopes, options_) {
        for (const node_id f : m.functions()) functions_.try_emplace(m.symbol(f), f);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    /// References that reach themselves would never be freed: those that the program made and that nobody outside can see are emptied.
    ~interpreter() {
        if (references_.empty()) return;
        std::set<const void*> seen;
        std::vector<runtime_value> left = std::move(outside_);
        while (!left.empty()) {
            const runtime_value v = std::move(left.back());
            left.pop_back();
            if (const auto* record = v.as_record()) left.insert(left.end(), record->fields.begin(), record->fields.end());
            if (const auto* closure = v.as_closure()) left.insert(left.end(), closure->captured.begin(), closure->captured.end());
            if (const auto* cell = v.as_cell(); cell != nullptr && seen.insert(cell).second) left.push_back(cell->content);
        }
        for (const runtime_value& r : references_)
            if (!seen.contains(r.as_cell())) r.as_cell()->content = runtime_value();
    }

    outcome<runtime_value> run(std::span<const runtime_value> inputs) {
        if (m_.functions().empty()) return error{"the module declares no function, so there is nothing to run"};
        const node_id main = m_.main();
        std::vector<runtime_value> arguments;
        if (auto wrong = take_inputs(inputs, arguments)) return std::move(*wrong);
        outside_ = arguments;
        if (auto wrong = frames_.enter(no_node, nullptr, {})) return std::move(*wrong);
        demand(0, main);
        if (auto wrong = work()) return std::move(*wrong);
        const runtime_value whole = value(0, main);
        if (auto wrong = frames_.enter(main, whole.as_closure(), std::move(arguments))) return std::move(*wrong);
        demand(frames_.innermost(), m_.result(main));
        if (auto wrong = work()) return std::move(*wrong);
        outside_.push_back(value(frames_.innermost(), m_.result(main)));
        return outside_.back();
    }

private:
    struct task {
        std::size_t frame = 0;
        node_id node = no_node;
        std::uint32_t stage = 0;
    };

    std::optional<error> take_inputs(std::span<const runtime_value> inputs, std::vector<runtime_value>& arguments) const {
        const auto parameters = m_.inputs();
        if (inputs.size() != parameters.size())
            return error{"the program has " + std::to_string(parameters.size()) + " inputs and was given " + std::to_string(inputs.size())};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::string name = "input " + (m_.name(parameters[i]).empty() ? std::to_string(i) : quoted_text(m_.name(parameters[i])));
            auto taken = taken_input(inputs[i], m_.type(parameters[i]), name);
            if (!taken) return taken.failure();
            arguments.push_back(std::move(*taken));
        }
        return std::nullopt;
    }
    /// A value that is given from outside, in the scalar of this interpretation, if it is of that type as far as can be seen.
    [[nodiscard]] outcome<runtime_value> taken_input(const runtime_value& given, const node_type& type, const std::string& name) const {
        const auto refused = [&] {
            const tensor* t = given.as_tensor();
            return error{name + " is of type " + to_string(type) + " and was given " +
                         (t != nullptr ? "a tensor of type " + to_string(t->type()) : std::string(given.kind()))};
        };
        if (const tensor* t = given.as_tensor()) {
            if (!t->ok()) return error{name + " was given a tensor that holds nothing"};
            if (type.is_tensor() ? !fits(*t, type.of_tensor) : is_of_form(type)) return refused();
            auto widened = frames_.in_scalar(*t);
            if (!widened) return error{name + " cannot be widened to float64"};
            return runtime_value(std::move(*widened));
        }
        if (given.empty()) return error{name + " was given nothing"};
        const auto* record = given.as_record();
        if (type.is_tuple() && record != nullptr && record->constructor.empty() && record->fields.size() == type.fields.size()) {
            std::vector<runtime_value> fields;
            for (std::size_t i = 0; i < type.fields.size(); ++i) {
                auto field = taken_input(record->fields[i], type.fields[i], "field " + std::to_string(i) + " of " + name);
                if (!field) return field;
                fields.push_back(std::move(*field));
            }
            return runtime_value::tuple(std::move(fields));
        }
        const bool suits = !is_of_form(type) || (type.is_function() && given.as_closure() != nullptr) ||
                           (type.kind == node_type::form::reference && given.as_cell() != nullptr) ||
                           (type.kind == node_type::form::data && record != nullptr && !record->constructor.empty());
        if (!suits) return refused();
        return given;
    }
    static bool is_of_form(const node_type& type) {
        return type.kind != node_type::form::unknown && type.kind != node_type::form::variable;
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
            if (auto wrong = step(top)) return at_source(m_, n, *wrong);
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
                if (m_.op(n) == "call_lowered") return apply(t);
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
                return done(t, runtime_value::tuple(std::move(operands)));
            case node_kind::construct:
                return done(t, runtime_value::of_record(m_.symbol(n), std::move(operands)));
            case node_kind::projection: {
                const auto* fields = operands[0].as_record();
                // A call of one output gives the tensor itself, whoever asks for its first field.
                if (fields == nullptr && operands[0].as_tensor() != nullptr && m_.field(n) == 0) return done(t, operands[0]);
                if (fields == nullptr || m_.field(n) >= fields->fields.size())
                    return error{"field " + std::to_string(m_.field(n)) + " is taken of " + std::string(operands[0].kind()) +
                                 " that does not have it"};
                return done(t, fields->fields[m_.field(n)]);
            }
            case node_kind::make_ref: {
                runtime_value made = runtime_value::reference(operands[0]);
                note_reference(made);
                return done(t, std::move(made));
            }
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

    void note_reference(const runtime_value& made) {
        // Those that only this list knows of are gone; looking for them when it has doubled costs no more than making them did.
        if (references_.size() >= most_references_) {
            references_.erase(std::remove_if(references_.begin(), references_.end(), [](const runtime_value& r) { return r.is_alone(); }),
                              references_.end());
            most_references_ = std::max<std::size_t>(2 * references_.size(), 64);
        }
        references_.push_back(made);
    }

    std::optional<error> call(const task& t, const std::vector<runtime_value>& values) {
        const node_id n = t.node;
        // Annotations of places say nothing about values, whatever these are.
        if (values.size() == 1 && (m_.op(n) == "on_device" || m_.op(n) == "device_copy")) return done(t, values[0]);
        const op_definition* definition = find_(m_.op(n));
        if (definition == nullptr) return error{"the operator " + quoted_text(m_.op(n)) + " is in no operator set that was given"};
        std::vector<tensor> operands;
        const auto take = [&](const runtime_value& v) {
            if (v.as_tensor() != nullptr) operands.push_back(*v.as_tensor());
            return v.as_tensor() != nullptr;
        };
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto* fields = values[i].as_record();
            if (fields != nullptr && fields->constructor.empty()) {
                if (fields->fields.empty()) operands.emplace_back();
                for (std::size_t k = 0; k < fields->fields.size(); ++k)
                    if (!take(fields->fields[k]))
                        return error{"field " + std::to_string(k) + " of operand " + std::to_string(i) + " is " +
                                     std::string(fields->fields[k].kind()) + ", where a tensor was expected"};
            } else if (!take(values[i])) {
                return error{"operand " + std::to_string(i) + " is " + std::string(values[i].kind()) + ", where a tensor was expected"};
            }
        }
        node_type promised;
        auto results = evaluate(*definition, m_.attributes(n), operands, outputs_[n], promised);
        if (!results) return results.failure();
        std::vector<runtime_value> fields;
        const std::size_t count = promised.is_tuple() ? promised.fields.size() : outputs_[n];
        for (std::size_t i = 0; i < count; ++i) {
            auto widened = frames_.in_scalar((*results)[i]);
            if (!widened) return error{"cannot widen its result to float64"};
            fields.emplace_back(std::move(*widened));
        }
        return done(t, fields.size() == 1 && !promised.is_tuple() ? std::move(fields[0]) : runtime_value::tuple(std::move(fields)));
    }

    outcome<std::vector<tensor>> evaluate(const op_definition& definition, const attribute_map& attributes,
                                          std::span<const tensor> operands, std::size_t outputs, node_type& promised) const {
        if (!options_.in_float64) return evaluate_call(definition, attributes, operands, outputs, &promised);
        // A cast to float would round to what float64 is to be compared with.
        attribute_map wide = attributes;
        if (definition.name == "onnx.Cast") {
            const auto to = element_type_attribute<&cast_attributes::to>(attributes);
            if (to && is_floating(*to)) wide.set(attribute_name<&cast_attributes::to>, onnx_number_of(element_type::float64));
        } else if (definition.name == "cast") {
            const auto to = element_type_named(attributes.text("dtype", ""));
            if (to && is_floating(*to)) wide.set("dtype", std::string(name_of(element_type::float64)));
        }
        return evaluate_call(definition, wide, operands, outputs, &promised);
    }

    std::optional<error> global(const task& t) {
        const auto at = functions_.find(m_.symbol(t.node));
        if (at == functions_.end())
            return error{"calls " + quoted_text(m_.symbol(t.node)) + ", and the module has no function of that name"};
        if (has(0, at->second)) return done(t, value(0, at->second));
        demand(0, at->second);
        return std::nullopt;
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

    /// The arguments of an application; those of a lowered function are the fields of one tuple.
    [[nodiscard]] outcome<std::vector<runtime_value>> arguments_of(const task& t) {
        std::vector<runtime_value> arguments;
        for (std::size_t i = 1; i < m_.arity(t.node); ++i) arguments.push_back(value(t.frame, m_.operand(t.node, i)));
        if (m_.kind(t.node) == node_kind::apply) return arguments;
        const auto* fields = arguments.size() == 1 ? arguments[0].as_record() : nullptr;
        if (fields == nullptr || !fields->constructor.empty())
            return error{"needs a function and a tuple of its arguments, and has other operands"};
        return std::vector<runtime_value>(fields->fields);
    }

    std::optional<error> apply(task& t) {
        const node_id n = t.node;
        const std::size_t f = t.frame, arity = m_.arity(n);
        if (arity == 0) return error{"has no operand that could be applied"};
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
        auto arguments = arguments_of(t);
        if (!arguments) return arguments.failure();
        const std::size_t parameters = m_.arity(closure->function) - 1;
        if (parameters != arguments->size())
            return error{"gives " + std::to_string(arguments->size()) + " arguments to a function of " + std::to_string(parameters) +
                         " parameters"};
        if (m_.attributes(closure->function).integer("extern", 0) != 0)
            return error{"calls the lowered function " + quoted_text(m_.symbol(closure->function)) + ", which has no body to run"};
        t.stage = static_cast<std::uint32_t>(arity + 1);
        if (auto wrong = frames_.enter(closure->function, closure, std::move(*arguments))) return wrong;
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

    /// The clauses of a match, which are read once.
    [[nodiscard]] outcome<const std::vector<match_clause>*> clauses_of(node_id n) {
        const auto known = clauses_.find(n);
        if (known != clauses_.end()) return &known->second;
        auto read = match_clauses_of(m_, n);
        if (!read) return read.failure();
        return &clauses_.emplace(n, std::move(*read)).first->second;
    }

    std::optional<error> match(task& t) {
        if (!ready(t, 0, 1)) return std::nullopt;
        const node_id n = t.node, scrutinee = m_.operand(n, 0);
        const auto clauses = clauses_of(n);
        if (!clauses) return clauses.failure();
        const runtime_value v = value(t.frame, scrutinee);
        for (const match_clause& c : **clauses) {
            // A clause that was entered has bound its variables, and its result has been asked for.
            if (t.stage == c.result || match_value(c.pattern, v, bound_)) {
                if (t.stage != c.result)
                    for (std::size_t i = 0; i < bound_.size(); ++i)
                        if (scopes_.uses(m_.operand(n, c.first_variable + i)) != 0)
                            frames_.set(t.frame, m_.operand(n, c.first_variable + i), bound_[i]);
                t.stage = static_cast<std::uint32_t>(c.result);
                return pass_on(t, m_.operand(n, c.result), scrutinee);
            }
        }
        const auto* data = v.as_record();
        return error{"has no clause for " + (data == nullptr || data->constructor.empty()
                                                 ? std::string(v.kind())
                                                 : "the constructor " + quoted_text(data->constructor) + " and its fields")};
    }

    const ir_module& m_;
    const function_scopes& scopes_;
    op_finder find_;
    interpret_options options_;
    std::vector<std::size_t> outputs_;
    running_frames frames_;
    std::vector<task> tasks_;
    std::vector<loop_run> loops_;  // that are running, the innermost last
    std::map<std::string_view, node_id> functions_;
    std::map<node_id, std::vector<match_clause>> clauses_;
    std::vector<runtime_value> bound_;       // by the pattern that was matched last
    std::vector<runtime_value> outside_;     // what is known outside: arguments, and the result
    std::vector<runtime_value> references_;  // that the program made, and that may still be there
    std::size_t most_references_ = 64;
};

}  // namespace inlay::detail

#endif
