// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUDA_PRODUCT_BACK_END_HPP
#define INLAY_TESTS_BACKEND_CUDA_PRODUCT_BACK_END_HPP

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>

#include "../take.hpp"

namespace cuda_test {

/// Two precisions are taken and told in the version, any other is refused, and the model knows some architectures.
template <class B>
void check_options() {
    const std::string target = "target '" + std::string(B::kind) + "'";
    B b;
    CHECK(b.check());
    CHECK(b.version().find(" in float32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "tf32"));
    CHECK(b.check());
    CHECK(b.version().find(" in tf32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "int4"));
    CHECK(b.check().failure().message == "option '-precision' of " + target + " takes float32 or tf32, not 'int4'");
    b = {};
    b.model = true;
    b.arch = "sm_50";
    CHECK(b.usable().failure().message == target + " has no model of sm_50; -model goes with -arch of sm_75, sm_80, sm_86, sm_89, sm_90");
    b.arch = "sm_90a";
    CHECK(b.usable());
}

/// A product is planned in the device's memory at the model's price, and what is none is left to others.
template <class B>
void check_planned_product() {
    inlay_test::small_graph t;
    const inlay::ir_module g = t.finish(t.call("onnx.Exp", {t.call("onnx.MatMul", {t.input({512, 512}), t.input({512, 512})})}));
    B b;
    b.model = true;
    b.arch = "sm_80";
    const inlay::candidate_set set = enumerate(g, inlay::backend_list<B>(b));
    REQUIRE(set.candidates.size() == 1);
    CHECK(set.candidates[0].name == "matrix_product");
    CHECK(set.candidates[0].formats.inputs[0].scope == B::memory);
    CHECK(set.candidates[0].formats.results[0].scope == B::memory);
    CHECK(*b.price(set.candidates[0].view()) == doctest::Approx(5e-6 + 2.0 * 512 * 512 * 512 / 19.5e12));
}

/// Without a device nothing is emitted, and it says so.
template <class B>
void check_nothing_emitted() {
    if (inlay::detail::cuda_device::here()) return;
    inlay_test::small_graph t;
    const inlay::ir_module g = t.finish(t.call("onnx.MatMul", {t.input({4, 5}), t.input({5, 6})}));
    const std::string none = inlay::detail::cuda_device::here().failure().message;
    for (const bool model : {false, true}) {
        B b;
        b.model = model;
        const inlay_test::sized_match best = inlay_test::largest_match(b, g);
        REQUIRE(best.ways.size() == 1);
        const inlay::candidate& c = best.ways[0];
        const auto made = emit_composite(b, inlay::composite_job{c.composite, &c.match->plan, c.view()});
        REQUIRE(!made);
        CHECK(made.failure().message == none + (model ? "; with -model target '" + std::string(B::kind) + "' plans alone" : ""));
        CHECK(b.usable().has_value() == model);
    }
}

/// relu(3 a b + row), where b and the row are constants.
[[nodiscard]] inline inlay::ir_module scaled_product_with_row() {
    inlay_test::small_graph t;
    const inlay::node_id product = t.call("onnx.Mul", {t.call("onnx.MatMul", {t.input({4, 5}), t.random({5, 6})}), t.scalar(3)});
    return t.finish(t.call("onnx.Relu", {t.call("onnx.Add", {product, t.random({6})})}));
}

/// relu of a Gemm with factors and both operands transposed, whose third operand is a constant row or a matrix.
[[nodiscard]] inline inlay::ir_module gemm_with(bool is_row) {
    inlay_test::small_graph t;
    const inlay::node_id c = is_row ? t.random({6}) : t.input({4, 6});
    const inlay::attribute_map how{
        {"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 0.5F}, {"beta", is_row ? 2.0F : 1.0F}};
    return t.finish(t.call("onnx.Relu", {t.call("onnx.Gemm", {t.input({5, 4}), t.input({6, 5}), c}, how)}));
}

}  // namespace cuda_test

#endif
