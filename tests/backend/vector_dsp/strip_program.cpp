// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/strip_program.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strips.hpp"

#include <inlay/backend/vector_dsp/cycle_model.hpp>
#include <inlay/backend/vector_dsp/functional_model.hpp>

#include <doctest/doctest.h>

using namespace dsp_test;

namespace {

/// What the processor does when its units run side by side. Since `functional_model` reads and writes at once, an instruction is run at its
/// end, or at its beginning: what it reads and writes must be there and free in both.
std::vector<std::byte> run_strips(const dsp_machine& m, const std::vector<instruction>& program, std::vector<outside_memory> memories,
                                  std::size_t bytes, bool at_the_end, unit_timeline& seen) {
    std::vector<std::byte> out(bytes);
    memories[2] = {nullptr, out.data(), out.size()};
    functional_model model(m);
    bool is_well = true;
    const auto run = [&](std::size_t i) { is_well = is_well && model.run(program[i], memories).has_value(); };
    const auto none = [](std::size_t) {};
    const auto steps = steps_of(m, program);
    const auto timeline = at_the_end ? step_timeline(steps, none, run) : step_timeline(steps, run, none);
    REQUIRE(timeline);
    REQUIRE(is_well);
    seen = *timeline;
    return out;
}

}  // namespace

TEST_CASE("a layer's strips give what the layer means, in any cut, in order and side by side [vector_dsp.program]") {
    std::size_t run = 0, cut = 0;
    std::size_t by_work[4] = {};
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        some s(seed);
        const dsp_machine m = s.a_machine();
        const strip_layer l = s.a_layer();
        const strip_numbers n = s.numbers(l);
        const std::int64_t count = l.in_bytes() / l.element();
        const auto a = s.numbers_of(l.type, count), b = l.reads_one ? a : s.numbers_of(l.type, count), meant = meaning_of(l, n, a, b);
        const auto all = strip_cuts_of(l, m);
        for (int i = 0; i < 4 && !all.empty(); ++i) {
            const strip_cut c = all[static_cast<std::size_t>(s.from(0, static_cast<std::int64_t>(all.size()) - 1))];
            CAPTURE(seed);
            CAPTURE(to_string(c));
            const auto packed = pack(l, c, n);
            const auto program = strip_program(l, m, c, n.x_zero);
            std::vector<std::byte> out(meant.size());
            const std::vector<outside_memory> memories{{a.data(), nullptr, a.size()},
                                                       {packed.data(), nullptr, packed.size()},
                                                       {nullptr, out.data(), out.size()},
                                                       {b.data(), nullptr, b.size()}};
            const auto done = functional_model(m).run(program, memories);
            REQUIRE_MESSAGE(done.has_value(), done.failure().message);
            CHECK(out == meant);
            for (const instruction& one : program) REQUIRE(encode(one));
            unit_timeline late, early;
            CHECK(run_strips(m, program, memories, out.size(), true, late) == meant);
            CHECK(run_strips(m, program, memories, out.size(), false, early) == meant);
            const auto added = timeline_of(steps_of(m, program));
            REQUIRE(added);
            CHECK(*added == late);
            CHECK(activity_of(program).operations == l.operations());
            ++run;
            ++by_work[static_cast<std::size_t>(l.work)];
            cut += c.block < l.channels && c.rows < l.y.out ? 1 : 0;
        }
    }
    CHECK(run > 1000);
    CHECK(cut > 200);
    for (const std::size_t count : by_work) CHECK(count > 150);
}
