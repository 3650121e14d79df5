// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/matmul.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace openblas_test;

static_assert(pattern<decltype(detail::openblas_matmul::pattern_of_matmul())>);
static_assert(pattern<decltype(detail::openblas_matmul::pattern_of_gemm())>);

TEST_CASE("products of matrices of every rank are computed right, with either operand constant or not") {
    const std::vector<std::pair<extents, extents>> shapes{{{5, 7}, {7, 9}},          {{2, 5, 7}, {7, 9}},   {{2, 3, 5, 7}, {2, 3, 7, 9}},
                                                          {{2, 1, 5, 7}, {3, 7, 9}}, {{5, 7}, {4, 7, 9}},   {{1, 1, 16}, {16, 33}},
                                                          {{1, 16}, {16, 33}},       {{9, 16}, {16, 1}},    {{1, 16}, {16, 1}},
                                                          {{4, 1}, {1, 3}},          {{3, 1, 7}, {3, 7, 2}}};
    for (const auto& [a, b] : shapes)
        for (const bool constant : {false, true}) {
            small_graph s;
            const taken t = expect_taken(s.finish(s.call("onnx.MatMul", {s.input(a), constant ? s.random(b) : s.input(b)})), 1);
            CHECK(t.composite == "matrix_product");
            CHECK(t.count("matrix_product") == 1);
        }
    small_graph s;
    expect_taken(s.finish(s.call("onnx.MatMul", {s.random({6, 7}), s.input({7, 9})})), 1);
}

TEST_CASE("random products with random things behind them agree with their definition") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t rows = pick(1, 40), inner = pick(1, 40), columns = pick(1, 40);
        small_graph t(seed);
        node_id y = 0;
        extents result{rows, columns};
        const bool gemm = pick(0, 1) == 0;
        if (gemm) {
            const std::int64_t a_turned = pick(0, 1), b_turned = pick(0, 1);
            const node_id x = t.input(a_turned == 1 ? extents{inner, rows} : extents{rows, inner});
            const extents w = b_turned == 1 ? extents{columns, inner} : extents{inner, columns};
            const node_id c = pick(0, 1) == 0 ? t.random({columns}) : t.random({1, 1});
            y = t.call("onnx.Gemm", {x, pick(0, 1) == 0 ? t.random(w) : t.input(w), c},
                       {{"transA", a_turned}, {"transB", b_turned}, {"alpha", 0.5}, {"beta", 2.0}});
        } else {
            extents a{rows, inner}, b{inner, columns};
            for (std::int64_t i = pick(0, 2); i > 0; --i) {
                const std::int64_t extent = pick(1, 3);
                a.insert(a.begin(), extent);
                if (pick(0, 1) == 0) b.insert(b.begin(), b.size() == a.size() - 1 ? extent : 1);
                result.insert(result.begin(), extent);
            }
            if (b.size() > 2)
                for (std::size_t i = 0; i + 2 < b.size(); ++i) b[b.size() - 3 - i] = pick(0, 1) == 0 ? 1 : a[a.size() - 3 - i];
            y = t.call("onnx.MatMul", {t.input(a), pick(0, 1) == 0 ? t.random(b) : t.input(b)});
        }
        std::size_t nodes = 1;
        if (!gemm && pick(0, 2) == 0) y = t.call(pick(0, 1) == 0 ? "onnx.Mul" : "onnx.Div", {y, t.scalar(0.25f)}), ++nodes;
        if (pick(0, 1) == 0) y = t.call("onnx.Add", {t.random({columns}), y}), ++nodes;
        constexpr std::string_view functions[] = {"onnx.Relu", "onnx.Sigmoid", "onnx.Tanh", "onnx.HardSwish", "onnx.Elu", "onnx.Softplus"};
        if (pick(0, 1) == 0) y = t.call(functions[pick(0, 5)], {y}), ++nodes;
        if (nodes > 1 && pick(0, 1) == 0) {
            // The other tensor is as large as the result, or stretched over it from a row.
            y = t.call("onnx.Add", {y, t.input(pick(0, 1) == 0 ? result : extents{columns})}), ++nodes;
        }
        expect_taken(t.finish(y), nodes);
    }
}

TEST_CASE("GELU in several operators follows a product") {
    small_graph s;
    const node_id y = s.call("onnx.MatMul", {s.input({3, 16}), s.random({16, 24})});
    const node_id x = s.call("onnx.Add", {y, s.random({24})});
    const node_id inner = s.call("onnx.Div", {x, s.scalar(static_cast<float>(std::sqrt(2.0)))});
    const node_id gate = s.call("onnx.Add", {s.call("onnx.Erf", {inner}), s.scalar(1)});
    expect_taken(s.finish(s.call("onnx.Mul", {s.call("onnx.Mul", {x, gate}), s.scalar(0.5f)})), 7);
}

