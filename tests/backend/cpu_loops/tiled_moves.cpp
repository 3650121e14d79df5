// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/tiled_moves.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../loops/arranged.hpp"

using namespace inlay;
using namespace inlay::nests;

namespace {
std::string transpose(int rows, int columns) {
    const std::string r = std::to_string(rows), c = std::to_string(columns);
    return "nest t { input x: float32[3, " + c + ", " + r + "] output y: float32[3, " + r + ", " + c + "] for b < 3 { for i < " + r +
           " { for j < " + c + " { y[b, i, j] = x[b, j, i] } } } }";
}
}  // namespace

TEST_CASE("a transpose goes tile by tile, what is over at the ends included") {
    check_arranged(inlay::detail::with_tiled_moves, transpose(40, 50), R"(nest t {
    input x: float32[3, 50, 40]
    output y: float32[3, 40, 50]
    for b < 3 {
        for i_tile < 3 {
            for j_tile < 4 {
                for i_in < 16 {
                    for j_in < 16 {
                        if 0 <= 16*j_tile + j_in < 50 {
                            if 0 <= 16*i_tile + i_in < 40 {
                                y[b, 16*i_tile + i_in, 16*j_tile + j_in] = x[b, 16*j_tile + j_in, 16*i_tile + i_in]
                            }
                        }
                    }
                }
            }
        }
    }
}
)");
}

TEST_CASE("short sides, near steps and what is read in order stay") {
    check_left(inlay::detail::with_tiled_moves, transpose(31, 500));
    check_left(inlay::detail::with_tiled_moves, transpose(500, 31));
    check_left(inlay::detail::with_tiled_moves,
               "nest n { input x: float32[64, 8] output y: float32[8, 64] for i < 8 { for j < 64 { y[i, j] = x[j, i] } } }");
    check_left(inlay::detail::with_tiled_moves,
               "nest n { input x: float32[64, 64] output y: float32[64, 64] for i < 64 { for j < 64 { y[i, j] = x[i, j] } } }");
}
