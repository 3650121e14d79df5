// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/instruction.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("an instruction of the processor is 128 bits and back, and reads as its fields [vector_dsp.instruction]") {
    std::mt19937 random(6);
    for (int i = 0; i < 2000; ++i) {
        dsp_parts::instruction one;
        one.op = static_cast<dsp_parts::opcode>(random() % dsp_parts::opcodes);
        one.takes.bits = static_cast<std::uint8_t>(random() % (1u << work_units));
        one.gives.bits = static_cast<std::uint8_t>(random() % (1u << work_units));
        const instruction_form& form = dsp_parts::instruction_forms[static_cast<std::size_t>(one.op)];
        REQUIRE(form.bits() <= 128);
        for (std::size_t f = 0; f < form.fields.size(); ++f)
            if (form.fields[f].bits != 0) one.values[f] = static_cast<std::uint32_t>(random()) >> (32 - form.fields[f].bits);
        const auto word = dsp_parts::encode(one);
        REQUIRE(word);
        CHECK(*dsp_parts::decode(*word) == one);
    }
    dsp_parts::instruction fill{dsp_parts::opcode::fill};
    fill.values = {64, 12, 128};
    CHECK(dsp_parts::to_string(fill) == "fill local=64 bytes=12 value=128");
    CHECK(dsp_parts::unit_of(fill.op) == work_unit::compute);
    CHECK(dsp_parts::unit_of(dsp_parts::opcode::load) == work_unit::load);
    fill.values[1] = 1 << 20;
    CHECK(dsp_parts::encode(fill).failure().message == "the instruction fill has 1048576 as bytes, for which there are 20 bits");
}
