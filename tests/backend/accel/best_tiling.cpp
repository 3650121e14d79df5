// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/best_tiling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include "layers.hpp"

#include <inlay/accelerator/pieces.hpp>

using namespace accel_test;

TEST_CASE("the tiling that is chosen is the best of all, and bounds are below what they bound [accel.tiling]") {
    std::size_t pruned = 0;
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const accel_machine m = s.a_machine();
        const layer l = s.a_layer();
        const auto all = tilings_of(l, m);
        const auto chosen = best_tiling(l, m, 100'000);
        REQUIRE(chosen.has_value() == !all.empty());
        if (all.empty()) continue;
        std::int64_t best = 0;
        for (const tiling& t : all) {
            const auto timeline = timeline_of(steps_of(m, tile_program(l, m, t)));
            REQUIRE(timeline);
            CHECK(least_cycles(l, m, t) <= timeline->total);
            CHECK(busy_cycles_of(l, m, t).array == timeline->busy[static_cast<std::size_t>(work_unit::compute)]);
            CHECK(busy_cycles_of(l, m, t).finishes == timeline->busy[static_cast<std::size_t>(work_unit::finish)]);
            best = best == 0 ? timeline->total : std::min(best, timeline->total);
        }
        CHECK(chosen->cycles == best);
        CHECK(chosen->bound == best);
        CHECK(chosen->all == all.size());
        pruned += chosen->timed < chosen->all ? 1 : 0;
        const auto few = best_tiling(l, m, 1);
        REQUIRE(few);
        CHECK(few->bound <= best);
        CHECK(few->cycles >= best);
    }
    CHECK(pruned > 50);
}

TEST_CASE("of a small layer no tile whatever takes fewer cycles than the one that is chosen [accel.tiling.every]") {
    std::size_t layers = 0, tiles = 0, beside_halves = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const accel_machine m = s.a_machine();
        layer l = s.a_layer();
        l.images = 1;
        l.y = s.an_axis(false);
        l.y.in = l.y.out = s.from(1, 3);
        l.x.in = l.x.out = s.from(1, 5);
        l.x.taps = l.x.stride = 1;
        l.x.before = 0;
        l.channels = s.from(1, 6);
        l.filters = s.from(1, 6);
        const auto chosen = best_tiling(l, m);
        if (!chosen || l.groups != 1) continue;
        ++layers;
        const auto among_halves = [&](std::int64_t size, std::int64_t whole) {
            const auto halves = halves_of(whole);
            return std::find(halves.begin(), halves.end(), size) != halves.end();
        };
        for (std::int64_t streamed = 0; streamed <= 6; ++streamed)
            for (std::int64_t rows = 1; rows <= l.y.out; ++rows)
                for (std::int64_t columns = 1; columns <= l.x.out; ++columns)
                    for (std::int64_t blocks = 1; blocks <= l.filters; ++blocks)
                        for (const auto keeps : {kept_operand::none, kept_operand::inputs, kept_operand::weights}) {
                            const tiling t{rows, columns, blocks, keeps, streamed};
                            if (!tile_sizes::of(l, m, t).fit(m)) continue;
                            const auto timeline = timeline_of(steps_of(m, tile_program(l, m, t)));
                            REQUIRE(timeline);
                            CHECK(chosen->cycles <= timeline->total);
                            ++tiles;
                        }
        beside_halves += !among_halves(chosen->best.columns, l.x.out) || chosen->best.streamed != 0 ? 1 : 0;
    }
    CHECK(layers > 200);
    CHECK(tiles > 20'000);
    CHECK(beside_halves > 5);
}

namespace {

/// The tiling of a product of float32 that is chosen for a machine with wide engines and room for a mebibyte.
chosen_cut<tiling> of_product(array_flow flow, std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t dma_bytes = 1024) {
    accel_machine machine;
    machine.array = {32, 32, flow};
    machine.scratchpad_bytes = machine.accumulator_bytes = 1048576;
    machine.dma = {dma_bytes, 1};
    layer l;
    l.x.in = l.x.out = m;
    l.channels = k;
    l.filters = n;
    l.type = operand_type::floats;
    const auto chosen = best_tiling(l, machine);
    REQUIRE(chosen);
    return *chosen;
}

}  // namespace

