// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_GATHERED_TILES_HPP
#define INLAY_BACKEND_CUDA_CXX_GATHERED_TILES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/halved_operands.hpp>
#include <inlay/backend/cuda_cxx/product_sums.hpp>
#include <inlay/loops/affine.hpp>
#include <inlay/loops/check_nest.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/nest_edit.hpp>
#include <inlay/loops/run_phases.hpp>
#include <inlay/loops/tensor_core.hpp>
#include <inlay/loops/where_legal.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// Sums of products on tensor cores, whatever their extents: tiles of so many rows by up to 64 columns, which are places along one axis or
/// two. For each place of a convolution's window and each piece of the depth, a block gathers what its tile takes of either operand into
/// shared memory, rounded, with zeros where there is none, and calls what a warp does at once for each eight columns.
class tile_gatherer {
public:
    /// Nothing where a buffer does not hold such sums, or where more than half of what tensor cores did would be zeros.
    [[nodiscard]] static std::optional<loop_nest> gathered(const loop_nest& n, const std::string& sums, product_precision rounded) {
        auto read = product_sums_of(n, sums);
        if (!read) return std::nullopt;
        tile_gatherer t(n, *std::move(read), rounded);
        if (!t.takes() || !t.choose()) return std::nullopt;
        loop_nest made = t.built();
        if (!check_nest(made) || !ordered_launches(made)) return std::nullopt;
        return made;
    }

private:
    static constexpr std::int64_t lanes = 32;

    /// Loops around a statement: a thread for each round, and within them what one thread has.
    struct head {
        variable_id variable;
        std::int64_t extent;
        loop_kind runs;
    };
    struct heads {
        std::vector<head> threads, rounds;
    };

    tile_gatherer(const loop_nest& n, product_sums read, product_precision rounded)
        : e_(n), read_(std::move(read)), is_half_(rounded == product_precision::float16), extents_(n.variables.size(), 1) {}

    [[nodiscard]] static std::int64_t rounds_of(std::int64_t extent, std::int64_t size) { return extent / size + (extent % size != 0); }
    [[nodiscard]] variable_id variable_named(const std::string& loop) const { return e_.at(*e_.loop(loop)).variable; }
    [[nodiscard]] std::int64_t depth_extent() const { return e_.at(*e_.loop(read_.depths[deep_])).extent; }

    /// Whether each sum is one of products of two operands of float32.
    [[nodiscard]] bool takes() {
        const loop_nest& n = e_.nest();
        if (read_.operands.size() != 2 || n.buffers[read_.sums].element != element_type::float32 ||
            n.expressions[e_.at(read_.first).value].kind != nest_expression::form::number)
            return false;
        // An axis of one round need not be a loop of both stages.
        for (const tile_axis& a : read_.axes)
            if (a.extent < 1 || (a.sum.empty() && a.extent != 1)) return false;
        for (const statement_id loop : read_.maker.loops) {
            const std::string& sum = name_of_loop(n, loop);
            if (std::any_of(read_.axes.begin(), read_.axes.end(), [&](const tile_axis& a) { return a.sum == sum; })) continue;
            if (e_.at(loop).extent != 1) return false;
            values_.emplace_back(e_.at(loop).variable, affine());
        }
        const nest_expression* product = &n.expressions[e_.at(read_.update).value];
        if (product->kind == nest_expression::form::within) {
            const nest_expression& otherwise = n.expressions[product->operands[1]];
            if (otherwise.kind != nest_expression::form::number || otherwise.number != 0) return false;
            bounds_ = product->bounds;
            product = &n.expressions[product->operands[0]];
        }
        if (product->kind != nest_expression::form::apply || product->function != scalar_function::multiply) return false;
        for (const expression_id operand : product->operands) {
            const nest_expression& load = n.expressions[operand];
            if (load.kind != nest_expression::form::load || load.element != element_type::float32) return false;
            loads_.push_back(load);
        }
        return true;
    }

