// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_part_rules.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// Rectifiers one after the other: nodes 1, 2, 3 and so on.
ir_module rectifiers(std::size_t count) {
    return toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        node_id last = x;
        for (std::size_t i = 0; i < count; ++i) last = b.call("onnx.Relu", {last}, {}, toys::image());
        return last;
    });
}

plan_constraint keep(std::vector<node_id> nodes, backend_id backend, const char* text) {
    return {constraint_rule::keep, std::move(nodes), backend, 0, text, {}};
}

}  // namespace

TEST_CASE("what constraints say of parts is read in their order, each kept set once, and what speaks of no parts is passed over") {
    const ir_module m = rectifiers(6);
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<node_id>& n = set.to_cover;
    REQUIRE(n.size() == 6);
    plan_constraint cap{constraint_rule::part_limit, {}, 1, 0, "small", {}};
    cap.cap.most_nodes = 3;
    const std::vector<plan_constraint> constraints{{constraint_rule::pin, {n[0]}, 0, 0, "a pin", {}},
                                                   keep({n[2], n[1], n[1]}, 1, "A"),
                                                   cap,
                                                   keep({n[1], n[2]}, 1, "again"),
                                                   keep({n[4]}, 0, "B")};
    const auto read = part_rules_of(m, set, constraints);
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->rules.kept == std::vector<std::vector<node_id>>{{n[1], n[2]}, {n[4]}});
    CHECK(read->keepers == std::vector<std::string>{"A", "B"});
    REQUIRE(read->rules.caps.size() == 1);
    CHECK(read->rules.caps[0].backend == 1);
    CHECK(read->rules.caps[0].most_nodes == 3);
    const auto none = part_rules_of(m, set, std::vector<plan_constraint>{constraints[0]});
    REQUIRE(none.has_value());
    CHECK(none->rules.empty());
}

TEST_CASE("kept parts that cannot be are told: no node, a node that nobody runs, a hole, one part in two, and one above a cap") {
    const ir_module m = rectifiers(4);
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<node_id>& n = set.to_cover;
    const auto fault = [&](const std::vector<plan_constraint>& constraints) {
        const auto read = part_rules_of(m, set, constraints);
        return read ? std::string() : read.failure().message;
    };
    CHECK(fault({keep({n[0], n[1]}, 1, "A")}).empty());
    CHECK(fault({keep({}, 1, "A")}) == "A has no nodes, and would say nothing; give it some");
    CHECK(fault({keep({1000}, 1, "A")}) == "A names node 1000, which no back end has to run; name a node that is covered");
    CHECK(fault({keep({n[0], n[2]}, 1, "A")}) == "A has nodes before and behind node " + std::to_string(n[1]) +
                                                     ", which it has not, so that they are no part; add that one, or keep less");
    CHECK(fault({keep({n[0], n[1]}, 1, "A"), keep({n[1], n[2]}, 1, "B")}) == "no plan keeps to these constraints together: A; B");
    CHECK(fault({keep({n[0]}, 1, "A"), keep({n[0]}, 0, "B")}) == "no plan keeps to these constraints together: A; B");
    plan_constraint cap{constraint_rule::part_limit, {}, 1, 0, "L", {}};
    cap.cap.most_nodes = 1;
    CHECK(fault({cap, keep({n[0], n[1]}, 1, "A")}) == "no plan keeps to these constraints together: A; L");
    CHECK(fault({cap, keep({n[0], n[1]}, 0, "A")}).empty());
}

TEST_CASE("the cut has what is kept as one part, and where a part would wait for itself the error names who keeps it") {
    // Two branches of two rectifiers: where the first of each is kept with the second of the other, both parts wait for each other.
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id a = b.call("onnx.Relu", {x}, {}, t), c = b.call("onnx.Relu", {x}, {}, t);
        const node_id d = b.call("onnx.Relu", {a}, {}, t), e = b.call("onnx.Relu", {c}, {}, t);
        return b.call("onnx.Add", {d, e}, {}, t);
    });
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<node_id>& n = set.to_cover;
    REQUIRE(n.size() == 5);
    // Each node alone, on the plain back end.
    std::vector<std::size_t> chosen;
    for (const node_id node : n)
        for (std::size_t c = 0; c < set.candidates.size(); ++c)
            if (set.candidates[c].backend == 1 && set.candidates[c].nodes == std::vector<node_id>{node}) chosen.push_back(c);
    REQUIRE(chosen.size() == 5);
    const auto cut = [&](const std::vector<plan_constraint>& constraints) {
        return partition(m, set, chosen, *part_rules_of(m, set, constraints));
    };
    const auto whole = cut({});
    REQUIRE(whole.has_value());
    CHECK(whole->parts.size() == 1);
    const auto kept = cut({keep({n[0], n[2]}, 1, "A"), keep({n[1], n[3]}, 1, "B")});
    REQUIRE_MESSAGE(kept.has_value(), kept.failure().message);
    CHECK(kept->parts.size() == 3);
    const auto crossed = cut({keep({n[0], n[3]}, 1, "A"), keep({n[1], n[2]}, 1, "B")});
    REQUIRE_FALSE(crossed.has_value());
    CHECK(crossed.failure().message ==
          "in the best cover, composites outside wait for kept parts and these for them, so that it cannot be cut; keep less of: A; B");
}
