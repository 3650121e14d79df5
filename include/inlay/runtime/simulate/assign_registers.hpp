// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_ASSIGN_REGISTERS_HPP
#define INLAY_RUNTIME_SIMULATE_ASSIGN_REGISTERS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/runtime/simulate/register_program.hpp>

namespace inlay {

/// Gives a function whose values have a register each as few as are needed at one time. Code runs forward alone, so that a register is free
/// behind the last instruction, in the order of the code, that reads it. The first registers, of parameters and of what is captured, keep
/// their places. `arguments`: the list of the program. Linear.
inline void assign_registers(register_function& f, std::vector<register_id>& arguments) {
    const std::size_t given = f.parameters.size() + f.captured;
    std::vector<std::size_t> last(f.registers, 0);  // by value: one more than the last instruction that has to do with it
    const auto each_read = [&](const register_instruction& i, auto&& visit) {
        if (i.from != no_register) visit(i.from);
        for (std::uint32_t k = 0; k < i.count; ++k)
            if (arguments[i.arguments + k] != no_register) visit(arguments[i.arguments + k]);
    };
    for (std::size_t at = 0; at < f.code.size(); ++at) {
        each_read(f.code[at], [&](register_id r) { last[r] = at + 1; });
        if (f.code[at].to != no_register) last[f.code[at].to] = at + 1;
    }
    std::vector<register_id> place(f.registers, no_register), free;
    register_id used = 0;
    const auto take = [&](register_id value) {
        if (place[value] != no_register) return;
        if (free.empty()) {
            place[value] = used++;
        } else {
            place[value] = free.back();
            free.pop_back();
        }
    };
    for (register_id v = 0; v < given; ++v) place[v] = used++;
    for (register_id v = static_cast<register_id>(given); v-- > 0;)
        if (last[v] == 0) free.push_back(place[v]);
    std::vector<char> is_free(f.registers, 0);
    const auto release = [&](register_id value, std::size_t at) {
        if (last[value] != at + 1 || is_free[value] != 0) return;
        is_free[value] = 1;
        free.push_back(place[value]);
    };
    for (std::size_t at = 0; at < f.code.size(); ++at) {
        register_instruction& i = f.code[at];
        // What is read here for the last time may make room for what is written here.
        each_read(i, [&](register_id r) { release(r, at); });
        const register_id to = i.to;
        if (to != no_register) {
            take(to);
            i.to = place[to];
        }
        if (i.from != no_register) i.from = place[i.from];
        for (std::uint32_t k = 0; k < i.count; ++k)
            if (register_id& r = arguments[i.arguments + k]; r != no_register) r = place[r];
        if (to != no_register) release(to, at);
    }
    f.registers = used;
}

}  // namespace inlay

#endif
