// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_CYCLE_MODEL_HPP
#define INLAY_BACKEND_ACCEL_CYCLE_MODEL_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/systolic_array.hpp>
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/instruction.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::accel_parts {

/// Stages of the vector unit, which ends as many sums a cycle as the array has columns.
inline constexpr std::int64_t finish_stages = 4;
[[nodiscard]] inline std::int64_t finish_cycles(const accel_machine& m, std::int64_t places, std::int64_t filters) {
    return places * ((filters + m.array.columns - 1) / m.array.columns) + finish_stages;
}

/// Cycles of one instruction on its unit.
[[nodiscard]] inline std::int64_t cycles_of(const accel_machine& m, const instruction& i) {
    const auto value = [&](std::size_t f) { return static_cast<std::int64_t>(i.values[f]); };
    switch (i.op) {
        case opcode::load:
        case opcode::store:
            return m.dma.cycles(value(3), value(4));
        case opcode::fill:
            return value(1);
        case opcode::multiply:
            return fold_cycles(m.array, mapped(m.array.flow, {value(3), value(4), value(5)}));
        case opcode::finish:
            break;
    }
    return finish_cycles(m, value(3), value(4));
}

[[nodiscard]] inline unit_step step_of(const accel_machine& m, const instruction& i) {
    return {unit_of(i.op), cycles_of(m, i), i.takes, i.gives};
}
[[nodiscard]] inline std::vector<unit_step> steps_of(const accel_machine& m, std::span<const instruction> program) {
    std::vector<unit_step> made;
    made.reserve(program.size());
    for (const instruction& i : program) made.push_back(step_of(m, i));
    return made;
}

/// What a program does, counted: for prices, energy and pictures.
struct activity {
    std::int64_t macs = 0;
    std::int64_t dram_bytes = 0;        // read and written by the engines
    std::int64_t scratchpad_bytes = 0;  // likewise, by all units
    std::int64_t sum_bytes = 0;
};
[[nodiscard]] inline activity activity_of(std::span<const instruction> program) {
    activity a;
    for (const instruction& i : program) {
        const auto value = [&](std::size_t f) { return static_cast<std::int64_t>(i.values[f]); };
        switch (i.op) {
            case opcode::load:
            case opcode::store:
                a.dram_bytes += value(3) * value(4);
                a.scratchpad_bytes += value(3) * value(4);
                break;
            case opcode::fill:
                a.scratchpad_bytes += value(1) * accel_machine::line;
                break;
            case opcode::multiply: {
                const std::int64_t element = bytes_of(static_cast<operand_type>(i.values[7]));
                a.macs += value(3) * value(4) * value(5);
                a.scratchpad_bytes += (value(3) + value(5)) * value(4) * element;
                a.sum_bytes += value(3) * value(5) * (i.values[6] != 0 ? 8 : 4);
                break;
            }
            case opcode::finish: {
                const std::int64_t element = bytes_of(static_cast<operand_type>(i.values[5]));
                a.sum_bytes += value(3) * value(4) * 4;
                a.scratchpad_bytes += value(3) * value(4) * element + value(4) * 8;
                break;
            }
        }
    }
    return a;
}

}  // namespace inlay::accel_parts

#endif
