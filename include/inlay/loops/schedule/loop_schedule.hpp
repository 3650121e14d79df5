// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_LOOP_SCHEDULE_HPP
#define INLAY_LOOPS_SCHEDULE_LOOP_SCHEDULE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// One change of a nest. Loops go by their variables' names, buffers by their own.
struct schedule_step {
    enum class form : std::uint8_t {
        split,    // loops[0] becomes loops[1] over tiles of `factor` rounds and loops[2] inside one; what is left over stands under bounds
        reorder,  // loops that stand in each other, with nothing between, stand in this order
        run,      // loops[0] runs as `runs` says
        fuse,     // the rounds of loops[1], which stands right behind loops[0], become part of loops[0]'s
        inline_stage,  // what is stored to `buffer` is computed wherever that is read
        compute_at,    // the stage that writes `buffer` runs in each round of loops[0], for the part of it that the round reads
        fission,  // the rounds of loops[0] and of those directly in it run their first `factor` statements, then the rest in loops[1]...
        put,      // `buffer`, which is the nest's own, stands in `scope`
        cache,    // each round of loops[0] works on a copy of the part of `buffer` that it touches: `copy`, its axes in `order`
        call      // loops[0] and all in it, which do what `function` means, become a call of it
    };

    form kind = form::run;
    std::vector<std::string> loops;
    std::int64_t factor = 0;
    loop_kind runs = loop_kind::serial;
    std::string buffer = {};
    std::string copy = {};
    std::vector<std::size_t> order = {};  // empty: as they are
    loop_nest function = {};
    buffer_scope scope = buffer_scope::scratch;

    friend bool operator==(const schedule_step&, const schedule_step&) = default;
};

/// How a nest's loops and stages are to be arranged, as a value. What is computed stays the same: reordered sums of floating numbers up to
/// rounding.
///
///     loop_schedule().split("j", 16, "tile", "lane").reorder({"tile", "k", "lane"}).vectorise("lane")
struct loop_schedule {
    std::vector<schedule_step> steps;

    INLAY_FUNCTION loop_schedule& split(std::string loop, std::int64_t factor, std::string over, std::string inside);
    loop_schedule& reorder(std::vector<std::string> loops) { return add({schedule_step::form::reorder, std::move(loops)}); }
    loop_schedule& run(std::string loop, loop_kind runs) { return add({schedule_step::form::run, {std::move(loop)}, 0, runs}); }
    loop_schedule& unroll(std::string loop) { return run(std::move(loop), loop_kind::unrolled); }
    loop_schedule& vectorise(std::string loop) { return run(std::move(loop), loop_kind::vector); }
    /// To a device's own numbers of the thread that runs it.
    loop_schedule& bind(std::string loop, loop_kind to) { return run(std::move(loop), to); }

    /// Splits loops that stand directly in each other, each by its factor, and has those over tiles stand around those inside them.
    /// Precondition: as many of each.
    INLAY_FUNCTION loop_schedule& tile(const std::vector<std::string>& loops, const std::vector<std::int64_t>& factors,
                                       const std::vector<std::string>& over, const std::vector<std::string>& inside);

    /// The two loops have equal extents, and the first one's variable is kept.
    INLAY_FUNCTION loop_schedule& fuse(std::string first, std::string second);
    /// What the loop and those directly in it run becomes two bands of loops, of which the second has these variables, the outermost first;
    /// where they are too few, it gets names of its own. Bounds around the statements stand around each, inside of loops that follow.
    INLAY_FUNCTION loop_schedule& fission(std::string loop, std::int64_t first_statements, std::vector<std::string> others = {});
    /// In shared memory, on the stack or in scratch memory.
    INLAY_FUNCTION loop_schedule& put(std::string buffer, buffer_scope scope);
    /// `inline`, which is a word of the language.
    loop_schedule& inline_stage(std::string buffer) { return add({schedule_step::form::inline_stage, {}, 0, {}, std::move(buffer)}); }
    /// The buffer is on the stack then, and as large as that part.
    INLAY_FUNCTION loop_schedule& compute_at(std::string buffer, std::string loop);
    /// The copy is on the stack, row after row, axis i being the buffer's axis `order[i]`; where the round writes, it is copied back.
    INLAY_FUNCTION loop_schedule& cache(std::string buffer, std::string loop, std::string copy, std::vector<std::size_t> order = {});

    /// The function is a small nest over buffers of its own, and the loop does the same statement by statement, so that names, the places
    /// where its windows begin and their strides are all that differs: what a machine or a library does at once is put in its place.
    INLAY_FUNCTION loop_schedule& call(std::string loop, loop_nest function);

    friend bool operator==(const loop_schedule&, const loop_schedule&) = default;

private:
    INLAY_FUNCTION loop_schedule& add(schedule_step s);
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/loop_schedule.ipp>
#endif

#endif
