// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/ruled.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"
#include "../../cost/no_meter.hpp"

#include <inlay/candidate/partition_rules.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

TEST_CASE("a back end with a rule from outside offers what the rule joins, in the one call too, and is the same back end otherwise") {
    using rule = only_valid_rule<arbitrary_fusion<matched_rule, 3>, subgraph_limits{1, false, 3}>;
    using joined = ruled<toys::rows, rule>;
    static_assert(backend<joined>);
    const ir_module m = toys::random_program(3, 6);
    const auto largest = [&](const auto& backends, const plan_options& options) {
        toys::no_meter pricing;
        const auto made = make_plan(
            m, backends, pricing, [](const auto&...) { return 0.0; }, options);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        std::size_t most = 0;
        for (const candidate& c : made->set.candidates) most = std::max(most, c.nodes.size());
        return most;
    };
    plan_options options;
    CHECK(largest(backend_list<toys::rows>(), options) == 1);
    CHECK(largest(backend_list<joined>(), options) > 1);
    CHECK(backend_list<joined>().text(0) == backend_list<toys::rows>().text(0));
    // How far rules go is said in the same call.
    options.enumeration.joining.candidates = 0;
    CHECK(largest(backend_list<joined>(), options) == 1);
}
