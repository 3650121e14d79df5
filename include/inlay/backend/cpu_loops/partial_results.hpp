// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_LOOPS_PARTIAL_RESULTS_HPP
#define INLAY_BACKEND_CPU_LOOPS_PARTIAL_RESULTS_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/nest/scalar_function.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// A loop that does nothing but update one element by what it reads element after element.
class line_reduction {
public:
    static constexpr std::int64_t lanes = 16;

    /// Nothing where a loop does something else, or is too short for several partial results.
    [[nodiscard]] static std::optional<line_reduction> of(const nest_edit& n, statement_id loop) {
        const nest_statement& head = n.at(loop);
        const nest_statement& update = n.at(only_part(n, loop));
        if (head.runs != loop_kind::serial || head.extent < 2 * lanes || update.kind != nest_statement::form::update) return std::nullopt;
        const auto follows = [&](const std::vector<affine>& at) {
            return std::any_of(at.begin(), at.end(), [&](const affine& a) { return a.factor_of(head.variable) != 0; });
        };
        const bool is_sum = update.function == scalar_function::add, is_maximum = update.function == scalar_function::maximum;
        if (!is_sum && !is_maximum && update.function != scalar_function::minimum) return std::nullopt;
        // Compilers reorder sums of whole numbers on their own.
        const nest_buffer& to = n.nest().buffers[update.buffer];
        if (to.element != element_type::float32 || follows(update.indices)) return std::nullopt;
        bool is_line = true;
        n.each_access(head.parts.front(), [&](buffer_id b, const std::vector<affine>& at, const auto&, bool writes) {
            if (writes) return;
            std::int64_t step = 0;
            for (std::size_t d = 0; d < at.size(); ++d) step += at[d].factor_of(head.variable) * n.nest().buffers[b].strides[d];
            is_line &= b != update.buffer && (step == 0 || step == 1);
        });
        if (!is_line) return std::nullopt;
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return line_reduction{loop, is_sum ? 0 : is_maximum ? -infinity : infinity};
    }

    /// Puts a vector of partial results in the place of one that each round hands to the next.
    void split(nest_edit& n) const {
        const nest_statement head = n.at(loop_), update = n.at(only_part(n, loop_));
        const std::string over = n.nest().variables[head.variable], result = n.nest().buffers[update.buffer].name;
        const buffer_id part = n.add(
            nest_buffer{free_name(n.nest(), result + "_part"), n.nest().buffers[update.buffer].element, {lanes}, {1}, buffer_scope::stack});
        const std::int64_t whole = head.extent / lanes;
        std::vector<statement_id> parts;
        {
            const variable_id lane = n.variable(over + "_first");
            nest_expression number;
            number.element = n.nest().buffers[part].element;
            number.number = nothing_;
            parts.push_back(
                loop(n, lane, lanes,
                     stored(n, nest_statement::form::store, update.function, part, {affine::of(lane)}, n.add(std::move(number)))));
        }
        {
            const variable_id tile = n.variable(over + "_tile"), lane = n.variable(over + "_in");
            const expression_id value = n.substituted(update.value, head.variable, affine::of(tile, lanes) + affine::of(lane));
            const statement_id inner =
                loop(n, lane, lanes, stored(n, nest_statement::form::update, update.function, part, {affine::of(lane)}, value));
            n.at(inner).runs = loop_kind::vector;
            parts.push_back(loop(n, tile, whole, inner));
        }
        if (head.extent % lanes != 0) {
            const variable_id rest = n.variable(over + "_rest");
            const expression_id value = n.substituted(update.value, head.variable, affine(whole * lanes) + affine::of(rest));
            parts.push_back(loop(n, rest, head.extent % lanes,
                                 stored(n, nest_statement::form::update, update.function, update.buffer, update.indices, value)));
        }
        {
            const variable_id lane = n.variable(over + "_last");
            nest_expression load;
            load.kind = nest_expression::form::load;
            load.element = n.nest().buffers[part].element;
            load.buffer = part;
            load.indices = {affine::of(lane)};
            parts.push_back(
                loop(n, lane, lanes,
                     stored(n, nest_statement::form::update, update.function, update.buffer, update.indices, n.add(std::move(load)))));
        }
        const statement_id all = n.block(std::move(parts)), made = n.allocated(part, all);
        n.replace(loop_, made);
        n.tidy();
    }

private:
    line_reduction(statement_id loop, double nothing) : loop_(loop), nothing_(nothing) {}

    /// What a loop runs, without blocks of one statement around it.
    [[nodiscard]] static statement_id only_part(const nest_edit& n, statement_id loop) {
        statement_id at = n.at(loop).parts.front();
        while (n.at(at).kind == nest_statement::form::block && n.at(at).parts.size() == 1) at = n.at(at).parts.front();
        return at;
    }
    [[nodiscard]] static statement_id loop(nest_edit& n, variable_id v, std::int64_t extent, statement_id body) {
        nest_statement head;
        head.kind = nest_statement::form::loop;
        head.variable = v;
        head.extent = extent;
        return n.around(std::move(head), body);
    }
    [[nodiscard]] static statement_id stored(nest_edit& n, nest_statement::form kind, scalar_function f, buffer_id to,
                                             std::vector<affine> at, expression_id value) {
        nest_statement s;
        s.kind = kind;
        s.function = f;
        s.buffer = to;
        s.indices = std::move(at);
        s.value = value;
        return n.add(std::move(s));
    }

    statement_id loop_;
    double nothing_;  // what changes no result
};

/// A nest in which sums, maxima and minima of float32 along lines are taken of every 16th element, for vectors, and then of these. Sums
/// differ by rounding.
[[nodiscard]] inline loop_nest with_partial_results(loop_nest n) {
    std::vector<std::string> loops;
    for (const statement_id loop : innermost_loops(n)) loops.push_back(name_of_loop(n, loop));
    for (const std::string& name : loops) {
        nest_edit changed(n);
        const auto loop = changed.loop(name);
        const auto found = loop ? line_reduction::of(changed, *loop) : std::nullopt;
        if (!found) continue;
        found->split(changed);
        if (check_nest(changed.nest())) n = std::move(changed).take();
    }
    return n;
}

}  // namespace inlay::detail

#endif
