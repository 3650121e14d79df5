// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/outline.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/ir/relay_text.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/passes/format_conversion.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

static_assert(outlinable_graph<ir_module>);

namespace {

using ops = op_table<onnx_activations<>, onnx_arithmetic<>, format_conversions<>>;

using more_ops = op_table<onnx_activations<>, onnx_arithmetic<>, onnx_clip_and_where<>, format_conversions<>>;

struct flat_meter {
    double seconds = 0.05;

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        const double sample[] = {seconds};
        return std::vector<measurement>(jobs.size(), measurement::of(sample));
    }
};
struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

std::string_view backend_kind(backend_id number) { return toys::list().kind(number); }

plan plan_of(const ir_module& m, double conversion_seconds) {
    flat_meter meter{conversion_seconds};
    auto made = make_plan(m, toys::list(), meter, no_bound());
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

ir_module outlined(const ir_module& m, const plan& p) {
    auto made = outline(m, p.set, p.cut, backend_kind);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

std::vector<tensor> random_inputs(const ir_module& m, std::uint64_t seed) {
    std::vector<tensor> inputs;
    for (const node_id n : m.inputs()) {
        inputs.emplace_back(m.type(n).of_tensor.element, static_shape(m.type(n).of_tensor));
        fill_random(inputs.back().data(), inputs.back().element(), inputs.back().count(), 1.0, false, seed + n);
    }
    return inputs;
}

std::size_t calls_of(const ir_module& m, std::string_view op) {
    std::size_t count = 0;
    for (node_id n = 0; n < m.size(); ++n) count += m.kind(n) == node_kind::call && m.op(n) == op ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("an outlined program means what the original means, and has a function per part, per composite, and a node per conversion") {
    std::size_t conversions = 0, parts = 0;
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 1 + seed % 24);
        const plan p = plan_of(m, 0.02 * (seed % 20));
        const ir_module o = outlined(m, p);
        CHECK(o.functions().size() == p.cut.parts.size() + 1);
        CHECK(calls_of(o, conversion_op) == p.cut.conversions.size());
        std::size_t composites = 0;
        for (const part& each : p.cut.parts) composites += each.composites.size();
        std::size_t found = 0;
        for (node_id n = 0; n < o.size(); ++n)
            found += o.kind(n) == node_kind::function && o.attributes(n).get<std::string>("Composite") != nullptr ? 1 : 0;
        CHECK(found == composites);
        for (std::size_t i = 0; i < p.cut.parts.size(); ++i) {
            const auto* owner = o.attributes(o.functions()[i]).get<std::string>("Compiler");
            REQUIRE(owner != nullptr);
            CHECK(*owner == backend_kind(p.cut.parts[i].owner));
        }
        const std::vector<tensor> inputs = random_inputs(m, seed);
        const auto meant = interpret(m, inputs, ops()), now = interpret(o, inputs, ops());
        REQUIRE_MESSAGE(meant.has_value(), meant.failure().message);
        REQUIRE_MESSAGE(now.has_value(), now.failure().message);
        REQUIRE(now->size() == meant->size());
        for (std::size_t i = 0; i < now->size(); ++i) CHECK((*now)[i].content() == (*meant)[i].content());
        conversions += p.cut.conversions.size();
        parts += p.cut.parts.size();
    }
    // What is checked above has happened often enough.
    CHECK(conversions > 100);
    CHECK(parts > 200);
}

TEST_CASE("a small program reads like one that Relay partitioned") {
    const auto body = [](ir_builder& b, node_id x) {
        const node_id sum = b.call("onnx.Add", {x, x}, {}, toys::image(), "sum");
        const node_id rectified = b.call("onnx.Relu", {sum}, {}, toys::image(), "rectified");
        return b.call("onnx.Mul", {rectified, x}, {}, toys::image(), "product");
    };
    const ir_module m = toys::program_of(toys::image(), body);
    const plan p = plan_of(m, 0.01);
    std::string text = relay_text(outlined(m, p));
    const std::string image = "Tensor[(1, 3, 2, 2), float32]";
    for (std::size_t at; (at = text.find(image)) != std::string::npos;) text.replace(at, image.size(), "IMAGE");
    CHECK(text ==
          "#[version = \"0.0.5\"]\n"
          "def @inlay_chains_main_0(%x_channels_last: IMAGE, Compiler=\"chains\", Inline=1, Primitive=1, "
          "global_symbol=\"inlay_chains_main_0\") -> IMAGE {\n"
          "  %2 = fn (%x: IMAGE, Composite=\"chains.add_relu\", PartitionedFromPattern=\"onnx.Add_onnx.Relu_\") -> IMAGE {\n"
          "    %0 = onnx.Add(%x, %x);\n"
          "    %1 = onnx.Relu(%0);\n"
          "    %1\n"
          "  };\n"
          "  %3 = %2(%x_channels_last);\n"
          "  %3\n"
          "}\n"
          "def @inlay_reference_main_1(%rectified: IMAGE, %x: IMAGE, Compiler=\"reference\", Inline=1, Primitive=1, "
          "global_symbol=\"inlay_reference_main_1\") -> IMAGE {\n"
          "  %5 = fn (%rectified_1: IMAGE, %x_1: IMAGE, Composite=\"reference.mul\", PartitionedFromPattern=\"onnx.Mul_\") -> IMAGE {\n"
          "    %4 = onnx.Mul(%rectified_1, %x_1);\n"
          "    %4\n"
          "  };\n"
          "  %6 = %5(%rectified, %x);\n"
          "  %6\n"
          "}\n"
          "def @main(%x: IMAGE) -> IMAGE {\n"
          "  %7 = inlay.convert(%x, from=\"float32:plain\", to=\"float32:channels_last\");\n"
          "  %8 = @inlay_chains_main_0(%7);\n"
          "  %9 = inlay.convert(%8, from=\"float32:channels_last\", to=\"float32:plain\");\n"
          "  %10 = @inlay_reference_main_1(%9, %x);\n"
          "  %10\n"
          "}\n");
}

TEST_CASE(
    "constants, results that are inputs or constants, results named twice, and operands left out come through "
    "[partition.outline.constants]") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", toys::image()), y = b.input("y", toys::image());
    tensor three(element_type::float32, {1, 3, 2, 2});
    for (float& v : three.as<float>()) v = 3;
    const node_id c = b.constant(three, "three");
    const node_id sum = b.call("onnx.Add", {x, x}, {}, toys::image(), "sum");
    const node_id clipped = b.call("onnx.Clip", {sum, b.unit(), b.unit()}, {}, toys::image(), "clipped");
    const node_id product = b.call("onnx.Mul", {clipped, c}, {}, toys::image(), "product");
    const node_id results[] = {product, y, c, product, sum};
    const node_id parameters[] = {x, y};
    b.declare(b.function(parameters, b.tuple(results), "main"));
    b.name_results({"a", "b", "c", "d", "e"});
    const ir_module m = b.finish();

    // A cut by hand: one part of two composites with a conversion between them, and one that reads what leaves it in two formats.
    const format plain = plain_format(element_type::float32);
    format last = plain;
    last.order = layout::channels_last();
    const auto candidate_of = [&](std::vector<node_id> nodes, backend_id owner, std::vector<node_id> inputs, const format& reads,
                                  const format& writes) {
        candidate k;
        k.nodes = nodes;
        k.root = nodes.back();
        k.backend = owner;
        k.name = "by_hand";
        k.inputs = std::move(inputs);
        k.results = {nodes.back()};
        k.formats.inputs.assign(k.inputs.size(), reads);
        k.formats.results = {writes};
        return k;
    };
    candidate_set set;
    set.to_cover = {sum, clipped, product};
    set.candidates = {candidate_of({sum}, 0, {x}, plain, last), candidate_of({clipped}, 0, {sum}, plain, last),
                      candidate_of({product}, 1, {clipped}, last, plain)};
    const std::size_t chosen[] = {0, 1, 2};
    const partitioned cut = partition(m, set, chosen);
    CHECK(cut.parts.size() == 2);
    CHECK(cut.conversions.size() == 1);
    const auto made = outline(m, set, cut, backend_kind, {"mine"});
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    CHECK(made->symbol(made->functions()[0]) == "mine_chains_main_0");
    CHECK(made->result_names() == m.result_names());
    CHECK(calls_of(*made, conversion_op) == 1);
    const std::vector<tensor> inputs = random_inputs(m, 5);
    const auto meant = interpret(m, inputs, more_ops()), now = interpret(*made, inputs, more_ops());
    REQUIRE_MESSAGE(meant.has_value(), meant.failure().message);
    REQUIRE_MESSAGE(now.has_value(), now.failure().message);
    REQUIRE(now->size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK((*now)[i].content() == (*meant)[i].content());

    // Where constants are not bound, main hands them over, and no part has any.
    const auto handed = outline(m, set, cut, backend_kind, {"mine", false});
    REQUIRE_MESSAGE(handed.has_value(), handed.failure().message);
    const block_id in_main = handed->block(handed->inputs().front());
    std::size_t constants = 0;
    for (node_id n = 0; n < handed->size(); ++n) {
        if (handed->kind(n) != node_kind::constant) continue;
        CHECK(handed->block(n) == in_main);
        ++constants;
    }
    CHECK(constants != 0);
    const auto taken = [](const ir_module& of) {
        std::size_t count = 0;
        for (const node_id f : of.functions()) count += f == of.main() ? 0 : of.parameters(f).size();
        return count;
    };
    CHECK(taken(*handed) > taken(*made));
    const auto told = interpret(*handed, inputs, more_ops());
    REQUIRE_MESSAGE(told.has_value(), told.failure().message);
    for (std::size_t i = 0; i < 5; ++i) CHECK((*told)[i].content() == (*meant)[i].content());
}

TEST_CASE("a program that reads functions as values is refused with the node") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", toys::image());
    b.open_block();
    const node_id y = b.input("y", toys::image());
    const node_id inner[] = {y};
    const node_id closure = b.function(inner, y);
    const node_id loop = b.call("onnx.Loop", {x, closure}, {}, toys::image());
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, loop, "main"));
    const ir_module m = b.finish();
    candidate_set set;
    set.to_cover = {loop};
    const auto made = outline(m, set, partitioned(), backend_kind);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message.starts_with("node 3 ('onnx.Loop') reads a function as a value"));
}
