// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_TASK_TEXT_HPP
#define INLAY_LOOPS_TEXT_TASK_TEXT_HPP

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// A part of a nest whose rounds may run in any order and at one time, once all rounds of the part before it have ended.
struct task_stage {
    std::int64_t rounds = 1;
    double work = 0;  // scalar operations of one round, about
};

/// A nest as a C function that runs some rounds of one of its stages: the last arguments are the stage's number, the first round and the
/// one behind the last.
struct task_function {
    c_function printed;
    std::vector<task_stage> stages;
};

/// Several nests as one text in C99.
struct task_text {
    std::string text;                      // of all, with includes
    std::vector<task_function> functions;  // in the order of the nests
};

/// Nests as C functions for a pool of threads that hands out ranges of rounds: each computes what `to_c`'s function does when for each
/// stage in turn all its rounds have been run, up to a few units in the last place (`vector_functions`). Names of the nests differ. The
/// error says which nest C99 does not have, and why.
[[nodiscard]] INLAY_FUNCTION outcome<task_text> to_tasks(std::span<const loop_nest> nests);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/task_text.ipp>
#endif

#endif
