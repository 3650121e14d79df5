// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_CACHE_WINDOW_IPP
#define INLAY_LOOPS_SCHEDULE_CACHE_WINDOW_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/cache_window.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/touched_window.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// Bytes of one buffer that a schedule puts on a stack.
inline constexpr std::int64_t most_on_stack = std::int64_t{256} << 10;

outcome<void> fits_on_stack(const nest_buffer& b, const std::vector<std::int64_t>& extents) {
    auto bytes = static_cast<std::int64_t>(size_of(b.element));
    for (const std::int64_t e : extents)
        if (__builtin_mul_overflow(bytes, std::max(e, std::int64_t{1}), &bytes) || bytes > most_on_stack)
            return error{"the part of " + quoted_text(b.name) + " that a round touches takes more than " + std::to_string(most_on_stack) +
                         " bytes, too many for a stack; choose a loop further inside, or split it"};
    return {};
}

outcome<void> cache_window(nest_edit& n, buffer_id b, statement_id loop, const std::string& name, std::vector<std::size_t> order) {
    const nest_buffer whole = n.nest().buffers[b];
    const std::size_t rank = whole.extents.size();
    if (name.empty() || n.is_taken(name))
        return error{"a copy of " + quoted_text(whole.name) + " cannot have the name " + quoted_text(name) + ", which is taken"};
    for (std::size_t d = 0; order.size() < rank && d < rank; ++d) order.push_back(d);
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t d = 0; d < rank; ++d)
        if (sorted.size() != rank || sorted[d] != d)
            return error{"the order of axes of " + quoted_text(name) + " names each of the " + std::to_string(rank) + " axes of " +
                         quoted_text(whole.name) + " once"};
    bool is_in_call = false;
    n.each(n.at(loop).parts.front(), [&](statement_id s) {
        for (const nest_place& place : n.at(s).places) is_in_call |= place.buffer == b;
    });
    if (is_in_call && !std::is_sorted(order.begin(), order.end()))
        return error{"a call gets " + quoted_text(whole.name) + ", whose axes have to keep their order for it"};
    if (const auto allocated = n.allocation_of(b); allocated && n.stands_in(loop, *allocated))
        return error{"each round of the loop has a buffer " + quoted_text(whole.name) + " of its own already"};
    const auto window = window_in(n, loop, b);
    if (!window) return window.failure();
    if (auto fits = fits_on_stack(whole, window->extents); !fits) return fits;
    const auto turned = [order](const std::vector<affine>& at) {
        std::vector<affine> made;
        for (const std::size_t d : order) made.push_back(at[d]);
        return made;
    };

    nest_buffer copy{name, whole.element, {}, {}, buffer_scope::stack};
    for (const std::size_t d : order) copy.extents.push_back(window->extents[d]);
    copy.strides = row_major_strides(copy.extents);
    const buffer_id to = n.add(std::move(copy));
    const bool is_written = n.touches(n.at(loop).parts.front(), b, true);
    const std::vector<std::int64_t> loops = n.extents();
    // Reads along the copy's axes, so that it is filled in the order in which it stands.
    const auto transfer = [&](bool in) {
        std::vector<variable_id> variables(rank);
        std::vector<affine> at(rank);
        for (const std::size_t d : order) {
            if (window->extents[d] == 1) continue;
            variables[d] = n.variable(name + "_" + std::to_string(d));
            at[d] = affine::of(variables[d]);
        }
        nest_expression load;
        load.kind = nest_expression::form::load;
        load.element = whole.element;
        load.buffer = in ? b : to;
        load.indices = in ? window->outside(at) : turned(at);
        nest_statement store;
        store.kind = nest_statement::form::store;
        store.buffer = in ? to : b;
        store.indices = in ? turned(at) : window->outside(at);
        store.value = n.add(std::move(load));
        statement_id made = n.add(std::move(store));
        if (std::vector<affine_bound> bounds = window->bounds(whole, window->outside(at), loops); !bounds.empty()) {
            nest_statement guard;
            guard.kind = nest_statement::form::guard;
            guard.bounds = std::move(bounds);
            made = n.around(std::move(guard), made);
        }
        for (std::size_t i = rank; i-- > 0;) {
            if (window->extents[order[i]] == 1) continue;
            nest_statement head;
            head.kind = nest_statement::form::loop;
            head.variable = variables[order[i]];
            head.extent = window->extents[order[i]];
            made = n.around(std::move(head), made);
        }
        return made;
    };
    const statement_id body = n.at(loop).parts.front();
    n.redirect(body, b, to, [&](const std::vector<affine>& at) { return turned(window->inside(at)); });
    std::vector<statement_id> parts{transfer(true), body};
    if (is_written) parts.push_back(transfer(false));
    const statement_id all = n.block(std::move(parts));
    const statement_id made = n.allocated(to, all);
    n.at(loop).parts.front() = made;
    return {};
}

}  // namespace inlay::detail

#endif
