// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_RESULTS_IN_PLACE_IPP
#define INLAY_LOOPS_SCHEDULE_RESULTS_IN_PLACE_IPP

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/results_in_place.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/move_stage.hpp>

namespace inlay {

namespace detail {

/// The statements that stand one after the other in a nest, past blocks and what buffers are open for.
[[nodiscard]] inline std::vector<statement_id> stages_of(const nest_edit& n) {
    std::vector<statement_id> made;
    const auto collect = [&](const auto& self, statement_id id) -> void {
        const nest_statement& s = n.at(id);
        const bool is_scratch = s.kind == nest_statement::form::allocate && n.nest().buffers[s.buffer].scope == buffer_scope::scratch;
        if (s.kind == nest_statement::form::block || is_scratch)
            for (const statement_id part : s.parts) self(self, part);
        else
            made.push_back(id);
    };
    collect(collect, n.nest().root);
    return made;
}

/// The one store of a stage to a buffer, where its rounds store each element once, at indices that are the loops' own.
[[nodiscard]] inline std::optional<statement_id> store_once(const nest_edit& n, statement_id stage, buffer_id to) {
    std::optional<statement_id> store;
    std::size_t touched = 0;
    n.each_access(stage, [&](buffer_id of, const auto&, const auto&, bool) { touched += of == to ? 1 : 0; });
    n.each(stage, [&](statement_id id) {
        if (n.at(id).kind == nest_statement::form::store && n.at(id).buffer == to) store = id;
    });
    if (touched != 1 || !store) return std::nullopt;
    const auto axes = axes_by_variable(n.at(*store).indices);
    if (!axes) return std::nullopt;
    for (const statement_id id : n.path(stage, *store)) {
        const nest_statement& s = n.at(id);
        if (s.kind == nest_statement::form::guard) return std::nullopt;
        if (s.kind != nest_statement::form::loop || s.extent == 1) continue;
        bool is_axis = false;
        for (const auto& a : *axes) is_axis = is_axis || a.first == s.variable;
        if (!is_axis) return std::nullopt;
    }
    return store;
}

/// The scratch buffer that a result may take the place of: of the same shape, read by the stage that stores the result only where it
/// stores the same element, and by no later one.
[[nodiscard]] inline std::optional<buffer_id> replaced_by_result(const nest_edit& n, const std::vector<statement_id>& stages,
                                                                 std::size_t last, buffer_id result, statement_id store) {
    const nest_buffer& to = n.nest().buffers[result];
    for (buffer_id b = 0; b < n.nest().buffers.size(); ++b) {
        const nest_buffer& from = n.nest().buffers[b];
        if (from.scope != buffer_scope::scratch || from.element != to.element || from.extents != to.extents || from.strides != to.strides)
            continue;
        bool is_read = false, fits = true, is_stored = false;
        n.each_access(stages[last], [&](buffer_id of, const std::vector<affine>& at, const auto& reach, bool writes) {
            if (of == result) is_stored = true;
            if (of != b) return;
            is_read = true;
            fits = fits && !writes && !is_stored && reach.empty() && at == n.at(store).indices;
        });
        for (std::size_t i = last + 1; i < stages.size(); ++i) fits = fits && !n.touches(stages[i], b);
        if (is_read && fits) return b;
    }
    return std::nullopt;
}

}  // namespace detail

loop_nest with_results_in_place(loop_nest of) {
    detail::nest_edit n(std::move(of));
    for (buffer_id result = 0; result < n.nest().buffers.size(); ++result) {
        if (n.nest().buffers[result].scope != buffer_scope::output) continue;
        const std::vector<statement_id> stages = detail::stages_of(n);
        std::size_t users = 0, last = 0;
        for (std::size_t i = 0; i < stages.size(); ++i)
            if (n.touches(stages[i], result)) {
                ++users;
                last = i;
            }
        const auto store = users == 1 ? detail::store_once(n, stages[last], result) : std::nullopt;
        const auto taken = store ? detail::replaced_by_result(n, stages, last, result, *store) : std::nullopt;
        if (!taken) continue;
        const statement_id allocation = *n.allocation_of(*taken);
        n.redirect(n.at(allocation).parts.front(), *taken, result, [](const std::vector<affine>& at) { return at; });
        n.replace(allocation, n.at(allocation).parts.front());
        // What is stored to itself needs no storing.
        const nest_expression& value = n.nest().expressions[n.at(*store).value];
        if (value.kind == nest_expression::form::load && value.buffer == result) n.at(*store) = nest_statement{};
    }
    n.tidy();
    return std::move(n).take();
}

}  // namespace inlay

#endif
