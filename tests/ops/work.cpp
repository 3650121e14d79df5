// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/work.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/reduction.hpp>
#include <inlay/passes/infer_types.hpp>

#include "sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

using few_ops = op_table<onnx_arithmetic<>, onnx_casts<>, onnx_reductions<>>;

TEST_CASE("Work counts flops by element and bytes once") {
    const auto m = infer_types(program({f32({2, 3}), f32({3})},
                                       [](ir_builder& b, auto& x) {
                                           const node_id sum = b.call("onnx.Add", {x[0], x[1]}, {}, {}, "sum");
                                           return b.call("onnx.ReduceL1", {sum}, {}, {}, "norm");
                                       }),
                               {}, few_ops());
    REQUIRE(m.has_value());
    const auto sum = work_of(*m, named(*m, "sum"), few_ops()), norm = work_of(*m, named(*m, "norm"), few_ops()),
               all = work_of(*m, few_ops());
    REQUIRE(all.has_value());
    CHECK(sum->flops == 6);
    CHECK(sum->bytes == (6 + 3 + 6) * 4);
    CHECK(norm->flops == 12);
    CHECK(norm->bytes == (6 + 1) * 4);
    CHECK(all->flops == 18);
    CHECK(all->bytes == 88);
}

TEST_CASE("Work of what is not known is not guessed") {
    const auto m = infer_types(program({f32({symbol("n")})},
                                       [](ir_builder& b, auto& x) {
                                           return b.call("onnx.Add", {x[0], x[0]});
                                       }),
                               {}, few_ops());
    REQUIRE(m.has_value());
    CHECK_FALSE(work_of(*m, few_ops()).has_value());
    const ir_module other = program({f32({2})}, [](ir_builder& b, auto& x) { return b.call("no.such", {x[0]}, {}, f32({2})); });
    CHECK_FALSE(work_of(other, few_ops()).has_value());
}
