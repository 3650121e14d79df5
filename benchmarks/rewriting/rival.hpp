// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_REWRITING_RIVAL_HPP
#define INLAY_BENCHMARKS_REWRITING_RIVAL_HPP

#include <cstddef>
#include <string>

namespace bench {

/// What a rival took for so many rewrites; `note` says why there is no time.
struct rival_time {
    double ms = -1;
    std::size_t operators = 0, rewrites = 0;
    std::string note{};
};

/// MLIR's canonicaliser on a function of about as many arith operators, in which every third pair is rewritten once: the pass alone, as
/// mlir-opt reports it. Rewrites are counted on what it prints.
[[nodiscard]] rival_time run_mlir(std::size_t nodes);

}  // namespace bench

#endif
