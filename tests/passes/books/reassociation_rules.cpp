// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/reassociation_rules.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/normalise.hpp>
#include <inlay/testing/check_rule.hpp>

#include "ops/rewritten_alike.hpp"

using namespace inlay;
using ops_here = op_table<onnx_arithmetic<>, onnx_math<>>;

namespace {

/// How many calls are left of a program of one parameter of shape [2,3].
template <class Build>
std::size_t calls_left(bool reassociate, Build&& build) {
    rewriting_program p;
    const node_id x = p.input({2, 3});
    normalise_options how;
    how.reassociate = reassociate;
    const auto made = normalise(p.finish<ops_here>(build(p, x)), how);
    REQUIRE(made.has_value());
    std::size_t calls = 0;
    for (node_id n = 0; n < made->graph.size(); ++n) calls += made->graph.kind(n) == node_kind::call ? 1 : 0;
    return calls;
}

}  // namespace

TEST_CASE("every rule that loses a rounding is of the class that is applied on request, and holds for real numbers") {
    using graph = working_graph<ir_module>;
    for (const auto& row : reassociation_rules().all_rows<graph>()) {
        CAPTURE(std::string(row.name));
        CHECK(row.kind == exactness::cancelling);
        rule_check_options options;
        options.instances = 8;
        const rule_check found = check_rule<ops_here>(row, options);
        CHECK(found.compared > 0);
        CHECK_MESSAGE(found.wrong == 0, found.counterexample);
    }
}

TEST_CASE("normalising joins constants over sums on request only") {
    const auto magic = [](auto& p, node_id x) {
        const node_id c = p.filled({}, 12582912);
        return p.call("Sub", {p.call("Add", {x, c}), c});
    };
    CHECK(calls_left(false, magic) == 2);
    CHECK(calls_left(true, magic) == 0);
    const auto rows = [](auto& p, node_id x) { return p.call("Add", {p.call("Sub", {x, p.filled({3}, 5)}), p.filled({2, 1}, 2)}); };
    CHECK(calls_left(false, rows) == 2);
    CHECK(calls_left(true, rows) == 1);
    const auto factors = [](auto& p, node_id x) { return p.call("Div", {p.call("Mul", {x, p.filled({}, 6)}), p.filled({3}, 4)}); };
    CHECK(calls_left(false, factors) == 2);
    CHECK(calls_left(true, factors) == 1);
}
