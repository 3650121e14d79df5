// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/plan_constraint.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "plan/all_covers.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

TEST_CASE("a constraint pins nodes to the first back end unless told otherwise, and names none") {
    const plan_constraint c;
    CHECK(c.rule == constraint_rule::pin);
    CHECK(c.backend == 0);
    CHECK(c.nodes.empty());
    CHECK(c.seconds == 0);
    CHECK(c.text.empty());
}

TEST_CASE("parts stay within a part limit also where neighbours of one owner meet, at the same price, and keep the laws") {
    std::size_t cut_down = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 6 + seed);
        covers::flat_meter meter;
        plan_options options;
        const auto free = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        REQUIRE(free.has_value());
        plan_constraint limit{constraint_rule::part_limit, {}, static_cast<backend_id>(seed % 2), 0, "small parts", {}};
        // A sum with its rectifier reads two tensors and gives one or two.
        if (seed % 3 == 0) limit.cap.most_nodes = 2;
        if (seed % 3 == 1) limit.cap.most_bytes = 48 * 5;
        if (seed % 3 == 2) limit.cap.most_live_bytes = 48 * 5;
        options.constraints = {limit};
        const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        CHECK(*made->chosen.seconds == doctest::Approx(*free->chosen.seconds));
        part_sizes sizes(m);
        for (const part& p : made->cut.parts)
            if (p.owner == limit.backend) CHECK(limit.cap.admits(sizes(p.nodes)));
        for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
        cut_down += made->cut.parts.size() > free->cut.parts.size();
    }
    CHECK(cut_down > 4);
}

TEST_CASE("what is too much for a part by itself is not chosen") {
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        return b.call("onnx.Relu", {b.call("onnx.Add", {x, x}, {}, t)}, {}, t);
    });
    covers::flat_meter meter;
    plan_options options;
    options.keep_problem = true;
    plan_constraint limit{constraint_rule::part_limit, {}, 0, 0, "small parts", {}};
    limit.cap.most_nodes = 1;
    options.constraints = {limit};
    const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
    REQUIRE(made.has_value());
    CHECK(made->cut.parts.size() == 2);
    REQUIRE(made->stated.has_value());
    CHECK_FALSE(made->penalties.has_value());
    limit.cap.most_nodes = 0;
    options.constraints = {limit};
    const auto other = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
    REQUIRE(other.has_value());
    for (const part& p : other->cut.parts) CHECK(p.owner == 1);
    plan_constraint all = limit;
    all.backend = 1;
    all.text = "none of those";
    options.constraints = {limit, all};
    const auto none = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "no plan keeps to these constraints together: small parts; none of those");
}

TEST_CASE("kept parts stay as they were, whatever is preferred, and nothing joins them") {
    std::size_t several = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 5 + seed);
        covers::flat_meter meter;
        plan_options options;
        const auto first = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        REQUIRE(first.has_value());
        const part& kept = first->cut.parts[seed % first->cut.parts.size()];
        several += kept.composites.size() > 1;
        options.constraints = {
            {constraint_rule::keep, kept.nodes, kept.owner, 0, "the part", {}},
            {constraint_rule::prefer, first->set.to_cover, static_cast<backend_id>(1 - kept.owner), 100, "the other", {}}};
        const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        if (!made) {
            CHECK(made.failure().message.find("keep less of: the part") != std::string::npos);
            continue;
        }
        const auto same = [&](const part& p) { return p.owner == kept.owner && p.nodes == kept.nodes; };
        CHECK(std::count_if(made->cut.parts.begin(), made->cut.parts.end(), same) == 1);
        for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
        // All parts kept: the plan as it was.
        options.constraints.clear();
        for (const part& p : first->cut.parts) options.constraints.push_back({constraint_rule::keep, p.nodes, p.owner, 0, "a part", {}});
        const auto again = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        REQUIRE_MESSAGE(again.has_value(), again.failure().message);
        REQUIRE(again->cut.parts.size() == first->cut.parts.size());
        for (const part& p : first->cut.parts)
            CHECK(std::any_of(again->cut.parts.begin(), again->cut.parts.end(),
                              [&](const part& q) { return p.owner == q.owner && p.nodes == q.nodes; }));
        CHECK(*again->chosen.seconds == doctest::Approx(*first->chosen.seconds));
    }
    CHECK(several > 5);
}

TEST_CASE("kept parts that cannot be are told in a sentence") {
    const tensor_type t = toys::image();
    std::vector<node_id> n;
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        for (int i = 0; i < 4; ++i) n.push_back(b.call("onnx.Relu", {i == 0 ? x : n.back()}, {}, t));
        return n.back();
    });
    covers::flat_meter meter;
    const auto fault = [&](std::vector<plan_constraint> constraints) {
        plan_options options;
        options.constraints = std::move(constraints);
        const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        REQUIRE_FALSE(made.has_value());
        return made.failure().message;
    };
    const auto keep = [&](std::vector<node_id> nodes, backend_id backend, const char* text) {
        return plan_constraint{constraint_rule::keep, std::move(nodes), backend, 0, text, {}};
    };
    CHECK(fault({keep({n[0], n[2]}, 1, "A")}) == "A has nodes before and behind node " + std::to_string(n[1]) +
                                                     ", which it has not, so that they are no part; add that one, or keep less");
    CHECK(fault({keep({n[0], n[1]}, 1, "A"), keep({n[1], n[2]}, 1, "B")}) == "no plan keeps to these constraints together: A; B");
    CHECK(fault({keep({n[0], n[1]}, 1, "A"), keep({n[0], n[1]}, 0, "B")}) == "no plan keeps to these constraints together: A; B");
    plan_constraint limit{constraint_rule::part_limit, {}, 1, 0, "L", {}};
    limit.cap.most_nodes = 1;
    CHECK(fault({limit, keep({n[0], n[1]}, 1, "A")}) == "no plan keeps to these constraints together: A; L");
    CHECK(fault({keep({n[0], n[1]}, 1, "A"), {constraint_rule::pin, {n[1]}, 0, 0, "P", {}}}) ==
          "no plan keeps to these constraints together: A; P");
    CHECK(fault({keep({}, 1, "A")}) == "A has no nodes, and would say nothing; give it some");
    CHECK(fault({keep({0}, 1, "A")}) == "A names node 'x', which no back end has to run; name a node that is covered");
    plan_options twice;
    twice.constraints = {keep({n[0], n[1]}, 1, "A"), keep({n[1], n[0]}, 1, "B")};
    CHECK(make_plan(m, toys::list(), meter, covers::flat_bound(), twice).has_value());
}