TEST_CASE("a scaled product takes a mask that is stretched over it") {
    for (const std::string_view scale : {"onnx.Mul", "onnx.Div"}) {
        small_graph s;
        const node_id y = s.call("onnx.MatMul", {s.input({2, 3, 5, 8}), s.input({2, 3, 8, 6})});
        const node_id scaled = s.call(scale, {y, s.scalar(8)});
        expect_taken(s.finish(s.call("onnx.Add", {scaled, s.input({2, 1, 1, 6})})), 3);
    }
}

TEST_CASE("operands and results that are transposed are read and written in place") {
    small_graph s;
    const node_id q = s.call("onnx.Transpose", {s.input({2, 5, 3, 8})}, {{"perm", extents{0, 2, 1, 3}}});
    const node_id k = s.call("onnx.Transpose", {s.input({2, 6, 3, 8})}, {{"perm", extents{0, 2, 3, 1}}});
    expect_taken(s.finish(s.call("onnx.MatMul", {q, k})), 3);
    small_graph u;
    const node_id v = u.call("onnx.Transpose", {u.input({2, 6, 3, 8})}, {{"perm", extents{0, 2, 1, 3}}});
    const node_id y = u.call("onnx.MatMul", {u.input({2, 3, 5, 6}), v});
    expect_taken(u.finish(u.call("onnx.Transpose", {y}, {{"perm", extents{0, 2, 1, 3}}})), 3);
    small_graph turned;
    const node_id z = turned.call("onnx.MatMul", {turned.input({2, 5, 7}), turned.input({2, 7, 9})});
    expect_taken(turned.finish(turned.call("onnx.Transpose", {z}, {{"perm", extents{0, 2, 1}}})), 2);
    small_graph w;
    expect_taken(w.finish(w.call("onnx.MatMul", {w.call("onnx.Transpose", {w.input({7, 5})}), w.random({7, 9})})), 2);
    small_graph b;
    const node_id batched = b.call("onnx.Transpose", {b.input({5, 2, 7})}, {{"perm", extents{1, 0, 2}}});
    expect_taken(b.finish(b.call("onnx.MatMul", {batched, b.random({7, 9})})), 2);
}

TEST_CASE("Gemm is taken with its factors, transpositions and every form of third operand") {
    for (const bool constant : {false, true})
        for (const std::int64_t transposed : {0, 1})
            for (const extents& third : {extents{}, extents{9}, extents{1, 9}, extents{1}, extents{5, 9}, extents{5, 1}}) {
                small_graph s;
                const extents a = transposed ? extents{7, 5} : extents{5, 7}, b = transposed ? extents{9, 7} : extents{7, 9};
                const node_id x = s.input(a), w = constant ? s.random(b) : s.input(b);
                const bool row = third == extents{9} || third == extents{1, 9} || third == extents{1};
                const attribute_map f{{"transA", transposed}, {"transB", transposed}, {"alpha", 0.5}, {"beta", row ? 0.25 : 1.0}};
                const node_id y = third.empty() ? s.call("onnx.Gemm", {x, w}, f) : s.call("onnx.Gemm", {x, w, s.random(third)}, f);
                const taken t = expect_taken(s.finish(s.call("onnx.Relu", {y})), 2);
                CHECK(t.composite == "gemm");
            }
}

TEST_CASE("a product that is not taken says why") {
    small_graph s;
    const node_id y = s.call("onnx.MatMul", {s.input({5, 7}), s.random({7, 9})});
    CHECK(why_not(s.finish(s.call("onnx.Add", {y, s.input({3, 5, 9})}))).find("stretches it") != std::string::npos);
    small_graph v;
    CHECK(why_not(v.finish(v.call("onnx.MatMul", {v.input({7}), v.random({7, 9})}))).find("rank 1") != std::string::npos);
    small_graph apart;
    const node_id turned = apart.call("onnx.Transpose", {apart.input({5, 7, 3})}, {{"perm", extents{2, 0, 1}}});
    CHECK(why_not(apart.finish(apart.call("onnx.MatMul", {turned, apart.random({7, 9})}))).find("in one piece") != std::string::npos);
    for (const auto& [rows, inner] : {std::pair(std::int64_t{1}, std::int64_t{1} << 31), {std::int64_t{1} << 31, std::int64_t{1}}}) {
        small_graph large;
        const std::string why = why_not(large.finish(large.call("onnx.MatMul", {large.input({rows, inner}), large.input({inner, 1})})));
        CHECK(why.find("larger than the library counts") != std::string::npos);
    }
    small_graph none;
    CHECK(why_not(none.finish(none.call("onnx.MatMul", {none.input({0, 7}), none.random({7, 9})}))).find("has no elements") !=
          std::string::npos);
    small_graph inner;
    CHECK(why_not(inner.finish(inner.call("onnx.MatMul", {inner.input({4, 0}), inner.input({0, 9})}))).find("has no elements") !=
          std::string::npos);
}
