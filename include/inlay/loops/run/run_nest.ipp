// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_RUN_RUN_NEST_IPP
#define INLAY_LOOPS_RUN_RUN_NEST_IPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inlay/loops/run/run_nest.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/run/scalar_value.hpp>

namespace inlay {

namespace detail {

nest_runner::nest_runner(const loop_nest& n, std::span<const external_function> externals)
    : n_(n), externals_(externals), values_(n.variables.size(), 0), memory_(n.buffers.size()) {
    for (const nest_buffer& b : n.buffers) views_.push_back({b.element, nullptr, b.extents, b.strides});
    for (const loop_nest& f : n.functions) functions_.emplace_back(f, externals);
}

outcome<std::vector<tensor>> nest_runner::operator()(std::span<const tensor> inputs) {
    if (auto ready = make_functions(); !ready) return ready.failure();
    std::size_t given = 0;
    for (buffer_id b = 0; b < n_.buffers.size(); ++b) {
        const nest_buffer& buffer = n_.buffers[b];
        if (auto had = make_room(b); !had) return had.failure();
        if (buffer.scope != buffer_scope::input) continue;
        if (given == inputs.size() || inputs[given].element() != buffer.element || inputs[given].extents() != buffer.extents)
            return error{"the loop nest " + quoted_text(n_.name) + " takes " + std::string(name_of(buffer.element)) +
                         " of other extents, or more inputs, at " + quoted_text(buffer.name) + "; give one tensor for each of its inputs"};
        const tensor& from = inputs[given++];
        each_element(buffer, [&](std::size_t row_major, std::size_t at) {
            store_scalar(buffer.element, memory_[b].data() + at, load_scalar(buffer.element, from.data() + row_major));
        });
    }
    if (given != inputs.size())
        return error{"the loop nest " + quoted_text(n_.name) + " takes " + std::to_string(given) + " inputs, and " +
                     std::to_string(inputs.size()) + " were given"};
    run(n_.root);
    if (wrong_) return *wrong_;
    std::vector<tensor> results;
    for (buffer_id b = 0; b < n_.buffers.size(); ++b) {
        const nest_buffer& buffer = n_.buffers[b];
        if (buffer.scope != buffer_scope::output) continue;
        tensor& to = results.emplace_back(buffer.element, buffer.extents);
        if (!to.ok()) return no_memory(b);
        each_element(buffer, [&](std::size_t row_major, std::size_t at) {
            store_scalar(buffer.element, to.data() + row_major, load_scalar(buffer.element, memory_[b].data() + at));
        });
    }
    return results;
}

error nest_runner::no_memory(buffer_id b) const {
    return error{"there is no memory for the buffer " + quoted_text(n_.buffers[b].name) + " of the loop nest " + quoted_text(n_.name)};
}

outcome<void> nest_runner::make_room(buffer_id b) {
    const nest_buffer& buffer = n_.buffers[b];
    const std::size_t count = element_span(buffer);
    if (count == 0) return {};
    memory_[b] = inlay::buffer(count * size_of(buffer.element));
    views_[b].first = memory_[b].data();
    return memory_[b].size() == 0 ? outcome<void>(no_memory(b)) : outcome<void>();
}

outcome<void> nest_runner::make_functions() {
    for (nest_runner& f : functions_) {
        for (const external_function& e : externals_)
            if (e.name == f.n_.name) f.external_ = e.run;
        if (f.n_.is_external() && f.external_ == nullptr)
            return error{"the loop nest " + quoted_text(n_.name) + " calls the external function " + quoted_text(f.n_.name) +
                         ", of which nobody knows what it means; give a function for it"};
        for (buffer_id b = 0; b < f.n_.buffers.size(); ++b)
            if (f.n_.buffers[b].scope == buffer_scope::stack)
                if (auto had = f.make_room(b); !had) return had;
    }
    return {};
}

void nest_runner::call(const nest_statement& s) {
    nest_runner& f = functions_[s.callee];
    const std::vector<buffer_id> parameters = parameters_of(f.n_);
    std::vector<nest_window> given;
    std::vector<std::vector<std::int64_t>> strides;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        nest_window& to = f.views_[parameters[i]];
        const nest_place& from = s.places[i];
        to.first = address(from.buffer, from.at);
        strides.push_back(window_strides(from, to.extents.size(), views_[from.buffer].strides));
        to.strides = strides.back();
        given.push_back(to);
    }
    if (!f.n_.is_external()) return f.run(f.n_.root);
    std::vector<std::int64_t> numbers;
    for (const affine& a : s.indices) numbers.push_back(a.at(values_));
    f.external_(given, numbers);
}

std::int64_t nest_runner::offset(buffer_id b, const std::vector<affine>& indices) const {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) at += indices[i].at(values_) * views_[b].strides[i];
    return at;
}

