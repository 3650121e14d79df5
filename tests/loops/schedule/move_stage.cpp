// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/move_stage.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
/// Sums of neighbours, then what is read of them three at a time.
const std::string two_stages = R"(nest two_stages {
    input x: float32[10, 8]
    output y: float32[10, 6]
    scratch t: float32[10, 8] {
        for a < 10 {
            for b < 8 {
                t[a, b] = 0.0
                for k < 2 {
                    t[a, b] += within(0 <= a + k < 10, x[a + k, b], 1.0)
                }
            }
        }
        for i < 10 {
            for j < 6 {
                y[i, j] = t[i, j] * 2.0 + t[i, j + 2]
            }
        }
    }
}
)";
std::string fault_of(const std::string& text, const loop_schedule& how) {
    const auto made = scheduled(nests::parsed(text), how);
    return made ? "" : made.failure().message;
}
bool says(const std::string& text, const loop_schedule& how, const std::string& what) {
    return fault_of(text, how).find(what) != std::string::npos;
}
void check_same(const loop_nest& before, const loop_nest& after) {
    const std::vector<tensor> inputs = nests::some_inputs(before);
    const auto meant = run_nest(before, inputs), got = run_nest(after, inputs);
    REQUIRE((meant && got));
    CHECK(meant->front().content() == got->front().content());
}
}  // namespace

TEST_CASE("a stage runs in a round of the loop that reads it, for what the round reads [loops.schedule.compute_at]") {
    const loop_nest n = nests::parsed(two_stages);
    const auto made = scheduled(n, loop_schedule().split("i", 4, "tile", "row").compute_at("t", "tile"));
    REQUIRE(made);
    CHECK(to_text(*made) == R"(nest two_stages {
    input x: float32[10, 8]
    output y: float32[10, 6]
    for tile < 3 {
        stack t: float32[4, 8] {
            for a < 4 {
                for b < 8 {
                    if 0 <= 4*tile + a < 10 {
                        t[a, b] = 0.0
                        for k < 2 {
                            t[a, b] += within(0 <= 4*tile + a + k < 10, x[4*tile + a + k, b], 1.0)
                        }
                    }
                }
            }
            for row < 4 {
                for j < 6 {
                    if 0 <= 4*tile + row < 10 {
                        y[4*tile + row, j] = t[row, j] * 2.0 + t[row, j + 2]
                    }
                }
            }
        }
    }
}
)");
    check_same(n, *made);
    const auto inside = scheduled(n, loop_schedule().compute_at("t", "j").run("i", loop_kind::parallel));
    REQUIRE(inside);
    check_same(n, *inside);
}

TEST_CASE("a stage that cannot move there is refused with its reason [loops.schedule.compute_at]") {
    CHECK(says(two_stages, loop_schedule().compute_at("x", "i"), "'x' is the caller's"));
    CHECK(says(two_stages, loop_schedule().compute_at("t", "a"), "which is no loop of a stage that reads it"));
    CHECK(says(two_stages, loop_schedule().split("a", 2, "c", "d").compute_at("t", "i"), "move it before its loops are changed"));
    CHECK(says(two_stages, loop_schedule().compute_at("tt", "i"), "has no buffer 'tt' (did you mean 't'?)"));
    const std::string twice =
        "nest n { input x: float32[4] output y: float32[4] scratch t: float32[4] { for i < 4 { t[i] = x[i] } for j < 4 { "
        "y[j] = t[j] } for k < 4 { y[k] += t[k] } } }";
    CHECK(says(twice, loop_schedule().compute_at("t", "j"), "'t' is read outside of the loop over 'j' too"));
    CHECK(fault_of(twice, loop_schedule().fuse("j", "k").compute_at("t", "j")).empty());
    const std::string changed =
        "nest n { output y: float32[4] scratch s: float32[4] { for h < 4 { s[h] = 1.0 } scratch t: float32[4] { for i < "
        "4 { t[i] = s[i] } for z < 4 { s[z] = 2.0 } for j < 4 { y[j] = t[j] + s[j] } } } }";
    CHECK(says(changed, loop_schedule().compute_at("t", "j"), "reads 's', which is written again before it is read"));
    CHECK(says(changed, loop_schedule().inline_stage("t"), "reads 's', which is written again before it is read"));
    const std::string both =
        "nest n { output y: float32[4] output z: float32[4] scratch t: float32[4] { for i < 4 { t[i] = 1.0 z[i] = 2.0 } for "
        "j < 4 { y[j] = t[j] } } }";
    CHECK(says(both, loop_schedule().compute_at("t", "j"), "writes 'z' as well"));
    const std::string apart =
        "nest n { output y: float32[4] scratch t: float32[8] { for i < 8 { t[i] = 1.0 } for j < 4 { y[j] = t[j] + t[2*j] } "
        "} }";
    CHECK(says(apart, loop_schedule().compute_at("t", "j"), "do not follow the loops outside alike"));
    CHECK(says(twice, loop_schedule().compute_at("t", "i"), "which is no loop of a stage that reads it"));
}

