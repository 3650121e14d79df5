// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select.hpp>

/// What the cheapest cover of two nodes by one candidate each, or one for both, costs.
double cheapest(double alone, double together) {
    inlay::problem given;
    given.nodes = 2;
    given.candidates.resize(3);
    for (inlay::node_id v = 0; v < 2; ++v) {
        given.candidates[v].nodes = {v};
        given.candidates[v].cost = alone;
    }
    given.candidates[2].nodes = {0, 1};
    given.candidates[2].cost = together;
    return inlay::select(given).cost.value_or(-1);
}
