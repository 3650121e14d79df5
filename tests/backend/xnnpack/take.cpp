// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

namespace xnnpack_test {

using namespace inlay;

taken expect_taken(const ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    return taken_on_threads(xnnpack(), g, nodes, tolerance, low, high);
}

std::string why_not(const ir_module& g) { return largest_match(xnnpack(), g).refusal; }

}  // namespace xnnpack_test
