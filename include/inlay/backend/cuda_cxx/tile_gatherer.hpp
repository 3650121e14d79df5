// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_TILE_GATHERER_HPP
#define INLAY_BACKEND_CUDA_CXX_TILE_GATHERER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/gathered_tile.hpp>
#include <inlay/backend/cuda_cxx/product_sums.hpp>
#include <inlay/backend/cuda_cxx/stored_operands.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/run/run_phases.hpp>
#include <inlay/loops/text/tensor_core.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// Sums of products on tensor cores, whatever their extents. For each place of a convolution's window and each piece of the depth, a block
/// gathers what its tile takes of either operand into shared memory, rounded, with zeros where there is none, and calls what a warp does at
/// once for each eight columns.
class tile_gatherer {
public:
    /// Nothing where a buffer does not hold such sums, or where there is no tile for them.
    [[nodiscard]] static std::optional<loop_nest> gathered(const loop_nest& n, const std::string& sums, product_precision rounded) {
        auto tile = gathered_tile_of(n, sums, rounded);
        if (!tile) return std::nullopt;
        loop_nest made = tile_gatherer(n, *std::move(tile)).built();
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

    tile_gatherer(const loop_nest& n, gathered_tile tile) : e_(n), t_(std::move(tile)), extents_(n.variables.size(), 1) {
        for (const variable_id v : t_.lone) values_.emplace_back(v, affine());
    }

    [[nodiscard]] variable_id variable_named(const std::string& loop) const { return e_.at(*e_.loop(loop)).variable; }
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
        nest_expression load = t_.loads[i];
        const element_type stored = load.element;
        std::vector<affine_bound> bounds;
        if (i == t_.right)
            for (const affine_bound& b : t_.bounds) hold(bounds, moved(b.value), b.low, b.high);
        for (std::size_t d = 0; d < load.indices.size(); ++d) {
            load.indices[d] = moved(load.indices[d]);
            hold(bounds, load.indices[d], 0, e_.nest().buffers[load.buffer].extents[d]);
        }
        hold(bounds, moved(affine::of(variable_named(t_.of.depths[t_.deep]))), 0, t_.deep_extent);
        expression_id made = e_.add(std::move(load));
        if (!bounds.empty()) {
            nest_expression within;
            within.kind = nest_expression::form::within;
            within.element = stored;
            within.bounds = std::move(bounds);
            const expression_id zero = e_.add(nest_expression{});
            within.operands = {made, stored == element_type::float32 ? zero : cast_of(e_, zero, stored)};
            made = e_.add(std::move(within));
        }
        return stored == t_.element ? made : cast_of(e_, made, t_.element);
    }

    [[nodiscard]] function_id instruction() {
        loop_nest f = mma_of(t_.rounded);
        const auto& known = e_.nest().functions;
        for (function_id i = 0; i < known.size(); ++i)
            if (known[i] == f) return i;
        return e_.add(std::move(f));
    }

    /// Puts a number of the tile in the place of an axis's loop.
    void set(std::size_t axis, const affine& block, const affine& inside) {
        const affine whole = block + inside;
        if (!t_.of.axes[axis].sum.empty()) values_.emplace_back(variable_named(t_.of.axes[axis].sum), whole);
        values_.emplace_back(variable_named(t_.of.axes[axis].reader), whole);
    }

    /// The rows and columns of a tile, over all threads.
    struct places {
        heads loops;
        affine row, y, x;
    };
    [[nodiscard]] places over_tile(const std::string& name, std::int64_t rows) {
        places made;
        made.x = spread(made.loops, name + "_x", t_.width, {{loop_kind::thread_x, lanes}});
        if (t_.y) made.y = spread(made.loops, name + "_y", t_.height, {{loop_kind::thread_y, t_.height}});
        made.row = spread(made.loops, name, rows, {{loop_kind::thread_z, t_.width / 8}});
        return made;
    }

