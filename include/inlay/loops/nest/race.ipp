// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_RACE_IPP
#define INLAY_LOOPS_NEST_RACE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/loops/nest/race.hpp>

#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

namespace detail {

race_finder::race_finder(const loop_nest& n, statement_id loop)
    : n_(n), over_(n.statements[loop].variable), rounds_(n.statements[loop].extent), extents_(n.variables.size(), 0) {
    is_own_.assign(n.buffers.size(), 0);
    statement(n.statements[loop].parts.front());
}

std::optional<buffer_id> race_finder::operator()(bool reductions, std::span<const char> among) const {
    if (rounds_ <= 1) return std::nullopt;  // there are no two
    for (buffer_id b = 0; b < n_.buffers.size(); ++b) {
        if (!among.empty() && among[b] == 0) continue;
        std::vector<const access*> places;
        bool is_written = false, is_reduction = true;
        std::optional<scalar_function> by;
        for (const access& a : accesses_) {
            if (a.buffer != b) continue;
            places.push_back(&a);
            is_written = is_written || a.writes;
            is_reduction = is_reduction && a.by && (!by || *by == *a.by);
            by = a.by;
        }
        if (is_written && !(reductions && is_reduction) && !is_apart(places)) return b;
    }
    return std::nullopt;
}

bool race_finder::is_apart(const std::vector<const access*>& places) const {
    const std::vector<affine>& first = *places.front()->indices;
    for (std::size_t d = 0; d < first.size(); ++d) {
        const std::int64_t factor = first[d].factor_of(over_);
        if (factor == 0 || factor == INT64_MIN) continue;
        if (is_apart_along(places, d, 0)) return true;
        // Rounds may also share out each stretch of elements, and go on with the next.
        for (const access* one : places)
            for (const affine::term& t : (*one->indices)[d].terms())
                if (t.variable != over_ && t.factor > 0 && t.factor > (factor < 0 ? -factor : factor) &&
                    is_apart_along(places, d, t.factor))
                    return true;
    }
    return false;
}

bool race_finder::is_apart_along(const std::vector<const access*>& places, std::size_t d, std::int64_t period) const {
    const affine& first = (*places.front()->indices)[d];
    const std::int64_t factor = first.factor_of(over_), size = factor < 0 ? -factor : factor;
    std::optional<std::pair<std::int64_t, std::int64_t>> span;
    for (const access* one : places) {
        const affine& index = (*one->indices)[d];
        if (index.factor_of(over_) != factor) return false;
        // Of loops outside, all places must add the same: their difference is what counts.
        affine inner = index - affine::of(over_, factor);
        for (const affine::term& t : outside(first)) inner += affine::of(t.variable, -t.factor);
        if (!outside(inner).empty()) return false;
        affine counted(inner.constant());
        for (const affine::term& t : inner.terms())
            if (period == 0 || t.factor % period != 0) counted += affine::of(t.variable, t.factor);
        auto range = counted.range(extents_);
        if (!range || __builtin_add_overflow(range->second, one->reach.empty() ? 0 : one->reach[d], &range->second)) return false;
        span = span ? std::pair(std::min(span->first, range->first), std::max(span->second, range->second)) : *range;
    }
    std::int64_t width = 0, whole = 0;
    if (__builtin_sub_overflow(span->second, span->first, &width) || width >= size) return false;
    return period == 0 ||
           (!__builtin_mul_overflow(size, rounds_ - 1, &whole) && !__builtin_add_overflow(whole, width, &whole) && whole < period);
}

std::vector<affine::term> race_finder::outside(const affine& a) const {
    std::vector<affine::term> terms;
    for (const affine::term& t : a.terms())
        if (t.variable != over_ && std::find(inside_.begin(), inside_.end(), t.variable) == inside_.end()) terms.push_back(t);
    return terms;
}

void race_finder::statement(statement_id id) {
    const nest_statement& s = n_.statements[id];
    if (s.kind == nest_statement::form::loop) {
        extents_[s.variable] = s.extent;
        inside_.push_back(s.variable);
        if (s.extent == 0) return;
    }
    if (s.kind == nest_statement::form::allocate) is_own_[s.buffer] = 1;
    if (s.kind == nest_statement::form::store || s.kind == nest_statement::form::update) {
        expression(s.value);
        const bool is_update = s.kind == nest_statement::form::update;
        if (is_own_[s.buffer] == 0) accesses_.push_back({s.buffer, &s.indices, true, is_update ? std::optional(s.function) : std::nullopt});
    }
    if (s.kind == nest_statement::form::call) call(s);
    for (const statement_id part : s.parts) statement(part);
}

void race_finder::call(const nest_statement& s) {
    const loop_nest& f = n_.functions[s.callee];
    const std::vector<buffer_id> parameters = parameters_of(f);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const nest_buffer& p = f.buffers[parameters[i]];
        const nest_place& at = s.places[i];
        if (is_own_[at.buffer] != 0) continue;
        const bool writes = p.scope == buffer_scope::output;
        accesses_.push_back({at.buffer, &at.at, writes, writes ? update_of(f, parameters[i]) : std::nullopt, reach_of(at, p.extents)});
    }
}

std::optional<scalar_function> race_finder::update_of(const loop_nest& f, buffer_id parameter) {
    std::optional<scalar_function> by;
    for (const nest_expression& e : f.expressions)
        if (e.kind == nest_expression::form::load && e.buffer == parameter) return std::nullopt;
    for (const nest_statement& s : f.statements) {
        const bool is_store = s.kind == nest_statement::form::store, is_update = s.kind == nest_statement::form::update;
        if (!(is_store || is_update) || s.buffer != parameter) continue;
        if (is_store || (by && *by != s.function)) return std::nullopt;
        by = s.function;
    }
    return by;
}

void race_finder::expression(expression_id id) {
    const nest_expression& e = n_.expressions[id];
    if (e.kind == nest_expression::form::load && is_own_[e.buffer] == 0) accesses_.push_back({e.buffer, &e.indices, false});
    for (const expression_id operand : e.operands) expression(operand);
}

}  // namespace detail

std::optional<buffer_id> race_of(const loop_nest& n, statement_id loop) { return detail::race_finder(n, loop)(false); }

std::optional<buffer_id> order_of(const loop_nest& n, statement_id loop) { return detail::race_finder(n, loop)(true); }

}  // namespace inlay

#endif
