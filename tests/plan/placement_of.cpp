// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/placement_of.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "../backend/simulated_device/two_devices.hpp"

#include <inlay/codegen/list/choose_backends.hpp>
#include <inlay/ir/compare_programs.hpp>
#include <inlay/placement/plan_devices.hpp>
#include <inlay/plan/constraints_of.hpp>
#include <inlay/target/read_target.hpp>

using namespace two_devices;

namespace {

/// Both devices as a configuration has them.
struct machine_pair {
    list backends;
    configuration whole;
};
machine_pair two_machines(double copy_us, double speed = 1000) {
    list all;
    const target_schemas known = schemas_of(all);
    const std::string text = "simulated_device -copy_gbps=1000 -speed=" + std::to_string(speed) + " -copy_us=" + std::to_string(copy_us);
    auto made = choose_backends(all, *read_target_list(text + ", reference", known), known);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return {std::move(all), *std::move(made)};
}

std::map<std::string, device_type> owners(const ir_module& m, const plan& p, const list& backends) {
    std::map<std::string, device_type> by_name;
    for (const part& each : p.cut.parts)
        for (const node_id n : each.nodes) by_name[std::string(m.name(n))] = backends_ref(backends).device(each.owner);
    return by_name;
}
std::map<std::string, device_type> places_of(const ir_module& placed) {
    std::map<std::string, device_type> by_name;
    for (node_id n = 0; n < placed.size(); ++n)
        if (placed.kind(n) == node_kind::call && placed.op(n) != "device_copy" && placed.op(n) != "on_device")
            by_name[std::string(placed.name(n))] = *placed.where(n).device;
    return by_name;
}
std::size_t count_of(const ir_module& m, std::string_view op) {
    std::size_t count = 0;
    for (node_id n = 0; n < m.size(); ++n) count += m.kind(n) == node_kind::call && m.op(n) == op;
    return count;
}

/// Which calls a target runs, itself or by what refines it.
auto can_run(const ir_module& m) {
    return [&m](node_id n, const target_instance& t) {
        if (t.device == device_type::cpu) return true;
        return m.op(n) != "onnx.Sin" && m.op(n) != "onnx.Softplus";
    };
}

/// The program with some calls put on a device.
ir_module annotated(const ir_module& m, std::uint32_t seed) {
    std::mt19937 random(seed);
    ir_builder b;
    b.copy_from(m);
    std::vector<node_id> made(m.size()), operands;
    for (node_id n = 0; n < m.size(); ++n) {
        operands.clear();
        for (std::size_t i = 0; i < m.arity(n); ++i) operands.push_back(made[m.operand(n, i)]);
        made[n] = b.copy(m, n, operands);
        if (m.kind(n) != node_kind::call || random() % 4 != 0) continue;
        const bool can = can_run(m)(n, instance_of(ext_dev_target()));
        made[n] = b.on_device(made[n], placement::on(can && random() % 2 == 0 ? device_type::ext_dev : device_type::cpu), false);
    }
    for (const node_id f : m.functions()) b.declare(made[f]);
    b.name_results(m.result_names());
    return b.finish_in_blocks();
}

plan must_keep(const placed_question& q, const list& backends) {
    plan_options options;
    options.placements = q.rules;
    return must_plan(q.program, backends, options);
}

void check_same(const ir_module& a, const ir_module& b) {
    const auto difference = compare_programs(a, b);
    CHECK_MESSAGE(!difference, difference.value_or(""));
    CHECK(a.size() == b.size());
    CHECK(places_of(a) == places_of(b));
}

}  // namespace

TEST_CASE("a plan as a placed program has each node where its owner runs, and a copy where a value changes its device") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row())};
    const node_id one = b.call("onnx.Relu", {x[0]}, {}, row(), "one");
    const node_id half = b.constant(tensor::of({16}, std::vector<float>(16, 0.5f)), "half");
    const node_id sine = b.call("onnx.Sin", {b.call("onnx.Mul", {one, half}, {}, row(), "two")}, {}, row(), "sine");
    const node_id fields[] = {b.call("onnx.Add", {sine, half}, {}, row(), "three"), b.call("onnx.Sub", {sine, one}, {}, row(), "four")};
    b.declare(b.function(x, b.tuple(fields), "main"));
    const ir_module m = b.finish();
    const machine_pair machines = two_machines(0.5);
    const plan p = must_plan(m, machines.backends);
    const auto placed = placement_of(m, p, machines.backends, machines.whole);
    REQUIRE_MESSAGE(placed.has_value(), placed.failure().message);
    const std::map<std::string, device_type> expected{{"one", device_type::ext_dev},
                                                      {"two", device_type::ext_dev},
                                                      {"sine", device_type::cpu},
                                                      {"three", device_type::ext_dev},
                                                      {"four", device_type::ext_dev}};
    CHECK(places_of(*placed) == expected);
    // In goes x, out comes what the sine reads, in goes the sine once for both, out come the results; each device has its own constants.
    CHECK(count_of(*placed, "device_copy") == 5);
    CHECK(count_of(*placed, "device_copy") == p.cut.conversions.size());
    CHECK(*placed->where(placed->inputs()[0]).device == device_type::cpu);
    CHECK(*placed->where(placed->main()).device == device_type::cpu);
}

