// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/testing/tolerance.hpp>

#include <limits>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_types.hpp>

using namespace inlay;

namespace {

/// A program that casts float32 to an element type and back.
ir_module through(element_type e) {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {2}));
    const node_id there = b.call("onnx.CastLike", {x, b.constant(tensor(e, {1}))});
    b.declare(b.function({&x, 1}, b.call("onnx.CastLike", {there, x}), "main"));
    return *infer_types(b.finish());
}

}  // namespace

TEST_CASE("results may be off by as much as the coarsest values of a program are rounded") {
    const tensor expected[] = {tensor::of<float>({3}, {0.5f, -8, std::numeric_limits<float>::infinity()}), tensor::of<int>({1}, {1000})};
    const tolerance single = tolerance_of(through(element_type::float64), expected);
    CHECK(single.relative == 1e-3);
    CHECK(single.absolute == 1e-5);
    const tolerance half = tolerance_of(through(element_type::float16), expected);
    CHECK(half.relative == 0x1p-6);
    CHECK(half.absolute == 0x1p-5);
    const tolerance coarse = tolerance_of(through(element_type::bfloat16), {});
    CHECK(coarse.relative == 0x1p-3);
    CHECK(coarse.absolute == 1e-5);
}
