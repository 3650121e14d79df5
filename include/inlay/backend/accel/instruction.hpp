// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_INSTRUCTION_HPP
#define INLAY_BACKEND_ACCEL_INSTRUCTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::accel_parts {

/// What an instruction does. Rows stand in the local memory one after the other, each beginning at a line.
enum class opcode : std::uint8_t {
    load,      // rows of bytes from memory `base`, `stride` bytes apart, to the scratchpad
    fill,      // lines of the scratchpad with one byte
    multiply,  // m x k bytes by k x n bytes, or float32: to the sums, or added to them
    finish,    // m x n sums: plus a bias, times a scale, plus a zero point, cut to a range, to the scratchpad as elements
    store      // rows of bytes from the scratchpad to memory `base`
};
inline constexpr std::size_t opcodes = 5;

/// One field of an instruction, and its bits.
struct field {
    std::string_view name;
    unsigned bits = 0;
};

/// What follows the opcode (4 bits) and the tokens (4 bits) in the 128 bits of an instruction.
struct instruction_form {
    std::string_view name;
    std::array<field, 8> fields{};
};
inline constexpr std::array<instruction_form, opcodes> instruction_forms{{
    {"load", {{{"base", 3}, {"offset", 32}, {"local", 16}, {"rows", 14}, {"bytes", 16}, {"stride", 24}}}},
    {"fill", {{{"local", 16}, {"lines", 16}, {"value", 8}}}},
    {"multiply", {{{"x", 16}, {"w", 16}, {"sums", 16}, {"m", 14}, {"k", 14}, {"n", 14}, {"adds", 1}, {"type", 2}}}},
    {"finish", {{{"sums", 16}, {"numbers", 16}, {"local", 16}, {"m", 14}, {"n", 14}, {"type", 2}}}},
    {"store", {{{"base", 3}, {"offset", 32}, {"local", 16}, {"rows", 14}, {"bytes", 16}, {"stride", 24}}}},
}};

/// What elements of `multiply` and `finish` are, in the field `type`.
enum class operand_type : std::uint8_t { signed_bytes, unsigned_bytes, floats };

/// Bytes of one such element.
[[nodiscard]] constexpr std::uint8_t bytes_of(operand_type t) { return t == operand_type::floats ? 4 : 1; }

/// An instruction as numbers by field, in the order of its form.
struct instruction {
    opcode op = opcode::load;
    bool takes_from_before = false, takes_from_behind = false, gives_before = false, gives_behind = false;
    std::array<std::uint32_t, 8> values{};

    friend bool operator==(const instruction&, const instruction&) = default;
};

/// 128 bits, the first 32 of them first.
using instruction_word = std::array<std::uint32_t, 4>;

/// The number of a field of an opcode. Precondition: it has one of that name.
[[nodiscard]] constexpr std::size_t field_of(opcode op, std::string_view name) {
    const auto& fields = instruction_forms[static_cast<std::size_t>(op)].fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == name) return i;
    return fields.size();
}

/// The error names a field whose number has more bits than there are.
[[nodiscard]] inline outcome<instruction_word> encode(const instruction& i) {
    instruction_word made{};
    unsigned at = 0;
    const auto put = [&](std::uint32_t value, unsigned bits) {
        for (unsigned b = 0; b < bits; ++b, ++at) made[at / 32] |= (value >> b & 1u) << (at % 32);
    };
    put(static_cast<std::uint32_t>(i.op), 4);
    for (const bool token : {i.takes_from_before, i.takes_from_behind, i.gives_before, i.gives_behind}) put(token ? 1 : 0, 1);
    const instruction_form& form = instruction_forms[static_cast<std::size_t>(i.op)];
    for (std::size_t f = 0; f < form.fields.size(); ++f) {
        const unsigned bits = form.fields[f].bits;
        if (bits < 32 && i.values[f] >> bits != 0)
            return error{"the instruction " + std::string(form.name) + " has " + std::to_string(i.values[f]) + " as " +
                         std::string(form.fields[f].name) + ", for which there are " + std::to_string(bits) + " bits"};
        put(i.values[f], bits);
    }
    return made;
}

/// The error says that there is no such instruction.
[[nodiscard]] inline outcome<instruction> decode(const instruction_word& word) {
    instruction made;
    unsigned at = 0;
    const auto take = [&](unsigned bits) {
        std::uint32_t value = 0;
        for (unsigned b = 0; b < bits; ++b, ++at) value |= (word[at / 32] >> (at % 32) & 1u) << b;
        return value;
    };
    const std::uint32_t op = take(4);
    if (op >= opcodes) return error{"there is no instruction with opcode " + std::to_string(op)};
    made.op = static_cast<opcode>(op);
    for (bool* token : {&made.takes_from_before, &made.takes_from_behind, &made.gives_before, &made.gives_behind}) *token = take(1) != 0;
    const instruction_form& form = instruction_forms[op];
    for (std::size_t f = 0; f < form.fields.size(); ++f) made.values[f] = take(form.fields[f].bits);
    return made;
}

/// `load base=0 offset=64 local=0 rows=4 bytes=16 stride=16 takes:behind gives:behind`.
[[nodiscard]] inline std::string to_string(const instruction& i) {
    const instruction_form& form = instruction_forms[static_cast<std::size_t>(i.op)];
    std::string text(form.name);
    for (std::size_t f = 0; f < form.fields.size() && form.fields[f].bits != 0; ++f)
        text += " " + std::string(form.fields[f].name) + "=" + std::to_string(i.values[f]);
    const auto say = [&](bool is_so, const char* what) { text += is_so ? std::string(" ") + what : std::string(); };
    say(i.takes_from_before, "takes:before");
    say(i.takes_from_behind, "takes:behind");
    say(i.gives_before, "gives:before");
    say(i.gives_behind, "gives:behind");
    return text;
}

/// The unit that runs an instruction.
[[nodiscard]] constexpr work_unit unit_of(opcode op) {
    if (op == opcode::load || op == opcode::fill) return work_unit::load;
    return op == opcode::store ? work_unit::store : work_unit::compute;
}

}  // namespace inlay::accel_parts

#endif
