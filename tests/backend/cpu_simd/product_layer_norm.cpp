// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/product_layer_norm.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// The normalisation of a tensor's last axis, of `columns`, as one operator or written out; `nodes` are counted up.
node_id normalised(small_graph& t, node_id x, std::int64_t columns, picker& pick, std::size_t& nodes) {
    if (pick(0, 1) == 0) return ++nodes, t.call("onnx.LayerNormalization", {x, t.random({columns}), t.random({columns})});
    const node_id d = t.call("onnx.Sub", {x, t.call("onnx.ReduceMean", {x, t.integers({-1})})});
    const node_id square = t.call("onnx.Pow", {d, t.scalar(2)});
    const node_id variance = t.call("onnx.Add", {t.call("onnx.ReduceMean", {square, t.integers({-1})}), t.scalar(1e-2f)});
    const node_id scaled = t.call("onnx.Mul", {t.call("onnx.Div", {d, t.call("onnx.Sqrt", {variance})}), t.random({columns})});
    nodes += 9;
    return t.call("onnx.Add", {scaled, t.random({columns})});
}

/// A product as it ends a layer of a transformer: a bias, a function or none, another tensor or none.
node_id product(small_graph& t, const extents& result, std::int64_t depth, picker& pick, std::size_t& nodes) {
    extents left = result;
    left.back() = depth;
    node_id y = t.call("onnx.MatMul", {t.input(left), t.random({depth, result.back()})});
    ++nodes;
    if (pick(0, 3) != 0) y = t.call("onnx.Add", {y, t.random({result.back()})}), ++nodes;
    if (pick(0, 3) == 0) y = t.call("onnx.Gelu", {y}), ++nodes;
    if (pick(0, 3) != 0) y = pick(0, 1) == 0 ? t.call("onnx.Add", {t.input(result), y}) : t.call("onnx.Add", {y, t.input(result)}), ++nodes;
    return y;
}

}  // namespace

TEST_CASE("products of random shapes with normalised rows agree with their definition") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        small_graph t(seed);
        // A row of one element less its mean is nothing but what rounding left.
        const std::int64_t columns = pick(3, 90);
        std::size_t nodes = 0;
        const node_id sum = product(t, {pick(1, 3), pick(1, 40), columns}, pick(1, 70), pick, nodes);
        const node_id y = normalised(t, sum, columns, pick, nodes);
        CHECK(expect_taken(t.finish(y), nodes, 2e-4).composite == "matrix_product_layer_norm");
    }
}

TEST_CASE("several groups of rows, one of which is ragged, are normalised once each") {
    picker pick{std::mt19937(3)};
    for (const std::int64_t rows : {1, 13, 150, 301}) {
        CAPTURE(rows);
        small_graph t;
        std::size_t nodes = 0;
        const node_id y = normalised(t, product(t, {rows, 1030}, 40, pick, nodes), 1030, pick, nodes);
        CHECK(expect_taken(t.finish(y), nodes, 1e-4).composite == "matrix_product_layer_norm");
    }
}

TEST_CASE("Gemm with a turned matrix is taken like a product") {
    for (const std::int64_t rows : {1, 30}) {
        small_graph t;
        const node_id y = t.call("onnx.Gemm", {t.input({rows, 50}), t.random({33, 50}), t.random({33})},
                                 {{"transB", std::int64_t{1}}, {"alpha", 0.5}, {"beta", 2.0}});
        const node_id z = t.call("onnx.LayerNormalization", {t.call("onnx.Add", {y, t.input({rows, 33})}), t.random({33})});
        CHECK(expect_taken(t.finish(z), 3, 1e-4).composite == "matrix_product_layer_norm");
    }
}

TEST_CASE("a group is whole tiles that stay near, and each thread has one") {
    simd::product_layer_norm k;
    k.product.rows = 128;
    k.product.columns = 768;
    k.product.size = {2, 13};
    k.plan(1);
    CHECK(k.groups() == 1);
    k.plan(2);
    CHECK(k.group == 65);
    k.product.rows = 4096;
    k.plan(1);
    CHECK(k.group % 13 == 0);
    CHECK(k.group * 768 * sizeof(float) <= 512 << 10);
    k.product.rows = 5;
    k.plan(4);
    CHECK(k.groups() == 1);
}

TEST_CASE("what is normalised beside a product of other forms is left to others, with the reason") {
    small_graph t;
    const node_id both = t.call("onnx.MatMul", {t.input({3, 4}), t.input({4, 6})});
    CHECK(why_not(t.finish(t.call("onnx.LayerNormalization", {both, t.random({6})}))).find("with a constant one") != std::string::npos);
    small_graph u;
    const node_id square = u.call("onnx.MatMul", {u.input({6, 4}), u.random({4, 6})});
    CHECK(why_not(u.finish(u.call("onnx.LayerNormalization", {square, u.random({6, 6})}, {{"axis", std::int64_t{0}}})))
              .find("is not over the rows of the product") != std::string::npos);
}
