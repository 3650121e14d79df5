// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

namespace xnnpack_test {

using namespace inlay;

taken expect_taken(const ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    return taken_on_threads(xnnpack(), g, nodes, tolerance, low, high);
}

std::string why_not(const ir_module& g) { return largest_match(xnnpack(), g).refusal; }

std::size_t ways_in_slices(const ir_module& g, std::string_view composite) { return inlay_test::ways_in_slices(xnnpack(), g, composite); }

}  // namespace xnnpack_test