std::byte* nest_runner::address(buffer_id b, const std::vector<affine>& indices) {
    return views_[b].first + static_cast<std::size_t>(offset(b, indices)) * size_of(views_[b].element);
}

bool nest_runner::hold(const std::vector<affine_bound>& bounds) const {
    for (const affine_bound& b : bounds)
        if (!b.holds(values_)) return false;
    return true;
}

void nest_runner::run(statement_id id) {
    const nest_statement& s = n_.statements[id];
    switch (s.kind) {
        case nest_statement::form::block:
            for (const statement_id part : s.parts) run(part);
            break;
        case nest_statement::form::loop:
            for (std::int64_t i = 0; i < s.extent; ++i) {
                values_[s.variable] = i;
                run(s.parts.front());
            }
            break;
        case nest_statement::form::guard:
            if (hold(s.bounds)) run(s.parts.front());
            break;
        case nest_statement::form::allocate:
            run(s.parts.front());
            break;
        case nest_statement::form::store: {
            const scalar_value stored = value(s.value);
            store_scalar(n_.buffers[s.buffer].element, place(s.buffer, s.indices, true), stored);
            break;
        }
        case nest_statement::form::update: {
            const element_type e = n_.buffers[s.buffer].element;
            const scalar_value with = value(s.value);
            std::byte* const at = place(s.buffer, s.indices, true);
            store_scalar(e, at, apply_scalar(s.function, e, load_scalar(e, at), with));
            break;
        }
        case nest_statement::form::call:
            call(s);
            break;
    }
}

scalar_value nest_runner::value(expression_id id) {
    const nest_expression& e = n_.expressions[id];
    const auto operand = [&](std::size_t i) { return value(e.operands[i]); };
    switch (e.kind) {
        case nest_expression::form::number:
            return {rounded_to(e.element, e.number), wrapped_to(e.element, e.integer)};
        case nest_expression::form::index:
            return {0, e.indices.front().at(values_)};
        case nest_expression::form::load:
            return load_scalar(e.element, place(e.buffer, e.indices, false));
        case nest_expression::form::apply: {
            const element_type of = n_.expressions[e.operands.front()].element;
            const scalar_value first = operand(0);
            return apply_scalar(e.function, of, first, e.operands.size() == 2 ? operand(1) : scalar_value{});
        }
        case nest_expression::form::choose: {
            const scalar_value then = operand(1), otherwise = operand(2);
            return operand(0).integer != 0 ? then : otherwise;
        }
        case nest_expression::form::within:
            return operand(hold(e.bounds) ? 0 : 1);
        case nest_expression::form::cast:
            return cast_scalar(operand(0), n_.expressions[e.operands.front()].element, e.element);
    }
    return {};
}

}  // namespace detail

outcome<std::vector<tensor>> run_nest(const loop_nest& n, std::span<const tensor> inputs, std::span<const external_function> externals) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::nest_runner(n, externals)(inputs);
}

}  // namespace inlay

#endif
