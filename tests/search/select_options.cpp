// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("unless told otherwise, selection is exact, without a budget and without marginals") {
    const inlay::select_options options;
    CHECK(options.partitioner == inlay::selection_rule::exact);
    CHECK_FALSE(options.budget_ms.has_value());
    CHECK_FALSE(options.marginals);
    CHECK(options.cancel == nullptr);
}
