// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_MOVE_STAGE_IPP
#define INLAY_LOOPS_SCHEDULE_MOVE_STAGE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/move_stage.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/cache_window.hpp>
#include <inlay/loops/schedule/touched_window.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// Where a buffer of the nest's own is written, as far as moving that away is legal.
struct producer_stage {
    statement_id allocation = 0;
    std::vector<statement_id> stages;  // inside the allocation, one after the other
    std::size_t number = 0;            // of the one that writes it
};

/// The stage that writes a buffer, alone. The error says that the buffer is the caller's, or is written in several places.
[[nodiscard]] inline outcome<producer_stage> producer_of(const nest_edit& n, buffer_id b) {
    const std::string who = quoted_text(n.nest().buffers[b].name);
    const auto allocation = n.allocation_of(b);
    if (!allocation) return error{"the buffer " + who + " is the caller's; only stages that write the nest's own buffers can move"};
    producer_stage p{*allocation, {}, 0};
    // Stages are what stands in the braces, past blocks and further buffers.
    const auto collect = [&](const auto& self, statement_id id) -> void {
        const nest_statement& s = n.at(id);
        if (s.kind == nest_statement::form::block || s.kind == nest_statement::form::allocate)
            for (const statement_id part : s.parts) self(self, part);
        else
            p.stages.push_back(id);
    };
    collect(collect, n.at(*allocation).parts.front());
    std::size_t writers = 0;
    for (std::size_t i = 0; i < p.stages.size(); ++i) {
        if (!n.touches(p.stages[i], b, true)) continue;
        p.number = i;
        ++writers;
    }
    if (writers != 1)
        return error{"the buffer " + who + " is written by " + std::to_string(writers) + " stages; only what one stage writes can move"};
    return p;
}

/// Whether what a stage reads stays the same to the end of the buffer that it writes, so that it may as well run later.
[[nodiscard]] inline outcome<void> reads_stay(const nest_edit& n, const producer_stage& p, buffer_id b) {
    std::vector<char> is_own(n.nest().buffers.size(), 0);
    n.each(p.stages[p.number], [&](statement_id s) {
        if (n.at(s).kind == nest_statement::form::allocate) is_own[n.at(s).buffer] = 1;
    });
    std::optional<error> wrong;
    const std::string who = quoted_text(n.nest().buffers[b].name);
    n.each_access(p.stages[p.number], [&](buffer_id of, const auto&, const auto&, bool writes) {
        if (of == b || is_own[of] != 0 || wrong) return;
        if (writes) wrong = error{"the stage that writes " + who + " writes " + quoted_text(n.nest().buffers[of].name) + " as well"};
        for (std::size_t i = p.number + 1; i < p.stages.size() && !wrong; ++i)
            if (n.touches(p.stages[i], of, true))
                wrong = error{"the stage that writes " + who + " reads " + quoted_text(n.nest().buffers[of].name) +
                              ", which is written again before it is read"};
    });
    return wrong ? outcome<void>(*wrong) : outcome<void>();
}

std::optional<std::vector<std::pair<variable_id, std::size_t>>> axes_by_variable(const std::vector<affine>& at) {
    std::vector<std::pair<variable_id, std::size_t>> made;
    for (std::size_t d = 0; d < at.size(); ++d) {
        if (at[d] == affine()) continue;
        if (at[d].constant() != 0 || at[d].terms().size() != 1 || at[d].terms()[0].factor != 1) return std::nullopt;
        const variable_id v = at[d].terms()[0].variable;
        for (const auto& known : made)
            if (known.first == v) return std::nullopt;
        made.emplace_back(v, d);
    }
    return made;
}

