// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cublas_lt/cublas_lt_product.hpp>

#include <cstddef>

#include <doctest/doctest.h>

using namespace inlay;
using detail::matmul_layout;

TEST_CASE("addresses are aligned as far as the places are at which calls begin") {
    matmul_layout m;
    m.calls = {{}};
    CHECK(detail::aligned_bytes(m, &matmul_layout::call::a) == 64);
    m.calls = {{0, 0, 0}, {32, 4, 3}, {64, 8, 6}};
    CHECK(detail::aligned_bytes(m, &matmul_layout::call::a) == 64);
    CHECK(detail::aligned_bytes(m, &matmul_layout::call::b) == 16);
    CHECK(detail::aligned_bytes(m, &matmul_layout::call::d) == 4);
}

TEST_CASE("the library works at multiples of 256 bytes, within as many bytes more") {
    alignas(256) std::byte room[1024];
    CHECK(detail::aligned_workspace(room) == room);
    CHECK(detail::aligned_workspace(room + 64) == room + 256);
    CHECK(detail::aligned_workspace(room + 256) == room + 256);
    CHECK(detail::aligned_workspace(room + 257) == room + 512);
}
