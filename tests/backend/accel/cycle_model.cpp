// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/cycle_model.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::accel_parts;

TEST_CASE("instructions take what their units take, and what they move is counted") {
    accel_machine m;
    m.array = {8, 8, array_flow::weight_stationary};
    m.dma = {16, 100};
    instruction load{opcode::load}, multiply{opcode::multiply}, finish{opcode::finish}, fill{opcode::fill};
    load.values = {0, 0, 0, 4, 20, 20};
    multiply.values = {0, 0, 0, 30, 8, 8, 1, 0};
    finish.values = {0, 0, 0, 30, 8, 0};
    fill.values = {0, 7, 0};
    CHECK(cycles_of(m, load) == 108);
    CHECK(cycles_of(m, multiply) == 2 * 8 + 8 + 30 - 2);
    CHECK(cycles_of(m, finish) == 34);
    CHECK(cycles_of(m, fill) == 7);
    const instruction all[] = {load, multiply, finish, fill};
    const activity a = activity_of(all);
    CHECK(a.macs == 1920);
    CHECK(a.dram_bytes == 80);
    CHECK(a.sum_bytes == 30 * 8 * 8 + 30 * 8 * 4);
    CHECK(a.scratchpad_bytes == 80 + (30 + 8) * 8 + 30 * 8 + 64 + 112);
    CHECK(step_of(m, load).unit == work_unit::load);
}
