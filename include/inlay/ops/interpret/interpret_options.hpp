// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRET_OPTIONS_HPP
#define INLAY_OPS_INTERPRET_INTERPRET_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

namespace inlay {

/// Bounds of an interpretation: what goes beyond them is an error.
struct interpret_options {
    std::size_t deepest_call = 200'000;             // function calls within function calls
    std::size_t most_slots = std::size_t{1} << 26;  // values held at one time, over all functions that are being run
    std::int64_t longest_loop = 10'000'000;         // trips of one Loop
    bool in_float64 = false;                        // floats of the inputs and constants are widened, and all is computed in float64
};

}  // namespace inlay

#endif
