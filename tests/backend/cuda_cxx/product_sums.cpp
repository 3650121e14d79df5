// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/product_sums.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/loop_nest.hpp>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

TEST_CASE("sums of a product are read with their axes, depths, and what each operand follows") {
    const loop_nest n = lowered({{2, 40, 50}, {50, 60}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.Relu", {b.call("onnx.MatMul", {x[0], x[1]})});
    });
    const auto found = detail::product_sums_of(n, "r");
    REQUIRE(found);
    REQUIRE(found->axes.size() == 3);
    CHECK(found->axes[1].extent == 40);
    CHECK(found->axes[2].extent == 60);
    CHECK(found->axes[2].reader != found->axes[2].sum);
    CHECK(found->depths == std::vector<std::string>{"k"});
    CHECK(found->operands == std::vector<std::string>{"x", "x_1"});
    CHECK(found->follows == std::vector<std::vector<char>>{{1, 1, 0}, {0, 0, 1}});
    CHECK(n.statements[found->update].kind == nest_statement::form::update);
    CHECK(n.statements[found->first].kind == nest_statement::form::store);
}

TEST_CASE("what is no sum in a buffer of the nest's own is not read") {
    const loop_nest n = lowered({{40, 50}, {50, 60}}, [](ir_builder& b, const auto& x) { return b.call("onnx.MatMul", {x[0], x[1]}); });
    CHECK_FALSE(detail::product_sums_of(n, "y"));
    CHECK_FALSE(detail::product_sums_of(n, "nobody"));
    const loop_nest pooled = lowered({{1, 8, 9, 9}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.MaxPool", {x[0]}, {{"kernel_shape", std::vector<std::int64_t>{3, 3}}});
    });
    for (const nest_buffer& b : pooled.buffers) CHECK_FALSE(detail::product_sums_of(pooled, b.name));
}
