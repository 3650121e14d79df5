// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PLACEMENT_PLANNED_HPP
#define INLAY_TESTS_PLACEMENT_PLANNED_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>
#include <inlay/ir/compare_programs.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/passes/rebuild.hpp>
#include <inlay/placement/plan_devices.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_schema.hpp>

/// Programs are Relay text in which a place is a name in square brackets, as `on_device(%x, virtual_device=[cpu])`.
namespace planned {

using namespace inlay;

inline const configuration& two_devices() {
    static const configuration c = *configuration::make({instance_of(llvm_target{}), instance_of(cuda_target{})}, known_targets<>(),
                                                        {.default_device = device_type::cuda});
    return c;
}

/// What the names stand for, in the places that a configuration has.
inline std::vector<std::pair<std::string_view, placement>> places(const configuration& c = two_devices()) {
    const target_instance cpu = *c.least_specialised(device_type::cpu), gpu = *c.least_specialised(device_type::cuda);
    return {{"cpu", placement::on(cpu)},
            {"gpu", placement::on(gpu)},
            {"host", placement::on(c.host())},
            {"near", placement::in_scope("near")},
            {"far", placement::in_scope("far")},
            {"cpu.near", placement::on(cpu, 0, "near")},
            {"cpu.far", placement::on(cpu, 0, "far")},
            {"gpu.near", placement::on(gpu, 0, "near")},
            {"cpu type", placement::on(device_type::cpu)},
            {"gpu type", placement::on(device_type::cuda)},
            {"second gpu", placement::on(gpu, 1)},
            {"other", placement::on(device_type::ext_dev)},
            {"big gpu", placement::on(with_host(instance_of(cuda_target{.arch = "sm_90", .model = {}}), c.host()))},
            {"nowhere", placement()}};
}

/// A program of the text, typed.
inline ir_module program(std::string text, const configuration& c = two_devices()) {
    const auto named = places(c);
    std::string list, nodes;
    for (std::size_t k = 0; k < named.size(); ++k) {
        const std::string from = "[" + std::string(named[k].first) + "]", to = "meta[VirtualDevice][" + std::to_string(k) + "]";
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
        list += (k == 0 ? "" : ", ") + std::to_string(4 + k);
        nodes +=
            R"(, {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "3", "target": "0", "virtual_device_id": ")" +
            std::to_string(k) + R"("}})";
    }
    text = "#[version = \"0.0.5\"]\n" + text + R"(
#[metadata]
{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]}, {"type_key": "Array", "data": [)" +
           list + R"(]}, {"type_key": "runtime.String"})" + nodes + R"(], "b64ndarrays": [], "attrs": {"tvm_version": "0.15.0"}})";
    auto read = read_relay(text);
    REQUIRE_MESSAGE(read.has_value(), (read ? std::string() : read.failure().message));
    // The metadata numbers the names by the device's number, and what they stand for is put in their place.
    ir_module m = rebuild(*read, [&](module_rebuilder& r, node_id n) {
        const auto meant = [&](const placement& p) { return p.id == placement::any_id ? p : named[static_cast<std::size_t>(p.id)].second; };
        if (read->kind(n) == node_kind::call && read->op(n) == "device_copy") {
            const node_id copy = r.builder().device_copy(r.made(read->operand(n, 0)), meant(read->copied_from(n)), meant(read->where(n)));
            r.builder().set_position(copy, read->position(n));
            r.set_made(n, copy);
        } else {
            r.builder().set_where(r.copy(n), meant(read->where(n)));
        }
    });
    auto typed = infer_types(m, {}, relay_ops{});
    REQUIRE_MESSAGE(typed.has_value(), (typed ? std::string() : typed.failure().message));
    return *std::move(typed);
}

/// The planned program in the form of Relay's text, or why there is none.
inline outcome<ir_module> plan(const std::string& text, const placement_options& options = {}, const configuration& c = two_devices()) {
    const ir_module before = program(text, c);
    auto placed = plan_devices(before, c, options);
    if (!placed) return placed;
    const ir_module captured = capture_places(*placed);
    // plan∘plan = plan, of the form for texts and of the program itself.
    const auto again = plan_devices(captured, c, options);
    REQUIRE_MESSAGE(again.has_value(), (again ? std::string() : again.failure().message));
    CHECK(compare_programs(capture_places(*again), captured).value_or("") == "");
    const auto placed_again = plan_devices(*placed, c, options);
    REQUIRE(placed_again);
    CHECK(compare_programs(capture_places(*placed_again), captured).value_or("") == "");
    return captured;
}

/// Asks that the one text is planned as the other.
inline void check_plan(const std::string& text, const std::string& expected, const placement_options& options = {},
                       const configuration& c = two_devices()) {
    const auto made = plan(text, options, c);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    const auto difference = compare_programs(*made, program(expected, c));
    CHECK_MESSAGE(!difference, *difference << "\n" << relay_text(*made));
}

/// The message of a plan that fails.
inline std::string failure(const std::string& text, const configuration& c = two_devices()) {
    const auto made = plan_devices(program(text, c), c);
    CHECK_FALSE(made.has_value());
    return made ? std::string() : made.failure().message;
}

}  // namespace planned

#endif
