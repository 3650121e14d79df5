// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_TILED_SUMS_HPP
#define INLAY_BACKEND_CUDA_CXX_TILED_SUMS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/halved_operands.hpp>
#include <inlay/backend/cuda_cxx/product_sums.hpp>
#include <inlay/backend/cuda_cxx/stored_operands.hpp>
#include <inlay/backend/cuda_cxx/tile_gatherer.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/run/run_phases.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>
#include <inlay/loops/text/tensor_core.hpp>
#include <inlay/loops/text/wgmma.hpp>

namespace inlay::detail {

/// Sums over products (matrix products, convolutions) as tiles of blocks: what a tile reads goes through shared memory, its sums are in
/// registers, and what reads the sums runs right behind them. A schedule, found step by step.
class sum_tiler {
public:
    /// Nothing where a buffer does not hold such sums, or where there is nothing to gain.
    [[nodiscard]] static std::optional<loop_nest> tiled(const loop_nest& n, const std::string& sums) {
        for (std::int64_t depth = 16; depth > 0; depth /= 2) {
            sum_tiler t(n, sums);
            if (!t.read() || !t.choose()) return std::nullopt;
            t.depth_ = depth;
            if (t.arrange() && t.shared_bytes() <= most_shared && ordered_launches(t.n_)) return std::move(t.n_);
        }
        return std::nullopt;
    }

    /// The same by tensor cores, operands rounded to what is said, sums in float32; by warpgroups where asked. Nothing where extents are no
    /// multiples of a tile's.
    [[nodiscard]] static std::optional<loop_nest> on_tensor_cores(const loop_nest& n, const std::string& sums, product_precision rounded,
                                                                  bool by_warpgroups = false) {
        sum_tiler t(n, sums);
        t.precision_ = rounded;
        t.by_warpgroups_ = by_warpgroups;
        t.depth_ = tensor_depth;
        if (!t.read() || !t.choose_for_tensor_cores() || (by_warpgroups && !t.by_eights()) || !t.halved() || !t.arrange() ||
            t.shared_bytes() > most_shared || !ordered_launches(t.n_))
            return std::nullopt;
        return std::move(t.n_);
    }

private:
    static constexpr std::int64_t tensor_side = 64, tensor_depth = 32;
    static constexpr std::size_t most_shared = std::size_t{48} << 10;
    static constexpr std::array<loop_kind, 3> kinds{loop_kind::thread_x, loop_kind::thread_y, loop_kind::thread_z};

    sum_tiler(const loop_nest& n, const std::string& sums) : n_(n), sums_(sums) {}

    [[nodiscard]] bool applied(const loop_schedule& how) { return arrange_where_legal(n_, how); }
    [[nodiscard]] std::string fresh(const std::string& name) const { return free_name(n_, name); }

    /// Reads the stage that sums and the one that reads the sums.
    [[nodiscard]] bool read() {
        auto found = product_sums_of(n_, sums_);
        if (!found) return false;
        axes_ = std::move(found->axes);
        depths_ = std::move(found->depths);
        operands_ = std::move(found->operands);
        follows_ = std::move(found->follows);
        return true;
    }

    /// Chooses which axes the threads of a block share, and how many sums each has.
    [[nodiscard]] bool choose() {
        constexpr std::int64_t side = 16, most_threads = 256, blocks_wanted = 128;
        const auto is_tileable = [&](std::size_t d) { return axes_[d].extent > 1 && !axes_[d].sum.empty(); };
        std::optional<std::size_t> x, y, z;
        for (std::size_t d = axes_.size(); d-- > 0 && !x;)
            if (is_tileable(d)) x = d;
        if (!x) return false;
        // An axis along which what follows x is used again.
        for (std::size_t d = 0; d < axes_.size(); ++d) {
            bool is_reused = false, reuses = false;
            for (const std::vector<char>& f : follows_) {
                is_reused = is_reused || (f[*x] != 0 && f[d] == 0);
                reuses = reuses || (f[*x] == 0 && f[d] != 0);
            }
            if (d != *x && is_tileable(d) && is_reused && reuses && (!y || axes_[d].extent > axes_[*y].extent)) y = d;
        }
        if (!y) return false;
        tile_axis &wide = axes_[*x], &high = axes_[*y];
        wide.threads = std::min(side, wide.extent);
        // Short rows: several of them.
        for (std::size_t d = axes_.size(); d-- > 0 && !z && wide.threads < side;)
            if (d != *x && d != *y && is_tileable(d)) z = d;
        if (z) axes_[*z].threads = std::min(axes_[*z].extent, std::max(std::int64_t{64} / wide.threads, std::int64_t{1}));
        high.threads = std::min({side, high.extent, most_threads / (wide.threads * (z ? axes_[*z].threads : 1))});
        const auto rounds = [](const tile_axis& a) { return a.extent / a.size() + (a.extent % a.size() != 0); };
        const auto most_registers = [](const tile_axis& a) {
            std::int64_t r = 1;
            while (r < 8 && a.threads * r * 2 <= a.extent) r *= 2;
            return r;
        };
        wide.registers = most_registers(wide);
        high.registers = most_registers(high);
        const auto blocks = [&] {
            double all = 1;
            for (const tile_axis& a : axes_) all *= static_cast<double>(rounds(a));
            return all;
        };
        while (wide.registers * high.registers > 4 && blocks() < static_cast<double>(blocks_wanted))
            (wide.registers > high.registers ? wide : high).registers /= 2;
        wide.bound = kinds[0];
        high.bound = kinds[1];
        if (z) axes_[*z].bound = kinds[2];
        return true;
    }

