// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/emit_together.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../runtime/toy_plan.hpp"
#include "../nest_backends.hpp"

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

/// What a back end was asked for: how many nests each time, and how often for a single one.
struct asked {
    std::vector<std::size_t> together;
    std::size_t alone = 0;
};

/// The toy of one loop, which makes code for many at once, and may lose some kernels.
struct together : toys::rows {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    std::shared_ptr<asked> seen = std::make_shared<asked>();
    int lost = 0;
    using options = option_list<option<"lost", &together::lost, "how many kernels are not made">>;
    using nest = toys::one_loop;

    static constexpr auto strategies() {
        return strategy_table(strategy<"onnx.Add", "onnx.Mul", "onnx.Relu">(
            [](const together&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                into.body.steps.push_back({std::string(r[at].op), r[at].operands[0], r[at].operands[r.has_operand(r[at], 1) ? 1 : 0]});
                return {};
            }));
    }
    [[nodiscard]] outcome<nest> lower(const region_view& r) const { return lower_by_strategies(*this, r, toys::loop_over(r)); }
    static constexpr auto phases() {
        return phase_list(loop_phase<1, "mark">([](const together& self, nest n) -> outcome<nest> {
            if (self.lost < 0) return error{"there is nothing to mark"};
            n.done += " marked";
            return n;
        }));
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const {
        ++seen->alone;
        return made_of(n);
    }
    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        seen->together.push_back(nests.size());
        std::vector<kernel> made;
        for (const nest& n : nests.subspan(std::min(static_cast<std::size_t>(lost), nests.size()))) made.push_back(made_of(n));
        return made;
    }

private:
    [[nodiscard]] static kernel made_of(const nest& n) {
        kernel k(n.body);
        k.note = n.done;
        return k;
    }
};
static_assert(emits_together<together>);

/// The same with constants lifted.
struct lifted_together : together {
    static constexpr constants_policy constants = constants_policy::lift;
};
static_assert(emits_together<lifted_together>);
static_assert(!emits_together<toys::rows>);

/// A program of one call.
toys::sample_region one_call(const char* op) {
    return toys::sample_region(toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        return b.call(op, {x, x}, {}, toys::image());
    }));
}

}  // namespace

TEST_CASE("a program is linked from one module of a back end that emits together") {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 6 + seed);
        const together self;
        const backend_list<together> backends(self);
        toys::even_meter meter;
        const auto plan = make_plan(m, backends, meter, toys::nothing_costs_less_than_nothing{}, plan_options{});
        REQUIRE_MESSAGE(plan.has_value(), plan.failure().message);
        REQUIRE(plan->chosen.chosen.size() > 1);
        *self.seen = {};
        const auto linked = link(m, backends, plan->set, plan->cut);
        REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
        CHECK(self.seen->together == std::vector<std::size_t>{plan->chosen.chosen.size()});
        CHECK(self.seen->alone == 0);
        std::vector<tensor> inputs;
        for (std::size_t i = 0; i < 3; ++i) {
            tensor& t = inputs.emplace_back(element_type::float32, static_shape(toys::image()));
            for (std::size_t k = 0; k < t.count(); ++k) t.as<float>()[k] = static_cast<float>((k * 5 + i * 3 + seed) % 13) / 8 - 0.5f;
        }
        const auto meant = interpret(m, inputs);
        REQUIRE_MESSAGE(meant.has_value(), meant.failure().message);
        const auto found = linked->run(inputs);
        REQUIRE_MESSAGE(found.has_value(), found.failure().message);
        for (std::size_t i = 0; i < found->size(); ++i) CHECK(compare((*found)[i], (*meant)[i], 1e-6, 1e-6).agrees);
    }
}

TEST_CASE("regions that are emitted together go through the phases one by one, and each gets its kernel") {
    const toys::sample_region sum = one_call("onnx.Add"), square = one_call("onnx.Mul");
    const std::vector<region_view> regions{sum.view(), square.view(), sum.view()};
    const auto made = emit_regions(together(), regions);
    if (!made) FAIL(made.failure().message);
    REQUIRE(made->size() == 3);
    const std::vector<float> x = toys::twelve(-2, 0.5f);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK((*made)[i].note == " marked");
        const std::vector<float> y = toys::run((*made)[i], {x});
        REQUIRE(y.size() == 12);
        for (std::size_t k = 0; k < 12; ++k) CHECK(y[k] == (i == 1 ? x[k] * x[k] : x[k] + x[k]));
    }
}

TEST_CASE("constants that a back end has lifted are bound to the kernels that read them") {
    const auto shifted = [](float by) {
        return toys::sample_region(toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
            return b.call("onnx.Add", {x, b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(by, 1)))}, {}, toys::image());
        }));
    };
    const toys::sample_region one = shifted(1), hundred = shifted(100);
    const std::vector<region_view> regions{one.view(), hundred.view()};
    const auto made = emit_regions(lifted_together(), regions);
    if (!made) FAIL(made.failure().message);
    const std::vector<float> x = toys::twelve(0, 1);
    CHECK(toys::run((*made)[0], {x}) == toys::twelve(1, 2));
    CHECK(toys::run((*made)[1], {x}) == toys::twelve(100, 2));
}

TEST_CASE("another number of kernels than of nests is refused, and so is a region without a nest") {
    const toys::sample_region sum = one_call("onnx.Add"), other = one_call("onnx.Sub");
    together self;
    self.lost = 1;
    const auto few = emit_regions(self, std::vector<region_view>{sum.view(), sum.view()});
    REQUIRE_FALSE(few);
    CHECK(few.failure().message == "its `emit_together` gave 1 kernels for 2 loop nests; it gives one for each");
    const auto none = emit_regions(together(), std::vector<region_view>{sum.view(), other.view()});
    REQUIRE_FALSE(none);
    CHECK(none.failure().message.find("has no strategy for 'onnx.Sub'") != std::string::npos);
    self.lost = -1;
    const auto phase = emit_regions(self, std::vector<region_view>{sum.view()});
    REQUIRE_FALSE(phase);
    CHECK(phase.failure().message.find("there is nothing to mark") != std::string::npos);
}

TEST_CASE("what a module does not give is emitted alone, and what cannot be is said with its node") {
    const ir_module m = toys::random_program(1, 5);
    const auto linked_by = [&](const together& emitting) {
        const backend_list<together> sound{together()};
        toys::even_meter meter;
        const auto plan = make_plan(m, sound, meter, toys::nothing_costs_less_than_nothing{}, plan_options{});
        REQUIRE_MESSAGE(plan.has_value(), plan.failure().message);
        return link(m, backend_list<together>(emitting), plan->set, plan->cut);
    };
    together whole, losing, lost;
    CHECK(linked_by(whole));
    CHECK(whole.seen->together.size() == 1);
    CHECK(whole.seen->alone == 0);
    losing.lost = 1;
    CHECK(linked_by(losing));
    CHECK(losing.seen->alone == losing.seen->together.at(0));
    lost.lost = -1;
    const auto refused = linked_by(lost);
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message.find("back end 'reference' could not emit composite '") == 0);
    CHECK(refused.failure().message.find("there is nothing to mark") != std::string::npos);
}
