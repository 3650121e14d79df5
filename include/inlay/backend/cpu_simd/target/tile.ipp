// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_TILE) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_TILE
#undef INLAY_SIMD_TILE
#else
#define INLAY_SIMD_TILE
#endif

#include <utility>

#include <inlay/backend/cpu_simd/target/steps.ipp>

// A tile is computed with all its sums in registers: every index below is a constant of a pack, since sums in an array that a loop walks
// over stay in memory with g++ 12, unrolled or not. For each k, the row of B is loaded once and each element of A is spread over a vector.
// Rows of A are reached from every third row's pointer with 0, 1 or 2 strides, which x86 adds for nothing; fourteen pointers would not fit.

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

template <std::size_t... I>
using pack = std::index_sequence<I...>;

template <std::size_t Row, std::size_t Vectors, std::size_t... J>
HWY_INLINE void tile_row(vector* HWY_RESTRICT sums, const vector* HWY_RESTRICT b, const float* a, pack<J...>) {
    const vector x = of(*a);
    ((sums[Row * Vectors + J] = hn::MulAdd(x, b[J], sums[Row * Vectors + J])), ...);
}

/// Row `First + R` for each R, k being `K` further on.
template <std::size_t First, std::size_t K, std::size_t... R, std::size_t... J>
HWY_INLINE void tile_depth(vector* HWY_RESTRICT sums, const float* const* HWY_RESTRICT rows, std::ptrdiff_t row, const float* b, pack<R...>,
                           pack<J...> vectors) {
    const vector columns[sizeof...(J)] = {hn::Load(floats(), b + (K * sizeof...(J) + J) * lanes)...};
    (tile_row<First + R, sizeof...(J)>(sums, columns, rows[(First + R) / 3] + static_cast<std::ptrdiff_t>((First + R) % 3) * row + K,
                                       vectors),
     ...);
}

template <std::size_t First, std::size_t Unrolled, std::size_t... G, std::size_t... K, class Rows, class Vectors>
HWY_INLINE void tile_segment_of(vector* HWY_RESTRICT sums, const float* a, std::ptrdiff_t row, const float* b, std::size_t depth,
                                pack<G...>, pack<K...>, Rows rows, Vectors vectors) {
    const float* at[sizeof...(G)] = {a + static_cast<std::ptrdiff_t>(3 * G) * row...};
    for (; depth >= Unrolled; depth -= Unrolled) {
        (tile_depth<First, K>(sums, at, row, b, rows, vectors), ...);
        ((at[G] += Unrolled), ...);
        b += Unrolled * Vectors::size() * lanes;
    }
    for (; depth > 0; --depth) {
        tile_depth<First, 0>(sums, at, row, b, rows, vectors);
        ((at[G] += 1), ...);
        b += Vectors::size() * lanes;
    }
}

template <std::size_t Row, std::size_t... J>
HWY_INLINE void tile_begin(vector* HWY_RESTRICT sums, const vector* first, pack<J...>) {
    ((sums[Row * sizeof...(J) + J] = first[J]), ...);
}
template <std::size_t Row, std::size_t... J>
HWY_INLINE void tile_add(vector* HWY_RESTRICT sums, const tile_job& j, pack<J...>) {
    ((sums[Row * sizeof...(J) + J] =
          hn::Add(sums[Row * sizeof...(J) + J], load(j.add + static_cast<std::ptrdiff_t>(Row) * j.c_row + j.c_vector[J]))),
     ...);
}
template <std::size_t Row, std::size_t... J>
HWY_INLINE void tile_store(const vector* HWY_RESTRICT sums, const tile_job& j, vector low, vector high, pack<J...>) {
    (store(smaller(high, larger(low, sums[Row * sizeof...(J) + J])), j.c + static_cast<std::ptrdiff_t>(Row) * j.c_row + j.c_vector[J]),
     ...);
}

/// How many of a tile's columns the vector J has.
HWY_INLINE std::size_t columns_of(std::size_t columns, std::size_t vector_number) {
    const std::size_t before = vector_number * lanes;
    return columns <= before ? 0 : columns - before < lanes ? columns - before : lanes;
}

/// The last vectors of a tile where not all columns exist.
inline void tile_edge(const tile_job& j, const float* sums, std::size_t rows, std::size_t vectors) {
    for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t n = columns_of(j.columns, v);
        if (n == 0 && !j.fills) continue;
        for (std::size_t r = 0; r < rows; ++r) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * j.c_row + j.c_vector[v];
            vector x = hn::Load(floats(), sums + (r * vectors + v) * lanes);
            if (j.add != nullptr) x = hn::Add(x, load_some(j.add + at, n));
            x = smaller(of(j.high), larger(of(j.low), x));
            if (j.fills)
                store(first_lanes(x, n), j.c + at);
            else
                store_some(x, j.c + at, n);
        }
    }
}

