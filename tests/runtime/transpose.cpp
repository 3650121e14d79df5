// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/transpose.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

static_assert(detail::vector_of<float>::size == 4);
static_assert(sizeof(detail::vector_of<std::uint8_t>::type) == 16);

namespace {

template <class T>
void check_all_sizes() {
    for (std::size_t rows = 0; rows < 40; ++rows)
        for (std::size_t columns = 0; columns < 40; ++columns) {
            const std::size_t in_stride = columns + 3, out_stride = rows + 2;
            std::vector<T> in(rows * in_stride + 1), out(columns * out_stride + 1, T(99)), expected = out;
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 7 + 1);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) expected[j * out_stride + i] = in[i * in_stride + j];
            detail::transpose(in.data(), in_stride, out.data(), out_stride, rows, columns);
            if (out != expected)
                FAIL_CHECK("transposing " << rows << " by " << columns << " elements of " << sizeof(T) << " bytes is wrong");
        }
}

}  // namespace

TEST_CASE("a matrix of any size and element width is transposed and nothing beside it is touched") {
    check_all_sizes<std::uint8_t>();
    check_all_sizes<std::uint16_t>();
    check_all_sizes<float>();
    check_all_sizes<double>();
}

TEST_CASE("runs of any length are copied and nothing beside them is touched") {
    for (std::size_t length = 0; length < 40; ++length) {
        std::vector<std::uint16_t> in(5 * 41), out(5 * 43, 9), expected = out;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i + 100);
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < length; ++j) expected[i * 43 + j] = in[i * 41 + j];
        detail::copy_runs(in.data(), 41, out.data(), 43, length, 5);
        CHECK(out == expected);
    }
}