    /// Rows of the first operand by columns of the second.
    [[nodiscard]] bool choose_for_tensor_cores() {
        const std::size_t count = axes_.size();
        if (count < 2 || depths_.size() != 1 || operands_.size() != 2) return false;
        tile_axis &wide = axes_[count - 1], &high = axes_[count - 2];
        const std::vector<char>&left = follows_[0], &right = follows_[1];
        const bool is_product = !wide.sum.empty() && !high.sum.empty() && left[count - 2] != 0 && left[count - 1] == 0 &&
                                right[count - 1] != 0 && right[count - 2] == 0;
        const std::int64_t deep = n_.statements[*nest_edit(n_).loop(depths_[0])].extent;
        const std::int64_t columns = by_warpgroups_ ? 2 * tensor_side : tensor_side;
        if (!is_product || wide.extent % columns != 0 || high.extent % tensor_side != 0 || deep % tensor_depth != 0) return false;
        wide.threads = by_warpgroups_ ? 128 : 32;
        high.threads = by_warpgroups_ ? 2 : 8;
        wide.registers = columns / wide.threads;
        high.registers = tensor_side / high.threads;
        wide.bound = kinds[0];
        high.bound = kinds[1];
        return true;
    }
    /// Has depths go by eights, as warpgroups take them.
    [[nodiscard]] bool by_eights() {
        depths_.push_back(fresh(depths_[0] + "_of_eight"));
        const std::string eights = fresh(depths_[0] + "_eight");
        if (!applied(loop_schedule().split(depths_[0], 8, eights, depths_[1]))) return false;
        depths_[0] = eights;
        depth_ = tensor_depth / 8;
        return true;
    }
    /// Has the sums read operands in half precision, which stages of their own store first where they are not.
    [[nodiscard]] bool halved() {
        if (!is_half(operand_element(precision_))) return true;
        return halve_operands(n_, sums_, operands_, operand_element(precision_), by_warpgroups_ ? depths_[0] : std::string());
    }

    /// One of the three stages that a tile has in the end.
    struct stage {
        std::vector<std::string> threads, registers;
        std::vector<std::pair<std::string, loop_kind>> bound;
    };
    /// Has loops over a tile's axes, of which `name(axis)` is one's, split into threads and registers.
    template <class Name>
    [[nodiscard]] bool shared_out(stage& s, const std::vector<std::string>& before, const std::vector<std::string>& behind, Name&& name) {
        loop_schedule how;
        // Threads along z outermost, along x innermost.
        for (std::size_t kind = kinds.size(); kind-- > 0;)
            for (const tile_axis& axis : axes_) {
                if (axis.bound != kinds[kind]) continue;
                std::string loop = name(axis);
                if (loop.empty()) continue;
                if (axis.size() > axis.threads) {
                    const std::string inside = fresh(loop + "_thread"), over = fresh(loop + "_register");
                    how.split(loop, axis.threads, over, inside);
                    s.registers.push_back(over);
                    loop = inside;
                }
                s.threads.push_back(loop);
                s.bound.emplace_back(loop, kinds[kind]);
            }
        std::vector<std::string> order = before;
        for (const std::vector<std::string>* more : {&std::as_const(s.threads), &behind, &std::as_const(s.registers)})
            order.insert(order.end(), more->begin(), more->end());
        if (order.size() > 1) how.reorder(order);
        return applied(how);
    }

