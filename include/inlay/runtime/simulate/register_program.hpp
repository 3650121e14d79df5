// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_REGISTER_PROGRAM_HPP
#define INLAY_RUNTIME_SIMULATE_REGISTER_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/runtime/simulate/simulated_memory.hpp>

namespace inlay {

/// The number of a register of a function that runs.
using register_id = std::uint32_t;
inline constexpr register_id no_register = 0xFFFF'FFFFu;

/// What an instruction does. `to`, `from` and so on are members of `register_instruction`; "has to be" means that it is an error else.
enum class register_op : std::uint8_t {
    load_constant,    // to = constant `number`, in `memory`
    move,             // to = from
    invoke,           // to = operator `number` of the arguments, which have to be where it reads them; the result is in `memory`
    copy,             // to = from, which has to be in `source`, in `memory`
    expect,           // from has to be in `memory`
    make_tuple,       // to = the arguments side by side, which have to be in `memory`
    make_data,        // to = the arguments behind the tag `number`; they have to be in `memory`
    take_field,       // to = field `number` of from, which has to be in `memory`
    jump,             // on to instruction `target`
    jump_unless,      // the same, unless from, which has to be in `memory`, is true
    jump_unless_tag,  // the same, unless from is a record of tag `number` with `fields` fields
    make_function,    // to = function `number` with what it captures, the arguments
    call,             // to = what the function in from gives for the arguments; it has to be in `memory`
    call_function,    // the same of function `number`
    make_reference,   // to = a reference to from, which has to be in `memory`
    read_reference,   // to = what the reference in from holds; it has to be in `memory`
    write_reference,  // what from refers to = the argument; both have to be in `memory`; to = the unit value
    store,            // the arguments, tensors in storage, which have to be in `memory`, get the contents of from: of a tensor, or a tuple
    infer_shapes,     // to = the shapes of what the function in from gives for arguments of the shapes that the arguments hold
    give,             // the function's result is from, which has to be in `memory`
    fail              // the sentence `number`
};

[[nodiscard]] constexpr const char* name_of(register_op op) {
    constexpr const char* names[] = {"load_constant",
                                     "move",
                                     "invoke",
                                     "copy",
                                     "expect",
                                     "make_tuple",
                                     "make_data",
                                     "take_field",
                                     "jump",
                                     "jump_unless",
                                     "jump_unless_tag",
                                     "make_function",
                                     "call",
                                     "call_function",
                                     "make_reference",
                                     "read_reference",
                                     "write_reference",
                                     "store",
                                     "infer_shapes",
                                     "give",
                                     "fail"};
    return names[static_cast<std::size_t>(op)];
}

struct register_instruction {
    register_op op = register_op::fail;
    register_id to = no_register, from = no_register;
    std::uint32_t number = 0;
    std::uint32_t target = 0;
    std::uint32_t fields = 0;
    std::uint32_t arguments = 0, count = 0;  // where they stand in the list of the program, and how many
    memory_id memory = in_no_memory, source = in_no_memory;
    node_id node = no_node;  // that it stands for

    [[nodiscard]] bool jumps() const {
        return op == register_op::jump || op == register_op::jump_unless || op == register_op::jump_unless_tag;
    }
};

/// A function: its parameters are in the first registers, what it captured in those behind.
struct register_function {
    std::string name;  // empty for one without
    node_id node = no_node;
    std::vector<memory_id> parameters;   // where each has to be
    std::vector<element_type> elements;  // of each parameter; none where it is no tensor
    std::uint32_t captured = 0, registers = 0;
    memory_id result = in_no_memory;
    bool is_kernel = false;  // reads its arguments where they are, and leaves its result where it is called
    std::vector<register_instruction> code;
};

/// An operator with its attributes, of one call.
struct register_operator {
    std::string name;
    const op_definition* definition = nullptr;  // null where no operator set has it
    const call_rule* rule = nullptr;
    attribute_map attributes;
    std::size_t outputs = 1;
};

/// A program as flat functions over registers, which `register_machine` runs over simulated memories. Nodes are those of the module that
/// it was made of.
struct register_program {
    std::vector<register_function> functions;
    std::uint32_t main = 0;
    std::vector<register_id> arguments;  // of all instructions; `no_register`: the function itself, among what it captures
    std::vector<tensor> constants;
    std::vector<register_operator> operators;
    std::vector<std::string> tags{std::string()};  // constructors by number; 0 is the tuple
    std::vector<std::string> sentences;            // what `fail` says
    memory_table memories;

    [[nodiscard]] std::span<const register_id> arguments_of(const register_instruction& i) const {
        return {arguments.data() + i.arguments, i.count};
    }
};

/// A listing for people, an instruction per line.
[[nodiscard]] inline std::string to_string(const register_program& p) {
    std::string text;
    const auto name = [](register_id r) { return r == no_register ? std::string("itself") : "r" + std::to_string(r); };
    const auto memory = [&](memory_id m) { return m == in_no_memory ? std::string() : " in " + p.memories.name(m); };
    const auto function = [&](std::uint32_t f) {
        return p.functions[f].name.empty() ? "function " + std::to_string(f) : "@" + p.functions[f].name;
    };
    for (std::uint32_t f = 0; f < p.functions.size(); ++f) {
        const register_function& one = p.functions[f];
        text += function(f) + "(";
        for (std::size_t i = 0; i < one.parameters.size(); ++i)
            text += (i == 0 ? "r" : ", r") + std::to_string(i) + memory(one.parameters[i]);
        text += "), " + std::to_string(one.captured) + " captured, " + std::to_string(one.registers) + " registers\n";
        for (std::size_t at = 0; at < one.code.size(); ++at) {
            const register_instruction& i = one.code[at];
            std::string list;
            for (const register_id r : p.arguments_of(i)) list += (list.empty() ? "" : ", ") + name(r);
            text += "  " + std::to_string(at) + "\t";
            if (i.to != no_register) text += name(i.to) + " = ";
            text += name_of(i.op);
            if (i.from != no_register) text += " " + name(i.from);
            switch (i.op) {
                case register_op::load_constant:
                    text += " " + std::to_string(i.number) + ": " + to_string(p.constants[i.number].type());
                    break;
                case register_op::invoke:
                    text += " " + p.operators[i.number].name + "(" + list + ")";
                    break;
                case register_op::copy:
                    text += " from " + p.memories.name(i.source);
                    break;
                case register_op::make_data:
                    text += " " + p.tags[i.number] + "(" + list + ")";
                    break;
                case register_op::take_field:
                    text += "." + std::to_string(i.number);
                    break;
                case register_op::jump_unless_tag:
                    text += " is " + (i.number == 0 ? std::string("a tuple") : p.tags[i.number]) + " of " + std::to_string(i.fields);
                    break;
                case register_op::make_function:
                case register_op::call_function:
                    text += " " + function(i.number) + "(" + list + ")";
                    break;
                case register_op::make_tuple:
                case register_op::call:
                case register_op::write_reference:
                case register_op::store:
                case register_op::infer_shapes:
                    text += "(" + list + ")";
                    break;
                case register_op::fail:
                    text += ": " + p.sentences[i.number];
                    break;
                default:
                    break;
            }
            if (i.jumps()) text += " to " + std::to_string(i.target);
            text += memory(i.memory) + "\n";
        }
    }
    return text;
}

}  // namespace inlay

#endif
