// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/schedule.hpp>

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/nest/parse_nest.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/schedule/parse_schedule.hpp>
#include <inlay/loops/schedule/schedule_text.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
std::string fault_of(const loop_nest& n, const loop_schedule& how) {
    const auto made = scheduled(n, how);
    return made ? "" : made.failure().message;
}

/// Rows times columns, and what a row times a column is.
const std::string rows = R"(nest rows {
    input a: float32[4, 6]
    input b: float32[5, 6]
    output c: float32[4, 5]
    for i < 4 { for j < 5 { c[i, j] = 1.0 } }
    for m < 4 { for n < 5 { for k < 6 { c[m, n] += a[m, k] * b[n, k] } } }
})";
const std::string dot = R"(nest dot {
    input x: float32[6] strides [3]
    input y: float32[6] strides [3]
    output z: float32[1]
    for i < 6 { z[0] += x[i] * y[i] }
})";
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

TEST_CASE("loops that stand behind each other are fused where each round keeps to its own [loops.schedule.fuse]") {
    const std::string pair = R"(nest n {
        input x: float32[6, 4]
        output y: float32[6, 4]
        scratch t: float32[6, 4] {
            for a < 6 { for b < 4 { t[a, b] = x[a, b] * 2.0 } }
            for i < 6 { for j < 4 { y[i, j] = max(t[i, j], 0.0) } }
        }
    })";
    const loop_nest n = nests::parsed(pair);
    const auto made = scheduled(n, loop_schedule().fuse("a", "i").fuse("b", "j").run("a", loop_kind::parallel));
    REQUIRE(made);
    CHECK(to_text(*made).find(R"(        for a < 6 parallel {
            for b < 4 {
                t[a, b] = x[a, b] * 2.0
                y[a, b] = max(t[a, b], 0.0)
            }
        }
)") != std::string::npos);
    const auto inputs = nests::some_inputs(n);
    CHECK(run_nest(n, inputs)->front().content() == run_nest(*made, inputs)->front().content());
    CHECK(fault_of(n, loop_schedule().fuse("i", "a")).find("the second does not stand right behind the first") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().fuse("a", "j")).find("they run 6 rounds, serial, and 4, serial") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().run("a", loop_kind::parallel).fuse("a", "i")).find("6 rounds, parallel, and 6, serial") !=
          std::string::npos);
    const auto of = [](const std::string& second) {
        return fault_of(
            nests::parsed("nest n { output y: float32[6] scratch t: float32[7] { t[6] = 0.0 for a < 6 { t[a] = 1.0 } for i < 6 { " +
                          second + " } } }"),
            loop_schedule().fuse("a", "i"));
    };
    CHECK(of("y[i] = t[i]").empty());
    CHECK(of("y[i] = t[i + 1]").find("uses elements of 't' that another round of the first uses") != std::string::npos);
    CHECK(of("y[i] = t[5 - i]").find("uses elements of 't'") != std::string::npos);
    CHECK(of("y[0] = 1.0").empty());
}

