// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_REGISTER_MACHINE_HPP
#define INLAY_RUNTIME_SIMULATE_REGISTER_MACHINE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/runtime/simulate/placed_value.hpp>
#include <inlay/runtime/simulate/register_program.hpp>
#include <inlay/runtime/simulate/result_shapes.hpp>
#include <inlay/runtime/simulate/simulate_options.hpp>

namespace inlay {

/// Runs a `register_program` over simulated memories. Functions that call each other stand on a stack of its own, so that no program is too
/// deep for the native one. Refers to the program and to the module that it was made of.
class register_machine {
public:
    register_machine(const register_program& p, const ir_module& m, const simulate_options& options = {})
        : p_(p), m_(m), options_(options) {}
    register_machine(const register_machine&) = delete;
    register_machine& operator=(const register_machine&) = delete;
    /// References that reach themselves would never be freed, so they are emptied.
    ~register_machine() {
        for (const placed_value& r : references_) r.write({});
    }

    /// The result of main for tensors, which lie where its parameters are. The error names the node, its place in the text where that is
    /// known, where a tensor is and where it has to be.
    [[nodiscard]] outcome<placed_value> run(std::span<const tensor> inputs) {
        if (auto wrong = take_inputs(p_.functions[p_.main], inputs)) return std::move(*wrong);
        while (!frames_.empty()) {
            frame& f = frames_.back();
            const register_instruction& i = f.function->code[f.at++];
            if (auto wrong = step(i)) {
                const node_id where = called_at_ == no_node ? i.node : called_at_;
                frames_.clear();
                registers_.clear();
                return at_source(m_, where, *wrong);
            }
        }
        return result_;
    }

private:
    using form = placed_value::form;

    struct frame {
        const register_function* function = nullptr;
        std::size_t first = 0;  // of its registers
        std::size_t at = 0;     // the next instruction
        memory_id memory = in_no_memory;
        register_id to = no_register;  // of the function that called it
        node_id caller = no_node;
    };

    [[nodiscard]] placed_value& at(register_id r) { return registers_[frames_.back().first + r]; }
    [[nodiscard]] memory_id resolved(memory_id m) const { return m == in_callers_memory ? frames_.back().memory : m; }

    std::optional<error> take_inputs(const register_function& main, std::span<const tensor> inputs) {
        const auto parameters = m_.parameters(main.node);
        if (inputs.size() != parameters.size())
            return error{"the program has " + std::to_string(parameters.size()) + " inputs and was given " + std::to_string(inputs.size())};
        std::vector<placed_value> arguments;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const node_type& type = m_.type(parameters[i]);
            const std::string name = "input " + (m_.name(parameters[i]).empty() ? std::to_string(i) : quoted_text(m_.name(parameters[i])));
            if (!inputs[i].ok()) return error{name + " was given a tensor that holds nothing"};
            if (type.kind != node_type::form::unknown && !type.is_tensor())
                return error{name + " is of type " + to_string(type) + ", and only tensors can be given"};
            if (type.is_tensor() && !detail::fits(inputs[i], type.of_tensor))
                return error{name + " is of type " + to_string(type) + " and was given a tensor of type " + to_string(inputs[i].type())};
            const bool is_open = main.parameters[i] == in_callers_memory || main.parameters[i] == in_no_memory;
            const memory_id m = is_open ? memory_table::host : main.parameters[i];
            arguments.push_back(placed_value::of_tensor(inputs[i], m));
        }
        return enter(p_.main, {}, std::move(arguments), memory_table::host, no_register, no_node);
    }

    /// The error of a value that is not where it has to be. `what`: a noun.
    [[nodiscard]] std::optional<error> misplaced(const placed_value& v, memory_id wanted, const std::string& what) const {
        wanted = resolved(wanted);
        const memory_id is = v.memory();
        if (wanted == in_no_memory || is == in_no_memory || is == wanted) return std::nullopt;
        return error{what + " is in " + p_.memories.name(is) + ", where it has to be in " + p_.memories.name(wanted)};
    }
    [[nodiscard]] error unfit(const std::string& what, const placed_value& v, const char* expected) const {
        return error{what + " is " + std::string(v.kind()) + ", where " + expected + " was expected"};
    }