    /// Chooses axes and sizes of a tile.
    [[nodiscard]] bool choose() {
        const std::size_t x = read_.axes.size() - 1;
        right_ = read_.follows[0][x] != 0 ? 0 : 1;
        const std::vector<char>&right = read_.follows[right_], &left = read_.follows[1 - right_];
        if (right[x] == 0 || left[x] != 0) return false;
        const auto extent = [&](std::size_t d) { return read_.axes[d].extent; };
        std::optional<std::size_t> row;
        for (std::size_t d = 0; d < x; ++d) {
            if (right[d] != 0 && left[d] == 0 && (!y_ || extent(d) > extent(*y_))) y_ = d;
            if (right[d] == 0 && left[d] != 0 && (!row || extent(d) > extent(*row))) row = d;
        }
        if (!row) return false;
        row_ = *row;
        x_ = x;
        for (std::size_t k = 0; k < read_.depths.size(); ++k)
            if (e_.at(*e_.loop(read_.depths[k])).extent > depth_extent()) deep_ = k;
        const std::int64_t wide = extent(x_), high = y_ ? extent(*y_) : 1, rows = extent(row_), deep = depth_extent();
        if (deep < 1) return false;
        rows_ = std::min(rounds_of(rows, 16) * 16, std::int64_t{64});
        // Wide ones, whose threads stand next to each other, unless they are a quarter more.
        const auto columns_of = [&](std::int64_t width) {
            const std::int64_t height = y_ ? 64 / width : 1;
            return rounds_of(wide, width) * width * rounds_of(high, height) * height;
        };
        std::int64_t columns = columns_of(width_), depths = 0;
        for (const std::int64_t width : {16, 32, 64}) columns = std::min(columns, columns_of(width));
        for (const std::int64_t width : {16, 32, 64})
            if (columns_of(width) <= columns + columns / 4) width_ = width;
        columns = columns_of(width_);
        height_ = y_ ? 64 / width_ : 1;
        for (const std::int64_t depth : {32, 16, 8}) {
            if (depth < step()) continue;
            const std::int64_t all = rounds_of(deep, depth) * depth;
            if (depths == 0 || all < depths) depths = all, depth_ = depth;
        }
        const auto product = [](std::int64_t a, std::int64_t b, std::int64_t c) {
            return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
        };
        return product(rounds_of(rows, rows_) * rows_, columns, depths) <= 2 * product(rows, wide * high, deep);
    }
    /// Depths of one instruction.
    [[nodiscard]] std::int64_t step() const { return is_half_ ? 16 : 8; }

    [[nodiscard]] variable_id variable(const std::string& name, std::int64_t extent) {
        const variable_id v = e_.variable(name);
        extents_.resize(e_.nest().variables.size(), 1);
        extents_[v] = extent;
        return v;
    }
    /// A number below an extent: of threads, the first of which are next to each other, and of rounds.
    [[nodiscard]] affine spread(heads& to, const std::string& name, std::int64_t extent,
                                const std::vector<std::pair<loop_kind, std::int64_t>>& threads) {
        affine made;
        std::int64_t below = 1;
        for (const auto& [kind, most] : threads) {
            const std::int64_t count = std::min(most, extent / below);
            if (count <= 1) continue;
            to.threads.push_back({variable(name, count), count, kind});
            made += affine::of(to.threads.back().variable, below);
            below *= count;
        }
        if (below == extent) return made;
        to.rounds.push_back({variable(name + "_round", extent / below), extent / below, loop_kind::unrolled});
        return made + affine::of(to.rounds.back().variable, below);
    }
    [[nodiscard]] statement_id around(const std::vector<head>& loops, statement_id body) {
        for (std::size_t i = loops.size(); i-- > 0;) {
            nest_statement loop;
            loop.kind = nest_statement::form::loop;
            loop.variable = loops[i].variable;
            loop.extent = loops[i].extent;
            loop.runs = loops[i].runs;
            body = e_.around(std::move(loop), body);
        }
        return body;
    }
    [[nodiscard]] statement_id around(const heads& loops, statement_id body) { return around(loops.threads, around(loops.rounds, body)); }
    [[nodiscard]] statement_id stored(buffer_id to, std::vector<affine> at, expression_id value) {
        nest_statement s;
        s.kind = nest_statement::form::store;
        s.buffer = to;
        s.indices = std::move(at);
        s.value = value;
        return e_.add(std::move(s));
    }
    [[nodiscard]] statement_id opened(buffer_id b, statement_id part) {
        nest_statement s;
        s.kind = nest_statement::form::allocate;
        s.buffer = b;
        return e_.around(std::move(s), part);
    }
    [[nodiscard]] statement_id guarded(std::vector<affine_bound> bounds, statement_id body) {
        if (bounds.empty()) return body;
        nest_statement guard;
        guard.kind = nest_statement::form::guard;
        guard.bounds = std::move(bounds);
        return e_.around(std::move(guard), body);
    }
    [[nodiscard]] buffer_id shared(const std::string& name, element_type element, std::vector<std::int64_t> extents) {
        std::vector<std::int64_t> strides = row_major_strides(extents);
        return e_.add(nest_buffer{free_name(e_.nest(), name), element, std::move(extents), std::move(strides), buffer_scope::shared});
    }

