// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_DEVICE_LAUNCH_HPP
#define INLAY_LOOPS_DEVICE_LAUNCH_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/check_nest.hpp>
#include <inlay/loops/loop_nest.hpp>

namespace inlay {

/// 0, 1 or 2 for x, y or z.
[[nodiscard]] constexpr std::size_t axis_of(loop_kind k) {
    return (static_cast<std::size_t>(k) - static_cast<std::size_t>(loop_kind::block_x)) % 3;
}

/// Threads of a block that run one after the other's end: loops bound to threads that stand directly in each other, or a statement outside
/// of such loops, which the block's first thread runs alone. Between phases of a block there may be a barrier, inside of one there is none.
struct device_phase {
    statement_id root = 0;
    std::array<std::optional<statement_id>, 3> loops;  // bound to thread_x, thread_y, thread_z
    statement_id body = 0;
};

/// A part of a nest that a device runs at once: blocks in any order, and in each of them phase after phase on the threads of the block.
/// Whatever stands around phases (serial loops, guards, what buffers are open for) all threads of a block go through alike.
struct device_launch {
    statement_id root = 0;                       // all of it
    std::vector<statement_id> loops;             // bound to blocks, the outermost first
    statement_id body = 0;                       // what each block runs
    std::array<std::int64_t, 3> grid{1, 1, 1};   // blocks along x, y, z: the rounds of all loops bound to one of them
    std::array<std::int64_t, 3> block{1, 1, 1};  // threads along x, y, z: the most of any phase
    std::vector<device_phase> phases;            // in the order of the text
    std::vector<buffer_id> own;                  // buffers that are open around phases, but for scratch

    /// The number of a block along x, y or z is that of its loops' rounds, the innermost changing fastest. By loop: by what to divide that
    /// number, and where the remainder ends then.
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> parts(const loop_nest& n) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> made(loops.size());
        std::array<std::int64_t, 3> below{1, 1, 1};
        for (std::size_t i = loops.size(); i-- > 0;) {
            const nest_statement& s = n.statements[loops[i]];
            std::int64_t& so_far = below[axis_of(s.runs)];
            made[i] = {so_far, s.extent};
            so_far *= s.extent;
        }
        return made;
    }
};

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

/// What a device runs for a nest, launch after launch; all of one has ended before the next begins. Loops over blocks stand outermost and
/// directly in each other, any number of them bound to one of x, y and z; loops over threads directly in each other; what stands in no loop
/// over blocks is a launch of one block. The error says which loop or buffer stands where a device has it not, or why the nest is not
/// sound. Linear in the nest, but for `check_nest`.
[[nodiscard]] inline outcome<std::vector<device_launch>> launches_of(const loop_nest& n) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::launch_finder(n)();
}

}  // namespace inlay

#endif
