// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_CYCLE_MODEL_HPP
#define INLAY_BACKEND_VECTOR_DSP_CYCLE_MODEL_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/instruction.hpp>

namespace inlay::dsp_parts {

/// Stages of the vector unit: cycles from the first vector of an instruction until its result is there.
inline constexpr std::int64_t vector_stages = 4;

/// Cycles of an instruction on so many places, each of whole vectors.
[[nodiscard]] constexpr std::int64_t vector_cycles(const dsp_machine& m, std::int64_t places, std::int64_t bytes) {
    return vector_stages + places * m.vectors(bytes);
}

/// Cycles of one instruction on its unit. Sums of bytes are kept in accumulators of 4 bytes a lane, so that `mac` takes a vector of
/// elements a cycle; what reads and writes words takes a vector of words.
[[nodiscard]] inline std::int64_t cycles_of(const dsp_machine& m, const instruction& i) {
    const auto value = [&](std::size_t f) { return static_cast<std::int64_t>(i.values[f]); };
    const auto element = [&](std::size_t f) { return std::int64_t{bytes_of(static_cast<operand_type>(i.values[f]))}; };
    switch (i.op) {
        case opcode::load:
        case opcode::store:
            return m.dma.cycles(value(3), value(4));
        case opcode::fill:
            return vector_cycles(m, 1, value(1));
        case opcode::spread:
            return vector_cycles(m, value(2), 4 * value(3));
        case opcode::mac:
            return vector_cycles(m, value(3), value(4) * element(7));
        case opcode::max:
            return vector_cycles(m, value(2), value(3) * element(5));
        case opcode::finish:
            return vector_cycles(m, value(3), 4 * value(4));
        case opcode::combine:
            break;
    }
    return vector_cycles(m, 1, 4 * value(4));
}

[[nodiscard]] inline unit_step step_of(const dsp_machine& m, const instruction& i) {
    return {unit_of(i.op), cycles_of(m, i), i.takes, i.gives};
}
[[nodiscard]] inline std::vector<unit_step> steps_of(const dsp_machine& m, std::span<const instruction> program) {
    std::vector<unit_step> made;
    made.reserve(program.size());
    for (const instruction& i : program) made.push_back(step_of(m, i));
    return made;
}

/// What a program does, counted: for prices and energy.
struct activity {
    std::int64_t operations = 0;   // multiplications with additions, comparisons, elements that are combined
    std::int64_t dram_bytes = 0;   // read and written by the engines
    std::int64_t local_bytes = 0;  // likewise, by all units
};
[[nodiscard]] inline activity activity_of(std::span<const instruction> program) {
    activity a;
    for (const instruction& i : program) {
        const auto value = [&](std::size_t f) { return static_cast<std::int64_t>(i.values[f]); };
        const auto element = [&](std::size_t f) { return std::int64_t{bytes_of(static_cast<operand_type>(i.values[f]))}; };
        switch (i.op) {
            case opcode::load:
            case opcode::store:
                a.dram_bytes += value(3) * value(4);
                a.local_bytes += value(3) * value(4);
                break;
            case opcode::fill:
                a.local_bytes += value(1);
                break;
            case opcode::spread:
                a.local_bytes += 4 * value(3) * (1 + value(2));
                break;
            case opcode::mac:
                a.operations += value(3) * value(4);
                a.local_bytes += value(4) * element(7) + value(3) * value(4) * (element(7) + 8);
                break;
            case opcode::max:
                a.operations += value(2) * value(3);
                a.local_bytes += 3 * value(2) * value(3) * element(5);
                break;
            case opcode::finish:
                a.local_bytes += 4 * value(4) + value(3) * value(4) * (4 + element(5));
                break;
            case opcode::combine:
                a.operations += value(4);
                a.local_bytes += 3 * value(4) * element(6);
                break;
        }
    }
    return a;
}

}  // namespace inlay::dsp_parts

#endif
