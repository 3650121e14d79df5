// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/accelerator_price.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("prices taken apart add up, memory by memory") {
    accelerator_price one{100, 80, 3200, 64, {{"dram", 10}, {"scratchpad", 20}}, 5};
    CHECK(one.stall_cycles() == 20);
    CHECK(one.utilization() == doctest::Approx(0.5));
    one += accelerator_price{100, 90, 6400, 64, {{"scratchpad", 1}, {"accumulator", 2}}, 7};
    CHECK(one.cycles == 200);
    CHECK(one.utilization() == doctest::Approx(0.75));
    CHECK(one.bytes == std::vector<std::pair<std::string, std::int64_t>>{{"dram", 10}, {"scratchpad", 21}, {"accumulator", 2}});
    CHECK(one.energy_pj == 12);
    CHECK(accelerator_price{}.utilization() == 0);
    CHECK(action_energy::of_floats().dram_byte * 4 == doctest::Approx(200 * action_energy::of_floats().mac));
}
