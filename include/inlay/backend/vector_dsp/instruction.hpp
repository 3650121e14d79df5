// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_INSTRUCTION_HPP
#define INLAY_BACKEND_VECTOR_DSP_INSTRUCTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <inlay/accelerator/instruction_word.hpp>
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::dsp_parts {

/// What an instruction does. Local addresses are bytes. Places stand side by side, each with its channels.
enum class opcode : std::uint8_t {
    load,     // rows of bytes from memory `base`, `stride` bytes apart, to local memory, where they stand without gaps
    fill,     // bytes with the 4 of `value`, again and again
    spread,   // 4 bytes of each channel to the sums of every place
    mac,      // to the sums of a place: its number less `zero`, times the channel's weight; numbers of places are `step` elements apart
    max,      // likewise: the greater one, of elements
    finish,   // sums times the channel's scale, plus a zero point, cut to a range, as elements
    combine,  // one of `combine_function` of two runs of elements, as numbers, cut to a range
    store     // rows of bytes from local memory to memory `base`
};
inline constexpr std::size_t opcodes = 8;

inline constexpr std::array<instruction_form, opcodes> instruction_forms{{
    {"load", {{{"base", 3}, {"offset", 32}, {"local", 20}, {"rows", 14}, {"bytes", 20}, {"stride", 24}}}},
    {"fill", {{{"local", 20}, {"bytes", 20}, {"value", 32}}}},
    {"spread", {{{"from", 20}, {"sums", 20}, {"places", 14}, {"channels", 14}}}},
    {"mac", {{{"x", 20}, {"w", 20}, {"sums", 20}, {"places", 14}, {"channels", 14}, {"step", 16}, {"zero", 8}, {"type", 2}}}},
    {"max", {{{"x", 20}, {"local", 20}, {"places", 14}, {"channels", 14}, {"step", 16}, {"type", 2}}}},
    {"finish", {{{"sums", 20}, {"numbers", 20}, {"local", 20}, {"places", 14}, {"channels", 14}, {"type", 2}}}},
    {"combine", {{{"a", 20}, {"b", 20}, {"local", 20}, {"numbers", 20}, {"count", 20}, {"function", 2}, {"type", 2}}}},
    {"store", {{{"base", 3}, {"offset", 32}, {"local", 20}, {"rows", 14}, {"bytes", 20}, {"stride", 24}}}},
}};

/// What `combine` does with two numbers; `first` leaves the second one alone.
enum class combine_function : std::uint8_t { add, subtract, multiply, first };

using instruction = coded_instruction<opcode>;

[[nodiscard]] inline outcome<instruction_word> encode(const instruction& i) { return inlay::encode(instruction_forms, i); }
[[nodiscard]] inline outcome<instruction> decode(const instruction_word& word) { return inlay::decode<opcode>(instruction_forms, word); }
[[nodiscard]] inline std::string to_string(const instruction& i) { return inlay::to_string(instruction_forms, i); }

/// The unit that runs an instruction.
[[nodiscard]] constexpr work_unit unit_of(opcode op) {
    if (op == opcode::load) return work_unit::load;
    return op == opcode::store ? work_unit::store : work_unit::compute;
}

}  // namespace inlay::dsp_parts

#endif
