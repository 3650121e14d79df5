// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_INSTRUCTION_HPP
#define INLAY_BACKEND_ACCEL_INSTRUCTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <inlay/accelerator/instruction_word.hpp>
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

inline constexpr std::array<instruction_form, opcodes> instruction_forms{{
    {"load", {{{"base", 3}, {"offset", 32}, {"local", 16}, {"rows", 14}, {"bytes", 16}, {"stride", 24}}}},
    {"fill", {{{"local", 16}, {"lines", 16}, {"value", 8}}}},
    {"multiply", {{{"x", 16}, {"w", 16}, {"sums", 16}, {"m", 14}, {"k", 14}, {"n", 14}, {"adds", 1}, {"type", 2}}}},
    {"finish", {{{"sums", 16}, {"numbers", 16}, {"local", 16}, {"m", 14}, {"n", 14}, {"type", 2}}}},
    {"store", {{{"base", 3}, {"offset", 32}, {"local", 16}, {"rows", 14}, {"bytes", 16}, {"stride", 24}}}},
}};

using instruction = coded_instruction<opcode>;

[[nodiscard]] inline outcome<instruction_word> encode(const instruction& i) { return inlay::encode(instruction_forms, i); }
[[nodiscard]] inline outcome<instruction> decode(const instruction_word& word) { return inlay::decode<opcode>(instruction_forms, word); }
[[nodiscard]] inline std::string to_string(const instruction& i) { return inlay::to_string(instruction_forms, i); }

/// The unit that runs an instruction.
[[nodiscard]] constexpr work_unit unit_of(opcode op) {
    if (op == opcode::load || op == opcode::fill) return work_unit::load;
    if (op == opcode::finish) return work_unit::finish;
    return op == opcode::store ? work_unit::store : work_unit::compute;
}

}  // namespace inlay::accel_parts

#endif