    /// A number in which the tile's numbers stand for those of the loops there were.
    [[nodiscard]] affine moved(affine a) const {
        for (const auto& [v, value] : values_) a = a.with(v, value);
        return a;
    }
    /// Adds a bound that does not hold for all rounds.
    void hold(std::vector<affine_bound>& all, const affine& a, std::int64_t low, std::int64_t high) const {
        const auto range = a.range(extents_);
        if (range && range->first >= low && range->second < high) return;
        if (std::none_of(all.begin(), all.end(), [&](const affine_bound& b) { return b.value == a && b.low == low && b.high == high; }))
            all.push_back({low, a, high});
    }

    /// An operand's number for a place of its tile, or zero.
    [[nodiscard]] expression_id operand(std::size_t i) {
        nest_expression load = loads_[i];
        std::vector<affine_bound> bounds;
        if (i == right_)
            for (const affine_bound& b : bounds_) hold(bounds, moved(b.value), b.low, b.high);
        for (std::size_t d = 0; d < load.indices.size(); ++d) {
            load.indices[d] = moved(load.indices[d]);
            hold(bounds, load.indices[d], 0, e_.nest().buffers[load.buffer].extents[d]);
        }
        hold(bounds, moved(affine::of(variable_named(read_.depths[deep_]))), 0, depth_extent());
        expression_id made = e_.add(std::move(load));
        if (!bounds.empty()) {
            nest_expression within;
            within.kind = nest_expression::form::within;
            within.bounds = std::move(bounds);
            within.operands = {made, e_.add(nest_expression{})};
            made = e_.add(std::move(within));
        }
        return is_half_ ? cast_of(e_, made, element_type::float16) : made;
    }

    [[nodiscard]] function_id instruction() {
        loop_nest f = is_half_ ? mma_float16() : mma_tf32();
        const auto& known = e_.nest().functions;
        for (function_id i = 0; i < known.size(); ++i)
            if (known[i] == f) return i;
        return e_.add(std::move(f));
    }

    /// Puts a number of the tile in the place of an axis's loop.
    void set(std::size_t axis, const affine& block, const affine& inside) {
        const affine whole = block + inside;
        if (!read_.axes[axis].sum.empty()) values_.emplace_back(variable_named(read_.axes[axis].sum), whole);
        values_.emplace_back(variable_named(read_.axes[axis].reader), whole);
    }

    /// The rows and columns of a tile, over all threads.
    struct places {
        heads loops;
        affine row, y, x;
    };
    [[nodiscard]] places over_tile(const std::string& name, std::int64_t rows) {
        places made;
        made.x = spread(made.loops, name + "_x", width_, {{loop_kind::thread_x, lanes}});
        if (y_) made.y = spread(made.loops, name + "_y", height_, {{loop_kind::thread_y, height_}});
        made.row = spread(made.loops, name, rows, {{loop_kind::thread_z, width_ / 8}});
        return made;
    }

