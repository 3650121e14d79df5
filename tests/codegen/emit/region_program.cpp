// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/region_program.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

namespace {

/// Two results of one Split, one of which is rectified; a constant; an operand that is left out.
ir_module several() {
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("unread", toys::image()), b.input("x", toys::image())};
    const tensor_type half(element_type::float32, {1, 3, 1, 2});
    attribute_map how;
    how.set("axis", std::int64_t{2});
    how.set("num_outputs", std::int64_t{2});
    const node_id clipped = b.call("onnx.Clip", {inputs[1], b.unit(), b.constant(tensor::scalar(1.5f))}, {}, toys::image());
    const node_id split = b.call("onnx.Split", {clipped}, how, node_type::tuple({half, half}));
    const node_id results[] = {b.projection(split, 1), b.call("onnx.Relu", {b.projection(split, 0)}, {}, half)};
    b.declare(b.function(inputs, b.tuple(results), "main"));
    return b.finish();
}

}  // namespace

TEST_CASE("a region as a program means what the region means, and as a region again it has the same borders") {
    const toys::sample_region sample(several());
    const region_view r = sample.view();
    REQUIRE(r.input_count == 1);
    REQUIRE(r.results.size() == 2);
    const ir_module m = program_of(r);
    const tensor x = tensor::of({1, 3, 2, 2}, toys::twelve(-2, 0.5f));
    const tensor both[] = {x, x}, alone[] = {x};
    const auto before = interpret<onnx_ops>(sample.m, both), now = interpret<onnx_ops>(m, alone);
    REQUIRE((before && now));
    REQUIRE(now->size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        // The region lists its results in the order of its nodes.
        const std::size_t there = sample.results[0] == r[r.results[i]].origin ? 0 : 1;
        CHECK((*before)[there].content() == (*now)[i].content());
    }

    const auto again = region_program::make(m, r);
    REQUIRE(again.has_value());
    const region_view v = again->view(r.input_formats, r.result_formats);
    CHECK(v.input_count == 1);
    CHECK(v.constant_count == r.constant_count);
    CHECK(v.calls().size() == r.calls().size());
    REQUIRE(v.results.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(*v[v.results[i]].type == *r[r.results[i]].type);
    const ir_module third = program_of(v);
    const auto last = interpret<onnx_ops>(third, alone);
    REQUIRE(last.has_value());
    for (std::size_t i = 0; i < 2; ++i) CHECK((*last)[i].content() == (*now)[i].content());
}

TEST_CASE("of a program only what its results need is in the region, and an input that nobody reads stays one") {
    const toys::sample_region sample(
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); }));
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("x", toys::image())};
    (void)b.call("onnx.Neg", inputs, {}, toys::image());
    const node_id result = b.call("onnx.Relu", {b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(0, 1)))}, {}, toys::image());
    b.declare(b.function(inputs, result, "main"));
    const auto made = region_program::make(b.finish(), sample.view());
    REQUIRE(made.has_value());
    const region_view v = made->view();
    CHECK(v.calls().size() == 1);
    CHECK(v.calls()[0].op == "onnx.Relu");
    CHECK(v.input_count == 1);
    CHECK(v.constant_count == 1);
}

TEST_CASE("a program that is no region with the same borders is refused in one sentence") {
    const toys::sample_region sample(
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); }));
    const auto said = [&](const ir_module& m) {
        const auto made = region_program::make(m, sample.view());
        return made ? std::string() : made.failure().message;
    };
    const tensor_type row(element_type::float32, {4});
    CHECK(said(ir_module()) == "gives a program without a function; it gives the one it was given, changed");
    CHECK(said(toys::program_of(row, [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, row); })) ==
          "gives input 0 the type float32[4], where the region has float32[1,3,2,2]");
    CHECK(said(toys::program_of(toys::image(), [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, row); })) ==
          "gives result 0 the type float32[4], where the region has float32[1,3,2,2]");
    CHECK(said(toys::program_of(toys::image(), [](ir_builder&, node_id x) { return x; })) ==
          "makes result 0 an input or a constant, for which there is no code; keep the call that gives it");
    CHECK(said(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
              return b.call("onnx.Relu", {b.call("onnx.Neg", {x})}, {}, toys::image());
          })).starts_with("gives 'onnx.Neg' the type "));
    ir_builder two;
    two.open_block();
    const node_id inputs[] = {two.input("x", toys::image()), two.input("y", toys::image())};
    two.declare(two.function(inputs, two.call("onnx.Add", inputs, {}, toys::image()), "main"));
    CHECK(said(two.finish()) == "gives a program of 2 inputs, where the region has 1");
}
