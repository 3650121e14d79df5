// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/constraint_file.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"
#include "../../plan/planned.hpp"
#include "../temporary_folder.hpp"

#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/write_file.hpp>

using namespace inlay;

namespace {

/// x, sum = x + x, relu of it, product with x.
ir_module sample() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id twice = b.call("onnx.Add", {x, x}, {}, toys::image(), "sum");
        return b.call("onnx.Mul", {b.call("onnx.Relu", {twice}, {}, toys::image(), "relu"), x}, {}, toys::image(), "product");
    });
}
constexpr node_id sum = 1, relu = 2, product = 3;
constexpr backend_id chains = 0, reference = 1;

outcome<partitioned> no_plans(const std::string& path) { return error{"there is no '" + path + "'"}; }

/// What a list of rules says.
outcome<plan_rules> ruled(const std::string& rules, const toys::list& backends = {}, const plan_finder& parts_at = no_plans) {
    return read_constraints(R"({"version": 1, "constraints": [)" + rules + "]}", sample(), backends, parts_at);
}
plan_constraint only_constraint(const std::string& rule) {
    auto made = ruled(rule);
    REQUIRE_MESSAGE(made.has_value(), rule, ": ", made.failure().message);
    REQUIRE(made->constraints.size() == 1);
    CHECK(made->limits.empty());
    CHECK(made->fallbacks.empty());
    return made->constraints.front();
}
plan_limit only_limit(const std::string& rule) {
    auto made = ruled(rule);
    REQUIRE_MESSAGE(made.has_value(), rule, ": ", made.failure().message);
    REQUIRE(made->limits.size() == 1);
    CHECK(made->constraints.empty());
    return made->limits.front();
}
std::string fault_of(const std::string& rule, const toys::list& backends = {}) {
    const auto made = ruled(rule, backends);
    return made ? std::string() : made.failure().message;
}

}  // namespace

TEST_CASE("rules about nodes name them, or all of an operator, and a back end") {
    const plan_constraint pin = only_constraint(R"({"rule": "pin", "nodes": ["relu", "1"], "backend": "chains"})");
    CHECK(pin.rule == constraint_rule::pin);
    CHECK(pin.nodes == std::vector<node_id>{sum, relu});
    CHECK(pin.backend == chains);
    CHECK(pin.text == "constraints[0] (pin chains)");
    const plan_constraint forbid = only_constraint(R"({"rule": "forbid", "ops": ["Add", "onnx.Mul"], "backend": "reference"})");
    CHECK(forbid.rule == constraint_rule::forbid);
    CHECK(forbid.nodes == std::vector<node_id>{sum, product});
    CHECK(forbid.backend == reference);
    const plan_constraint prefer = only_constraint(R"({"rule": "prefer", "nodes": ["sum"], "backend": "chains", "seconds": 0.25})");
    CHECK(prefer.rule == constraint_rule::prefer);
    CHECK(prefer.seconds == 0.25);
    const plan_constraint colocate = only_constraint(R"({"rule": "colocate", "nodes": ["sum"], "ops": ["Relu"]})");
    CHECK(colocate.rule == constraint_rule::colocate);
    CHECK(colocate.nodes == std::vector<node_id>{sum, relu});
    CHECK(colocate.text == "constraints[0] (colocate)");
    CHECK(only_constraint(R"({"rule": "separate", "nodes": ["sum", "product"]})").rule == constraint_rule::separate);
    const plan_constraint keep = only_constraint(R"({"rule": "keep", "nodes": ["sum", "relu", "sum"], "backend": "chains"})");
    CHECK(keep.rule == constraint_rule::keep);
    CHECK(keep.nodes == std::vector<node_id>{sum, relu});
}

TEST_CASE("rules about amounts have their bound, and those it is of") {
    const plan_constraint part = only_constraint(R"({"rule": "part_limit", "backend": "chains", "most_nodes": 2, "most_live_bytes": 96})");
    CHECK(part.rule == constraint_rule::part_limit);
    CHECK(part.cap.backend == chains);
    CHECK(part.cap.most_nodes == 2);
    CHECK(part.cap.most_live_bytes == 96);
    CHECK(part.text == "constraints[0] (part_limit chains, most_nodes 2, most_live_bytes 96)");
    const plan_limit capacity = only_limit(R"({"rule": "capacity", "backends": ["reference", "chains", "reference"], "bytes": 64})");
    CHECK(capacity.of == plan_amount::constant_bytes);
    CHECK(capacity.backends == std::vector<backend_id>{reference, chains});
    CHECK(capacity.most == 64);
    CHECK(capacity.text == "constraints[0] (capacity reference, chains, 64 bytes)");
    CHECK(only_limit(R"({"rule": "capacity", "backend": "chains", "bytes": 0})").backends == std::vector<backend_id>{chains});
    CHECK(only_limit(R"({"rule": "limit", "of": "seconds", "most": 1.5})").of == plan_amount::seconds);
    CHECK(only_limit(R"({"rule": "limit", "of": "peak_bytes", "most": 100})").most == 100);
    const plan_limit load = only_limit(R"({"rule": "limit", "of": "load", "backend": "reference", "most": 2})");
    CHECK(load.of == plan_amount::load);
    CHECK(load.backends == std::vector<backend_id>{reference});
    CHECK(load.text == "constraints[0] (limit load of reference 2)");
}