inline void tile_steps(const tile_job& j, std::size_t rows, std::size_t vectors) {
    for (std::size_t v = 0; v < vectors; ++v)
        if (const std::size_t n = columns_of(j.columns, v); n != 0)
            finish_places(j, j.c + j.c_vector[v], j.c_row, rows, n, j.column + v * lanes);
}

template <std::size_t Rows, std::size_t Vectors, std::size_t... R, std::size_t... J>
HWY_INLINE void tile_by(const tile_job& j, pack<R...> rows, pack<J...> vectors) {
    // Few sums leave room for many rounds of the loop; many need few to hide what the loop itself takes.
    using unrolled = std::make_index_sequence<(Rows * Vectors >= 20 ? 2 : 4)>;
    using pointers = std::make_index_sequence<(Rows + 2) / 3>;
    vector sums[Rows * Vectors];
    {
        const vector first[Vectors] = {j.bias == nullptr ? hn::Zero(floats()) : hn::Load(floats(), j.bias + J * lanes)...};
        (tile_begin<R>(sums, first, vectors), ...);
    }
    for (std::size_t s = 0; s < j.segment_count; ++s) {
        const segment& g = j.segments[s];
        const float* a = j.a + g.a;
        const float* b = j.b + g.b * static_cast<std::ptrdiff_t>(Vectors * lanes);
        if (Rows == 1 || g.rows == segment::part::all) {
            if (g.rows == segment::part::all)
                tile_segment_of<0, unrolled::size()>(sums, a, j.a_row, b, g.depth, pointers(), unrolled(), rows, vectors);
        } else if (g.rows == segment::part::but_first) {
            tile_segment_of<(Rows > 1 ? 1 : 0), unrolled::size()>(sums, a, j.a_row, b, g.depth, pointers(), unrolled(),
                                                                  std::make_index_sequence<(Rows > 1 ? Rows - 1 : 1)>(), vectors);
        } else {
            tile_segment_of<0, unrolled::size()>(sums, a, j.a_row, b, g.depth, pointers(), unrolled(),
                                                 std::make_index_sequence<(Rows > 1 ? Rows - 1 : 1)>(), vectors);
        }
    }
    if (j.columns < Vectors * lanes) {
        alignas(64) float kept[Rows * Vectors * lanes];
        (hn::Store(sums[R * Vectors], floats(), kept + R * Vectors * lanes), ...);
        if constexpr (Vectors > 1) (hn::Store(sums[R * Vectors + 1], floats(), kept + (R * Vectors + 1) * lanes), ...);
        if constexpr (Vectors > 2) (hn::Store(sums[R * Vectors + 2], floats(), kept + (R * Vectors + 2) * lanes), ...);
        if constexpr (Vectors > 3) (hn::Store(sums[R * Vectors + 3], floats(), kept + (R * Vectors + 3) * lanes), ...);
        tile_edge(j, kept, Rows, Vectors);
    } else {
        if (j.add != nullptr) (tile_add<R>(sums, j, vectors), ...);
        const vector low = of(j.low), high = of(j.high);
        (tile_store<R>(sums, j, low, high, vectors), ...);
    }
    if (j.step_count != 0) tile_steps(j, Rows, Vectors);
}

template <std::size_t Rows, std::size_t Vectors>
void tile(const tile_job& j) {
    tile_by<Rows, Vectors>(j, std::make_index_sequence<Rows>(), std::make_index_sequence<Vectors>());
}

/// The most rows of a tile: its sums, a row of B and an element of A fill the registers. Under a sanitizer a few: it takes a compiler
/// seconds to put its checks into each of a hundred tiles.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HWY_HAS_FEATURE(address_sanitizer) || HWY_HAS_FEATURE(thread_sanitizer)
template <std::size_t Vectors>
inline constexpr std::size_t most_rows = Vectors == 1 ? 3 : 2;
#else
template <std::size_t Vectors>
inline constexpr std::size_t most_rows = has_many_registers ? (Vectors < 3    ? 14
                                                               : Vectors == 3 ? 9
                                                                              : 6)
                                                            : (Vectors == 1   ? 12
                                                               : Vectors == 2 ? 6
                                                               : Vectors == 3 ? 4
                                                                              : 3);
#endif

template <std::size_t Vectors, std::size_t... R>
void list_tiles(kernel_table& t, pack<R...>) {
    t.rows[Vectors - 1] = sizeof...(R);
    ((t.tiles[Vectors - 1][R] = tile<R + 1, Vectors>), ...);
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
