// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_SYSTOLIC_ARRAY_HPP
#define INLAY_ACCELERATOR_SYSTOLIC_ARRAY_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <inlay/accelerator/pieces.hpp>

namespace inlay {

/// What stays in the processing elements of an array while the rest moves through.
enum class array_flow : std::uint8_t { weight_stationary, output_stationary, input_stationary };

[[nodiscard]] constexpr std::string_view name_of(array_flow d) {
    constexpr std::string_view names[] = {"ws", "os", "is"};
    return names[static_cast<std::size_t>(d)];
}
[[nodiscard]] constexpr std::optional<array_flow> array_flow_named(std::string_view name) {
    for (const array_flow d : {array_flow::weight_stationary, array_flow::output_stationary, array_flow::input_stationary})
        if (name == name_of(d)) return d;
    return std::nullopt;
}

/// A product of matrices: m rows and k columns by k rows and n columns.
struct product_extents {
    std::int64_t m = 0, k = 0, n = 0;

    [[nodiscard]] constexpr std::int64_t macs() const { return m * k * n; }
    friend bool operator==(const product_extents&, const product_extents&) = default;
};

/// Rows and columns of processing elements, each of which multiplies and adds once a cycle and hands on to its right and to below.
struct systolic_array {
    std::int64_t rows = 16, columns = 16;
    array_flow flow = array_flow::weight_stationary;

    [[nodiscard]] constexpr std::int64_t size() const { return rows * columns; }
    /// How many rows of a product one fold takes at most; nothing where they are streamed, however many.
    [[nodiscard]] constexpr std::optional<std::int64_t> most_product_rows() const {
        if (flow == array_flow::output_stationary) return rows;
        if (flow == array_flow::input_stationary) return columns;
        return std::nullopt;
    }
};

/// The part of a product that an array computes in one go: what it holds takes so many of its rows and columns, and so many vectors are
/// streamed past.
struct array_fold {
    std::int64_t rows = 0, columns = 0, streamed = 0;
};

/// How a product stands on an array: along which of its extents rows, columns and the stream go.
[[nodiscard]] constexpr array_fold mapped(array_flow flow, const product_extents& p) {
    switch (flow) {
        case array_flow::weight_stationary:
            return {p.k, p.n, p.m};
        case array_flow::output_stationary:
            return {p.m, p.n, p.k};
        case array_flow::input_stationary:
            break;
    }
    return {p.k, p.m, p.n};
}

/// Cycles of one fold: what stays is shifted in, row by row (where outputs stay, they are shifted out through all rows of the array at the
/// end), and the stream enters its rows one cycle after the other and leaves its columns likewise. A full fold of an R x C array with T
/// vectors takes 2R + C + T - 2, as SCALE-Sim has it (Samajdar et al., ISPASS 2020). A partly filled one takes fewer: what is not used is
/// neither filled nor waited for, but that sums pass all rows on their way out. Precondition: nothing of it is 0, and it fits.
[[nodiscard]] constexpr std::int64_t fold_cycles(const systolic_array& a, const array_fold& f) {
    if (a.flow == array_flow::output_stationary) return f.streamed + f.rows + f.columns - 2 + a.rows;
    return f.rows + f.streamed + a.rows + f.columns - 2;
}

/// Calls `use(fold, count)` for each kind of fold that a product needs on an array, at most four.
template <class Use>
constexpr void each_fold(const systolic_array& a, const product_extents& p, Use&& use) {
    const array_fold whole = mapped(a.flow, p);
    if (p.macs() == 0) return;
    each_piece(whole.rows, a.rows, [&](std::int64_t rows, std::int64_t row_count) {
        each_piece(whole.columns, a.columns, [&](std::int64_t columns, std::int64_t column_count) {
            use(array_fold{rows, columns, whole.streamed}, row_count * column_count);
        });
    });
}

/// Cycles of a whole product, fold after fold.
[[nodiscard]] constexpr std::int64_t product_cycles(const systolic_array& a, const product_extents& p) {
    std::int64_t cycles = 0;
    each_fold(a, p, [&](const array_fold& f, std::int64_t count) { cycles += count * fold_cycles(a, f); });
    return cycles;
}

/// No array of that size takes fewer cycles for a product: one multiplication for each element and cycle.
[[nodiscard]] constexpr std::int64_t least_product_cycles(const systolic_array& a, const product_extents& p) {
    return (p.macs() + a.size() - 1) / a.size();
}

}  // namespace inlay

#endif
