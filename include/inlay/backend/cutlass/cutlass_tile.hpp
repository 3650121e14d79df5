// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_TILE_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_TILE_HPP

#include <cstdint>

namespace inlay::detail {

/// What one block of threads computes of a product, and how: a tile of the result, of which each warp has a part, in steps of the inner
/// extent of which several are on their way from memory at once.
struct cutlass_tile {
    int rows = 0, columns = 0, depth = 0;
    int warp_rows = 0, warp_columns = 0;
    bool by_tf32 = false;  // by tensor cores

    static constexpr int stages = 4;  // steps whose operands stand in shared memory

    [[nodiscard]] constexpr int threads() const { return 32 * (rows / warp_rows) * (columns / warp_columns); }
    [[nodiscard]] constexpr int shared_bytes() const { return stages * depth * (rows + columns) * static_cast<int>(sizeof(float)); }
    [[nodiscard]] constexpr std::int64_t blocks_of_rows(std::int64_t n) const { return (n + rows - 1) / rows; }
    [[nodiscard]] constexpr std::int64_t blocks_of_columns(std::int64_t n) const { return (n + columns - 1) / columns; }

    friend bool operator==(const cutlass_tile&, const cutlass_tile&) = default;
};

inline constexpr cutlass_tile cutlass_float32_tiles[] = {{128, 128, 8, 32, 64, false}, {64, 64, 8, 32, 32, false}};
inline constexpr cutlass_tile cutlass_tf32_tiles[] = {{128, 128, 16, 64, 64, true}, {64, 64, 16, 32, 32, true}};

/// The larger tile, which reads less memory, where there is work for the multiprocessors of a large device then; else the smaller one.
[[nodiscard]] constexpr const cutlass_tile& cutlass_tile_for(std::int64_t rows, std::int64_t columns, std::int64_t batches, bool by_tf32) {
    constexpr double blocks_wanted = 128;
    const auto& tiles = by_tf32 ? cutlass_tf32_tiles : cutlass_float32_tiles;
    // In floating point, where nothing overflows.
    const double blocks = static_cast<double>(tiles[0].blocks_of_rows(rows)) * static_cast<double>(tiles[0].blocks_of_columns(columns)) *
                          static_cast<double>(batches);
    return tiles[blocks >= blocks_wanted ? 0 : 1];
}

}  // namespace inlay::detail

#endif
