// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_ONEDNN_TAKE_HPP
#define INLAY_TESTS_BACKEND_ONEDNN_TAKE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/backend/onednn/backend.hpp>

#include "../take.hpp"

namespace onednn_test {

using namespace inlay_test;

/// The largest match at the program's result, run in every format tuple and by no plain loops of the library's. Compiled once for all
/// tests.
[[nodiscard]] taken take(const inlay::onednn& self, const inlay::ir_module& g, double tolerance = 2e-5, float low = -2, float high = 2);

/// The same, with checks: a match of `nodes` operators that is taken in at least one way.
taken expect_taken(const inlay::ir_module& g, std::size_t nodes, const inlay::onednn& self = {}, double tolerance = 2e-5, float low = -2,
                   float high = 2);

/// The refusal of the largest match at the result; empty where there is no match or it is taken.
[[nodiscard]] std::string why_not(const inlay::ir_module& g, const inlay::onednn& self = {});

/// How many ways the largest match has by a composite in slices of one of the three threads each, computed right by programs that run at
/// once.
[[nodiscard]] std::size_t ways_in_slices(const inlay::ir_module& g, std::string_view composite);

/// Whether a composite takes the largest match with its first result in blocks of channels.
[[nodiscard]] bool has_blocked_way(const inlay::ir_module& g, std::string_view composite);

}  // namespace onednn_test

#endif