    [[nodiscard]] bool arrange() {
        // The reader tile by tile, and its sums right before a tile of it.
        loop_schedule tiles;
        std::vector<std::string> blocks, inside;
        std::vector<std::string> in_tile(axes_.size());
        for (std::size_t d = 0; d < axes_.size(); ++d) {
            const tile_axis& axis = axes_[d];
            if (!axis.bound) {
                blocks.push_back(axis.reader);
                continue;
            }
            const std::string over = fresh(axis.reader + "_block");
            in_tile[d] = fresh(axis.reader + "_tile");
            tiles.split(axis.reader, axis.size(), over, in_tile[d]);
            blocks.push_back(over);
            inside.push_back(in_tile[d]);
        }
        std::vector<std::string> order = blocks;
        order.insert(order.end(), inside.begin(), inside.end());
        if (!applied(tiles.reorder(order).compute_at(sums_, blocks.back()))) return false;

        // First values of all sums, then what is added to them, whose loops get names of their own.
        std::vector<std::string> added(axes_.size()), others;
        std::string outermost;
        const nest_edit e(n_);
        for (const nest_statement& s : n_.statements) {
            if (s.kind != nest_statement::form::loop) continue;
            const auto axis =
                std::find_if(axes_.begin(), axes_.end(), [&](const tile_axis& a) { return a.sum == n_.variables[s.variable]; });
            if (axis == axes_.end()) continue;
            added[static_cast<std::size_t>(axis - axes_.begin())] = fresh(axis->sum + "_sum");
            others.insert(others.begin(), added[static_cast<std::size_t>(axis - axes_.begin())]);
            outermost = axis->sum;
        }
        if (outermost.empty() || !applied(loop_schedule().fission(outermost, 1, others))) return false;

        stage reads, begins, adds;
        const std::string deep = fresh(depths_[0] + "_block"), depth = fresh(depths_[0] + "_in");
        const std::int64_t depth_extent = n_.statements[*nest_edit(n_).loop(depths_[0])].extent;
        if (!applied(loop_schedule().split(depths_[0], std::min(depth_, std::max(depth_extent, std::int64_t{1})), deep, depth)))
            return false;
        std::vector<std::string> within{depth};
        within.insert(within.end(), depths_.begin() + 1, depths_.end());
        const auto index = [&](const tile_axis& a) { return static_cast<std::size_t>(&a - axes_.data()); };
        if (!shared_out(reads, {}, {}, [&](const tile_axis& a) { return in_tile[index(a)]; }) ||
            !shared_out(begins, {}, {}, [&](const tile_axis& a) { return added[index(a)].empty() ? std::string() : a.sum; }) ||
            !(precision_ != product_precision::float32
                  ? called(adds, deep, depth, added)
                  : shared_out(adds, {deep}, within, [&](const tile_axis& a) { return added[index(a)]; })))
            return false;

        loop_schedule bind;
        for (const std::string& operand : operands_)
            if (!copied(operand, deep, bind)) return false;
        for (const std::string& loop : blocks) bind.bind(loop, loop_kind::block_x);
        for (const stage* s : {&reads, &begins, &adds}) {
            for (const auto& [loop, kind] : s->bound) bind.bind(loop, kind);
            for (const std::string& loop : s->registers) bind.unroll(loop);
        }
        return applied(bind);
    }

    /// Each warp has the columns of one instruction, and goes through the rows and depths of a tile; a warpgroup has all of them at once.
    [[nodiscard]] bool called(stage& s, const std::string& deep, const std::string& depth, const std::vector<std::string>& added) {
        const std::string rows = added[axes_.size() - 2], columns = added[axes_.size() - 1], warp = fresh(columns + "_warp");
        loop_schedule how;
        if (by_warpgroups_)
            how.split(columns, tensor_side, warp, fresh(columns + "_in"))
                .reorder({deep, warp, rows, fresh(columns + "_in"), depth, depths_[1]})
                .call(rows, precision_ == product_precision::float16 ? wgmma_float16(tensor_depth) : wgmma_bfloat16(tensor_depth));
        else
            how.split(rows, 16, fresh(rows + "_round"), fresh(rows + "_in"))
                .split(columns, 8, warp, fresh(columns + "_in"))
                .split(depth, is_half(operand_element(precision_)) ? 16 : 8, fresh(depth + "_round"), fresh(depth + "_in"))
                .reorder({deep, warp, fresh(rows + "_round"), fresh(depth + "_round"), fresh(rows + "_in"), fresh(columns + "_in"),
                          fresh(depth + "_in")})
                .call(fresh(rows + "_in"), mma_of(precision_));
        how.put(sums_, buffer_scope::shared);
        s.bound.emplace_back(warp, loop_kind::thread_y);
        return applied(how);
    }

