// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_DEPTHWISE) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_DEPTHWISE
#undef INLAY_SIMD_DEPTHWISE
#else
#define INLAY_SIMD_DEPTHWISE
#endif

#include <utility>

#include <inlay/backend/cpu_simd/target/steps.ipp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

/// One place of the result, its window cut off at the edges of the row.
inline vector depthwise_place(const depthwise_job& j, std::size_t place) {
    vector sum = load(j.bias);
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(place * j.stride) - j.before;
    for (std::size_t r = j.rows_begin; r < j.rows_end; ++r)
        for (std::size_t c = 0; c < j.window_columns; ++c) {
            const std::ptrdiff_t at = first + static_cast<std::ptrdiff_t>(c * j.dilation);
            if (at < 0 || at >= static_cast<std::ptrdiff_t>(j.width)) continue;
            const float* x = j.x + static_cast<std::ptrdiff_t>(r) * j.x_row + at * j.x_place;
            sum = hn::MulAdd(load_some(x, j.fills ? lanes : j.columns), load(j.weights + (r * j.window_columns + c) * lanes), sum);
        }
    return sum;
}

template <std::size_t... P>
HWY_INLINE void depthwise_step(vector* HWY_RESTRICT sums, const float* x, std::ptrdiff_t step, vector w, std::index_sequence<P...>) {
    ((sums[P] = hn::MulAdd(load(x + static_cast<std::ptrdiff_t>(P) * step), w, sums[P])), ...);
}

/// Several places whose windows lie inside the row, side by side: the sums stay in registers.
template <std::size_t Columns, std::size_t... P>
HWY_INLINE void depthwise_places(const depthwise_job& j, std::size_t place, vector low, vector high, std::index_sequence<P...> places) {
    vector sums[sizeof...(P)] = {((void)P, load(j.bias))...};
    const float* first = j.x + (static_cast<std::ptrdiff_t>(place * j.stride) - j.before) * j.x_place;
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(j.stride) * j.x_place,
                         apart = static_cast<std::ptrdiff_t>(j.dilation) * j.x_place;
    const std::size_t columns = Columns == 0 ? j.window_columns : Columns;
    for (std::size_t r = j.rows_begin; r < j.rows_end; ++r) {
        const float* x = first + static_cast<std::ptrdiff_t>(r) * j.x_row;
        const float* w = j.weights + r * columns * lanes;
        if constexpr (Columns == 3) {
            depthwise_step(sums, x, step, load(w), places);
            depthwise_step(sums, x + apart, step, load(w + lanes), places);
            depthwise_step(sums, x + 2 * apart, step, load(w + 2 * lanes), places);
        } else {
            for (std::size_t c = 0; c < columns; ++c)
                depthwise_step(sums, x + static_cast<std::ptrdiff_t>(c) * apart, step, load(w + c * lanes), places);
        }
    }
    (store(smaller(high, larger(low, sums[P])), j.y + static_cast<std::ptrdiff_t>(place + P) * j.y_place), ...);
}

template <std::size_t Columns>
void depthwise_row(const depthwise_job& j) {
    constexpr std::size_t together = has_many_registers ? 14 : 8;
    const vector low = of(j.low), high = of(j.high);
    // The places whose windows lie inside: from `begin` to `end`.
    const std::size_t span = (j.window_columns - 1) * j.dilation;
    const std::size_t before = j.before > 0 ? static_cast<std::size_t>(j.before) : 0;
    std::size_t begin = (before + j.stride - 1) / j.stride;
    const std::ptrdiff_t room = static_cast<std::ptrdiff_t>(j.width) - 1 - static_cast<std::ptrdiff_t>(span) + j.before;
    std::size_t end = room < 0 ? 0 : static_cast<std::size_t>(room) / j.stride + 1;
    if (end > j.places) end = j.places;
    if (begin > end || (j.columns < lanes && !j.fills)) begin = end = j.places;
    const auto edge = [&](std::size_t from, std::size_t to) HWY_ATTR {
        for (std::size_t p = from; p < to; ++p) {
            const vector x = smaller(high, larger(low, depthwise_place(j, p)));
            store_some(x, j.y + static_cast<std::ptrdiff_t>(p) * j.y_place, j.fills ? lanes : j.columns);
        }
    };
    edge(0, begin);
    std::size_t p = begin;
    for (; p + together <= end; p += together) depthwise_places<Columns>(j, p, low, high, std::make_index_sequence<together>());
    for (; p + 4 <= end; p += 4) depthwise_places<Columns>(j, p, low, high, std::make_index_sequence<4>());
    for (; p < end; ++p) depthwise_places<Columns>(j, p, low, high, std::make_index_sequence<1>());
    edge(end, j.places);
    finish_places(j, j.y, j.y_place, j.places, j.columns, j.column);
}

inline void depthwise(const depthwise_job& j) { j.window_columns == 3 ? depthwise_row<3>(j) : depthwise_row<0>(j); }

inline void pool(const pool_job& j) {
    const bool whole = j.columns >= lanes || j.fills;
    for (std::size_t p = 0; p < j.places; ++p) {
        const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(p * j.stride) - j.before;
        vector result = j.average ? hn::Zero(floats()) : hn::Neg(hn::Inf(floats()));
        std::size_t inside = 0;
        for (std::size_t r = j.rows_begin; r < j.rows_end; ++r)
            for (std::size_t c = 0; c < j.window_columns; ++c) {
                const std::ptrdiff_t at = first + static_cast<std::ptrdiff_t>(c * j.dilation);
                if (at < 0 || at >= static_cast<std::ptrdiff_t>(j.width)) continue;
                const float* x = j.x + static_cast<std::ptrdiff_t>(r) * j.x_row + at * j.x_place;
                const vector v = whole ? load(x) : load_some(x, j.columns);
                result = j.average ? hn::Add(result, v) : operation<step::form::maximum>(result, v);
                ++inside;
            }
        if (j.average) result = hn::Div(result, of(static_cast<float>(j.counted != 0 ? j.counted : inside)));
        if (j.fills) result = first_lanes(result, j.columns);
        store_some(result, j.y + static_cast<std::ptrdiff_t>(p) * j.y_place, whole ? lanes : j.columns);
    }
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