TEST_CASE("a device of which the configuration has no target is told") {
    const machine_pair machines = two_machines(0.5);
    const ir_module m = random_program(1, 10);
    const plan p = must_plan(m, machines.backends);
    const configuration one = *configuration::make({instance_of(llvm_target())}, known_targets<>());
    const auto placed = placement_of(m, p, machines.backends, one);
    REQUIRE_FALSE(placed.has_value());
    CHECK(placed.failure().message ==
          "the plan runs nodes on a device of type ext_dev, and no target has that; give the configuration with which the plan was made");
}

TEST_CASE(
    "planning devices changes nothing about a plan as a placed program, and partitioning it again costs the same "
    "[plan.placement.consistent]") {
    std::size_t mixed = 0;
    CHECK(rc::check("partition, then plan devices, then partition", [&] {
        const auto seed = *rc::gen::inRange<std::uint32_t>(0, 1u << 30);
        const auto calls = *rc::gen::inRange<std::size_t>(1, 25);
        const auto us = *rc::gen::element(0.01, 1.0, 4.0, 12.0);
        const ir_module m = random_program(seed, calls);
        const machine_pair machines = two_machines(us);
        const plan joint = must_plan(m, machines.backends);
        const auto placed = placement_of(m, joint, machines.backends, machines.whole);
        RC_ASSERT(placed.has_value());
        RC_ASSERT(places_of(*placed) == owners(m, joint, machines.backends));
        RC_ASSERT(count_of(*placed, "device_copy") == joint.cut.conversions.size());
        const auto planned = plan_devices(*placed, machines.whole);
        RC_ASSERT(planned.has_value());
        check_same(*placed, *planned);

        const auto q = constraints_of(*planned);
        RC_ASSERT(q.has_value());
        const plan again = must_keep(*q, machines.backends);
        RC_ASSERT(owners(q->program, again, machines.backends) == owners(m, joint, machines.backends));
        RC_ASSERT(*again.chosen.seconds == doctest::Approx(*joint.chosen.seconds));
        check_meaning(m, must_link(q->program, machines.backends, again), random_inputs(m, seed));
        mixed += joint.copied_bytes.size() > 2;
    }));
    CHECK(mixed > 20);
}

TEST_CASE(
    "planning devices first and partitioning under them keeps all places and is never cheaper than both at once [plan.placement.joint]") {
    std::size_t dearer = 0, planned_programs = 0;
    CHECK(rc::check("plan devices, then partition", [&] {
        const auto seed = *rc::gen::inRange<std::uint32_t>(0, 1u << 30);
        const auto calls = *rc::gen::inRange<std::size_t>(1, 25);
        const auto us = *rc::gen::element(0.01, 1.0, 4.0, 12.0);
        const ir_module m = random_program(seed, calls);
        const machine_pair machines = two_machines(us);
        const double free = *must_plan(m, machines.backends).chosen.seconds;

        const ir_module said = annotated(m, seed);
        const auto hard = constraints_of(said);
        RC_ASSERT(hard.has_value());
        const plan joint = must_keep(*hard, machines.backends);
        for (const placement_rule& rule : hard->rules)
            for (const node_id n : rule.nodes)
                RC_ASSERT(owners(hard->program, joint, machines.backends).at(std::string(hard->program.name(n))) == *rule.where.device);
        constexpr double slack = 1e-12;
        RC_ASSERT(*joint.chosen.seconds >= free - slack);

        const auto planned = plan_devices(said, machines.whole, {}, can_run(said));
        if (!planned) return;  // unification puts two annotated values together that a copy could have kept apart
        ++planned_programs;
        const auto q = constraints_of(*planned);
        RC_ASSERT(q.has_value());
        const plan after = must_keep(*q, machines.backends);
        RC_ASSERT(owners(q->program, after, machines.backends) == places_of(*planned));
        RC_ASSERT(*after.chosen.seconds >= *joint.chosen.seconds - slack);
        dearer += *after.chosen.seconds > *joint.chosen.seconds + slack;

        // And back: the plan under these places has them still.
        const auto placed = placement_of(q->program, after, machines.backends, machines.whole);
        RC_ASSERT(placed.has_value());
        RC_ASSERT(places_of(*placed) == places_of(*planned));
    }));
    CHECK(planned_programs > 20);
    CHECK(dearer > 5);
}
