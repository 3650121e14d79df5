// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/assign_registers.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

register_instruction made(register_op op, register_id to, register_id from = no_register) {
    register_instruction i;
    i.op = op;
    i.to = to;
    i.from = from;
    return i;
}

}  // namespace

TEST_CASE("a register is free behind the last instruction that reads it") {
    register_function f;
    f.parameters = {0};
    f.registers = 4;
    f.code = {made(register_op::move, 1, 0), made(register_op::move, 2, 1), made(register_op::move, 3, 2),
              made(register_op::give, no_register, 3)};
    std::vector<register_id> none;
    assign_registers(f, none);
    CHECK(f.registers == 1);
    for (const register_instruction& i : f.code) CHECK(i.from == 0);
}

TEST_CASE("parameters and what is captured keep their places, and those that nobody reads are free at once") {
    register_function f;
    f.parameters = {0, 0};
    f.captured = 1;
    f.registers = 5;
    f.code = {made(register_op::load_constant, 3), made(register_op::move, 4, 2), made(register_op::make_tuple, 4),
              made(register_op::give, no_register, 4)};
    std::vector<register_id> arguments{3, no_register, 1};
    f.code[2].count = 3;
    assign_registers(f, arguments);
    CHECK(f.code[0].to == 0);
    CHECK(f.code[1].from == 2);
    CHECK(arguments == std::vector<register_id>{0, no_register, 1});
    CHECK(f.registers == 3);
}

TEST_CASE("what two sides write stays in one register") {
    register_function f;
    f.parameters = {0};
    f.registers = 4;
    f.code = {made(register_op::jump_unless_tag, no_register, 0),
              made(register_op::load_constant, 1),
              made(register_op::move, 3, 1),
              made(register_op::load_constant, 2),
              made(register_op::move, 3, 2),
              made(register_op::give, no_register, 3)};
    std::vector<register_id> none;
    assign_registers(f, none);
    CHECK(f.code[2].to == f.code[4].to);
    CHECK(f.code[3].to != f.code[2].to);
    CHECK(f.code[5].from == f.code[2].to);
    CHECK(f.registers == 2);
}