TEST_CASE("a policy for the fallback is for the nodes it names, or for all, and rules keep their order") {
    const auto made = ruled(R"({"rule": "fallback", "policy": "require"}, {"rule": "fallback", "policy": "allow", "nodes": ["sum"]})");
    REQUIRE(made.has_value());
    REQUIRE(made->fallbacks.size() == 2);
    CHECK(made->fallbacks[0].policy == fallback_policy::require);
    CHECK(made->fallbacks[0].nodes.empty());
    CHECK(made->fallbacks[1].policy == fallback_policy::allow);
    CHECK(made->fallbacks[1].nodes == std::vector<node_id>{sum});
    CHECK(made->fallbacks[1].text == "constraints[1] (fallback allow)");
    CHECK(made->constraints.empty());
}

TEST_CASE("what is wrong in a file of constraints is told with its place and what would do") {
    const auto text_fault = [](const std::string& text) {
        const auto made = read_constraints(text, sample(), toys::list(), no_plans);
        return made ? std::string() : made.failure().message;
    };
    CHECK(text_fault("{").find("the text ends too early to be JSON") == 0);
    CHECK(text_fault(R"({"version": 2, "constraints": []})") == "it has version 2; this program reads version 1");
    CHECK(text_fault(R"({"version": 1, "constrains": []})") == "the file has the unknown key 'constrains' (did you mean 'constraints'?)");
    CHECK(text_fault(R"({"version": 1, "constraints": 5})") == "constraints must be a list, and is 5");
    CHECK(text_fault(R"({"version": 1})") == "the file has no key 'constraints'");
    CHECK(text_fault(R"({"version": 1, "constraints": []})").empty());

    CHECK(fault_of(R"({"rule": "pun", "nodes": ["sum"], "backend": "chains"})")
              .find("constraints[0].rule is no rule (did you mean 'pin'?)") == 0);
    CHECK(fault_of(R"({"rule": "pin", "node": ["sum"], "backend": "chains"})") ==
          "constraints[0] has the unknown key 'node' (did you mean 'nodes'?)");
    CHECK(fault_of(R"({"rule": "pin", "nodes": ["sum"], "backend": "chains", "most": 1})") ==
          "constraints[0] has most, which pin has no use for");
    CHECK(fault_of(R"({"rule": "pin", "nodes": "sum", "backend": "chains"})") == "constraints[0].nodes must be a list, and is 'sum'");
    CHECK(fault_of(R"({"rule": "pin", "nodes": [1], "backend": "chains"})") == "constraints[0].nodes[0] must be a text, and is 1");
    CHECK(fault_of(R"({"rule": "pin", "nodes": ["summ"], "backend": "chains"})") ==
          "constraints[0] names a node that there is not: the model has no node 'summ' (did you mean 'sum'?)");
    CHECK(
        fault_of(R"({"rule": "pin", "nodes": ["x"], "backend": "chains"})").find("constraints[0] names 'x', which nobody has to compute") ==
        0);
    CHECK(fault_of(R"({"rule": "pin", "ops": ["Mull"], "backend": "chains"})")
              .find("constraints[0] names operator 'Mull', which the model has not") == 0);
    CHECK(fault_of(R"({"rule": "colocate"})") == "constraints[0] must name nodes, or ops");
    CHECK(fault_of(R"({"rule": "pin", "nodes": ["sum"]})") == "constraints[0] must name a backend");
    CHECK(fault_of(R"({"rule": "pin", "nodes": ["sum"], "backend": "chain"})") ==
          "constraints[0].backend is 'chain', which takes no part (did you mean 'chains'?); name one that does");
    CHECK(fault_of(R"({"rule": "prefer", "nodes": ["sum"], "backend": "chains"})") ==
          "constraints[0] must say what it is worth for each node, under seconds");
    CHECK(fault_of(R"({"rule": "prefer", "nodes": ["sum"], "backend": "chains", "seconds": -1})") ==
          "constraints[0].seconds must be 0 or more");
    CHECK(fault_of(R"({"rule": "part_limit", "backend": "chains"})") ==
          "constraints[0] must say most_nodes, most_bytes or most_live_bytes");
    CHECK(fault_of(R"({"rule": "capacity", "bytes": 1})") == "constraints[0] must name a backend, or a list of backends");
    CHECK(fault_of(R"({"rule": "capacity", "backends": [], "bytes": 1})") == "constraints[0].backends must name at least one");
    CHECK(fault_of(R"({"rule": "capacity", "backend": "chains"})") == "constraints[0] has no key 'bytes'");
    CHECK(fault_of(R"({"rule": "limit", "of": "secnods", "most": 1})") ==
          "constraints[0].of is 'secnods' (did you mean 'seconds'?); write seconds, peak_bytes or load");
    CHECK(fault_of(R"({"rule": "limit", "of": "seconds", "backend": "chains", "most": 1})") ==
          "constraints[0] names a backend, which a limit of seconds has no use for");
    CHECK(fault_of(R"({"rule": "fallback", "policy": "wran"})") ==
          "constraints[0].policy is 'wran' (did you mean 'warn'?); write require, warn or allow");
    CHECK(fault_of(R"({"rule": "keep", "plan": "p.json", "backend": "chains"})").find("constraints[0] names a backend beside a plan") == 0);
    CHECK(fault_of(R"({"rule": "keep", "plan": "p.json"})") == "constraints[0] names a plan that cannot be kept: there is no 'p.json'");
    CHECK(fault_of(R"({"rule": "keep", "plan": 5})") == "constraints[0].plan must be a text, and is 5");
}

