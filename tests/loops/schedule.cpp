// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest_text.hpp>
#include <inlay/loops/run_nest.hpp>

#include "nests.hpp"

using namespace inlay;

namespace {
std::string fault_of(const loop_nest& n, const loop_schedule& how) {
    const auto made = scheduled(n, how);
    return made ? "" : made.failure().message;
}
}  // namespace

TEST_CASE("a tiled, reordered and vectorised product reads as it was asked for [loops.schedule.product]") {
    const loop_nest n = nests::parsed(nests::product);
    const auto made = scheduled(n, loop_schedule()
                                       .split("m", 4, "tile", "lane")
                                       .reorder({"tile", "k", "lane"})
                                       .run("lane", loop_kind::vector)
                                       .run("i", loop_kind::parallel));
    REQUIRE(made);
    CHECK(to_text(*made) == R"(nest product {
    input a: float32[5, 7]
    input b: float32[7, 6]
    output c: float32[5, 6]
    for i < 5 parallel {
        for j < 6 {
            c[i, j] = 0.0
        }
        for tile < 2 {
            for k < 7 {
                for lane < 4 vector {
                    if 0 <= 4*tile + lane < 6 {
                        c[i, 4*tile + lane] += a[i, k] * b[k, 4*tile + lane]
                    }
                }
            }
        }
    }
}
)");
}

TEST_CASE("a step that is not legal is refused with its reason [loops.schedule.refused]") {
    const loop_nest n = nests::parsed(nests::product);
    CHECK(fault_of(n, loop_schedule().run("kk", loop_kind::vector)) ==
          "step 1 of the schedule: the loop nest 'product' has no loop over 'kk' (did you mean 'k'?)");
    CHECK(fault_of(n, loop_schedule().run("i", loop_kind::parallel).run("k", loop_kind::vector))
              .find("step 2 of the schedule: loop nest 'product': the loop over 'k' is vector, but its rounds share elements of 'c'") == 0);
    CHECK(fault_of(n, loop_schedule().split("k", 0, "o", "p")).find("tiles of at least 1 round") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().split("k", 2, "i", "p")).find("'i', which is taken") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().split("k", 2, "p", "p")).find("which is taken") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().reorder({"k", "i"})).find("do not stand directly in each other") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().reorder({"k", "k"})).find("twice") != std::string::npos);
    const loop_nest scan = nests::parsed("nest scan { output y: float32[4, 5] for i < 4 { for j < 4 { y[i, j + 1] = y[i, j] } } }");
    CHECK(
        fault_of(scan, loop_schedule().reorder({"j", "i"})).find("the loop over 'j' keeps its place: its rounds hand on elements of 'y'") !=
        std::string::npos);
}

TEST_CASE("over random nests and schedules, what is computed stays [loops.schedule.same]") {
    std::size_t changed = 0;
    const bool holds = rc::check([&] {
        const bool is_product = *rc::gen::arbitrary<bool>();
        const loop_nest n = is_product ? nests::parsed(nests::product) : nests::random_nest();
        loop_schedule how;
        std::vector<std::string> loops = n.variables;
        for (int step = 0; step < 4; ++step) {
            const auto one = *rc::gen::elementOf(loops);
            switch (*rc::gen::inRange(0, 3)) {
                case 0: {
                    const std::string s = std::to_string(step);
                    how.split(one, *rc::gen::inRange<std::int64_t>(1, 6), "o" + s, "i" + s);
                    loops.push_back("o" + s);
                    loops.push_back("i" + s);
                    break;
                }
                case 1:
                    how.reorder({one, *rc::gen::elementOf(loops)});
                    break;
                default:
                    how.run(one, *rc::gen::element(loop_kind::vector, loop_kind::parallel, loop_kind::unrolled));
            }
            // Steps that are not legal there are left out.
            if (!scheduled(n, how)) how.steps.pop_back();
        }
        const auto made = scheduled(n, how);
        RC_ASSERT(made.has_value());
        changed += *made == n ? 0 : 1;
        const auto inputs = nests::random_inputs(n);
        const auto before = run_nest(n, inputs), after = run_nest(*made, inputs);
        RC_ASSERT((before.has_value() && after.has_value()));
        // The numbers are such that sums are exact in any order.
        RC_ASSERT(before->front().content() == after->front().content());
    });
    CHECK(holds);
    CHECK(changed > 10);
}
