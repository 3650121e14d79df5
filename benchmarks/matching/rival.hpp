// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_MATCHING_RIVAL_HPP
#define INLAY_BENCHMARKS_MATCHING_RIVAL_HPP

#include <cstddef>
#include <string>

#include "network.hpp"

namespace bench {

/// What a rival took; `note` says why there is no time.
struct rival_time {
    double ms = -1;
    std::size_t found = 0;
    std::string note{};
};

/// One pattern, relu on a norm on a convolution, looked for by Boost's VF2.
[[nodiscard]] rival_time run_vf2(const network& g);

/// MLIR's canonicaliser on a function of as many arith operators as the graph has nodes: the pass alone, as mlir-opt reports it.
[[nodiscard]] rival_time run_mlir(const network& g);

}  // namespace bench

#endif
