// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/plan_devices.hpp>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include <inlay/passes/recover_places.hpp>

#include "planned.hpp"
#include "random_relay.hpp"

TEST_CASE("nesting a hundred thousand deep is planned") {
    inlay::ir_builder b;
    const inlay::tensor_type one(inlay::element_type::float32, inlay::shape{}), flag(inlay::element_type::boolean, inlay::shape{});
    const inlay::node_id x = b.input("x", one), c = b.input("c", flag);
    inlay::node_id now = x;
    for (int i = 0; i < 100'000; ++i) {
        const inlay::node_id v = b.input("v", one);
        now = b.let(v, b.call("negative", {now}, {}, one), b.if_else(c, v, x));
    }
    const inlay::node_id parameters[] = {x, c};
    b.declare(b.function(parameters, now, "main"));
    const auto placed = inlay::plan_devices(b.finish_in_blocks(), planned::two_devices());
    REQUIRE(placed);
    CHECK(placed->where(placed->inputs()[0]).device == inlay::device_type::cuda);
}

namespace {

/// A number that the surroundings set, or this one.
std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
    const char* set = std::getenv(name);
    return set == nullptr ? otherwise : std::strtoull(set, nullptr, 10);
}

}  // namespace

TEST_CASE("random programs: a plan of a plan is the plan, its text says where everything is, and values move in copies alone") {
    const std::uint64_t first = number_in("INLAY_SEED", std::random_device{}()), count = number_in("INLAY_RANDOM_PROGRAMS", 400);
    const auto& targets = planned::two_devices();
    const auto named = planned::places();
    std::uint64_t planned_programs = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        CAPTURE(seed);
        random_relay::how how;
        how.places = {named[0].second, named[1].second, named[5].second, named[10].second, named[8].second};
        how.fixed = seed % 2 == 0 ? 0 : 10;
        how.parameters = seed % 4 == 0 ? 10 : 3;
        how.annotated = seed % 3 == 0 ? 6 : 15;
        const inlay::ir_module m = random_relay::program(seed, how);
        const inlay::placement_options options{.share_copies = seed % 5 == 0};
        const auto placed = inlay::plan_devices(m, targets, options);
        if (!placed) {
            CHECK(placed.failure().message.find("one value is to be on ") == 0);
            continue;
        }
        ++planned_programs;
        const inlay::ir_module text = inlay::capture_places(*placed);
        for (const inlay::ir_module* again : {&*placed, &text}) {
            const auto twice = inlay::plan_devices(*again, targets, options);
            REQUIRE_MESSAGE(twice.has_value(), (twice ? std::string() : twice.failure().message));
            CHECK(inlay::compare_programs(inlay::capture_places(*twice), text).value_or("") == "");
        }
        const inlay::program_places places = inlay::recover_places(text);
        for (inlay::node_id n = 0; n < text.size(); ++n) CHECK_FALSE((text.op(n) == "on_device" && !inlay::is_fixed_on_device(text, n)));
        for (inlay::node_id n = 0; n < placed->size(); ++n) {
            CHECK_FALSE(placed->where(n).is_free());
            CHECK(placed->op(n) != "on_device");
            if (placed->kind(n) != inlay::node_kind::call) continue;
            if (placed->op(n) == "device_copy") {
                CHECK(placed->where(placed->operand(n, 0)) == placed->copied_from(n));
                CHECK(placed->where(n) != placed->copied_from(n));
            } else {
                for (const inlay::node_id o : placed->operands(n)) CHECK(placed->where(o) == placed->where(n));
            }
        }
        // What the text says of each of its calls is what was planned for one.
        for (inlay::node_id n = 0; n < text.size(); ++n)
            if (text.kind(n) == inlay::node_kind::call) CHECK_FALSE(places.of(n).is_free());
    }
    CHECK(planned_programs > count / 3);
}
