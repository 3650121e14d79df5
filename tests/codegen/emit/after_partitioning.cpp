// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/after_partitioning.hpp>

#include <doctest/doctest.h>

#include "../../cost/no_meter.hpp"
#include "../nest_backends.hpp"

#include <inlay/passes/rebuild.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

using namespace inlay;

namespace {

/// The module with every operator of one name under another.
ir_module renamed(const ir_module& m, std::string_view from, std::string_view to) {
    return rebuild(m, [&](module_rebuilder& r, node_id n) {
        if (m.kind(n) != node_kind::call || m.op(n) != from) return void(r.copy(n));
        std::vector<node_id> operands;
        for (const node_id o : m.operands(n)) operands.push_back(r.made(o));
        r.set_made(n, r.builder().call(to, operands, m.attributes(n), m.type(n)));
    });
}

/// Knows products alone; turns sums into what its option names, then, in a second phase, checks that none is left.
struct only_products : toys::rows {
    static constexpr std::string_view kind = "only_products";
    std::string becomes = "onnx.Mul";
    using options = option_list<option<"becomes", &only_products::becomes, "what sums become">>;

    [[nodiscard]] std::optional<double> price(const region_view&) const { return 0.5; }
    static constexpr auto patterns() { return pattern_table(composite<"add">(dsl::op<"onnx.Add">)); }
    static constexpr auto phases() {
        return phase_list(after_partitioning<"turn">([](const only_products& self, const ir_module& body) -> outcome<ir_module> {
                              if (self.becomes == "input")
                                  return toys::program_of(body.type(body.inputs()[0]), [](ir_builder&, node_id x) { return x; });
                              return renamed(body, "onnx.Add", self.becomes);
                          }),
                          after_partitioning<"look">([](const only_products&, const ir_module& body) -> outcome<ir_module> {
                              for (node_id n = 0; n < body.size(); ++n)
                                  if (body.kind(n) == node_kind::call && body.op(n) == "onnx.Add") return error{"a sum is left"};
                              return body;
                          }));
    }
};

}  // namespace

TEST_CASE("a phase after partitioning changes the regions of its back end and no others [codegen.phases.after]") {
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("x", toys::image())};
    const node_id sum = b.call("onnx.Add", {inputs[0], inputs[0]}, {}, toys::image(), "sum");
    b.declare(b.function(inputs, b.call("onnx.Relu", {sum}, {}, toys::image(), "out"), "main"));
    const ir_module m = b.finish();
    const backend_list<only_products, toys::rows> backends;
    toys::no_meter pricing;
    const auto planned = make_plan(m, backends, pricing, [](const auto&...) { return 0.0; });
    REQUIRE(planned.has_value());
    const auto ready = link(m, backends, planned->set, planned->cut);
    REQUIRE(ready.has_value());
    REQUIRE(ready->steps().size() == 2);
    const tensor x[] = {tensor::of({1, 3, 2, 2}, toys::twelve(-2, 0.5f))};
    const auto found = ready->run(x);
    REQUIRE(found.has_value());
    // None of them is negative, so that the other's rectifier, which is as it was, changes nothing.
    for (std::size_t i = 0; i < 12; ++i) CHECK(found->front().as<float>()[i] == x[0].as<float>()[i] * x[0].as<float>()[i]);
}

TEST_CASE("a phase that fails or changes a region's borders is named with its back end, and the configured instance reached it") {
    const toys::sample_region sum(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, x}, {}, toys::image());
    }));
    only_products self;
    CHECK(emit_region(self, sum.view()).has_value());
    self.becomes = "onnx.Add";
    CHECK(emit_region(self, sum.view()).failure().message == "phase 'look' of back end 'only_products' failed: a sum is left");
    self.becomes = "input";
    CHECK(emit_region(self, sum.view()).failure().message ==
          "phase 'turn' of back end 'only_products' makes result 0 an input or a constant, for which there is no code; keep the call that "
          "gives it");
}