TEST_CASE("a back end that takes no part may be forbidden, and has no part to keep and no amount") {
    toys::list one;
    one.choose({reference});
    CHECK(fault_of(R"({"rule": "forbid", "nodes": ["sum"], "backend": "chains"})", one).empty());
    const std::string why = " is 'chains', which takes no part in this call; name one that does";
    CHECK(fault_of(R"({"rule": "keep", "nodes": ["sum"], "backend": "chains"})", one) == "constraints[0].backend" + why);
    CHECK(fault_of(R"({"rule": "part_limit", "backend": "chains", "most_nodes": 1})", one) == "constraints[0].backend" + why);
    CHECK(fault_of(R"({"rule": "capacity", "backends": ["reference", "chains"], "bytes": 1})", one) == "constraints[0].backends[1]" + why);
    CHECK(fault_of(R"({"rule": "limit", "of": "load", "backend": "chains", "most": 1})", one) == "constraints[0].backend" + why);
}

TEST_CASE("the parts of an earlier plan stay, all of them or those that cover some nodes") {
    const plan_finder earlier = [](const std::string&) -> outcome<partitioned> {
        partitioned cut;
        cut.parts.push_back({chains, {0}, {sum, relu}});
        cut.parts.push_back({reference, {1}, {product}});
        return cut;
    };
    const auto all = ruled(R"({"rule": "keep", "plan": "p.json"})", {}, earlier);
    REQUIRE(all.has_value());
    REQUIRE(all->constraints.size() == 2);
    CHECK(all->constraints[0].rule == constraint_rule::keep);
    CHECK(all->constraints[0].nodes == std::vector<node_id>{sum, relu});
    CHECK(all->constraints[0].backend == chains);
    CHECK(all->constraints[0].text == "constraints[0] (keep chains, part 0 of 'p.json')");
    CHECK(all->constraints[1].backend == reference);
    const auto some = ruled(R"({"rule": "keep", "plan": "p.json", "nodes": ["product"]})", {}, earlier);
    REQUIRE(some.has_value());
    REQUIRE(some->constraints.size() == 1);
    CHECK(some->constraints[0].nodes == std::vector<node_id>{product});
    const plan_finder shorter = [](const std::string&) -> outcome<partitioned> {
        partitioned cut;
        cut.parts.push_back({reference, {1}, {product}});
        return cut;
    };
    const auto outside = ruled(R"({"rule": "keep", "plan": "p.json", "nodes": ["sum"]})", {}, shorter);
    REQUIRE_FALSE(outside.has_value());
    CHECK(outside.failure().message == "constraints[0] names 'sum', which is in no part of that plan");
}

TEST_CASE("a file is read for a list of back ends, the plans that it names with it, and errors begin with the path") {
    const inlay_test::temporary_folder folder;
    const std::string path = folder / "rules.json", plan_path = folder / "plan.json";
    const ir_module m = sample();
    const toys::list backends;
    const auto made = toys::planned(m, backends, {});
    REQUIRE(made.has_value());
    REQUIRE(write_file(plan_path, write_plan(m, *made, backends)).has_value());
    REQUIRE(write_file(path, R"({"version": 1, "constraints": [{"rule": "keep", "plan": ")" + plan_path + "\"}]}").has_value());
    const auto rules = load_constraints(path, m, backends);
    REQUIRE_MESSAGE(rules.has_value(), rules.failure().message);
    REQUIRE(rules->constraints.size() == made->cut.parts.size());
    for (std::size_t i = 0; i < made->cut.parts.size(); ++i) {
        CHECK(rules->constraints[i].nodes == made->cut.parts[i].nodes);
        CHECK(rules->constraints[i].backend == made->cut.parts[i].owner);
    }
    // Options are no harm: nodes and owners alone are kept.
    toys::list configured(toys::chains{.threads = 2}, toys::rows{});
    CHECK(load_constraints(path, m, configured).has_value());
    const ir_module other = toys::random_program(3, 5);
    CHECK(load_constraints(path, other, backends)
              .failure()
              .message.find(path + "': constraints[0] names a plan that cannot be kept: '" + plan_path) == 1);
    CHECK(load_constraints(folder / "nowhere.json", m, backends).failure().message.find("nowhere.json': the file cannot be read") !=
          std::string::npos);
}