outcome<void> inline_stage(nest_edit& n, buffer_id b) {
    const std::string who = quoted_text(n.nest().buffers[b].name);
    const auto p = producer_of(n, b);
    if (!p) return p.failure();
    const statement_id stage = p->stages[p->number];
    std::optional<statement_id> store;
    std::size_t writes = 0, calls = 0;
    n.each(n.at(p->allocation).parts.front(), [&](statement_id id) {
        const nest_statement& s = n.at(id);
        if (n.has_value(id) && s.buffer == b) {
            ++writes;
            if (s.kind == nest_statement::form::store) store = id;
        }
        for (const nest_place& place : s.places) calls += place.buffer == b;
    });
    if (writes != 1 || !store)
        return error{"the stage that writes " + who + " is more than one store, so that it cannot be computed where it is read"};
    if (calls != 0) return error{"a call gets " + who + ", which has to be in memory for it"};
    const nest_statement what = n.at(*store);
    const auto axes = axes_by_variable(what.indices);
    if (!axes) return error{"the stage that writes " + who + " stores it at other indices than its loops"};
    // Each element is stored once, by the round of its own indices.
    for (const statement_id id : n.path(stage, *store)) {
        const nest_statement& s = n.at(id);
        const bool is_axis = s.kind == nest_statement::form::loop &&
                             std::any_of(axes->begin(), axes->end(), [&](const auto& a) { return a.first == s.variable; });
        if (s.kind == nest_statement::form::block || id == *store || is_axis) continue;
        if (s.kind == nest_statement::form::allocate)
            return error{"the stage that writes " + who + " reads " + quoted_text(n.nest().buffers[s.buffer].name) + "; inline that first"};
        return error{"the stage that writes " + who + " stores it under bounds, or several times"};
    }
    const std::vector<std::int64_t> loops = n.extents();
    for (std::size_t d = 0; d < what.indices.size(); ++d) {
        const auto axis = std::find_if(axes->begin(), axes->end(), [&](const auto& a) { return a.second == d; });
        if ((axis == axes->end() ? 1 : loops[axis->first]) < n.nest().buffers[b].extents[d])
            return error{"the stage that writes " + who + " leaves elements of it unwritten"};
    }
    bool reads = false;
    n.each_access(stage, [&](buffer_id of, const auto&, const auto&, bool is_write) { reads |= of == b && !is_write; });
    if (reads) return error{"the stage that writes " + who + " reads it too"};
    if (auto same = reads_stay(n, *p, b); !same) return same;
    n.at(*store) = nest_statement{};  // nothing
    const auto in_place = [&](const nest_expression& load) -> std::optional<expression_id> {
        if (load.buffer != b) return std::nullopt;
        const std::vector<affine> at = load.indices;
        const auto moved = [&](const affine& a) {
            affine made(a.constant());
            for (const affine::term& t : a.terms()) {
                const auto axis = std::find_if(axes->begin(), axes->end(), [&](const auto& x) { return x.first == t.variable; });
                made += (axis == axes->end() ? affine::of(t.variable) : at[axis->second]) * t.factor;
            }
            return made;
        };
        const auto copy = [&](const auto& self, expression_id id) -> expression_id {
            nest_expression e = n.nest().expressions[id];
            for (expression_id& operand : e.operands) operand = self(self, operand);
            for (affine& a : e.indices) a = moved(a);
            for (affine_bound& bound : e.bounds) bound.value = moved(bound.value);
            return n.add(std::move(e));
        };
        return copy(copy, what.value);
    };
    n.rewrite_loads(n.at(p->allocation).parts.front(), in_place);
    n.replace(p->allocation, n.at(p->allocation).parts.front());
    return {};
}

