// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/placement_rule.hpp>

#include <doctest/doctest.h>

#include "../backend/simulated_device/two_devices.hpp"

using namespace two_devices;

namespace {

constexpr std::size_t on_device = 0, on_cpu = 1;

/// A rectifier, its negation, its sine.
ir_module three() {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row())};
    node_id last = x[0];
    for (const std::string_view op : {"Relu", "Neg", "Sin"}) last = b.call("onnx." + std::string(op), {last}, {}, row(), op);
    b.declare(b.function(x, last, "main"));
    return b.finish();
}
node_id named(const ir_module& m, std::string_view name) {
    for (node_id n = 0; n < m.size(); ++n)
        if (m.name(n) == name) return n;
    FAIL("there is no such node");
    return 0;
}
std::size_t owner_of(const plan& p, node_id n) {
    for (const part& each : p.cut.parts)
        if (std::find(each.nodes.begin(), each.nodes.end(), n) != each.nodes.end()) return each.owner;
    return 99;
}
list backends_where_copies_cost(double us) {
    simulated_device d;
    d.speed = 1000;
    d.copy_gbps = 1000;
    d.copy_us = us;
    return list(d, cpu());
}
plan_options placed(std::vector<placement_rule> rules) {
    plan_options options;
    options.placements = std::move(rules);
    return options;
}
const placement there{device_type::ext_dev, placement::any_id, {}, {}}, here{device_type::cpu, placement::any_id, {}, {}};

}  // namespace

TEST_CASE("all rules of a node are kept, in their order, and rules of nodes that there are not are passed over") {
    const placement_rule list[] = {{there, {1, 7}, "first"}, {here, {1}, "second"}};
    const placement_rules rules(list, 3);
    REQUIRE(rules.of(1).size() == 2);
    CHECK(rules.of(1)[0]->text == "first");
    CHECK(rules.of(1)[1]->text == "second");
    CHECK(rules.of(2).empty());
    CHECK(rules.of(7).empty());
    CHECK(placement_rules().of(1).empty());
    candidate c;
    c.nodes = {1};
    c.backend = 1;
    std::size_t asked = 0;
    const auto runs = [&](backend_id b, const placement& p, std::span<const format>) {
        ++asked;
        return b == 1 && p == here;
    };
    CHECK_FALSE(rules.admit(c, runs));
    c.nodes = {2};
    asked = 0;
    CHECK(rules.admit(c, runs));
    CHECK(asked == 0);
    CHECK(placement_rules().admit(c, runs));
}

TEST_CASE(
    "a node that is placed runs there whatever it costs, and free ones follow the cheapest plan with copies priced [plan.placement.hard]") {
    const ir_module m = three();
    const list dear = backends_where_copies_cost(100);
    CHECK(owner_of(must_plan(m, dear), named(m, "Neg")) == on_cpu);
    // The two copies are paid for once one node is there; the rectifier before it may then as well be there.
    const plan forced = must_plan(m, dear, placed({{there, {named(m, "Neg")}, "the test"}}));
    CHECK(owner_of(forced, named(m, "Neg")) == on_device);
    CHECK(owner_of(forced, named(m, "Relu")) == on_device);
    CHECK(owner_of(forced, named(m, "Sin")) == on_cpu);
    CHECK(forced.cut.conversions.size() == 2);
    check_meaning(m, must_link(m, dear, forced), random_inputs(m, 1));

    const list cheap = backends_where_copies_cost(1);
    CHECK(owner_of(must_plan(m, cheap), named(m, "Relu")) == on_device);
    const plan kept = must_plan(m, cheap, placed({{here, {named(m, "Relu")}, "the test"}}));
    CHECK(owner_of(kept, named(m, "Relu")) == on_cpu);
    CHECK(owner_of(kept, named(m, "Neg")) == on_device);
}

TEST_CASE("every partitioner keeps placements [plan.placement.every-partitioner]") {
    const ir_module m = three();
    const list backends = backends_where_copies_cost(100);
    for (const partitioner& how :
         {partitioner::exact(), partitioner::exhaustive(), partitioner::eager(), partitioner::single("simulated_device")}) {
        CAPTURE(to_string(how));
        plan_options options = placed({{there, {named(m, "Neg")}, "the test"}, {here, {named(m, "Relu")}, "the test"}});
        options.partitioner = how;
        const plan p = must_plan(m, backends, options);
        CHECK(owner_of(p, named(m, "Neg")) == on_device);
        CHECK(owner_of(p, named(m, "Relu")) == on_cpu);
    }
}

