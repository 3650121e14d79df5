// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_TRANSPOSE_HPP
#define INLAY_RUNTIME_TRANSPOSE_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace inlay::detail {

/// Sixteen bytes of T: a register of every processor that has vectors.
template <class T>
struct vector_of {
    static constexpr std::size_t size = 16 / sizeof(T);
    typedef T type __attribute__((vector_size(16)));
};

/// The lower (Part = 0) or upper halves of two vectors, their elements taken in turns.
template <class T, std::size_t Part, std::size_t... I>
[[nodiscard]] inline typename vector_of<T>::type zip(typename vector_of<T>::type a, typename vector_of<T>::type b,
                                                     std::index_sequence<I...>) {
    constexpr std::size_t size = vector_of<T>::size;
    return __builtin_shufflevector(a, b, static_cast<int>(Part * size / 2 + I / 2 + I % 2 * size)...);
}

/// Transposes a square tile of `vector_of<T>::size` rows in registers: as many rounds of zipping row i with row i + size / 2 as the
/// size has doublings.
template <class T>
inline void transpose_square(const T* in, std::size_t in_stride, T* out, std::size_t out_stride) {
    using vector = typename vector_of<T>::type;
    constexpr std::size_t size = vector_of<T>::size;
    constexpr auto all = std::make_index_sequence<size>();
    vector rows[size], zipped[size];
    for (std::size_t i = 0; i < size; ++i) std::memcpy(&rows[i], in + i * in_stride, sizeof(vector));
    for (std::size_t round = 1; round < size; round *= 2) {
        for (std::size_t i = 0; i < size / 2; ++i) {
            zipped[2 * i] = zip<T, 0>(rows[i], rows[i + size / 2], all);
            zipped[2 * i + 1] = zip<T, 1>(rows[i], rows[i + size / 2], all);
        }
        for (std::size_t i = 0; i < size; ++i) rows[i] = zipped[i];
    }
    for (std::size_t i = 0; i < size; ++i) std::memcpy(out + i * out_stride, &rows[i], sizeof(vector));
}

/// `out[j * out_stride + i] = in[i * in_stride + j]` for i < rows, j < columns. Strides in elements. Goes by tiles of one cache line
/// each way, so that every line of either side is touched once.
template <class T>
inline void transpose(const T* in, std::size_t in_stride, T* out, std::size_t out_stride, std::size_t rows, std::size_t columns) {
    constexpr std::size_t size = vector_of<T>::size, line = 64 / sizeof(T);
    const std::size_t whole_rows = rows / size * size, whole_columns = columns / size * size;
    for (std::size_t j = 0; j < whole_columns; j += line)
        for (std::size_t i = 0; i < whole_rows; i += line)
            for (std::size_t y = j; y < std::min(j + line, whole_columns); y += size)
                for (std::size_t x = i; x < std::min(i + line, whole_rows); x += size)
                    transpose_square(in + x * in_stride + y, in_stride, out + y * out_stride + x, out_stride);
    for (std::size_t i = 0; i < whole_rows; ++i)
        for (std::size_t j = whole_columns; j < columns; ++j) out[j * out_stride + i] = in[i * in_stride + j];
    for (std::size_t i = whole_rows; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) out[j * out_stride + i] = in[i * in_stride + j];
}

#ifdef INLAY_SEPARATE_COMPILATION
// The element of nearly every conversion: compiled with what runs in programs, so that it is as quick whoever calls it.
extern template void transpose<float>(const float*, std::size_t, float*, std::size_t, std::size_t, std::size_t);
#endif

template <std::size_t Bytes>
inline void copy_fixed_runs(const void* in, std::size_t in_stride, void* out, std::size_t out_stride, std::size_t count) {
    const auto* from = static_cast<const unsigned char*>(in);
    auto* to = static_cast<unsigned char*>(out);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * out_stride, from + i * in_stride, Bytes);
}

/// Copies `count` runs of `length` elements each. Strides in elements. The usual lengths are known to the compiler.
template <class T>
inline void copy_runs(const T* in, std::size_t in_stride, T* out, std::size_t out_stride, std::size_t length, std::size_t count) {
    const std::size_t in_bytes = in_stride * sizeof(T), out_bytes = out_stride * sizeof(T);
    switch (length * sizeof(T)) {
        case 4:
            return copy_fixed_runs<4>(in, in_bytes, out, out_bytes, count);
        case 8:
            return copy_fixed_runs<8>(in, in_bytes, out, out_bytes, count);
        case 16:
            return copy_fixed_runs<16>(in, in_bytes, out, out_bytes, count);
        case 32:
            return copy_fixed_runs<32>(in, in_bytes, out, out_bytes, count);
        case 64:
            return copy_fixed_runs<64>(in, in_bytes, out, out_bytes, count);
        default:
            for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * out_stride, in + i * in_stride, length * sizeof(T));
    }
}

}  // namespace inlay::detail

#endif
