// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/link.hpp>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/testing/compare.hpp>

#include "random_program.hpp"
#include "toy_plan.hpp"

using namespace inlay;

namespace {

struct cheap_conversions {
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        const double sample[] = {0.03};
        return std::vector<measurement>(jobs.size(), measurement::of(sample));
    }
};

struct nothing_is_free {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

}  // namespace

TEST_CASE("a linked program computes what the graph means, however it was cut") {
    std::size_t conversions = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 3 + seed % 14);
        std::mt19937 random(seed);
        const std::vector<tensor> inputs{toys::random_image(random), toys::random_image(random), toys::random_image(random)};
        const auto expected = interpret(m, inputs);
        REQUIRE_MESSAGE(expected.has_value(), expected.failure().message);
        cheap_conversions meter;
        const toys::list backends;
        for (const partitioner& how : {partitioner::exact(), partitioner::eager(), partitioner::single("reference")}) {
            CAPTURE(to_string(how));
            plan_options options;
            options.partitioner = how;
            const auto made = make_plan(m, backends, meter, nothing_is_free(), options);
            if (!made && how == partitioner::eager()) continue;
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            conversions += made->cut.conversions.size();
            const auto linked = link(m, backends, made->set, made->cut);
            REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
            CHECK(linked->inputs().size() == 3);
            CHECK(linked->inputs()[0].name == "x");
            CHECK(linked->steps().size() == made->chosen.chosen.size() + made->cut.conversions.size());
            const auto found = linked->run(inputs);
            REQUIRE_MESSAGE(found.has_value(), found.failure().message);
            REQUIRE(found->size() == expected->size());
            for (std::size_t i = 0; i < found->size(); ++i) {
                const comparison c = compare((*found)[i], (*expected)[i], 1e-6, 1e-6);
                CHECK_MESSAGE(c.agrees, c.reason);
            }
        }
    }
    CHECK(conversions > 0);  // else conversions were not looked at
}

TEST_CASE("a linked program gives by any schedule what it gives one step after the other") {
    std::size_t lanes = 0;
    random_programs::thread_executor threads{3};
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 6 + seed);
        std::mt19937 random(seed);
        const std::vector<tensor> inputs{toys::random_image(random), toys::random_image(random), toys::random_image(random)};
        cheap_conversions meter;
        const toys::list backends;
        const auto made = make_plan(m, backends, meter, nothing_is_free(), plan_options());
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        auto linked = link(m, backends, made->set, made->cut);
        REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
        const auto expected = linked->run(inputs);
        REQUIRE(expected.has_value());
        for (std::uint64_t again = 0; again < 5; ++again) {
            const step_schedule s = random_programs::random_schedule(100 * seed + again, linked->reads());
            REQUIRE(linked->follow(s).has_value());
            lanes += s.groups_of_lanes();
            const auto found = linked->run(inputs, threads);
            REQUIRE(found.has_value());
            CHECK(random_programs::same_bytes(*found, *expected));
        }
    }
    CHECK(lanes > 20);
}

namespace {

struct pooled_rows : toys::rows {
    [[nodiscard]] bool wakes_own_threads(std::string_view composite) const { return composite == "mul"; }
};

}  // namespace

TEST_CASE("steps of a back end that wakes threads of its own say so") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id twice = b.call("onnx.Mul", {x, x}, {}, toys::image());
        return b.call("onnx.Add", {twice, x}, {}, toys::image());
    });
    const backend_list<pooled_rows> backends;
    const candidate_set set = enumerate(m, backends);
    REQUIRE(set.candidates.size() == 2);
    const std::size_t chosen[] = {0, 1};
    const auto linked = link(m, backends, set, partition(m, set, chosen));
    REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
    REQUIRE(linked->steps().size() == 2);
    CHECK(linked->steps()[0].wakes_own_threads);
    CHECK_FALSE(linked->steps()[1].wakes_own_threads);
}

TEST_CASE("what a back end cannot emit is told with back end, composite and node") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, b.constant(tensor::scalar(1.0f))}, {}, toys::image(), "plus_one");
    });
    const backend_list<toys::rows> backends;
    const candidate_set set = enumerate(m, backends);
    REQUIRE(set.candidates.size() == 1);
    const std::size_t chosen[] = {0};
    const auto linked = link(m, backends, set, partition(m, set, chosen));
    REQUIRE_FALSE(linked.has_value());
    CHECK(linked.failure().message == "back end 'reference' could not emit composite 'add' at node 'plus_one': it takes no constants");
}

TEST_CASE("a program whose result is an input or a constant gives it") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id fields[] = {x, b.constant(tensor::scalar(4.0f))};
        return b.tuple(fields);
    });
    const auto linked = link(m, toys::list(), candidate_set(), partitioned());
    REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
    std::mt19937 random(1);
    const tensor inputs[] = {toys::random_image(random)};
    const auto found = linked->run(inputs);
    REQUIRE_MESSAGE(found.has_value(), found.failure().message);
    CHECK(compare((*found)[0], inputs[0], 0, 0).agrees);
    CHECK((*found)[1].as<float>()[0] == 4.0f);
}

TEST_CASE("an input of unknown extents is named") {
    const tensor_type open(element_type::float32, {extent("n")});
    const ir_module m = toys::program_of(open, [](ir_builder&, node_id x) { return x; });
    const auto linked = link(m, toys::list(), candidate_set(), partitioned());
    REQUIRE_FALSE(linked.has_value());
    CHECK(linked.failure().message.find("input 'x' has the type float32[n]") == 0);
}
