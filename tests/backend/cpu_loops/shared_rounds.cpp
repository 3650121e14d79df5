// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/shared_rounds.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../loops/arranged.hpp"

using namespace inlay;
using namespace inlay::nests;

namespace {

/// Names of the loops that are parallel, in the order in which they stand, a blank between.
std::string parallel_in(const std::string& text) {
    const loop_nest n = arranged(inlay::detail::with_shared_rounds, text);
    std::string names;
    for (const loop_band& band : outermost_bands(n))
        for (const statement_id loop : band.loops)
            if (n.statements[loop].runs == loop_kind::parallel) names += (names.empty() ? "" : " ") + inlay::detail::name_of_loop(n, loop);
    return names;
}

}  // namespace

TEST_CASE("as many outer loops of a band are parallel as give threads enough rounds, and never one without a loop in it") {
    const auto copy = [](int a, int b, int c) {
        const std::string is = "[" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
        return "nest n { input x: float32" + is + " output y: float32" + is + " for i < " + std::to_string(a) + " { for j < " +
               std::to_string(b) + " { for k < " + std::to_string(c) + " { y[i, j, k] = x[i, j, k] } } } }";
    };
    CHECK(parallel_in(copy(64, 8, 8)) == "i");
    CHECK(parallel_in(copy(63, 8, 8)) == "i j");
    CHECK(parallel_in(copy(1, 2, 8)) == "i j");
}

TEST_CASE("rounds that hand something on stay serial, and so do those in them; each band is looked at") {
    CHECK(parallel_in("nest n { input x: float32[4, 5, 6] output y: float32[5, 6] output z: float32[4, 6] "
                      "for i < 4 { for j < 5 { for k < 6 { y[j, k] = x[i, j, k] } } } "
                      "for l < 4 { for m < 6 { z[l, m] = x[l, 0, m] } } }") == "l");
}

TEST_CASE("a single long line is cut into pieces, a shorter one is not") {
    const auto line = [](int count) {
        const std::string c = std::to_string(count);
        return "nest n { input x: float32[1, " + c + "] output y: float32[1, " + c + "] for i < 1 { for j < " + c +
               " { y[i, j] = x[i, j] } } }";
    };
    check_arranged(inlay::detail::with_shared_rounds, line(70000), R"(nest n {
    input x: float32[1, 70000]
    output y: float32[1, 70000]
    for i < 1 parallel {
        for j_piece < 5 parallel {
            for j_in < 16384 {
                if 0 <= 16384*j_piece + j_in < 70000 {
                    y[i, 16384*j_piece + j_in] = x[i, 16384*j_piece + j_in]
                }
            }
        }
    }
}
)");
    CHECK(parallel_in(line(65535)) == "i");
}
