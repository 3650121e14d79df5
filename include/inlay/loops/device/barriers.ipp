// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_DEVICE_BARRIERS_IPP
#define INLAY_LOOPS_DEVICE_BARRIERS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/loops/device/barriers.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/device/device_launch.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

namespace detail {

/// Decides where barriers of a launch stand.
class barrier_placer {
public:
    barrier_placer(const loop_nest& n, const device_launch& launch) : n_(n), launch_(launch), loops_(n.variables.size(), 0) {
        for (const nest_statement& s : n.statements)
            if (s.kind == nest_statement::form::loop) loops_[s.variable] = std::max(s.extent, std::int64_t{1});
        touched_.assign(n.statements.size(), {});
        accesses_.assign(n.buffers.size(), {});
        for (const device_phase& p : launch.phases) {
            inside_.assign(n.buffers.size(), 0);
            touched_[p.root].assign(n.buffers.size(), 0);
            statement(p, p.body);
        }
    }

    [[nodiscard]] outcome<thread_order> operator()() {
        order_.has_barrier.assign(n_.statements.size(), 0);
        for (buffer_id b = 0; b < n_.buffers.size(); ++b) order_.own.push_back(owners(b));
        for (const buffer_id b : launch_.own)
            if (n_.buffers[b].scope == buffer_scope::stack && !order_.own[b])
                return error{"loop nest " + quoted_text(n_.name) + ": several threads of a block may touch one element of " +
                             quoted_text(n_.buffers[b].name) + ", which is on the stack; make it shared"};
        for (bool is_done = false; !is_done;) {
            is_new_ = false;
            std::vector<char> pending(n_.buffers.size(), 0);
            walk(launch_.body, pending);
            is_done = !is_new_;
        }
        return std::move(order_);
    }

private:
    static constexpr char reads = 1, writes = 2;
    struct access {
        const device_phase* phase;
        const std::vector<affine>* at;
        bool is_window;
    };

    void touch(const device_phase& p, buffer_id b, const std::vector<affine>& at, char how, bool is_window = false) {
        if (inside_[b] != 0) return;  // the thread's own
        char& known = touched_[p.root][b];
        known = static_cast<char>(known | how);
        accesses_[b].push_back({&p, &at, is_window});
    }
    void statement(const device_phase& p, statement_id id) {
        const nest_statement& s = n_.statements[id];
        if (s.kind == nest_statement::form::allocate) inside_[s.buffer] = 1;
        if (s.kind == nest_statement::form::store || s.kind == nest_statement::form::update) {
            expression(p, s.value);
            touch(p, s.buffer, s.indices, s.kind == nest_statement::form::store ? writes : reads | writes);
        }
        if (s.kind == nest_statement::form::call) {
            const loop_nest& f = n_.functions[s.callee];
            const std::vector<buffer_id> parameters = parameters_of(f);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                touch(p, s.places[i].buffer, s.places[i].at,
                      f.buffers[parameters[i]].scope == buffer_scope::output ? reads | writes : reads, true);
        }
        for (const statement_id part : s.parts) statement(p, part);
    }
    void expression(const device_phase& p, expression_id id) {
        const nest_expression& e = n_.expressions[id];
        if (e.kind == nest_expression::form::load) touch(p, e.buffer, e.indices, reads);
        for (const expression_id operand : e.operands) expression(p, operand);
    }

    [[nodiscard]] bool is_block_variable(variable_id v) const {
        return std::any_of(launch_.loops.begin(), launch_.loops.end(),
                           [&](statement_id loop) { return n_.statements[loop].variable == v; });
    }

