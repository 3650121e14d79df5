// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_ROWS_BY_BLOCK_HPP
#define INLAY_BACKEND_CUDA_CXX_ROWS_BY_BLOCK_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/spread_rounds.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/nest/race.hpp>
#include <inlay/loops/run/run_phases.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// A band whose rounds are rows (of a softmax, a normalization, a sum) as one block for each row: loops along the row are shared out over
/// the threads of the block, what one element sums is summed by threads and then by pairs, and what the row keeps is shared.
class row_blocks {
public:
    static constexpr std::int64_t threads = 128, long_row = 64;

    /// Nothing where a band is something else, or its rows are short.
    [[nodiscard]] static std::optional<loop_nest> of(const loop_nest& n, const loop_band& band) {
        row_blocks made(n);
        if (!made.read(band)) return std::nullopt;
        for (const std::string& loop : made.sums_)
            if (!made.summed_by_pairs(loop)) return std::nullopt;
        if (!check_nest(made.n_.nest())) return std::nullopt;
        loop_nest whole = std::move(made.n_).take();
        loop_schedule how;
        for (const std::string& buffer : made.kept_) how.put(buffer, buffer_scope::shared);
        if (!arrange_where_legal(whole, how)) return std::nullopt;
        for (const std::string& loop : made.shared_out_)
            if (!along_threads(whole, loop)) return std::nullopt;
        loop_schedule rows;
        for (const std::string& loop : made.rows_) rows.bind(loop, loop_kind::block_x);
        std::size_t shared = 0;
        for (const nest_buffer& b : whole.buffers)
            if (b.scope == buffer_scope::shared) shared += element_span(b) * size_of(b.element);
        if (shared > most_shared || !arrange_where_legal(whole, rows) || !ordered_launches(whole)) return std::nullopt;
        return whole;
    }

private:
    static constexpr std::size_t most_shared = std::size_t{48} << 10;

    explicit row_blocks(const loop_nest& n) : n_(n) {}

    [[nodiscard]] bool read(const loop_band& band) {
        const loop_nest& n = n_.nest();
        std::size_t free = 0;
        while (free < band.loops.size() && !race_of(n, band.loops[free])) ++free;
        // Loops along the row stand in those over rows, with more beside them.
        if (free == 0) return false;
        const statement_id body = n.statements[band.loops[free - 1]].parts.front();
        for (std::size_t i = 0; i < free; ++i) rows_.push_back(name_of_loop(n, band.loops[i]));
        std::int64_t longest = 0;
        bool fits = true;
        const auto look = [&](const auto& self, statement_id id) -> void {
            const nest_statement& s = n.statements[id];
            switch (s.kind) {
                case nest_statement::form::allocate:
                    fits = fits && n.buffers[s.buffer].scope == buffer_scope::stack;
                    kept_.push_back(n.buffers[s.buffer].name);
                    [[fallthrough]];
                case nest_statement::form::block:
                    for (const statement_id part : s.parts) self(self, part);
                    return;
                case nest_statement::form::loop: {
                    longest = std::max(longest, s.extent);
                    const bool is_apart = !race_of(n, id);
                    fits = fits && (is_apart || is_sum(id));
                    (is_apart ? shared_out_ : sums_).push_back(name_of_loop(n, id));
                    has_line_ = has_line_ || reads_line(id);
                    return;
                }
                case nest_statement::form::store:
                case nest_statement::form::update:
                    return;
                case nest_statement::form::guard:
                case nest_statement::form::call:
                    fits = false;
            }
        };
        look(look, body);
        return fits && longest >= long_row && has_line_ && !sums_.empty();
    }

