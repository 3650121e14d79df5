// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/kernel_table.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_simd/bf16_panels.hpp>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("tiles of every size, with edges, depths in pieces and missing columns, are the sums that they say") {
    std::mt19937 random(3);
    const auto number = [&] { return std::uniform_real_distribution<float>(-1, 1)(random); };
    for (std::size_t n = 0; n < instruction_set_names.size(); ++n) {
        const auto set = static_cast<instruction_set>(n);
        const kernel_table* table = processor_has(set) ? kernels_for(set) : nullptr;
        if (table == nullptr) continue;
        CAPTURE(instruction_set_names[n]);
        CHECK(table->set == set);
        for (std::size_t vectors = 1; vectors <= 4; ++vectors)
            for (std::size_t rows = 1; rows <= table->rows[vectors - 1]; ++rows)
                for (const auto part : {segment::part::all, segment::part::but_first, segment::part::but_last}) {
                    const std::size_t width = vectors * table->lanes, depth = 11,
                                      columns = rows % 2 == 0 ? width : width - (table->lanes + 1) / 2;
                    std::vector<float> a(rows * 20 + 20), add(rows * width), c(rows * width, 9), b_memory(depth * width + width + 16);
                    auto* b = b_memory.data() + (16 - reinterpret_cast<std::uintptr_t>(b_memory.data()) / 4 % 16) % 16;
                    float* bias = b + depth * width;
                    for (float& x : a) x = number();
                    for (float& x : add) x = number();
                    for (std::size_t i = 0; i < depth * width + width; ++i) b[i] = number();
                    const segment segments[] = {{1, 0, 5, segment::part::all}, {8, 5, 6, part}};
                    const step steps[] = {{step::form::linear, step::place::none, 2, 1, nullptr}};
                    tile_job j;
                    j.a = a.data();
                    j.a_row = 20;
                    j.b = b;
                    j.segments = segments;
                    j.segment_count = 2;
                    j.bias = bias;
                    j.add = add.data();
                    j.c = c.data();
                    j.c_row = static_cast<std::ptrdiff_t>(width);
                    for (std::size_t v = 0; v < vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * table->lanes);
                    j.columns = columns;
                    j.low = -0.5f;
                    j.high = std::numeric_limits<float>::infinity();
                    j.steps = steps;
                    j.step_count = 1;
                    j.c_begin = c.data();
                    table->tiles[vectors - 1][rows - 1](j);
                    double worst = 0;
                    for (std::size_t r = 0; r < rows; ++r)
                        for (std::size_t k = 0; k < width; ++k) {
                            double sum = static_cast<double>(bias[k]) + static_cast<double>(add[r * width + k]);
                            for (const segment& g : segments) {
                                if (g.rows == segment::part::but_first && r == 0) continue;
                                if (g.rows == segment::part::but_last && r + 1 == rows) continue;
                                for (std::size_t d = 0; d < g.depth; ++d)
                                    sum += static_cast<double>(a[r * 20 + static_cast<std::size_t>(g.a) + d]) *
                                           static_cast<double>(b[(static_cast<std::size_t>(g.b) + d) * width + k]);
                            }
                            const double wanted = k < columns ? 2 * std::max(sum, -0.5) + 1 : 9;
                            worst = std::max(worst, std::abs(static_cast<double>(c[r * width + k]) - wanted));
                        }
                    CHECK(worst < 2e-5);
                }
    }
}

TEST_CASE("tiles of bfloat16 of every size, of even and odd depth, are the sums of the rounded numbers") {
    std::mt19937 random(4);
    const auto number = [&] { return std::uniform_real_distribution<float>(-1, 1)(random); };
    const auto widened = [](std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits << 16)); };
    for (std::size_t n = 0; n < instruction_set_names.size(); ++n) {
        const auto set = static_cast<instruction_set>(n);
        const kernel_table* table = processor_has(set) ? kernels_for(set) : nullptr;
        if (table == nullptr) continue;
        CAPTURE(instruction_set_names[n]);
        CHECK(table->bf16_weights.rows[0] > 0);
        CHECK((table->bf16_pairs.rows[0] > 0) == (table->round_pairs != nullptr));
        for (const bool pairs : {false, true}) {
            if (pairs && (table->round_pairs == nullptr || !processor_has_bf16_pairs())) continue;
            const bf16_tiles& tiles = pairs ? table->bf16_pairs : table->bf16_weights;
            for (std::size_t vectors = 1; vectors <= 4; ++vectors)
                for (std::size_t rows = 1; rows <= tiles.rows[vectors - 1]; ++rows)
                    for (const std::size_t depth : {1u, 10u, 23u}) {
                        const std::size_t width = vectors * table->lanes, columns = rows % 2 == 0 ? width : width - table->lanes / 2;
                        const std::size_t words = (depth + 1) / 2;
                        std::vector<float> a(rows * depth), b(depth * width), c(rows * width, 9);
                        for (float& x : a) x = number();
                        for (float& x : b) x = number();
                        const bf16_panels packed = bf16_panels::filled(
                            depth, width, vectors, table->lanes, nullptr, {},
                            [&](std::size_t k, std::size_t column) { return b[k * width + column]; }, [](std::size_t) { return 0.5f; });
                        std::vector<std::uint32_t> rounded(rows * words, 0xFFFF'FFFF);
                        bf16_tile_job j;
                        j.a = a.data();
                        j.a_row = static_cast<std::ptrdiff_t>(depth);
                        if (pairs) {
                            for (std::size_t r = 0; r < rows; ++r) table->round_pairs({&a[r * depth], &rounded[r * words], depth});
                            j.pairs = rounded.data();
                            j.a_row = static_cast<std::ptrdiff_t>(words);
                        }
                        j.b = packed.at(0);
                        j.depth = depth;
                        j.bias = packed.bias(0);
                        j.c = c.data();
                        j.c_row = static_cast<std::ptrdiff_t>(width);
                        for (std::size_t v = 0; v < vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * table->lanes);
                        j.columns = columns;
                        j.low = -0.5f;
                        j.high = std::numeric_limits<float>::infinity();
                        tiles.tiles[vectors - 1][rows - 1](j);
                        double worst = 0;
                        for (std::size_t r = 0; r < rows; ++r)
                            for (std::size_t k = 0; k < width; ++k) {
                                double sum = 0.5;
                                for (std::size_t d = 0; d < depth; ++d) {
                                    const float left = a[r * depth + d];
                                    sum += (pairs ? widened(bf16_bits(left)) : static_cast<double>(left)) *
                                           widened(bf16_bits(b[d * width + k]));
                                }
                                const double wanted = k < columns ? std::max(sum, -0.5) : 9;
                                worst = std::max(worst, std::abs(static_cast<double>(c[r * width + k]) - wanted));
                            }
                        CHECK(worst < 5e-6);
                    }
        }
    }
}

TEST_CASE("the measure of the peak counts what it runs") {
    const kernel_table* table = kernels_for(instruction_set::scalar);
    REQUIRE(table != nullptr);
    CHECK(table->peak(1000) == 2 * table->peak(500));
    CHECK(kernels_for(static_cast<instruction_set>(77)) == nullptr);
}
