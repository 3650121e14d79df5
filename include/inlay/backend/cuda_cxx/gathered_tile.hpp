// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_GATHERED_TILE_HPP
#define INLAY_BACKEND_CUDA_CXX_GATHERED_TILE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/product_sums.hpp>
#include <inlay/backend/cuda_cxx/stored_operands.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/where_legal.hpp>
#include <inlay/loops/text/tensor_core.hpp>

namespace inlay::detail {

/// A tile of sums of products for tensor cores: so many rows by up to 64 columns, which are places along one axis or two, and the depth in
/// pieces.
struct gathered_tile {
    product_sums of;
    product_precision rounded = product_precision::tf32;
    element_type element = element_type::float32;     // of operands in the tile
    std::vector<affine_bound> bounds;                 // within which there is a product
    std::vector<nest_expression> loads;               // of both operands
    std::vector<variable_id> lone;                    // loops of one round that the sums have alone
    std::size_t right = 0, row = 0, x = 0, deep = 0;  // the operand of columns, axes of rows and columns, the depth that is cut
    std::optional<std::size_t> y;
    std::int64_t rows = 16, width = 8, height = 1, depth = 16, deep_extent = 0;

    [[nodiscard]] static std::int64_t rounds_of(std::int64_t extent, std::int64_t size) { return extent / size + (extent % size != 0); }
    /// Depths of one instruction.
    [[nodiscard]] std::int64_t step() const { return is_half(element) ? 16 : 8; }

    /// Whether each sum is one of products of two operands in float32, each stored so or as the tile has it.
    [[nodiscard]] bool takes(const nest_edit& e) {
        const loop_nest& n = e.nest();
        if (of.operands.size() != 2 || n.buffers[of.sums].element != element_type::float32 ||
            n.expressions[e.at(of.first).value].kind != nest_expression::form::number)
            return false;
        // An axis of one round need not be a loop of both stages.
        for (const tile_axis& a : of.axes)
            if (a.extent < 1 || (a.sum.empty() && a.extent != 1)) return false;
        for (const statement_id loop : of.maker.loops) {
            const std::string& sum = name_of_loop(n, loop);
            if (std::any_of(of.axes.begin(), of.axes.end(), [&](const tile_axis& a) { return a.sum == sum; })) continue;
            if (e.at(loop).extent != 1) return false;
            lone.push_back(e.at(loop).variable);
        }
        const nest_expression* product = &n.expressions[e.at(of.update).value];
        if (product->kind == nest_expression::form::within) {
            const nest_expression& otherwise = n.expressions[product->operands[1]];
            if (otherwise.kind != nest_expression::form::number || otherwise.number != 0) return false;
            bounds = product->bounds;
            product = &n.expressions[product->operands[0]];
        }
        if (product->kind != nest_expression::form::apply || product->function != scalar_function::multiply) return false;
        for (const expression_id operand : product->operands) {
            const nest_expression* load = stored_operand(n, operand);
            // What is stored in another half precision would be rounded twice.
            if (load == nullptr || (load->element != element_type::float32 && load->element != element)) return false;
            loads.push_back(*load);
        }
        return true;
    }

    /// Chooses axes and sizes of a tile.
    [[nodiscard]] bool choose(const nest_edit& e) {
        x = of.axes.size() - 1;
        right = of.follows[0][x] != 0 ? 0 : 1;
        const std::vector<char>&follow_right = of.follows[right], &follow_left = of.follows[1 - right];
        if (follow_right[x] == 0 || follow_left[x] != 0) return false;
        const auto extent = [&](std::size_t d) { return of.axes[d].extent; };
        std::optional<std::size_t> high_row;
        for (std::size_t d = 0; d < x; ++d) {
            if (follow_right[d] != 0 && follow_left[d] == 0 && (!y || extent(d) > extent(*y))) y = d;
            if (follow_right[d] == 0 && follow_left[d] != 0 && (!high_row || extent(d) > extent(*high_row))) high_row = d;
        }
        if (!high_row) return false;
        row = *high_row;
        for (std::size_t k = 0; k < of.depths.size(); ++k)
            if (const std::int64_t here = e.at(*e.loop(of.depths[k])).extent; here > deep_extent) deep = k, deep_extent = here;
        const std::int64_t wide = extent(x), high = y ? extent(*y) : 1, all_rows = extent(row);
        if (deep_extent < 1) return false;
        rows = std::min(rounds_of(all_rows, 16) * 16, std::int64_t{64});
        // Wide ones, whose threads stand next to each other, unless they are a quarter more.
        const auto columns_of = [&](std::int64_t by) {
            const std::int64_t over = y ? 64 / by : 1;
            return rounds_of(wide, by) * by * rounds_of(high, over) * over;
        };
        std::int64_t columns = columns_of(width), depths = 0;
        for (const std::int64_t by : {16, 32, 64}) columns = std::min(columns, columns_of(by));
        for (const std::int64_t by : {16, 32, 64})
            if (columns_of(by) <= columns + columns / 4) width = by;
        columns = columns_of(width);
        height = y ? 64 / width : 1;
        for (const std::int64_t piece : {32, 16, 8}) {
            if (piece < step()) continue;
            const std::int64_t all = rounds_of(deep_extent, piece) * piece;
            if (depths == 0 || all < depths) depths = all, depth = piece;
        }
        const auto product = [](std::int64_t a, std::int64_t b, std::int64_t c) {
            return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
        };
        return product(rounds_of(all_rows, rows) * rows, columns, depths) <= 2 * product(all_rows, wide * high, deep_extent);
    }
};

/// A tile for sums that are read somewhere. Nothing where a buffer does not hold such sums, or where more than half of what tensor cores
/// multiplied would be zeros.
[[nodiscard]] inline std::optional<gathered_tile> gathered_tile_of(const loop_nest& n, const std::string& sums, product_precision rounded) {
    auto read = product_sums_of(n, sums);
    if (!read) return std::nullopt;
    gathered_tile made;
    made.of = *std::move(read);
    made.rounded = rounded;
    made.element = operand_element(rounded);
    const nest_edit e(n);
    if (!made.takes(e) || !made.choose(e)) return std::nullopt;
    return made;
}

}  // namespace inlay::detail

#endif