    /// A copy of what a round of the loop over depths reads, made by the threads of the block.
    [[nodiscard]] bool copied(const std::string& operand, const std::string& loop, loop_schedule& bind) {
        const std::string copy = fresh(operand + "_tile");
        if (!applied(loop_schedule().cache(operand, loop, copy).put(copy, buffer_scope::shared))) return false;
        const auto made = nest_edit(n_).buffer(copy);
        std::vector<std::string> loops;
        for (std::size_t d = 0; d < n_.buffers[*made].extents.size(); ++d)
            if (const std::string name = copy + "_" + std::to_string(d); nest_edit(n_).loop(name)) loops.push_back(name);
        loop_schedule how;
        std::vector<std::string> threads, rest = loops;
        // What a warpgroup takes at once of a row is one thread's.
        if (by_warpgroups_) loops.pop_back();
        for (std::size_t kind = 0; kind < kinds.size() && !rest.empty(); ++kind) {
            const auto axis = std::find_if(axes_.begin(), axes_.end(), [&](const tile_axis& a) { return a.bound == kinds[kind]; });
            if (axis == axes_.end() || axis->threads == 1) continue;
            // The last axis that is left.
            std::string one = loops[loops.size() - 1 - threads.size()];
            rest.erase(std::find(rest.begin(), rest.end(), one));
            if (n_.statements[*nest_edit(n_).loop(one)].extent > axis->threads) {
                const std::string over = one + "_round", inside = one + "_thread";
                how.split(one, axis->threads, over, inside);
                rest.push_back(over);
                one = inside;
            }
            threads.insert(threads.begin(), one);
            bind.bind(one, kinds[kind]);
            if (threads.size() == loops.size()) break;
        }
        std::vector<std::string> order = threads;
        order.insert(order.end(), rest.begin(), rest.end());
        if (order.size() > 1) how.reorder(order);
        return applied(how);
    }

    [[nodiscard]] std::size_t shared_bytes() const {
        std::size_t all = 0;
        for (const nest_buffer& b : n_.buffers)
            if (b.scope == buffer_scope::shared) all += element_span(b) * size_of(b.element);
        return all;
    }

    loop_nest n_;
    std::string sums_;
    product_precision precision_ = product_precision::float32;
    bool by_warpgroups_ = false;
    std::int64_t depth_ = 16;  // rounds of the outermost sum between two copies
    std::vector<tile_axis> axes_;
    std::vector<std::string> depths_, operands_;
    std::vector<std::vector<char>> follows_;  // by operand: axes that it follows
};

/// A nest whose sums of products are made in tiles, where that is legal; by tensor cores where operands are stored in half precision or may
/// be rounded: by warpgroups, where the device has their instructions, and by warps where extents are multiples of a tile's, else by tiles
/// that are gathered.
[[nodiscard]] inline loop_nest with_tiled_sums(loop_nest n, product_precision rounded = product_precision::float32,
                                               tensor_cores cores = tensor_cores::of_warps) {
    std::vector<std::string> names;
    for (const nest_buffer& b : n.buffers)
        if (b.scope == buffer_scope::scratch) names.push_back(b.name);
    for (const std::string& name : names) {
        std::optional<loop_nest> made;
        const product_precision stored = stored_precision(n, name);
        product_precision taken = stored != product_precision::float32 ? stored : rounded;
        if (cores == tensor_cores::none) taken = product_precision::float32;
        if (cores == tensor_cores::of_warpgroups && is_half(operand_element(taken)))
            made = sum_tiler::on_tensor_cores(n, name, taken, true);
        if (!made && taken != product_precision::float32) made = sum_tiler::on_tensor_cores(n, name, taken);
        if (!made && taken != product_precision::float32) made = tile_gatherer::gathered(n, name, taken);
        if (!made) made = sum_tiler::tiled(n, name);
        if (made) n = *std::move(made);
    }
    return n;
}

}  // namespace inlay::detail

#endif