TEST_CASE("what is stored is computed where it is read [loops.schedule.inline]") {
    const std::string text = R"(nest n {
        input x: float32[4, 9]
        output y: float32[9, 4]
        scratch t: float32[9, 4, 1] {
            for a < 4 { for b < 9 { stack v: float32[1] { v[0] = x[a, b] + within(0 <= b - 1 < 9, x[a, b - 1], 0.5) t[b, a, 0] = v[0] * v[0] } } }
            for i < 9 { for j < 4 { y[i, j] = t[8 - i, j, 0] + t[i, j, 0] } }
        }
    })";
    const loop_nest n = nests::parsed(text);
    CHECK(says(text, loop_schedule().inline_stage("t"), "reads 'v'; inline that first"));
    const auto made = scheduled(n, loop_schedule().inline_stage("v").inline_stage("t"));
    REQUIRE(made);
    CHECK(made->buffers.size() == 2);
    CHECK(to_text(*made).find("y[i, j] = (x[j, -i + 8] + within(0 <= -i + 7 < 9, x[j, -i + 7], 0.5)) * ") != std::string::npos);
    check_same(n, *made);
}

TEST_CASE("a stage that is more than one store cannot be inlined [loops.schedule.inline]") {
    CHECK(says(two_stages, loop_schedule().inline_stage("t"), "is more than one store"));
    const auto of = [](const std::string& stage) {
        return fault_of(
            "nest n { input x: float32[4] output y: float32[4] scratch t: float32[4] { " + stage + " for i < 4 { y[i] = t[i] } } }",
            loop_schedule().inline_stage("t"));
    };
    CHECK(of("for a < 4 { t[a] = x[a] }").empty());
    CHECK(of("for a < 4 { t[3 - a] = x[a] }").find("at other indices than its loops") != std::string::npos);
    CHECK(of("for a < 4 { if 0 <= a < 2 { t[a] = x[a] } }").find("under bounds, or several times") != std::string::npos);
    CHECK(of("for a < 4 { for b < 4 { t[a] = x[b] } }").find("under bounds, or several times") != std::string::npos);
    CHECK(of("for a < 2 { t[a] = x[a] }").find("leaves elements of it unwritten") != std::string::npos);
    CHECK(of("for a < 4 { t[a] = x[a] + t[a] }").find("reads it too") != std::string::npos);
    CHECK(of("for a < 4 { t[a] = x[a] } t[0] = 1.0").find("written by 2 stages") != std::string::npos);
    CHECK(fault_of(
              "nest n { output y: float32[4] external f { input a: float32[4] output b: float32[4] } scratch t: float32[4] { for a < 4 { "
              "t[a] = 1.0 } call f(t[0], y[0]) } }",
              loop_schedule().inline_stage("t"))
              .find("a call gets 't'") != std::string::npos);
}
