// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_tile.hpp>

#include <initializer_list>

#include <doctest/doctest.h>

using namespace inlay;
using detail::cutlass_tile;

TEST_CASE("a tile's warps cover it, and its steps fit what blocks of all devices may share") {
    for (const auto* const tiles : {&detail::cutlass_float32_tiles, &detail::cutlass_tf32_tiles})
        for (const cutlass_tile& t : *tiles) {
            CHECK(t.rows % t.warp_rows == 0);
            CHECK(t.columns % t.warp_columns == 0);
            CHECK(t.threads() <= 256);
            CHECK(t.shared_bytes() <= (99 << 10));
        }
    CHECK(detail::cutlass_float32_tiles[0].threads() == 256);
    CHECK(detail::cutlass_tf32_tiles[0].shared_bytes() == 65536);
    CHECK(detail::cutlass_tf32_tiles[0].blocks_of_rows(129) == 2);
    CHECK(detail::cutlass_tf32_tiles[1].blocks_of_columns(64) == 1);
}

TEST_CASE("large products go by large tiles, and small ones by small tiles unless there are many") {
    CHECK(detail::cutlass_tile_for(2048, 1024, 1, false) == detail::cutlass_float32_tiles[0]);
    CHECK(detail::cutlass_tile_for(1024, 1024, 1, false) == detail::cutlass_float32_tiles[1]);
    CHECK(detail::cutlass_tile_for(128, 128, 127, true) == detail::cutlass_tf32_tiles[1]);
    CHECK(detail::cutlass_tile_for(128, 128, 128, true) == detail::cutlass_tf32_tiles[0]);
}