TEST_CASE("all that a product sums over streams past the array at once where it fits [accel.tiling.stream]") {
    // 1,024 folds of 1,118 cycles, 262 cycles of loads ahead, 36 of the vector unit and 33 of a store behind.
    const auto outputs_stay = of_product(array_flow::output_stationary, 1024, 1024, 1024);
    CHECK(outputs_stay.cycles == 1'145'163);
    CHECK(outputs_stay.cycles == outputs_stay.bound);
    CHECK(outputs_stay.best.streamed == 1024);
    CHECK(of_product(array_flow::input_stationary, 1024, 1024, 1024).cycles == 1'146'161);
    CHECK(of_product(array_flow::output_stationary, 49, 2048, 512).cycles == 68'821);
    CHECK(of_product(array_flow::input_stationary, 128, 64, 2048).cycles == 19'217);
}

TEST_CASE("the vector unit finishes a block while the array computes the next one [accel.tiling.finish]") {
    // Folds alone, in each dataflow, but for what is loaded ahead of the first and stored behind the last.
    for (const std::int64_t side : {512, 768, 1024}) {
        CAPTURE(side);
        const std::int64_t folds = side / 32 * (side / 32);
        for (const auto flow : {array_flow::weight_stationary, array_flow::output_stationary, array_flow::input_stationary}) {
            const std::int64_t cycles = of_product(flow, side, side, side).cycles;
            CHECK(cycles > folds * (side + 94));
            CHECK(cycles < folds * (side + 94) + 3 * side + 100);
        }
    }
    // An accumulator with room for one block's sums has the array wait for each finish.
    accel_machine machine;
    machine.array = {4, 4, array_flow::output_stationary};
    machine.dma = {64, 0};
    layer l;
    l.x.in = l.x.out = 8;
    l.channels = 6;
    l.filters = 8;
    l.type = operand_type::floats;
    const auto cycles = [&](std::int64_t accumulator) {
        machine.accumulator_bytes = accumulator;
        const auto timeline = timeline_of(steps_of(machine, tile_program(l, machine, {1, 4, 1})));
        REQUIRE(timeline);
        return timeline->total;
    };
    CHECK(cycles(256) - cycles(64) == -3 * 8);
    CHECK(cycles(256) == cycles(128));
}

TEST_CASE("what is kept may be loaded in place where two of it do not fit [accel.tiling.in-place]") {
    // 512 folds of 2,142 cycles, and 15 times some 256 in which the array waits for the next columns; folds of half would take 1,144,832.
    const auto chosen = of_product(array_flow::output_stationary, 1024, 2048, 512);
    CHECK(chosen.best.in_place);
    CHECK(chosen.cycles > 512 * 2142 + 15 * 256);
    CHECK(chosen.cycles < 512 * 2142 + 15 * 256 + 1000);
    CHECK(chosen.cycles == chosen.bound);
}

TEST_CASE("columns are also cut into full folds of the array [accel.tiling.folds]") {
    const auto chosen = of_product(array_flow::output_stationary, 1000, 700, 300);
    CHECK(chosen.cycles == 253'401);
    CHECK(chosen.best.columns % 32 == 0);
}

TEST_CASE("a memory that holds no tile is told with what one needs [accel.tiling.refused]") {
    accel_machine m;
    m.array = {32, 32, array_flow::weight_stationary};
    m.scratchpad_bytes = 1024;
    layer l;
    l.channels = 64;
    l.filters = 64;
    CHECK(best_tiling(l, m).failure().message ==
          "no tile of the layer fits: one place of 32 output channels needs 2720 bytes of scratchpad and 128 of accumulator, and there are "
          "1024 "
          "and 65536");
}
