// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_quantities.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

double flat(const tensor_type&, const format&, const format&) { return 1; }

}  // namespace

TEST_CASE("a constant counts once for the back ends that read it, and for others not at all") {
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id w = b.constant(tensor(element_type::float32, {1, 3, 2, 2}));
        const node_id one = b.call("onnx.Mul", {x, w}, {}, t);
        return b.call("onnx.Mul", {one, w}, {}, t);
    });
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<double> prices(set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, set, prices, flat);
    const backend_id rows[] = {1}, chains[] = {0}, both[] = {0, 1};
    const quantity kept = constant_bytes(m, set, stated, rows);
    CHECK(check(kept, stated.numbers));
    REQUIRE(kept.shared.size() == 1);
    CHECK(kept.shared[0].amount == 48);
    CHECK(kept.shared[0].users.size() == 2);
    CHECK(constant_bytes(m, set, stated, chains).shared.empty());
    CHECK(constant_bytes(m, set, stated, both) == kept);
}

TEST_CASE("tensors of a stated problem have their bytes in each format, sinks none, and results are told") {
    const tensor_type t = toys::image();
    const ir_module m =
        toys::program_of(t, [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {b.call("onnx.Relu", {x}, {}, t)}, {}, t); });
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<double> prices(set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, set, prices, flat);
    REQUIRE(stated.numbers.nodes == 4);
    REQUIRE(stated.numbers.formats == 2);
    const tensor_bytes bytes = tensor_bytes_of(m, stated);
    CHECK(check(bytes, stated.numbers));
    CHECK(bytes.of_node == std::vector<double>{48, 48, 48, 48, 48, 48, 0, 0});
    CHECK(bytes.results == std::vector<node_id>{2});
    const plan_limit peak{plan_amount::peak_bytes, 100, {}, "the peak"};
    const std::vector<limit> limits = limits_of(m, set, stated, peak);
    CHECK_FALSE(limits.empty());
    for (const limit& one : limits) CHECK((one.name == "the peak" && one.most == 100));
    CHECK(limits_of(m, set, stated, {plan_amount::seconds, 3, {}, {}}).at(0).what == cost_as_quantity(stated.numbers));
    CHECK(limits_of(m, set, stated, {plan_amount::load, 3, {1}, {}}).at(0).what == load_of(stated.numbers, std::vector<backend_id>{1}));
    const std::size_t both[] = {1, 0}, none[] = {0};
    const std::vector<quantity> loads = amounts_of(m, stated, plan_objective::load, both);
    REQUIRE(loads.size() == 2);
    CHECK(loads[0] == load_of(stated.numbers, std::vector<backend_id>{1}));
    CHECK(loads[1] == load_of(stated.numbers, std::vector<backend_id>{0}));
    const std::vector<quantity> positions = amounts_of(m, stated, plan_objective::peak, both);
    REQUIRE(positions.size() == limits.size());
    for (std::size_t i = 0; i < limits.size(); ++i) CHECK(positions[i] == limits[i].what);
    CHECK(amounts_of(m, stated, plan_objective::latency, none).empty());
    CHECK(limits_of(m, set, stated, {plan_amount::constant_bytes, 3, {1}, {}}).at(0).what == quantity{});
}