TEST_CASE(
    "where nobody runs a node at its place, the error names node, place, rule and what the back ends there say [plan.placement.nowhere]") {
    const ir_module m = three();
    const auto none = plan_for(m, backends_where_copies_cost(1), placed({{there, {named(m, "Sin")}, "the annotation in line 7"}}));
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message.find(
              "node 'Sin' (operator 'onnx.Sin') is placed on ext_dev by the annotation in line 7, and no back end that "
              "takes part runs it there; simulated_device: ") == 0);
    CHECK(none.failure().message.find("place it elsewhere, or add a back end that does") != std::string::npos);
    const auto second =
        plan_for(m, backends_where_copies_cost(1), placed({{placement::on(device_type::ext_dev, 1), {named(m, "Neg")}, ""}}));
    REQUIRE_FALSE(second.has_value());
    CHECK(second.failure().message ==
          "node 'Neg' (operator 'onnx.Neg') is placed on ext_dev:1, and no back end that takes part runs it there; place it elsewhere, or "
          "add "
          "a back end that does");
    const auto both =
        plan_for(m, backends_where_copies_cost(1), placed({{there, {named(m, "Neg")}, "one"}, {here, {named(m, "Neg")}, "two"}}));
    REQUIRE_FALSE(both.has_value());
    CHECK(both.failure().message.find("is placed on ext_dev by one and on cpu by two, and no back end") != std::string::npos);
}

TEST_CASE("a composite runs where all of its nodes are placed, and one that would not is left out") {
    ir_builder b;
    b.open_block();
    const tensor_type square(element_type::float32, {8, 8});
    const node_id x[] = {b.input("x", square)};
    const node_id product = b.call("onnx.MatMul", {x[0], x[0]}, {}, square, "product");
    b.declare(b.function(x, b.call("onnx.Relu", {product}, {}, square, "relu"), "main"));
    const ir_module m = b.finish();
    const list backends = backends_where_copies_cost(0.001);
    CHECK(must_plan(m, backends).chosen.chosen.size() == 1);
    const plan apart = must_plan(m, backends, placed({{here, {named(m, "relu")}, "the test"}}));
    CHECK(apart.chosen.chosen.size() == 2);
    CHECK(owner_of(apart, named(m, "product")) == on_device);
    CHECK(owner_of(apart, named(m, "relu")) == on_cpu);
}

TEST_CASE("with copies and placements the exact search gives what trying every cover gives") {
    std::size_t mixed = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 1 + seed % 7);
        const list backends = backends_where_copies_cost(seed % 2 == 0 ? 3.0 : 9.0);
        plan_options options;
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::call && (n + seed) % 5 == 0) options.placements.push_back({here, {n}, "the test"});
        const plan exact = must_plan(m, backends, options);
        options.partitioner = partitioner::exhaustive();
        CHECK(*exact.chosen.seconds == doctest::Approx(*must_plan(m, backends, options).chosen.seconds));
        mixed += nodes_on(exact, on_device) != 0 && nodes_on(exact, on_cpu) != 0;
    }
    CHECK(mixed > 5);
}

TEST_CASE("a program that says where its calls run is planned there without being asked [plan.placement.column]") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row())};
    const node_id y = b.call("onnx.Relu", {x[0]}, {}, row(), "y");
    b.set_where(y, placement::on(device_type::ext_dev));
    b.declare(b.function(x, y, "main"));
    const ir_module m = b.finish();
    const list backends = backends_where_copies_cost(1000);
    CHECK(owner_of(must_plan(m, backends), y) == 0);
    CHECK(owner_of(must_plan(m, backends, placed({{here, {y}, "the test"}})), y) == 1);
}

TEST_CASE("a plan runs on one device of each type, and says so where two are named [plan.placement.one-of-a-type]") {
    const placement_rule two[] = {{placement::on(device_type::ext_dev, 0), {1}, {}}, {placement::on(device_type::ext_dev, 1), {2}, {}}};
    CHECK(devices_of(two).failure().message ==
          "nodes are to run on ext_dev:0 and on ext_dev:1, and a plan runs on one device of each type; place them on one, or plan each "
          "device's part by itself");
    const placement_rule one[] = {{placement::on(device_type::ext_dev, 1), {1}, {}}, {there, {2}, {}}, {here, {3}, {}}};
    const auto devices = devices_of(one);
    REQUIRE(devices);
    CHECK(*devices == std::map<device_type, std::int32_t>{{device_type::ext_dev, 1}});
}