    std::optional<error> enter(std::uint32_t function, const placed_value& closure, std::vector<placed_value> arguments, memory_id memory,
                               register_id to, node_id caller) {
        const register_function& f = p_.functions[function];
        if (frames_.size() > options_.deepest_call)
            return error{"functions call each other more than " + std::to_string(options_.deepest_call) +
                         " deep; set a higher simulate_options::deepest_call if that is meant"};
        if (arguments.size() != f.parameters.size())
            return error{"gives " + std::to_string(arguments.size()) + " arguments to a function of " +
                         std::to_string(f.parameters.size()) + " parameters"};
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const memory_id wanted = f.parameters[i] == in_callers_memory ? memory : f.parameters[i];
            if (auto wrong = misplaced(arguments[i], wanted, "argument " + std::to_string(i))) return wrong;
        }
        const std::size_t first = registers_.size();
        if (first + f.registers > options_.most_registers)
            return error{"the program needs more than " + std::to_string(options_.most_registers) + " registers at one time"};
        frames_.push_back({&f, first, 0, memory, to, caller});
        registers_.resize(first + f.registers);
        for (std::size_t i = 0; i < arguments.size(); ++i) registers_[first + i] = std::move(arguments[i]);
        const auto captured = closure.parts();
        // What was not there yet when the function was made is the function itself.
        for (std::size_t i = 0; i < captured.size(); ++i)
            registers_[first + f.parameters.size() + i] = captured[i].what() == form::nothing ? closure : captured[i];
        return std::nullopt;
    }
    std::optional<error> leave(const register_instruction& i) {
        placed_value v = at(i.from);
        if (auto wrong = misplaced(v, i.memory, "the result")) return wrong;
        const frame f = frames_.back();
        // What holds a reference cannot be copied; it is where it was.
        if (f.function->is_kernel)
            if (auto left = copied(v, f.function->result == in_no_memory ? f.memory : f.function->result)) v = std::move(*left);
        frames_.pop_back();
        registers_.resize(f.first);
        if (frames_.empty()) {
            result_ = std::move(v);
            return std::nullopt;
        }
        if (auto wrong = misplaced(v, f.memory, "what it gives")) {
            called_at_ = f.caller;
            return wrong;
        }
        at(f.to) = std::move(v);
        return std::nullopt;
    }

    [[nodiscard]] std::vector<placed_value> values_of(const register_instruction& i) {
        std::vector<placed_value> values;
        values.reserve(i.count);
        for (const register_id r : p_.arguments_of(i)) values.push_back(r == no_register ? placed_value() : at(r));
        return values;
    }

    std::optional<error> step(const register_instruction& i) {
        using op = register_op;
        switch (i.op) {
            case op::load_constant:
                at(i.to) = placed_value::of_tensor(p_.constants[i.number], resolved(i.memory));
                return std::nullopt;
            case op::move:
                at(i.to) = placed_value(at(i.from));
                return std::nullopt;
            case op::invoke:
                return invoke(i);
            case op::copy: {
                if (auto wrong = misplaced(at(i.from), i.source, "what it copies")) return wrong;
                auto made = copied(at(i.from), i.memory);
                if (!made) return made.failure();
                at(i.to) = std::move(*made);
                return std::nullopt;
            }
            case op::expect:
                return misplaced(at(i.from), i.memory, m_.kind(i.node) == node_kind::match ? "what it looks at" : "its value");
            case op::make_tuple:
            case op::make_data: {
                std::vector<placed_value> fields = values_of(i);
                for (std::size_t k = 0; k < fields.size(); ++k)
                    if (auto wrong = misplaced(fields[k], i.memory, "field " + std::to_string(k))) return wrong;
                at(i.to) = placed_value::record(i.op == op::make_tuple ? 0 : i.number, std::move(fields));
                return std::nullopt;
            }
            case op::take_field:
                return take_field(i);
            case op::jump:
                frames_.back().at = i.target;
                return std::nullopt;
            case op::jump_unless: {
                const placed_value& v = at(i.from);
                if (auto wrong = misplaced(v, i.memory, "its condition")) return wrong;
                if (v.what() != form::tensor || v.content().element() != element_type::boolean || v.content().count() != 1)
                    return unfit("its condition", v, "one bool");
                if (!v.content().as<bool>()[0]) frames_.back().at = i.target;
                return std::nullopt;
            }
            case op::jump_unless_tag: {
                const placed_value& v = at(i.from);
                if (v.what() != form::record || v.number() != i.number || v.parts().size() != i.fields) frames_.back().at = i.target;
                return std::nullopt;
            }
            case op::make_function:
                at(i.to) = placed_value::function(i.number, values_of(i));
                return std::nullopt;
            case op::call:
            case op::call_function: {
                const placed_value callee = i.op == op::call ? at(i.from) : placed_value();
                if (i.op == op::call && callee.what() != form::function) return unfit("what it calls", callee, "a function");
                return enter(i.op == op::call ? callee.number() : i.number, callee, values_of(i), resolved(i.memory), i.to, i.node);
            }
            case op::make_reference:
                if (auto wrong = misplaced(at(i.from), i.memory, "what it is made of")) return wrong;
                at(i.to) = placed_value::reference(at(i.from));
                note_reference(at(i.to));
                return std::nullopt;
            case op::read_reference: {
                const placed_value v = at(i.from);
                if (v.what() != form::cell) return unfit("what it reads", v, "a reference");
                if (auto wrong = misplaced(v, i.memory, "what it reads")) return wrong;
                at(i.to) = v.parts()[0];
                return std::nullopt;
            }
            case op::write_reference: {
                const placed_value v = at(i.from);
                if (v.what() != form::cell) return unfit("what it writes to", v, "a reference");
                if (auto wrong = misplaced(v, i.memory, "what it writes to")) return wrong;
                const placed_value content = values_of(i).front();
                if (auto wrong = misplaced(content, i.memory, "what it writes")) return wrong;
                v.write(content);
                at(i.to) = placed_value::record(0, {});
                return std::nullopt;
            }
            case op::store:
                return store(i);
            case op::infer_shapes: {
                const placed_value callee = at(i.from);
                if (callee.what() != form::function) return unfit("operand 0", callee, "a function");
                std::vector<tensor> shapes;
                for (const placed_value& v : values_of(i)) {
                    if (auto wrong = misplaced(v, i.memory, "a shape")) return wrong;
                    if (v.what() != form::tensor) return unfit("a shape", v, "a tensor");
                    shapes.push_back(v.content());
                }
                auto found = result_shapes(p_, p_.functions[callee.number()], shapes);
                if (!found) return found.failure();
                std::vector<placed_value> fields;
                for (tensor& t : *found) fields.push_back(placed_value::of_tensor(std::move(t), memory_table::host));
                at(i.to) = fields.size() == 1 ? fields[0] : placed_value::record(0, std::move(fields));
                return std::nullopt;
            }
            case op::give:
                return leave(i);
            case op::fail:
                return error{p_.sentences[i.number]};
        }
        return std::nullopt;
    }

    std::optional<error> take_field(const register_instruction& i) {
        const placed_value v = at(i.from);
        // A call of one output gives the tensor itself, whoever asks for its first field.
        const bool is_whole = v.what() == form::tensor && i.number == 0;
        if (!is_whole && (v.what() != form::record || i.number >= v.parts().size()))
            return error{"field " + std::to_string(i.number) + " is taken of " + std::string(v.kind()) + " that does not have it"};
        if (auto wrong = misplaced(v, i.memory, "what it takes a field of")) return wrong;
        at(i.to) = is_whole ? v : v.parts()[i.number];
        return std::nullopt;
    }

    std::optional<error> invoke(const register_instruction& i) {
        const register_operator& o = p_.operators[i.number];
        const memory_id here = resolved(i.memory);
        std::vector<tensor> operands;
        const std::vector<placed_value> values = values_of(i);
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::string name = "operand " + std::to_string(k);
            const operand_place where = o.rule->of(k);
            const bool is_on_host = where == operand_place::on_host && here != in_no_memory;
            const memory_id wanted = where == operand_place::with_call ? here : is_on_host ? memory_table::host : in_no_memory;
            if (auto wrong = misplaced(values[k], wanted, name)) return wrong;
            if (values[k].what() == form::storage && o.name == "memory.alloc_tensor") continue;
            if (values[k].what() == form::tensor) {
                operands.push_back(values[k].content());
                continue;
            }
            // A tuple stands for its fields, and the empty one for what is left out.
            if (values[k].what() != form::record || values[k].number() != 0) return unfit(name, values[k], "a tensor");
            if (values[k].parts().empty()) operands.emplace_back();
            for (const placed_value& part : values[k].parts()) {
                if (part.what() != form::tensor) return unfit("a field of " + name, part, "a tensor");
                operands.push_back(part.content());
            }
        }
        if (o.name == "memory.alloc_storage" || o.name == "memory.alloc_tensor") return allocate(i, values, operands);
        node_type promised;
        auto results = evaluate(o, operands, promised);
        if (!results) return results.failure();
        std::vector<placed_value> fields;
        const std::size_t count = promised.is_tuple() ? promised.fields.size() : o.outputs;
        for (std::size_t k = 0; k < count && k < results->size(); ++k)
            fields.push_back(placed_value::of_tensor(std::move((*results)[k]), o.rule->result_on_host ? memory_table::host : here));
        at(i.to) = fields.size() == 1 && !promised.is_tuple() ? std::move(fields[0]) : placed_value::record(0, std::move(fields));
        return std::nullopt;
    }
    /// New storage, of `operands` (bytes, alignment); or a tensor in storage, which comes first among the values, of (offset, shape).
    std::optional<error> allocate(const register_instruction& i, std::span<const placed_value> values, std::span<const tensor> operands) {
        const register_operator& o = p_.operators[i.number];
        const auto numbers = [&](std::size_t k) {
            return k < operands.size() ? integers_of(operands[k]).value_or(std::vector<std::int64_t>()) : std::vector<std::int64_t>();
        };
        const std::vector<std::int64_t> first = numbers(0);
        if (first.size() != 1) return error{"needs one integer as its size or offset"};
        placed_value made;
        if (o.name == "memory.alloc_storage") {
            made = placed_value::storage(first[0], resolved(i.memory));
            if (made.what() == form::nothing) return error{"asks for " + std::to_string(first[0]) + " bytes, which there are not"};
        } else {
            if (values.empty() || values[0].what() != form::storage) return error{"needs storage as operand 0"};
            const auto element = element_type_named(o.attributes.text("dtype", "float32"));
            const std::vector<std::int64_t> extents = numbers(1);
            const bool is_shape = std::all_of(extents.begin(), extents.end(), [](std::int64_t e) { return e >= 0; });
            if (element && is_shape)
                made = placed_value::in_storage(values[0], first[0], tensor_type(*element, shape(extents.begin(), extents.end())));
            if (made.what() == form::nothing) return error{"does not fit into its storage at offset " + std::to_string(first[0])};
        }
        at(i.to) = std::move(made);
        return std::nullopt;
    }
    std::optional<error> store(const register_instruction& i) {
        const placed_value from = at(i.from);
        const std::vector<placed_value> into = values_of(i);
        const bool is_tuple = from.what() == form::record && from.number() == 0;
        if (into.size() != (is_tuple ? from.parts().size() : 1))
            return error{"gives " + std::to_string(is_tuple ? from.parts().size() : 1) + " results, where room for " +
                         std::to_string(into.size()) + " is given"};
        for (std::size_t k = 0; k < into.size(); ++k) {
            const std::string name = "result " + std::to_string(k);
            const placed_value& value = is_tuple ? from.parts()[k] : from;
            if (auto wrong = misplaced(into[k], i.memory, "the room for " + name)) return wrong;
            if (value.what() != form::tensor) return unfit(name, value, "a tensor");
            if (into[k].what() != form::tensor || !into[k].write_to_storage(value.content()))
                return error{name + " is " + to_string(value.content().type()) + ", and the room for it is " +
                             (into[k].what() == form::tensor ? to_string(into[k].content().type()) : std::string(into[k].kind()))};
        }
        return std::nullopt;
    }
    /// What an operator makes of tensors. Those that a program about shapes has beside the set's own are here.
    [[nodiscard]] static outcome<std::vector<tensor>> evaluate(const register_operator& o, std::span<const tensor> operands,
                                                               node_type& promised) {
        if (o.definition != nullptr && o.definition->evaluate != nullptr)
            return evaluate_call(*o.definition, o.attributes, operands, o.outputs, &promised);
        if (o.name == "vm.shape_of" && operands.size() == 1) {
            const auto rank = static_cast<std::int64_t>(operands[0].rank());
            return std::vector<tensor>{tensor::of({rank}, std::span<const std::int64_t>(operands[0].extents()))};
        }
        if (o.name == "vm.reshape_tensor" && operands.size() == 2) {
            const auto extents = integers_of(operands[1]);
            const auto count = extents ? element_count(*extents) : std::nullopt;
            if (!count || static_cast<std::size_t>(*count) != operands[0].count())
                return error{"has a shape that does not fit the " + std::to_string(operands[0].count()) + " elements of its tensor"};
            return std::vector<tensor>{operands[0].reshaped(*extents)};
        }
        return error{"the operator " + quoted_text(o.name) + " is in no operator set that was given"};
    }

    /// A value with all tensors in another memory. What is shared within it stays shared.
    [[nodiscard]] static outcome<placed_value> copied(const placed_value& whole, memory_id to) {
        struct level {
            placed_value of;
            std::vector<placed_value> fields = {};
        };
        std::unordered_map<const void*, placed_value> known;
        std::vector<level> open;
        placed_value made;
        std::optional<error> wrong;
        // Whether the copy is in `made` now; else its fields are to be copied first.
        const auto take = [&](const placed_value& v) {
            switch (v.what()) {
                case form::tensor:
                    made = placed_value::of_tensor(v.content(), to);
                    return true;
                case form::record: {
                    const auto at = known.find(v.identity());
                    if (at != known.end()) made = at->second;
                    if (at == known.end()) open.push_back({v});
                    return at != known.end();
                }
                case form::cell:
                    wrong = error{"copies a reference, which stays where it was made; copy what it holds"};
                    return true;
                default:
                    made = v;
                    return true;
            }
        };
        if (take(whole)) return wrong ? outcome<placed_value>(*wrong) : outcome<placed_value>(made);
        while (!wrong && !open.empty()) {
            const std::size_t next = open.back().fields.size();
            if (next < open.back().of.parts().size()) {
                const placed_value field = open.back().of.parts()[next];
                const std::size_t own = open.size() - 1;
                if (take(field)) open[own].fields.push_back(made);
                continue;
            }
            level done = std::move(open.back());
            open.pop_back();
            made = placed_value::record(done.of.number(), std::move(done.fields));
            known.emplace(done.of.identity(), made);
            if (!open.empty()) open.back().fields.push_back(made);
        }
        if (wrong) return *wrong;
        return made;
    }

    void note_reference(const placed_value& made) {
        // Those that only this list knows of are gone; looking for them when it has doubled costs no more than making them did.
        if (references_.size() >= most_references_) {
            references_.erase(std::remove_if(references_.begin(), references_.end(), [](const placed_value& r) { return r.is_alone(); }),
                              references_.end());
            most_references_ = std::max<std::size_t>(2 * references_.size(), 64);
        }
        references_.push_back(made);
    }

    const register_program& p_;
    const ir_module& m_;
    simulate_options options_;
    std::vector<frame> frames_;
    std::vector<placed_value> registers_;  // of all frames, the innermost last
    std::vector<placed_value> references_;
    std::size_t most_references_ = 64;
    placed_value result_;
    node_id called_at_ = no_node;  // of a function whose result is wrong for the call
};

}  // namespace inlay

#endif