    [[nodiscard]] loop_nest built() {
        const statement_id maker = read_.maker.loops.front(), reader = read_.reader.loops.front(), body = read_.reader.body;
        const std::string name = e_.nest().buffers[read_.sums].name;
        const element_type element = is_half_ ? element_type::float16 : element_type::float32;
        const std::string left_name = read_.operands[1 - right_], right_name = read_.operands[right_];
        const buffer_id sums = shared(name + "_tile", element_type::float32, {rows_, height_, width_}),
                        left = shared(left_name + "_tile", element, {rows_, depth_}),
                        right = shared(right_name + "_tile", element, {depth_, height_, width_});

        // Blocks, and where the tile of each begins.
        std::vector<head> blocks;
        std::vector<affine> begins(read_.axes.size());
        for (std::size_t d = 0; d < read_.axes.size(); ++d) {
            const std::int64_t size = d == row_ ? rows_ : d == x_ ? width_ : y_ && d == *y_ ? height_ : 1;
            const std::int64_t count = rounds_of(read_.axes[d].extent, size);
            blocks.push_back({variable(read_.axes[d].reader + "_block", count), count, loop_kind::block_x});
            begins[d] = affine::of(blocks.back().variable, size);
            if (size == 1 && d != row_ && d != x_) set(d, begins[d], affine());
        }
        std::vector<head> rounds;
        affine depth_begin;
        for (std::size_t k = 0; k < read_.depths.size(); ++k) {
            const std::int64_t extent = e_.at(*e_.loop(read_.depths[k])).extent, count = k == deep_ ? rounds_of(extent, depth_) : extent;
            rounds.push_back({variable(read_.depths[k] + "_block", count), count, loop_kind::serial});
            const affine one = affine::of(rounds.back().variable, k == deep_ ? depth_ : 1);
            (k == deep_ ? depth_begin : values_.emplace_back(variable_named(read_.depths[k]), affine()).second) = one;
        }
        const auto common = values_;
        const variable_id deep = variable_named(read_.depths[deep_]);

        std::vector<statement_id> parts, in_round;
        places at = over_tile(name + "_first", rows_);
        parts.push_back(around(at.loops, stored(sums, {at.row, at.y, at.x}, e_.add(e_.nest().expressions[e_.at(read_.first).value]))));

        heads loops;
        // A block has 32 threads along x, whatever the depth of a piece.
        const affine depth = spread(loops, left_name + "_depth", lanes, {{loop_kind::thread_x, lanes}});
        const affine row = spread(loops, left_name + "_row", rows_, {{loop_kind::thread_z, width_ / 8}, {loop_kind::thread_y, height_}});
        set(row_, begins[row_], row);
        values_.emplace_back(deep, depth_begin + depth);
        std::vector<affine_bound> short_piece;
        hold(short_piece, depth, 0, depth_);
        in_round.push_back(around(loops, guarded(std::move(short_piece), stored(left, {row, depth}, operand(1 - right_)))));

        values_ = common;
        at = over_tile(right_name + "_depth", depth_);
        set(x_, begins[x_], at.x);
        if (y_) set(*y_, begins[*y_], at.y);
        values_.emplace_back(deep, depth_begin + at.row);
        in_round.push_back(around(at.loops, stored(right, {at.row, at.y, at.x}, operand(right_))));

        in_round.push_back(called(name, left, right, sums));
        parts.push_back(around(rounds, opened(left, opened(right, e_.block(std::move(in_round))))));

        // What reads the sums reads the tile's.
        values_ = common;
        at = over_tile(name + "_read", rows_);
        set(row_, begins[row_], at.row);
        set(x_, begins[x_], at.x);
        if (y_) set(*y_, begins[*y_], at.y);
        std::vector<affine_bound> inside;
        for (const tile_axis& a : read_.axes) hold(inside, moved(affine::of(variable_named(a.reader))), 0, a.extent);
        for (const tile_axis& a : read_.axes) {
            const variable_id v = variable_named(a.reader);
            e_.substitute_in(body, v, moved(affine::of(v)));
        }
        e_.redirect(body, read_.sums, sums, [&](const std::vector<affine>&) { return std::vector<affine>{at.row, at.y, at.x}; });
        parts.push_back(around(at.loops, guarded(std::move(inside), body)));
        const statement_id tile = around(blocks, opened(sums, e_.block(std::move(parts))));
        e_.replace(reader, tile);
        e_.replace(maker, e_.block({}));
        const statement_id allocation = *e_.allocation_of(read_.sums);
        e_.replace(allocation, e_.at(allocation).parts.front());
        e_.tidy();
        return std::move(e_).take();
    }

    /// Each warp has eight columns of the tile, and goes through its rows and depths.
    [[nodiscard]] statement_id called(const std::string& name, buffer_id left, buffer_id right, buffer_id sums) {
        heads loops;
        const affine x = spread(loops, name + "_eight", width_ / 8, {{loop_kind::thread_z, width_ / 8}});
        const affine y = spread(loops, name + "_warp", height_, {{loop_kind::thread_y, height_}});
        const affine row = spread(loops, name + "_rows", rows_ / 16, {});
        const affine depth = spread(loops, name + "_depths", depth_ / step(), {});
        const std::vector<window_axis> along{{0, 1}, {2, 1}};
        nest_statement call;
        call.kind = nest_statement::form::call;
        call.callee = instruction();
        call.places = {
            {left, {row * 16, depth * step()}, {}}, {right, {depth * step(), y, x * 8}, along}, {sums, {row * 16, y, x * 8}, along}};
        return around(loops, e_.add(std::move(call)));
    }

    nest_edit e_;
    product_sums read_;
    bool is_half_;
    std::vector<std::int64_t> extents_;  // by variable, for those of the tiles
    std::vector<affine_bound> bounds_;   // within which there is a product
    std::vector<nest_expression> loads_;
    std::size_t right_ = 0, row_ = 0, x_ = 0, deep_ = 0;  // the operand of columns, axes of rows and columns, the depth that is cut
    std::optional<std::size_t> y_;
    std::int64_t rows_ = 16, width_ = 8, height_ = 1, depth_ = 16;
    std::vector<std::pair<variable_id, affine>> values_;
};

}  // namespace inlay::detail

#endif