outcome<void> compute_at(nest_edit& n, buffer_id b, statement_id loop) {
    const nest_buffer whole = n.nest().buffers[b];
    const std::string who = quoted_text(whole.name);
    const auto p = producer_of(n, b);
    if (!p) return p.failure();
    const statement_id stage = p->stages[p->number];
    if (n.stands_in(stage, loop) || !n.stands_in(p->allocation, loop))
        return error{"the stage that writes " + who + " cannot run in the loop over " +
                     quoted_text(n.nest().variables[n.at(loop).variable]) + ", which is no loop of a stage that reads it"};
    for (std::size_t i = 0; i < p->stages.size(); ++i) {
        if (i == p->number || !n.touches(p->stages[i], b)) continue;
        const bool is_before = i < p->number;
        bool is_outside = is_before || !n.stands_in(p->stages[i], loop);
        n.each(p->stages[i], [&](statement_id s) {
            // Its own accesses alone: those of what stands in it are asked for there.
            if (n.at(s).parts.empty() && n.touches(s, b) && !n.stands_in(loop, s)) is_outside = true;
        });
        if (is_outside)
            return error{"the buffer " + who + " is read outside of the loop over " + quoted_text(n.nest().variables[n.at(loop).variable]) +
                         " too"};
    }
    if (auto same = reads_stay(n, *p, b); !same) return same;

    // Loops over the buffer's elements, and nothing between; all that the stage does with it, it does at their indices.
    std::optional<std::vector<affine>> at;
    bool is_alike = true;
    n.each_access(stage, [&](buffer_id of, const std::vector<affine>& indices, const auto& window, bool) {
        if (of != b) return;
        is_alike = is_alike && window.empty() && (!at || *at == indices);
        at = indices;
    });
    const auto axes = is_alike && at ? axes_by_variable(*at) : std::nullopt;
    std::vector<statement_id> chain;
    statement_id body = stage;
    while (axes && n.at(body).kind == nest_statement::form::loop &&
           std::any_of(axes->begin(), axes->end(), [&](const auto& a) { return a.first == n.at(body).variable; })) {
        chain.push_back(body);
        body = n.at(body).parts.front();
    }
    if (!axes || chain.size() != axes->size())
        return error{"the stage that writes " + who +
                     " is not one loop for each of its axes, directly in each other; move it before its loops are changed"};
    const auto window = window_in(n, loop, b);
    if (!window) return window.failure();
    if (auto fits = fits_on_stack(whole, window->extents); !fits) return fits;
    // An axis without a loop has one element, and is computed whole.
    for (std::size_t d = 0; d < at->size(); ++d) {
        const bool has_loop = std::any_of(axes->begin(), axes->end(), [&](const auto& a) { return a.second == d; });
        if (!has_loop && !(window->origin[d] == affine() && window->extents[d] == 1))
            return error{"the stage that writes " + who + " has no loop over its axis " + std::to_string(d)};
    }

    // An axis along which the window has one element needs no loop.
    std::vector<affine> own = *at;
    for (std::size_t d = 0; d < own.size(); ++d)
        if (window->extents[d] == 1) own[d] = affine();
    const std::vector<affine> place = window->outside(own);
    std::vector<affine_bound> bounds = window->bounds(whole, place, n.extents());
    n.redirect(n.at(loop).parts.front(), b, b, [&](const std::vector<affine>& indices) { return window->inside(indices); });
    for (const auto& [variable, axis] : *axes) n.substitute(variable, place[axis]);
    n.redirect(stage, b, b, [&](const std::vector<affine>&) { return own; });
    const statement_id empty = n.block({});
    n.replace(stage, empty);
    statement_id moved = body;
    if (!bounds.empty()) {
        nest_statement guard;
        guard.kind = nest_statement::form::guard;
        guard.bounds = std::move(bounds);
        moved = n.around(std::move(guard), body);
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
        nest_statement& s = n.at(chain[i]);
        const auto axis = std::find_if(axes->begin(), axes->end(), [&](const auto& a) { return a.first == s.variable; })->second;
        if (window->extents[axis] == 1) continue;
        s.extent = window->extents[axis];
        s.parts.front() = moved;
        moved = chain[i];
    }
    const statement_id consumer = n.at(loop).parts.front();
    const statement_id both = n.block({moved, consumer});
    const statement_id inside = n.allocated(b, both);
    n.at(loop).parts.front() = inside;
    n.replace(p->allocation, n.at(p->allocation).parts.front());
    n.buffer(b).extents = window->extents;
    n.buffer(b).strides = row_major_strides(window->extents);
    n.buffer(b).scope = buffer_scope::stack;
    return {};
}

}  // namespace inlay::detail

#endif
