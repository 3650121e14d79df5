// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/functional_model.hpp>

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::accel_parts;

TEST_CASE("an instruction that leaves a memory is an error and changes nothing [accel.functional.outside]") {
    accel_machine m;
    m.scratchpad_bytes = 1024;
    m.accumulator_bytes = 256;
    functional_model model(m);
    std::vector<std::byte> in(64), out(64, std::byte{7});
    const std::vector<outside_memory> memories{{in.data(), nullptr, 64}, {nullptr, out.data(), 64}};
    const auto make = [](opcode op, std::initializer_list<std::uint32_t> values) {
        instruction i{op};
        std::size_t f = 0;
        for (const std::uint32_t v : values) i.values[f++] = v;
        return i;
    };
    CHECK(model.run(make(opcode::load, {0, 0, 0, 4, 16, 16}), memories));
    for (const instruction& wrong :
         {make(opcode::load, {0, 1, 0, 4, 16, 16}), make(opcode::load, {0, 0, 61, 4, 16, 16}), make(opcode::load, {5, 0, 0, 1, 1, 1}),
          make(opcode::store, {0, 0, 0, 1, 16, 16}), make(opcode::store, {1, 60, 0, 1, 16, 16}), make(opcode::fill, {60, 5, 0}),
          make(opcode::multiply, {0, 60, 0, 4, 16, 4, 0, 0}), make(opcode::multiply, {0, 0, 15, 4, 16, 4, 0, 0}),
          make(opcode::finish, {0, 62, 0, 1, 4, 0})}) {
        const auto done = model.run(wrong, memories);
        REQUIRE_FALSE(done);
        CHECK(done.failure().message == "the instruction '" + to_string(wrong) + "' leaves a memory of the accelerator");
    }
    for (const std::byte b : out) CHECK(b == std::byte{7});
    CHECK(model.run(make(opcode::store, {1, 0, 0, 4, 16, 16}), memories));
    CHECK(out[63] == std::byte{0});
}
