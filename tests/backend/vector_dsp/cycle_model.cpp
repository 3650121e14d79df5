// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/cycle_model.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("instructions of the processor take vectors, and what they do is counted") {
    dsp_parts::dsp_machine m;
    m.lanes = 16;
    using dsp_parts::opcode;
    dsp_parts::instruction load{opcode::load}, mac{opcode::mac}, finish{opcode::finish}, combine{opcode::combine}, fill{opcode::fill},
        spread{opcode::spread}, maximum{opcode::max};
    load.values = {0, 0, 0, 2, 33, 40};
    mac.values = {0, 0, 0, 10, 20, 20, 3, 0};
    finish.values = {0, 0, 0, 10, 20, 0};
    combine.values = {0, 0, 0, 0, 100, 0, 0};
    fill.values = {0, 17, 0};
    spread.values = {0, 0, 10, 20};
    maximum.values = {0, 0, 10, 20, 20, 2};
    CHECK(cycles_of(m, load) == 106);
    CHECK(cycles_of(m, mac) == 4 + 10 * 2);
    CHECK(cycles_of(m, finish) == 4 + 10 * 5);
    CHECK(cycles_of(m, combine) == 4 + 25);
    CHECK(cycles_of(m, fill) == 4 + 2);
    CHECK(cycles_of(m, spread) == 4 + 10 * 5);
    CHECK(cycles_of(m, maximum) == 4 + 10 * 5);
    const dsp_parts::instruction all[] = {load, mac, finish, combine, fill, spread, maximum};
    const dsp_parts::activity a = dsp_parts::activity_of(all);
    CHECK(a.operations == 200 + 100 + 200);
    CHECK(a.dram_bytes == 66);
    CHECK(a.local_bytes == 66 + (20 + 200 * 9) + (80 + 200 * 5) + 300 + 17 + 80 * 11 + 2400);
    CHECK(dsp_parts::steps_of(m, all)[1].unit == work_unit::compute);
}
