// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/instruction.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::accel_parts;

TEST_CASE("an instruction is 128 bits and back, and has room for what it says [accel.instruction]") {
    for (const instruction_form& form : instruction_forms) {
        CHECK(form.bits() <= 128);
    }
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
        instruction one;
        one.op = static_cast<opcode>(random() % opcodes);
        one.takes.bits = static_cast<std::uint8_t>(random() % (1u << work_units));
        one.gives.bits = static_cast<std::uint8_t>(random() % (1u << work_units));
        const instruction_form& form = instruction_forms[static_cast<std::size_t>(one.op)];
        for (std::size_t f = 0; f < form.fields.size(); ++f)
            if (form.fields[f].bits != 0) one.values[f] = static_cast<std::uint32_t>(random()) >> (32 - form.fields[f].bits);
        const auto word = encode(one);
        REQUIRE(word);
        CHECK(*decode(*word) == one);
    }
}

TEST_CASE("numbers that do not fit, and words that are no instruction, are refused [accel.instruction]") {
    instruction wide{opcode::multiply};
    wide.values[3] = 1 << 14;
    CHECK(encode(wide).failure().message == "the instruction multiply has 16384 as m, for which there are 14 bits");
    CHECK(decode({15, 0, 0, 0}).failure().message == "there is no instruction with opcode 15");
}

TEST_CASE("an instruction reads as its fields and tokens [accel.instruction]") {
    instruction one{opcode::load};
    one.values = {1, 64, 2, 3, 16, 20};
    one.takes = one.gives = {work_unit::compute};
    CHECK(to_string(one) == "load base=1 offset=64 local=2 rows=3 bytes=16 stride=20 takes:compute gives:compute");
    CHECK(instruction_forms[static_cast<std::size_t>(opcode::multiply)].field_of("adds") == 6);
    CHECK(unit_of(opcode::finish) == work_unit::finish);
}
