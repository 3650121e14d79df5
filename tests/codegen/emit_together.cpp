// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit_together.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../cost/no_meter.hpp"
#include "nest_backends.hpp"

#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

using namespace inlay;

namespace {

/// Makes kernels of all its nests at once; it counts how often it is asked, and loses one where it is told to.
struct in_modules : toys::by_nests<in_modules> {
    static constexpr std::string_view kind = "in_modules";
    bool loses_one = false;
    std::vector<std::size_t>* asked = nullptr;
    using options = option_list<option<"loses_one", &in_modules::loses_one, "whether a kernel is missing">>;

    static constexpr auto strategies() {
        return strategy_table(strategy<"onnx.Add", "onnx.Mul", "onnx.Relu">(
            [](const in_modules&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                into.body.steps.push_back({std::string(r[at].op), r[at].operands.front(), r[at].operands.back()});
                return {};
            }));
    }
    static constexpr auto phases() {
        return phase_list(loop_phase<0, "note">([](const in_modules&, nest n) -> outcome<nest> {
            n.done += "noted";
            return n;
        }));
    }
    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        if (asked != nullptr) asked->push_back(nests.size());
        std::vector<kernel> made;
        for (const nest& n : nests) {
            if (loses_one && made.size() + 1 == nests.size()) break;
            auto one = emit(n);
            if (!one) return one.failure();
            made.push_back(*std::move(one));
        }
        return made;
    }
};
static_assert(emits_together<in_modules> && backend<in_modules>);
static_assert(!emits_together<toys::rows>);

ir_module three_calls() {
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("x", toys::image()), b.input("y", toys::image())};
    const node_id sum = b.call("onnx.Add", inputs, {}, toys::image(), "sum");
    const node_id positive = b.call("onnx.Relu", {sum}, {}, toys::image(), "positive");
    const node_id product = b.call("onnx.Mul", {positive, inputs[1]}, {}, toys::image(), "product");
    b.declare(b.function(inputs, product, "main"));
    return b.finish();
}

}  // namespace

TEST_CASE("regions that are emitted together give what each gives alone, phases included") {
    const toys::sample_region sample(three_calls());
    const std::vector<region_view> twice{sample.view(), sample.view()};
    std::vector<std::size_t> asked;
    in_modules self;
    self.asked = &asked;
    const auto made = emit_regions(self, twice);
    if (!made) FAIL(made.failure().message);
    REQUIRE(made->size() == 2);
    CHECK(asked == std::vector<std::size_t>{2});
    const auto alone = emit_region(self, sample.view());
    REQUIRE(alone);
    const std::vector<float> x = toys::twelve(-3, 1), y = toys::twelve(2, -0.5);
    for (const kernel& k : *made) {
        CHECK(k.note == "noted");
        CHECK(toys::run(k, {x, y}) == toys::run(*alone, {x, y}));
    }
    CHECK(emit_regions(self, {})->empty());
}

TEST_CASE("a back end that gives too few kernels is told so") {
    const toys::sample_region sample(three_calls());
    in_modules self;
    self.loses_one = true;
    const std::vector<region_view> twice{sample.view(), sample.view()};
    const auto made = emit_regions(self, twice);
    REQUIRE_FALSE(made);
    CHECK(made.failure().message == "its `emit_together` gave 1 kernels for 2 loop nests; it gives one for each");
}

TEST_CASE("a program is linked from one module of each back end that emits together") {
    const ir_module m = three_calls();
    std::vector<std::size_t> asked;
    in_modules self;
    self.asked = &asked;
    const backend_list<in_modules, toys::rows> backends(self, toys::rows());
    toys::no_meter pricing;
    plan_options options;
    options.partitioner = partitioner::single("in_modules");
    const auto made = make_plan(
        m, backends, pricing, [](const auto&...) { return 0.0; }, options);
    if (!made) FAIL(made.failure().message);
    asked.clear();
    const auto code = link(m, backends, made->set, made->cut);
    if (!code) FAIL(code.failure().message);
    CHECK(asked == std::vector<std::size_t>{3});
    self.loses_one = true;
    const auto lost = link(m, backend_list<in_modules, toys::rows>(self, toys::rows()), made->set, made->cut);
    REQUIRE_FALSE(lost);
    CHECK(lost.failure().message.find("back end 'in_modules' could not emit its part of the program: its `emit_together` gave 2") == 0);
}
