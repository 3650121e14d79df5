// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/matrix_product.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("products with a constant matrix agree with their definition, whatever follows them") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t rows = pick(1, 40), depth = pick(1, 70), columns = pick(1, 90), batches = pick(1, 3);
        small_graph t(seed);
        const extents result{batches, rows, columns};
        node_id y = t.call("onnx.MatMul", {t.input({batches, rows, depth}), t.random({depth, columns})});
        std::size_t nodes = 1;
        if (pick(0, 1) == 0) y = t.call("onnx.Add", {y, t.random({columns})}), ++nodes;
        switch (pick(0, 4)) {
            case 0:
                y = t.call("onnx.Gelu", {y}), ++nodes;
                break;
            case 1:
                y = t.call("onnx.Tanh", {y}), ++nodes;
                break;
            case 2:
                y = t.call("onnx.Relu", {y}), ++nodes;
                break;
            default:
                break;
        }
        if (pick(0, 2) == 0) y = t.call("onnx.Add", {t.input(result), y}), ++nodes;
        CHECK(expect_taken(t.finish(y), nodes).composite == "matrix_product");
    }
}

TEST_CASE("batches of products of two inputs agree with their definition, transposed operands and results included") {
    for (const std::int64_t rows : {1, 5, 31})
        for (const std::int64_t columns : {1, 16, 37}) {
            CAPTURE(rows);
            CAPTURE(columns);
            small_graph t;
            const node_id a = t.input({2, rows, 3, 20}), b = t.input({2, columns, 3, 20});
            const node_id left = t.call("onnx.Transpose", {a}, {{"perm", extents{0, 2, 1, 3}}});
            const node_id right = t.call("onnx.Transpose", {b}, {{"perm", extents{0, 2, 3, 1}}});
            const node_id y = t.call("onnx.MatMul", {left, right});
            expect_taken(t.finish(t.call("onnx.Mul", {y, t.scalar(0.25f)})), 4);
            small_graph u;
            const node_id z = u.call("onnx.MatMul", {u.input({2, 3, rows, 9}), u.input({1, 3, 9, columns})});
            expect_taken(u.finish(u.call("onnx.Transpose", {z}, {{"perm", extents{0, 2, 1, 3}}})), 2);
            small_graph v;
            const node_id turned = v.call("onnx.Transpose", {v.input({7, rows})});
            expect_taken(v.finish(v.call("onnx.MatMul", {turned, v.input({7, columns})})), 2);
        }
}

TEST_CASE("what is no number, or infinite, reaches the row that holds it and nothing else") {
    for_each_special([](float special) {
        for (const std::int64_t rows : {1, 9})
            for (const std::int64_t columns : {1, 37}) {
                CAPTURE(rows);
                CAPTURE(columns);
                small_graph t;
                const node_id x = input_with(t, {rows, 21}, special, static_cast<std::size_t>(rows * 21 - 2));
                expect_taken(t.finish(t.call("onnx.Add", {t.call("onnx.MatMul", {x, t.random({21, columns})}), t.random({columns})})), 2);
                small_graph u;
                const node_id b = input_with(u, {21, columns}, special, static_cast<std::size_t>(columns * 21 - 1));
                expect_taken(u.finish(u.call("onnx.MatMul", {u.input({rows, 21}), b})), 1);
            }
    });
}

TEST_CASE("an inner extent beyond 32 bits is refused") {
    small_graph t;
    const std::int64_t depth = std::int64_t{1} << 31;
    CHECK(why_not(t.finish(t.call("onnx.MatMul", {t.input({1, depth}), t.input({depth, 1})}))).find("out of range") != std::string::npos);
}

TEST_CASE("Gemm is taken with its factors and a turned matrix") {
    for (const std::int64_t rows : {1, 3, 30}) {
        small_graph t;
        const node_id y = t.call("onnx.Gemm", {t.input({rows, 50}), t.random({33, 50}), t.random({33})},
                                 {{"transB", std::int64_t{1}}, {"alpha", 0.5}, {"beta", 2.0}});
        CHECK(expect_taken(t.finish(t.call("onnx.Sigmoid", {y})), 2).composite == "gemm");
    }
}

TEST_CASE("a product whose columns do not lie side by side is left to others") {
    small_graph t;
    const node_id y = t.call("onnx.MatMul", {t.input({6, 5}), t.input({5, 7})});
    CHECK(why_not(t.finish(t.call("onnx.Transpose", {y}))).find("side by side") != std::string::npos);
}