TEST_CASE("ragged loops are tiled [loops.schedule.product]") {
    const loop_nest n =
        nests::parsed("nest n { input x: float32[5, 7] output y: float32[7, 5] for i < 5 { for j < 7 { y[j, i] = x[i, j] } } }");
    const auto made = scheduled(n, loop_schedule().tile({"i", "j"}, {2, 4}, {"a", "b"}, {"c", "d"}).vectorise("d").unroll("c"));
    REQUIRE(made);
    CHECK(to_text(*made).find(R"(    for a < 3 {
        for b < 2 {
            for c < 2 unrolled {
                for d < 4 vector {
)") != std::string::npos);
    const auto inputs = nests::some_inputs(n);
    CHECK(run_nest(n, inputs)->front().content() == run_nest(*made, inputs)->front().content());
}

TEST_CASE("over random nests and schedules, what is computed stays [loops.schedule.same]") {
    std::size_t changed = 0;
    std::map<schedule_step::form, std::size_t> legal;
    std::size_t bound = 0;
    const bool holds = rc::check([&] {
        const int which = *rc::gen::inRange(0, 7);
        const loop_nest n = which == 0   ? nests::parsed(nests::product)
                            : which == 3 ? nests::parsed(rows)
                            : which == 1 ? nests::random_nest()
                            : which == 2 ? nests::parsed(nests::by_tiles)
                                         : nests::random_stages();
        loop_schedule how;
        loop_nest now = n;
        for (int step = 0; step < 5; ++step) {
            // Of all steps of a kind, the first that is legal, from any one on.
            const std::string name = std::to_string(step);
            const auto kind = *rc::gen::element(0, 1, 2, 3, 4, 5, 6, 7);
            const auto factor = *rc::gen::inRange<std::int64_t>(1, 6);
            const auto runs = *rc::gen::element(loop_kind::vector, loop_kind::parallel, loop_kind::unrolled, loop_kind::thread_x,
                                                loop_kind::thread_y, loop_kind::block_x);
            const auto order = *rc::gen::element(std::vector<std::size_t>{}, std::vector<std::size_t>{1, 0});
            std::vector<loop_schedule> steps;
            for (const std::string& one : now.variables) {
                if (kind == 0) steps.push_back(loop_schedule().split(one, factor, "o" + name, "i" + name));
                if (kind == 7) steps.push_back(loop_schedule().call(one, nests::parsed(dot)));
                if (kind == 1) steps.push_back(loop_schedule().run(one, runs));
                for (const std::string& other : now.variables) {
                    if (kind == 2) steps.push_back(loop_schedule().reorder({one, other}));
                    if (kind == 3) steps.push_back(loop_schedule().fuse(one, other));
                }
                for (const nest_buffer& b : now.buffers) {
                    if (kind == 4) steps.push_back(loop_schedule().inline_stage(b.name));
                    if (kind == 5) steps.push_back(loop_schedule().compute_at(b.name, one));
                    if (kind == 6) steps.push_back(loop_schedule().cache(b.name, one, "copy" + name, order));
                }
            }
            const std::size_t first = steps.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, steps.size());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const schedule_step& one = steps[(first + i) % steps.size()].steps.front();
                const auto next = scheduled(now, loop_schedule{{one}});
                if (!next) continue;
                how.steps.push_back(one);
                now = *next;
                ++legal[one.kind];
                break;
            }
        }
        const auto made = scheduled(n, how);
        RC_ASSERT(made.has_value());
        RC_ASSERT(*made == now);
        changed += *made == n ? 0 : 1;
        for (const nest_statement& s : made->statements) bound += s.kind == nest_statement::form::loop && s.runs >= loop_kind::block_x;
        const auto read = parse_nest(to_text(*made));
        RC_ASSERT(read.has_value());
        RC_ASSERT(to_text(*read) == to_text(*made));
        const auto steps_read = parse_schedule(to_text(how));
        RC_ASSERT(steps_read.has_value());
        RC_ASSERT(*steps_read == how);
        const auto inputs = nests::random_inputs(n);
        const auto before = run_nest(n, inputs), after = run_nest(*made, inputs);
        RC_ASSERT((before.has_value() && after.has_value()));
        // The numbers are such that sums are exact in any order.
        for (std::size_t i = 0; i < before->size(); ++i)
            if ((*before)[i].content() != (*after)[i].content()) RC_FAIL(to_text(n) + to_text(*made));
    });
    CHECK(holds);
    CHECK(changed > 10);
    CHECK(bound > 10);
    // Every kind of step is legal somewhere.
    CHECK(legal.size() == 8);
}

TEST_CASE("what a loop runs becomes two bands of loops where no round needs another one's part [loops.schedule.fission]") {
    const loop_nest n = nests::parsed(R"(nest n {
        input a: float32[5, 7]
        input b: float32[7, 6]
        output c: float32[5, 6]
        for i < 5 { for j < 6 { c[i, j] = 0.0 for k < 7 { c[i, j] += a[i, k] * b[k, j] } } }
    })");
    const loop_schedule how = loop_schedule().split("j", 4, "j_tile", "j_in").fission("i", 1, {"i_2", "j_2"});
    const auto made = scheduled(n, how);
    REQUIRE(made);
    CHECK(to_text(*made) == R"(nest n {
    input a: float32[5, 7]
    input b: float32[7, 6]
    output c: float32[5, 6]
    for i < 5 {
        for j_tile < 2 {
            for j_in < 4 {
                if 0 <= 4*j_tile + j_in < 6 {
                    c[i, 4*j_tile + j_in] = 0.0
                }
            }
        }
    }
    for i_2 < 5 {
        for j_2 < 2 {
            for j_in_1 < 4 {
                for k < 7 {
                    if 0 <= 4*j_2 + j_in_1 < 6 {
                        c[i_2, 4*j_2 + j_in_1] += a[i_2, k] * b[k, 4*j_2 + j_in_1]
                    }
                }
            }
        }
    }
}
)");
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs), got = run_nest(*made, inputs);
    for (std::size_t i = 0; i < 30; ++i) CHECK((*got)[0].as<float>()[i] == (*meant)[0].as<float>()[i]);
    CHECK(*parse_schedule(to_text(how)) == how);
    CHECK(fault_of(n, loop_schedule().fission("i", 2)).find("there are 2 statements, of which 2 cannot stay in the first") !=
          std::string::npos);
    CHECK(fault_of(n, loop_schedule().fission("i", 1, {"k"})).find("'k' is taken") != std::string::npos);
    const loop_nest follows = nests::parsed("nest n { output y: float32[9] for i < 8 { y[i + 1] = 1.0 y[i] += 2.0 } }");
    CHECK(fault_of(follows, loop_schedule().fission("i", 1)) ==
          "step 1 of the schedule: what the loop over 'i' runs cannot become two loops: a round uses elements of 'y' that another round "
          "uses");
}

TEST_CASE("a buffer of the nest's own is put in shared memory, and no other [loops.schedule.put]") {
    const loop_nest n = nests::parsed("nest n { output y: float32[1] scratch s: float32[1] { s[0] = 1.0 y[0] = s[0] } }");
    const loop_schedule how = loop_schedule().put("s", buffer_scope::shared);
    const auto made = scheduled(n, how);
    REQUIRE(made);
    CHECK(to_text(*made).find("shared s: float32[1] {") != std::string::npos);
    CHECK(*parse_schedule(to_text(how)) == how);
    CHECK(fault_of(n, loop_schedule().put("y", buffer_scope::shared)).find("the buffer 'y' cannot be put in shared") != std::string::npos);
    CHECK(fault_of(n, loop_schedule().put("s", buffer_scope::input)).find("the buffer 's' cannot be put in input") != std::string::npos);
}
