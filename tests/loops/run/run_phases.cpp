// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/run/run_phases.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"
#include "../phases.hpp"

using namespace inlay;

namespace {

/// Rows are turned round by way of memory that a block shares.
const std::string turned = R"(
nest turned {
    input x: float32[6, 8]
    output y: float32[6, 8]
    for row < 6 block_x {
        shared line: float32[8] {
            for t < 4 thread_x {
                for part < 2 { line[4*part + t] = x[row, 4*part + t] }
            }
            for u < 8 thread_x { y[row, u] = line[7 - u] }
        }
    }
}
)";

/// Two rounds over one line of shared memory: barriers on both sides.
const std::string rounds = R"(
nest rounds {
    input x: float32[4, 8]
    output y: float32[8]
    shared line: float32[8] {
        stack sum: float32[8] {
            for a < 8 thread_x { sum[a] = 0.0 }
            for k < 4 {
                for b < 8 thread_x { line[b] = x[k, b] }
                for c < 8 thread_x { sum[c] += line[7 - c] }
            }
            for d < 8 thread_x { y[d] = sum[d] }
        }
    }
}
)";

/// What is found where a nest runs without one of its barriers.
std::vector<std::string> without_each_barrier(const loop_nest& n) {
    auto launches = ordered_launches(n);
    REQUIRE(launches);
    std::vector<std::string> found;
    for (ordered_launch& one : *launches)
        for (char& barrier : one.order.has_barrier) {
            if (barrier == 0) continue;
            barrier = 0;
            const auto got = run_phases(n, nests::some_inputs(n), *launches);
            found.push_back(got ? "nothing" : got.failure().message);
            barrier = 1;
        }
    return found;
}

}  // namespace

TEST_CASE("a nest computes phase by phase what it computes round by round [loops.phases.same]") {
    const std::string blocks =
        "nest n { output y: float32[2, 3, 5, 7] for a < 2 block_x { for b < 3 block_y { for c < 5 block_x { for d < 7 block_x { y[a, b, c, "
        "d] = "
        "float32(index(35*a + 7*c + d + 100*b)) } } } } }";
    for (const std::string& text : {turned, rounds, blocks, nests::product, nests::blur})
        nests::check_phases(nests::parsed(text), nests::some_inputs(nests::parsed(text)));
}

TEST_CASE("a missing barrier is found, with the buffer, the element and both threads [loops.phases.missing]") {
    const std::vector<std::string> one = without_each_barrier(nests::parsed(turned));
    REQUIRE(one.size() == 1);
    CHECK(one[0] ==
          "loop nest 'turned': threads (3, 0, 0) and (0, 0, 0) of block (0, 0, 0) touch element [7] of 'line' with no barrier between, and "
          "one of them writes it");
    const std::vector<std::string> two = without_each_barrier(nests::parsed(rounds));
    REQUIRE(two.size() == 2);
    for (const std::string& what : two) CHECK(what.find("of 'line' with no barrier between") != std::string::npos);
}

TEST_CASE("registers that several threads touch are found [loops.phases.meet]") {
    // Whoever places barriers wrongly may also say that a buffer is a thread's own.
    const loop_nest n = nests::parsed(turned);
    loop_nest wrong = n;
    for (nest_buffer& b : wrong.buffers)
        if (b.scope == buffer_scope::shared) b.scope = buffer_scope::stack;
    CHECK(run_phases(wrong, nests::some_inputs(wrong)).failure().message ==
          "loop nest 'turned': several threads of a block may touch one element of 'line', which is on the stack; make it shared");
    const auto launches = ordered_launches(n);
    CHECK(run_phases(wrong, nests::some_inputs(wrong), *launches).failure().message.find("element [7] of 'line' with no barrier between") !=
          std::string::npos);
}

TEST_CASE("blocks of one launch that meet are found [loops.phases.blocks]") {
    // A sound nest has none, so that this one is not asked.
    const loop_nest n = nests::parsed("nest n { output y: float32[2] for b < 2 block_x { y[b] = 1.0 } }");
    auto launches = ordered_launches(n);
    REQUIRE(launches);
    loop_nest wrong = n;
    for (nest_statement& s : wrong.statements)
        if (s.kind == nest_statement::form::store) s.indices[0] = affine();
    CHECK(detail::phase_runner(wrong, *launches, {})({}).failure().message ==
          "loop nest 'n': blocks (0, 0, 0) and (1, 0, 0) of one launch touch element [0] of 'y', and one of them writes it");
}

TEST_CASE("what a block reads before it writes it is found [loops.phases.unwritten]") {
    const loop_nest n = nests::parsed(
        "nest n { output y: float32[4] for b < 2 block_x { shared s: float32[2] { if 0 <= b < 1 { for t < 2 thread_x { s[t] = 1.0 } } for "
        "u < 2 "
        "thread_x { y[2*b + u] = s[u] } } } }");
    CHECK(run_phases(n, {}).failure().message ==
          "loop nest 'n': thread (0, 0, 0) of block (1, 0, 0) reads element [0] of 's', which the block has not written");
}
