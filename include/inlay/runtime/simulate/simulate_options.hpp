// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_SIMULATE_OPTIONS_HPP
#define INLAY_RUNTIME_SIMULATE_SIMULATE_OPTIONS_HPP

#include <cstddef>

namespace inlay {

/// Bounds of a simulated run: what goes beyond them is an error.
struct simulate_options {
    std::size_t deepest_call = 200'000;                 // function calls within function calls
    std::size_t most_registers = std::size_t{1} << 26;  // of all functions that are being run
};

}  // namespace inlay

#endif
