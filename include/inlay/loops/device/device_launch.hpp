// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_DEVICE_DEVICE_LAUNCH_HPP
#define INLAY_LOOPS_DEVICE_DEVICE_LAUNCH_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

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

/// What a device runs for a nest, launch after launch; all of one has ended before the next begins. Loops over blocks stand outermost and
/// directly in each other, any number of them bound to one of x, y and z; loops over threads directly in each other; what stands in no loop
/// over blocks is a launch of one block. The error says which loop or buffer stands where a device has it not, or why the nest is not
/// sound. Linear in the nest, but for `check_nest`.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<device_launch>> launches_of(const loop_nest& n);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/device/device_launch.ipp>
#endif

#endif