    /// For each kind of thread the axis along which it has its own elements in all that the launch does with a buffer; nothing where there
    /// is none, or where a call gets a window of the buffer.
    [[nodiscard]] std::optional<thread_axes> owners(buffer_id b) const {
        thread_axes made;
        for (const access& a : accesses_[b])
            if (a.is_window) return std::nullopt;
        for (std::size_t kind = 0; kind < 3; ++kind) {
            if (launch_.block[kind] <= 1) continue;
            const bool is_first_alone =
                std::all_of(accesses_[b].begin(), accesses_[b].end(), [&](const access& a) { return !a.phase->loops[kind]; });
            if (is_first_alone) continue;
            for (std::size_t axis = 0; axis < n_.buffers[b].extents.size() && !made[kind]; ++axis) made[kind] = own_axis(b, axis, kind);
            if (!made[kind]) return std::nullopt;
        }
        return made;
    }
    [[nodiscard]] std::optional<thread_axis> own_axis(buffer_id b, std::size_t axis, std::size_t kind) const {
        thread_axis made{axis, 0, 0};
        for (const access& a : accesses_[b])
            if (const auto v = variable_of(a, kind)) made.elements = std::max(made.elements, (*a.at)[axis].factor_of(*v));
        if (made.elements == 0) return std::nullopt;
        if (is_own(b, made, kind)) return made;
        std::vector<std::int64_t> periods;
        for (const access& a : accesses_[b])
            for (const affine::term& t : (*a.at)[axis].terms())
                if (t.factor > made.elements && t.factor / made.elements >= launch_.block[kind]) periods.push_back(t.factor);
        for (const std::int64_t period : periods) {
            made.period = period;
            if (is_own(b, made, kind)) return made;
        }
        return std::nullopt;
    }
    /// Whether each thread of a kind keeps to its own elements along an axis.
    [[nodiscard]] bool is_own(buffer_id b, const thread_axis& own, std::size_t kind) const {
        std::optional<affine> of_blocks;
        for (const access& a : accesses_[b]) {
            affine rest = (*a.at)[own.axis], blocks;
            if (const auto v = variable_of(a, kind)) rest = rest - affine::of(*v, own.elements);
            for (const affine::term& t : (*a.at)[own.axis].terms())
                if (is_block_variable(t.variable)) blocks += affine::of(t.variable, t.factor);
            // A block has one number for all its threads. What becomes registers does not follow it.
            const bool is_on_stack = n_.buffers[b].scope == buffer_scope::stack;
            if (is_on_stack ? !blocks.is_constant() : of_blocks && !(*of_blocks == blocks)) return false;
            of_blocks = blocks;
            rest = rest - blocks;
            affine counted(own.period == 0 ? rest.constant() : rest.constant() % own.period);
            for (const affine::term& t : rest.terms())
                if (own.period == 0 || t.factor % own.period != 0) counted += affine::of(t.variable, t.factor);
            const auto range = counted.range(loops_);
            if (!range || range->first < 0 || range->second >= own.elements) return false;
        }
        return true;
    }
    [[nodiscard]] std::optional<variable_id> variable_of(const access& a, std::size_t kind) const {
        if (!a.phase->loops[kind]) return std::nullopt;
        return n_.statements[*a.phase->loops[kind]].variable;
    }

    /// Goes on from what has been touched since the last barrier.
    void walk(statement_id id, std::vector<char>& pending) {
        const nest_statement& s = n_.statements[id];
        if (!touched_[id].empty()) return phase(id, pending);
        if (s.kind == nest_statement::form::loop) {
            // What a round touches meets what the next one does.
            for (std::int64_t round = 0; round < std::min(s.extent, std::int64_t{2}); ++round) walk(s.parts.front(), pending);
            return;
        }
        const std::vector<char> before = pending;
        for (const statement_id part : s.parts) walk(part, pending);
        if (s.kind != nest_statement::form::guard) return;
        // Where the guard does not hold, barriers in it are none.
        for (std::size_t b = 0; b < pending.size(); ++b) pending[b] = static_cast<char>(pending[b] | before[b]);
    }
    void phase(statement_id id, std::vector<char>& pending) {
        bool meets = false;
        for (std::size_t b = 0; b < pending.size(); ++b) {
            if (order_.own[b]) continue;
            const int now = touched_[id][b], then = pending[b];
            meets = meets || ((now & writes) != 0 && then != 0) || ((then & writes) != 0 && now != 0);
        }
        if (meets && order_.has_barrier[id] == 0) order_.has_barrier[id] = 1, is_new_ = true;
        if (order_.has_barrier[id] != 0) std::fill(pending.begin(), pending.end(), 0);
        for (std::size_t b = 0; b < pending.size(); ++b) pending[b] = static_cast<char>(pending[b] | touched_[id][b]);
    }

    const loop_nest& n_;
    const device_launch& launch_;
    std::vector<std::int64_t> loops_;            // extents by variable
    std::vector<std::vector<char>> touched_;     // by statement, of phases: how each buffer is touched
    std::vector<std::vector<access>> accesses_;  // by buffer
    std::vector<char> inside_;
    thread_order order_;
    bool is_new_ = false;
};

}  // namespace detail

outcome<thread_order> order_threads(const loop_nest& n, const device_launch& launch) { return detail::barrier_placer(n, launch)(); }

}  // namespace inlay

#endif