    /// Whether a loop, or those directly in it, does nothing but update one element by a function whose order of rounds is free.
    [[nodiscard]] bool is_sum(statement_id loop) const {
        const loop_band band = band_from(n_.nest(), loop);
        const nest_statement& s = n_.at(band.body);
        if (s.kind != nest_statement::form::update || !first_of(s.function, n_.nest().buffers[s.buffer].element)) return false;
        bool is_own = true;
        n_.each_operand(s.value, [&](const nest_expression& e) {
            is_own = is_own && !(e.kind == nest_expression::form::load && e.buffer == s.buffer);
        });
        for (const affine& a : s.indices)
            for (const statement_id l : band.loops) is_own = is_own && a.factor_of(n_.at(l).variable) == 0;
        return is_own;
    }
    /// Whether something is read element after element along a loop.
    [[nodiscard]] bool reads_line(statement_id loop) const {
        const variable_id last = n_.at(band_from(n_.nest(), loop).loops.back()).variable;
        bool found = false;
        n_.each_access(loop, [&](buffer_id b, const std::vector<affine>& at, const auto&, bool writes) {
            std::int64_t step = 0;
            for (std::size_t d = 0; d < at.size(); ++d) step += at[d].factor_of(last) * n_.nest().buffers[b].strides[d];
            found = found || (!writes && step == 1);
        });
        return found;
    }
    /// What changes no result of a function.
    [[nodiscard]] static std::optional<double> first_of(scalar_function f, element_type e) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (f == scalar_function::add) return 0;
        if (f == scalar_function::multiply) return 1;
        if (!is_floating(e)) return std::nullopt;
        if (f == scalar_function::maximum) return -infinity;
        if (f == scalar_function::minimum) return infinity;
        return std::nullopt;
    }

    /// Has each thread take every so many-th round of a loop, and pairs of what they have put together until one is left.
    [[nodiscard]] bool summed_by_pairs(const std::string& name) {
        const auto found = n_.loop(name);
        if (!found) return false;
        const loop_band band = band_from(n_.nest(), *found);
        const nest_statement head = n_.at(*found), update = n_.at(band.body);
        const nest_buffer to = n_.nest().buffers[update.buffer];
        std::int64_t count = threads;
        while (count > 1 && count / 2 >= head.extent) count /= 2;
        const auto buffer = [&](std::int64_t elements) {
            return n_.add(nest_buffer{free_name(n_.nest(), to.name + "_part"), to.element, {elements}, {1}, buffer_scope::shared});
        };
        std::vector<buffer_id> levels{buffer(count)};
        std::vector<statement_id> parts;
        {
            const variable_id thread = n_.variable(name + "_thread"), round = n_.variable(name + "_round");
            nest_expression first;
            first.element = to.element;
            first.number = *first_of(update.function, to.element);
            first.integer = static_cast<std::int64_t>(std::isfinite(first.number) ? first.number : 0);
            const statement_id begin =
                store(nest_statement::form::store, update.function, levels[0], affine::of(thread), n_.add(std::move(first)));
            statement_id inside = store(nest_statement::form::update, update.function, levels[0], affine::of(thread), update.value);
            for (std::size_t i = band.loops.size(); i-- > 1;) inside = n_.around(n_.at(band.loops[i]), inside);
            const affine k = affine::of(round, count) + affine::of(thread);
            n_.substitute_in(inside, head.variable, k);
            if (head.extent % count != 0) {
                nest_statement rest;
                rest.kind = nest_statement::form::guard;
                rest.bounds.push_back({0, k, head.extent});
                inside = n_.around(std::move(rest), inside);
            }
            const statement_id rounds = loop(round, head.extent / count + (head.extent % count != 0), inside, loop_kind::serial);
            parts.push_back(loop(thread, count, n_.block({begin, rounds}), loop_kind::thread_x));
        }
        for (std::int64_t half = count / 2; half > 0; half /= 2) {
            levels.push_back(buffer(half));
            const variable_id pair = n_.variable(name + "_pair");
            const buffer_id from = levels[levels.size() - 2];
            nest_expression both;
            both.kind = nest_expression::form::apply;
            both.element = to.element;
            both.function = update.function;
            both.operands = {load(from, affine::of(pair)), load(from, affine::of(pair) + affine(half))};
            parts.push_back(loop(
                pair, half, store(nest_statement::form::store, update.function, levels.back(), affine::of(pair), n_.add(std::move(both))),
                loop_kind::thread_x));
        }
        nest_statement last = update;
        last.value = load(levels.back(), affine());
        parts.push_back(n_.add(std::move(last)));
        statement_id all = n_.block(std::move(parts));
        for (const buffer_id level : levels) all = n_.allocated(level, all);
        n_.replace(*found, all);
        n_.tidy();
        return true;
    }
    [[nodiscard]] statement_id loop(variable_id v, std::int64_t extent, statement_id body, loop_kind runs) {
        nest_statement head;
        head.kind = nest_statement::form::loop;
        head.runs = runs;
        head.variable = v;
        head.extent = extent;
        return n_.around(std::move(head), body);
    }
    [[nodiscard]] statement_id store(nest_statement::form kind, scalar_function f, buffer_id to, affine at, expression_id value) {
        nest_statement s;
        s.kind = kind;
        s.function = f;
        s.buffer = to;
        s.indices = {std::move(at)};
        s.value = value;
        return n_.add(std::move(s));
    }
    [[nodiscard]] expression_id load(buffer_id from, affine at) {
        nest_expression e;
        e.kind = nest_expression::form::load;
        e.element = n_.nest().buffers[from].element;
        e.buffer = from;
        e.indices = {std::move(at)};
        return n_.add(std::move(e));
    }

    /// Binds a loop along the row to threads, each of which takes every so many-th round.
    [[nodiscard]] static bool along_threads(loop_nest& n, const std::string& loop) {
        const std::int64_t extent = n.statements[*nest_edit(n).loop(loop)].extent;
        if (extent <= threads) return arrange_where_legal(n, loop_schedule().bind(loop, loop_kind::thread_x));
        const std::string round = free_name(n, loop + "_round"), inside = free_name(n, loop + "_thread");
        return arrange_where_legal(
            n, loop_schedule().split(loop, threads, round, inside).reorder({inside, round}).bind(inside, loop_kind::thread_x));
    }

    nest_edit n_;
    std::vector<std::string> rows_, kept_, shared_out_, sums_;
    bool has_line_ = false;
};

/// A nest in which each band of long rows has a block for each row, where that is legal.
[[nodiscard]] inline loop_nest with_rows_by_block(loop_nest n) {
    for (std::size_t k = 0; k < outermost_bands(n).size(); ++k) {
        const loop_band band = outermost_bands(n)[k];
        if (is_bound(n, band)) continue;
        if (auto made = row_blocks::of(n, band)) n = *std::move(made);
    }
    return n;
}

}  // namespace inlay::detail

#endif
