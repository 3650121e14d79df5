// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_XNNPACK_TAKE_HPP
#define INLAY_TESTS_BACKEND_XNNPACK_TAKE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/xnnpack/backend.hpp>

#include "../take.hpp"

namespace xnnpack_test {

using namespace inlay_test;
using extents = std::vector<std::int64_t>;

/// The largest match at the program's result, run in every format tuple with 1 and with 2 threads, with checks: it is of `nodes` operators
/// and taken in at least one way. Compiled once for all tests.
taken expect_taken(const inlay::ir_module& g, std::size_t nodes, double tolerance = 2e-5, float low = -2, float high = 2);

/// The refusal of the largest match at the result; empty where there is no match or it is taken.
[[nodiscard]] std::string why_not(const inlay::ir_module& g);

/// How many ways the largest match has by a composite in slices of one of the three threads each, computed right by programs that run at
/// once.
[[nodiscard]] std::size_t ways_in_slices(const inlay::ir_module& g, std::string_view composite);

}  // namespace xnnpack_test

#endif
