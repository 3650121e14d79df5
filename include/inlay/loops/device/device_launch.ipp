// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_DEVICE_DEVICE_LAUNCH_IPP
#define INLAY_LOOPS_DEVICE_DEVICE_LAUNCH_IPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/device/device_launch.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

namespace detail {

/// Takes a sound nest apart.
class launch_finder {
public:
    explicit launch_finder(const loop_nest& n) : n_(n) {}

    [[nodiscard]] outcome<std::vector<device_launch>> operator()() {
        if (auto found = outside(n_.root); !found) return found.failure();
        return std::move(made_);
    }

private:
    [[nodiscard]] error fault(const std::string& what) const { return error{"loop nest " + quoted_text(n_.name) + ": " + what}; }
    [[nodiscard]] std::string over(statement_id loop) const {
        return "the loop over " + quoted_text(n_.variables[n_.statements[loop].variable]);
    }

    /// What stands outside of launches: one after the other, with memory that all of them share.
    [[nodiscard]] outcome<void> outside(statement_id id) {
        const nest_statement& s = n_.statements[id];
        if (s.kind == nest_statement::form::block ||
            (s.kind == nest_statement::form::allocate && n_.buffers[s.buffer].scope == buffer_scope::scratch)) {
            for (const statement_id part : s.parts)
                if (auto found = outside(part); !found) return found;
            return {};
        }
        device_launch one;
        one.root = id;
        while (n_.statements[id].kind == nest_statement::form::loop && is_block(n_.statements[id].runs)) {
            const nest_statement& loop = n_.statements[id];
            const std::size_t axis = axis_of(loop.runs);
            one.loops.push_back(id);
            if (__builtin_mul_overflow(one.grid[axis], loop.extent, &one.grid[axis]))
                return fault(over(id) + " and those around it have more blocks than 64 bits count");
            id = loop.parts.front();
        }
        one.body = id;
        if (auto found = inside(one, id); !found) return found;
        made_.push_back(std::move(one));
        return {};
    }

    /// What all threads of a block go through.
    [[nodiscard]] outcome<void> inside(device_launch& to, statement_id id) {
        const nest_statement& s = n_.statements[id];
        switch (s.kind) {
            case nest_statement::form::loop:
                if (is_block(s.runs))
                    return fault(over(id) + " is " + std::string(name_of(s.runs)) +
                                 ", and stands in other than such loops; put loops over blocks outermost");
                if (is_thread(s.runs)) return phase(to, id);
                break;
            case nest_statement::form::allocate:
                if (n_.buffers[s.buffer].scope == buffer_scope::scratch)
                    return fault("the scratch buffer " + quoted_text(n_.buffers[s.buffer].name) +
                                 " is allocated where blocks run; allocate it outside, or make it shared");
                to.own.push_back(s.buffer);
                break;
            case nest_statement::form::store:
            case nest_statement::form::update:
            case nest_statement::form::call:
                return phase(to, id);
            case nest_statement::form::block:
            case nest_statement::form::guard:
                break;
        }
        for (const statement_id part : s.parts)
            if (auto found = inside(to, part); !found) return found;
        return {};
    }

    [[nodiscard]] outcome<void> phase(device_launch& to, statement_id id) {
        device_phase one;
        one.root = id;
        while (n_.statements[id].kind == nest_statement::form::loop && is_thread(n_.statements[id].runs)) {
            const nest_statement& loop = n_.statements[id];
            const std::size_t axis = axis_of(loop.runs);
            if (one.loops[axis]) return fault(over(id) + " is " + std::string(name_of(loop.runs)) + ", as one around it is");
            one.loops[axis] = id;
            to.block[axis] = std::max(to.block[axis], loop.extent);
            id = loop.parts.front();
        }
        one.body = id;
        to.phases.push_back(one);
        return alone(id);
    }
    /// What one thread runs.
    [[nodiscard]] outcome<void> alone(statement_id id) const {
        const nest_statement& s = n_.statements[id];
        if (s.kind == nest_statement::form::loop && (is_block(s.runs) || is_thread(s.runs)))
            return fault(
                over(id) + " is " + std::string(name_of(s.runs)) +
                ", and something stands between it and the loop over threads around it; loops over threads stand directly in each other");
        if (s.kind == nest_statement::form::allocate && n_.buffers[s.buffer].scope != buffer_scope::stack)
            return fault("the " + std::string(name_of(n_.buffers[s.buffer].scope)) + " buffer " + quoted_text(n_.buffers[s.buffer].name) +
                         " is allocated by one thread; put it on the stack, or allocate it outside of the loops over threads");
        for (const statement_id part : s.parts)
            if (auto found = alone(part); !found) return found;
        return {};
    }

    const loop_nest& n_;
    std::vector<device_launch> made_;
};

}  // namespace detail

outcome<std::vector<device_launch>> launches_of(const loop_nest& n) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::launch_finder(n)();
}

}  // namespace inlay

#endif
