// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

namespace openblas_test {

using namespace inlay;

taken expect_taken(const ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    return taken_on_threads(openblas(), g, nodes, tolerance, low, high);
}

std::string why_not(const ir_module& g) { return largest_match(openblas(), g).refusal; }

}  // namespace openblas_test
