// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/tile_program.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "layers.hpp"

#include <inlay/backend/accel/cycle_model.hpp>

using namespace accel_test;

namespace {

/// What the machine does when its units run side by side: each instruction reads when it begins and what it writes is there when it ends.
/// Since `functional_model` does both at once, an instruction is run at its end, and at its beginning what it will read is what is there.
std::vector<std::byte> run_side_by_side(const accel_machine& m, const std::vector<instruction>& program,
                                        std::vector<outside_memory> memories, std::size_t bytes, bool at_the_end, unit_timeline& seen) {
    std::vector<std::byte> out(bytes);
    memories[2] = {nullptr, out.data(), out.size()};
    functional_model model(m);
    const auto steps = steps_of(m, program);
    bool is_well = true;
    const auto run = [&](std::size_t i) { is_well = is_well && model.run(program[i], memories).has_value(); };
    const auto none = [](std::size_t) {};
    const auto timeline = at_the_end ? step_timeline(steps, none, run) : step_timeline(steps, run, none);
    REQUIRE(timeline);
    REQUIRE(is_well);
    seen = *timeline;
    return out;
}

}  // namespace

TEST_CASE("rows that lie side by side are moved as longer ones where that takes fewer cycles [accel.program.joined-rows]") {
    accel_machine m;
    m.dma = {1024, 1};
    const auto moved = [&](std::int64_t rows, std::int64_t bytes, std::int64_t stride) {
        std::vector<std::vector<std::int64_t>> made;
        each_transfer(m, rows, bytes, stride, [&](std::int64_t first, std::int64_t count, std::int64_t each) {
            made.push_back({first, count, each});
        });
        return made;
    };
    using list = std::vector<std::vector<std::int64_t>>;
    CHECK(moved(1024, 128, 128) == list{{0, 2, 43'776}, {684, 1, 43'520}});
    CHECK(moved(1024, 128, 256) == list{{0, 1024, 128}});
    CHECK(moved(1024, 24, 24) == list{{0, 1024, 24}});
    CHECK(moved(1, 128, 128) == list{{0, 1, 128}});
    CHECK(moved(4, 1024, 1024) == list{{0, 4, 1024}});
    CHECK(moved(4, 40'000, 40'000) == list{{0, 4, 40'000}});
    CHECK(transfer_cycles(m, 64, 128, 128) == 9);
    CHECK(transfer_cycles(m, 64, 128, 144) == 65);
}

TEST_CASE("a layer's program gives what the layer means, in any tiling, in order and side by side [accel.program]") {
    std::size_t run = 0, kept = 0;
    for (std::uint32_t seed = 0; seed < 250; ++seed) {
        some s(seed);
        const accel_machine m = s.a_machine();
        const layer l = s.a_layer();
        const layer_numbers n = s.numbers(l);
        const auto input = s.input(l), meant = meaning_of(l, n, input);
        const auto all = tilings_of(l, m);
        for (int i = 0; i < 4 && !all.empty(); ++i) {
            const tiling t = all[static_cast<std::size_t>(s.from(0, static_cast<std::int64_t>(all.size()) - 1))];
            CAPTURE(seed);
            CAPTURE(to_string(t));
            const auto packed = pack(l, m, t, n);
            const auto program = tile_program(l, m, t);
            std::vector<std::byte> out(meant.size());
            std::vector<outside_memory> memories{
                {input.data(), nullptr, input.size()}, {packed.data(), nullptr, packed.size()}, {nullptr, out.data(), out.size()}};
            const auto done = functional_model(m).run(program, memories);
            REQUIRE_MESSAGE(done.has_value(), done.failure().message);
            CHECK(out == meant);
            for (const instruction& one : program) {
                REQUIRE(encode(one));
                if (one.op != opcode::multiply) continue;
                const array_fold f = mapped(m.array.flow, {one.values[3], one.values[4], one.values[5]});
                REQUIRE(f.rows <= m.array.rows);
                REQUIRE(f.columns <= m.array.columns);
            }
            unit_timeline late, early;
            CHECK(run_side_by_side(m, program, memories, out.size(), true, late) == meant);
            CHECK(run_side_by_side(m, program, memories, out.size(), false, early) == meant);
            const auto added = timeline_of(steps_of(m, program));
            REQUIRE(added);
            CHECK(*added == late);
            CHECK(activity_of(program).macs == l.macs());
            ++run;
            kept += t.keeps != kept_operand::none ? 1 : 0;
        }
    }
    CHECK(run > 300);
    CHECK(kept > 100);
}
