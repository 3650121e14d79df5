// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/functional_model.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

dsp_parts::instruction strip_instruction(dsp_parts::opcode op, std::initializer_list<std::uint32_t> values) {
    dsp_parts::instruction i{op};
    std::size_t f = 0;
    for (const std::uint32_t v : values) i.values[f++] = v;
    return i;
}

}  // namespace

TEST_CASE("an instruction that leaves a memory of the processor is an error and changes nothing [vector_dsp.functional.outside]") {
    using dsp_parts::opcode;
    dsp_parts::dsp_machine m;
    m.memory_bytes = 1024;
    dsp_parts::functional_model model(m);
    std::vector<std::byte> in(64), out(64, std::byte{7});
    const std::vector<outside_memory> memories{{in.data(), nullptr, 64}, {nullptr, out.data(), 64}};
    const auto make = strip_instruction;
    CHECK(model.run(make(opcode::load, {0, 0, 0, 4, 16, 16}), memories));
    for (const dsp_parts::instruction& wrong :
         {make(opcode::load, {0, 1, 0, 4, 16, 16}), make(opcode::load, {0, 0, 1000, 4, 16, 16}), make(opcode::load, {5, 0, 0, 1, 1, 1}),
          make(opcode::load, {1, 0, 0, 1, 1, 1}), make(opcode::store, {0, 0, 0, 1, 16, 16}), make(opcode::store, {1, 60, 0, 1, 16, 16}),
          make(opcode::fill, {1000, 25, 0}), make(opcode::spread, {1020, 0, 1, 2}), make(opcode::spread, {0, 1000, 4, 2}),
          make(opcode::mac, {1000, 0, 0, 4, 4, 8, 0, 0}), make(opcode::mac, {0, 1022, 0, 1, 4, 4, 0, 0}),
          make(opcode::mac, {0, 0, 960, 5, 4, 4, 0, 0}), make(opcode::max, {1000, 0, 4, 4, 4, 2}), make(opcode::max, {0, 1000, 4, 4, 4, 2}),
          make(opcode::finish, {0, 1000, 0, 1, 4, 0}), make(opcode::finish, {1010, 0, 0, 1, 4, 0}),
          make(opcode::finish, {0, 0, 1022, 1, 4, 0}), make(opcode::combine, {0, 0, 0, 1000, 4, 0, 0}),
          make(opcode::combine, {0, 1000, 0, 0, 8, 0, 2})}) {
        const auto done = model.run(wrong, memories);
        REQUIRE_FALSE_MESSAGE(done.has_value(), to_string(wrong));
        CHECK(done.failure().message == "the instruction '" + to_string(wrong) + "' leaves a memory of the processor");
    }
    for (const std::byte b : out) CHECK(b == std::byte{7});
    CHECK(model.run(make(opcode::store, {1, 0, 0, 4, 16, 16}), memories));
    CHECK(out[63] == std::byte{0});
}

TEST_CASE("the greatest of numbers is the first NaN, where there is one") {
    using dsp_parts::opcode;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> rows[] = {{1, nan, 3, -2}, {2, 5, nan, -3}};
    std::vector<float> seen(4);
    dsp_parts::functional_model model(dsp_parts::dsp_machine{});
    std::vector<outside_memory> memories{{}, {nullptr, reinterpret_cast<std::byte*>(seen.data()), 16}};
    CHECK(model.run(strip_instruction(opcode::fill, {64, 16, 0xff800000u}), memories));
    for (const std::vector<float>& row : rows) {
        memories[0] = {reinterpret_cast<const std::byte*>(row.data()), nullptr, 16};
        CHECK(model.run(strip_instruction(opcode::load, {0, 0, 0, 1, 16, 0}), memories));
        CHECK(model.run(strip_instruction(opcode::max, {0, 64, 1, 4, 4, 2}), memories));
    }
    CHECK(model.run(strip_instruction(opcode::store, {1, 0, 64, 1, 16, 0}), memories));
    CHECK(seen[0] == 2);
    CHECK(seen[1] != seen[1]);
    CHECK(seen[2] != seen[2]);
    CHECK(seen[3] == -2);
}
