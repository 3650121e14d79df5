// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_DEVICE_BARRIERS_HPP
#define INLAY_LOOPS_DEVICE_BARRIERS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/device/device_launch.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// That along one axis of a buffer the thread of number t has the elements from `elements * t` to before `elements * (t + 1)`; with a
/// period, of each stretch of so many elements.
struct thread_axis {
    std::size_t axis = 0;
    std::int64_t elements = 0;
    std::int64_t period = 0;  // 0: there is one stretch

    /// Of so many elements along the axis, how many one thread has at most.
    [[nodiscard]] std::int64_t of(std::int64_t extent) const {
        return period == 0 ? std::min(extent, elements) : (extent / period + (extent % period != 0)) * elements;
    }
    /// Where among the thread's own elements an index stands, in a loop over threads or, `thread` being none, in the first thread.
    [[nodiscard]] affine index(const affine& whole, std::optional<variable_id> thread) const {
        const affine rest = thread ? whole - affine::of(*thread, elements) : whole;
        if (period == 0) return rest;
        affine made(rest.constant() / period * elements + rest.constant() % period);
        for (const affine::term& t : rest.terms())
            made += affine::of(t.variable, t.factor % period == 0 ? t.factor / period * elements : t.factor);
        return made;
    }
};

/// Whose the elements of a buffer are among the threads of a block: for thread_x, thread_y and thread_z an axis of the buffer, or none
/// where the block has one such thread or only the first one touches the buffer.
using thread_axes = std::array<std::optional<thread_axis>, 3>;

/// How the threads of a launch keep out of each other's way.
struct thread_order {
    std::vector<char> has_barrier;                // by statement: all threads of the block wait for each other before this phase
    std::vector<std::optional<thread_axes>> own;  // by buffer: no two threads of a block touch one element, and who touches which
};

/// Where the threads of a block wait for each other, and which buffers they have in parts of their own: the one place that says so, for
/// printers and for the interpreter of phases. A barrier stands before a phase that touches what another thread may have touched since the
/// last barrier, one of them writing; elements that are one thread's in all of the launch need none. The error names a buffer on the stack,
/// which becomes registers of threads, that is not in such parts. Linear in the nest for each depth of loops, but for pairs of loops and
/// axes. Precondition: the launch is one of the nest's.
[[nodiscard]] INLAY_FUNCTION outcome<thread_order> order_threads(const loop_nest& n, const device_launch& launch);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/device/barriers.ipp>
#endif

#endif
