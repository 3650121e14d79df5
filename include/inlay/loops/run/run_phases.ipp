// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_RUN_RUN_PHASES_IPP
#define INLAY_LOOPS_RUN_RUN_PHASES_IPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/run/run_phases.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/device/barriers.hpp>
#include <inlay/loops/device/device_launch.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/run/run_nest.hpp>

namespace inlay {

outcome<std::vector<ordered_launch>> ordered_launches(const loop_nest& n) {
    auto found = launches_of(n);
    if (!found) return found.failure();
    std::vector<ordered_launch> made;
    for (device_launch& one : *found) {
        auto order = order_threads(n, one);
        if (!order) return order.failure();
        made.push_back({std::move(one), *std::move(order)});
    }
    return made;
}

namespace detail {

phase_runner::phase_runner(const loop_nest& n, std::span<const ordered_launch> launches, std::span<const external_function> externals)
    : nest_runner(n, externals), launches_(launches), launch_at_(n.statements.size(), none), is_own_(n.buffers.size(), 0) {
    for (std::size_t i = 0; i < launches.size(); ++i) launch_at_[launches[i].launch.root] = i;
    for (const nest_buffer& b : n.buffers) {
        among_threads_.emplace_back(element_span(b));
        among_blocks_.emplace_back(element_span(b));
    }
}

void phase_runner::run(statement_id id) {
    if (wrong_) return;
    if (now_ == nullptr && launch_at_[id] != none) return launch(launches_[launch_at_[id]]);
    if (now_ != nullptr && !is_in_phase_)
        for (const device_phase& p : now_->launch.phases)
            if (p.root == id) return phase(p);
    nest_runner::run(id);
}

std::byte* phase_runner::place(buffer_id b, const std::vector<affine>& indices, bool writes) {
    touch(b, indices, static_cast<std::size_t>(offset(b, indices)), writes);
    return address(b, indices);
}

void phase_runner::call(const nest_statement& s) {
    const loop_nest& f = n_.functions[s.callee];
    const std::vector<buffer_id> parameters = parameters_of(f);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const nest_buffer& p = f.buffers[parameters[i]];
        const nest_place& from = s.places[i];
        nest_buffer window = p;
        window.strides = window_strides(from, p.extents.size(), n_.buffers[from.buffer].strides);
        const auto first = static_cast<std::size_t>(offset(from.buffer, from.at));
        const bool writes = p.scope == buffer_scope::output;
        each_element(window,
                     [&](std::size_t, std::size_t behind) { touch(from.buffer, from.at, first + behind / size_of(p.element), writes); });
    }
    nest_runner::call(s);
}

void phase_runner::launch(const ordered_launch& one) {
    now_ = &one;
    std::fill(is_own_.begin(), is_own_.end(), 0);
    for (const buffer_id b : one.launch.own) is_own_[b] = 1;
    ++launches_run_;
    const auto& grid = one.launch.grid;
    const auto parts = one.launch.parts(n_);
    for (std::int64_t z = 0; z < grid[2]; ++z)
        for (std::int64_t y = 0; y < grid[1]; ++y)
            for (std::int64_t x = 0; x < grid[0] && !wrong_; ++x) {
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    const nest_statement& loop = n_.statements[one.launch.loops[i]];
                    const std::int64_t number = axis_of(loop.runs) == 0 ? x : axis_of(loop.runs) == 1 ? y : z;
                    values_[loop.variable] = number / parts[i].first % parts[i].second;
                }
                block_ = (z * grid[1] + y) * grid[0] + x;
                ++blocks_run_;
                ++stretches_;
                run(one.launch.body);
            }
    now_ = nullptr;
}

void phase_runner::phase(const device_phase& p) {
    if (now_->order.has_barrier[p.root] != 0) ++stretches_;
    std::array<std::int64_t, 3> extents{1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i)
        if (p.loops[i]) extents[i] = n_.statements[*p.loops[i]].extent;
    const auto& block = now_->launch.block;
    is_in_phase_ = true;
    for (std::int64_t z = 0; z < extents[2]; ++z)
        for (std::int64_t y = 0; y < extents[1]; ++y)
            for (std::int64_t x = 0; x < extents[0] && !wrong_; ++x) {
                set(p.loops, {x, y, z});
                thread_ = (z * block[1] + y) * block[0] + x;
                run(p.body);
            }
    is_in_phase_ = false;
}

void phase_runner::set(const std::array<std::optional<statement_id>, 3>& loops, const std::array<std::int64_t, 3>& to) {
    for (std::size_t i = 0; i < 3; ++i)
        if (loops[i]) values_[n_.statements[*loops[i]].variable] = to[i];
}

void phase_runner::touch(buffer_id b, const std::vector<affine>& indices, std::size_t at, bool writes) {
    if (!is_in_phase_ || wrong_) return;
    const buffer_scope scope = n_.buffers[b].scope;
    if (scope == buffer_scope::stack && is_own_[b] == 0) return;  // the thread's own
    // A barrier does not make what one thread has in registers another one's.
    const std::int64_t time = scope == buffer_scope::stack ? blocks_run_ : stretches_;
    visitors& threads = among_threads_[b][at];
    visitors& blocks = among_blocks_[b][at];
    if (is_own_[b] != 0) {
        // What a block has for itself means nothing before the block writes it.
        if (!writes && (blocks.time != blocks_run_ || blocks.writer < 0))
            wrong_ = error{head() + "thread " + shown(thread_, now_->launch.block) + " of block " + shown(block_, now_->launch.grid) +
                           " reads " + element(b, indices) + ", which the block has not written"};
        (void)blocks.met(blocks_run_, block_, writes);
    } else if (const std::int64_t other = blocks.met(launches_run_, block_, writes); other >= 0) {
        wrong_ = error{head() + "blocks " + shown(other, now_->launch.grid) + " and " + shown(block_, now_->launch.grid) +
                       " of one launch touch " + element(b, indices) + ", and one of them writes it"};
    }
    if (const std::int64_t other = threads.met(time, thread_, writes); other >= 0 && !wrong_)
        wrong_ = error{head() + "threads " + shown(other, now_->launch.block) + " and " + shown(thread_, now_->launch.block) +
                       " of block " + shown(block_, now_->launch.grid) + " touch " + element(b, indices) +
                       " with no barrier between, and one of them writes it"};
}

std::string phase_runner::shown(std::int64_t number, const std::array<std::int64_t, 3>& of) {
    return "(" + std::to_string(number % of[0]) + ", " + std::to_string(number / of[0] % of[1]) + ", " +
           std::to_string(number / of[0] / of[1]) + ")";
}

std::string phase_runner::element(buffer_id b, const std::vector<affine>& indices) const {
    std::string at;
    for (const affine& a : indices) at += (at.empty() ? "" : ", ") + std::to_string(a.at(values_));
    return "element [" + at + "] of " + quoted_text(n_.buffers[b].name);
}

}  // namespace detail

outcome<std::vector<tensor>> run_phases(const loop_nest& n, std::span<const tensor> inputs, std::span<const ordered_launch> launches,
                                        std::span<const external_function> externals) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::phase_runner(n, launches, externals)(inputs);
}

outcome<std::vector<tensor>> run_phases(const loop_nest& n, std::span<const tensor> inputs) {
    const auto launches = ordered_launches(n);
    if (!launches) return launches.failure();
    return run_phases(n, inputs, *launches);
}

}  // namespace inlay

#endif