    [[nodiscard]] loop_nest built() {
        const statement_id maker = t_.of.maker.loops.front(), reader = t_.of.reader.loops.front(), body = t_.of.reader.body;
        const std::string name = e_.nest().buffers[t_.of.sums].name;
        const std::string left_name = t_.of.operands[1 - t_.right], right_name = t_.of.operands[t_.right];
        const buffer_id sums = shared(name + "_tile", element_type::float32, {t_.rows, t_.height, t_.width}),
                        left = shared(left_name + "_tile", t_.element, {t_.rows, t_.depth}),
                        right = shared(right_name + "_tile", t_.element, {t_.depth, t_.height, t_.width});

        // Blocks, and where the tile of each begins.
        std::vector<head> blocks;
        std::vector<affine> begins(t_.of.axes.size());
        for (std::size_t d = 0; d < t_.of.axes.size(); ++d) {
            const std::int64_t size = d == t_.row ? t_.rows : d == t_.x ? t_.width : t_.y && d == *t_.y ? t_.height : 1;
            const std::int64_t count = gathered_tile::rounds_of(t_.of.axes[d].extent, size);
            blocks.push_back({variable(t_.of.axes[d].reader + "_block", count), count, loop_kind::block_x});
            begins[d] = affine::of(blocks.back().variable, size);
            if (size == 1 && d != t_.row && d != t_.x) set(d, begins[d], affine());
        }
        std::vector<head> rounds;
        affine depth_begin;
        for (std::size_t k = 0; k < t_.of.depths.size(); ++k) {
            const std::int64_t extent = e_.at(*e_.loop(t_.of.depths[k])).extent,
                               count = k == t_.deep ? gathered_tile::rounds_of(extent, t_.depth) : extent;
            rounds.push_back({variable(t_.of.depths[k] + "_block", count), count, loop_kind::serial});
            const affine one = affine::of(rounds.back().variable, k == t_.deep ? t_.depth : 1);
            (k == t_.deep ? depth_begin : values_.emplace_back(variable_named(t_.of.depths[k]), affine()).second) = one;
        }
        const auto common = values_;
        const variable_id deep = variable_named(t_.of.depths[t_.deep]);

        std::vector<statement_id> parts, in_round;
        places at = over_tile(name + "_first", t_.rows);
        parts.push_back(around(at.loops, stored(sums, {at.row, at.y, at.x}, e_.add(e_.nest().expressions[e_.at(t_.of.first).value]))));

        heads loops;
        // A block has 32 threads along x, whatever the depth of a piece.
        const affine depth = spread(loops, left_name + "_depth", lanes, {{loop_kind::thread_x, lanes}});
        const affine row =
            spread(loops, left_name + "_row", t_.rows, {{loop_kind::thread_z, t_.width / 8}, {loop_kind::thread_y, t_.height}});
        set(t_.row, begins[t_.row], row);
        values_.emplace_back(deep, depth_begin + depth);
        std::vector<affine_bound> short_piece;
        hold(short_piece, depth, 0, t_.depth);
        in_round.push_back(around(loops, guarded(std::move(short_piece), stored(left, {row, depth}, operand(1 - t_.right)))));

        values_ = common;
        at = over_tile(right_name + "_depth", t_.depth);
        set(t_.x, begins[t_.x], at.x);
        if (t_.y) set(*t_.y, begins[*t_.y], at.y);
        values_.emplace_back(deep, depth_begin + at.row);
        in_round.push_back(around(at.loops, stored(right, {at.row, at.y, at.x}, operand(t_.right))));

        in_round.push_back(called(name, left, right, sums));
        parts.push_back(around(rounds, e_.allocated(left, e_.allocated(right, e_.block(std::move(in_round))))));

        // What reads the sums reads the tile's.
        values_ = common;
        at = over_tile(name + "_read", t_.rows);
        set(t_.row, begins[t_.row], at.row);
        set(t_.x, begins[t_.x], at.x);
        if (t_.y) set(*t_.y, begins[*t_.y], at.y);
        std::vector<affine_bound> inside;
        for (const tile_axis& a : t_.of.axes) hold(inside, moved(affine::of(variable_named(a.reader))), 0, a.extent);
        for (const tile_axis& a : t_.of.axes) {
            const variable_id v = variable_named(a.reader);
            e_.substitute_in(body, v, moved(affine::of(v)));
        }
        e_.redirect(body, t_.of.sums, sums, [&](const std::vector<affine>&) { return std::vector<affine>{at.row, at.y, at.x}; });
        parts.push_back(around(at.loops, guarded(std::move(inside), body)));
        const statement_id tile = around(blocks, e_.allocated(sums, e_.block(std::move(parts))));
        e_.replace(reader, tile);
        e_.replace(maker, e_.block({}));
        const statement_id allocation = *e_.allocation_of(t_.of.sums);
        e_.replace(allocation, e_.at(allocation).parts.front());
        e_.tidy();
        return std::move(e_).take();
    }

    /// Each warp has eight columns of the tile, and goes through its rows and depths.
    [[nodiscard]] statement_id called(const std::string& name, buffer_id left, buffer_id right, buffer_id sums) {
        heads loops;
        const affine x = spread(loops, name + "_eight", t_.width / 8, {{loop_kind::thread_z, t_.width / 8}});
        const affine y = spread(loops, name + "_warp", t_.height, {{loop_kind::thread_y, t_.height}});
        const affine row = spread(loops, name + "_rows", t_.rows / 16, {});
        const affine depth = spread(loops, name + "_depths", t_.depth / t_.step(), {});
        const std::vector<window_axis> along{{0, 1}, {2, 1}};
        nest_statement call;
        call.kind = nest_statement::form::call;
        call.callee = instruction();
        call.places = {
            {left, {row * 16, depth * t_.step()}, {}}, {right, {depth * t_.step(), y, x * 8}, along}, {sums, {row * 16, y, x * 8}, along}};
        return around(loops, e_.add(std::move(call)));
    }

    nest_edit e_;
    gathered_tile t_;
    std::vector<std::int64_t> extents_;  // by variable, for those of the tiles
    std::vector<std::pair<variable_id, affine>> values_;
};

}  // namespace inlay::detail

#endif
