// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/matmul.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_matmul::pattern_of_matmul())>);
static_assert(pattern<decltype(detail::onednn_matmul::pattern_of_gemm())>);

TEST_CASE("products of matrices of every rank are computed right, with either operand constant or not") {
    const std::vector<std::pair<list, list>> shapes{{{5, 7}, {7, 9}},          {{2, 5, 7}, {7, 9}}, {{2, 3, 5, 7}, {2, 3, 7, 9}},
                                                    {{2, 1, 5, 7}, {3, 7, 9}}, {{5, 7}, {4, 7, 9}}, {{1, 1, 16}, {16, 33}}};
    for (const auto& [a, b] : shapes)
        for (const bool constant : {false, true}) {
            small_graph s;
            const taken t = expect_taken(s.finish(s.call("onnx.MatMul", {s.input(a), constant ? s.random(b) : s.input(b)})), 1);
            CHECK(t.composite == "matrix_product");
        }
    small_graph s;
    expect_taken(s.finish(s.call("onnx.MatMul", {s.random({6, 7}), s.input({7, 9})})), 1);
}

TEST_CASE("a bias, an activation and another tensor follow a product in the same primitive") {
    for (const std::string_view activation : {"onnx.Relu", "onnx.Tanh", "onnx.Sigmoid"}) {
        small_graph s;
        const node_id y = s.call("onnx.MatMul", {s.input({2, 5, 16}), s.random({16, 24})});
        const node_id biased = s.call("onnx.Add", {s.random({24}), y});
        expect_taken(s.finish(s.call("onnx.Add", {s.call(activation, {biased}), s.input({2, 5, 24})})), 4);
    }
    small_graph s;
    const node_id y = s.call("onnx.MatMul", {s.input({2, 5, 16}), s.random({16, 24})});
    expect_taken(s.finish(s.call("onnx.Add", {s.call("onnx.Add", {y, s.random({1, 1, 24})}), s.input({2, 5, 24})})), 3);
}

TEST_CASE("GELU in its spellings follows a product") {
    const double root = std::sqrt(2.0);
    for (int form = 0; form < 5; ++form) {
        CAPTURE(form);
        small_graph s;
        const node_id y = s.call("onnx.MatMul", {s.input({3, 16}), s.random({16, 24})});
        const node_id x = s.call("onnx.Add", {y, s.random({24})});
        const node_id inner = form % 2 == 0 ? s.call("onnx.Div", {x, s.scalar(static_cast<float>(root))})
                                            : s.call("onnx.Mul", {s.scalar(static_cast<float>(1 / root)), x});
        const node_id gate = s.call("onnx.Add", {s.call("onnx.Erf", {inner}), s.scalar(1)});
        node_id z = 0;
        if (form < 2) z = s.call("onnx.Mul", {s.call("onnx.Mul", {x, gate}), s.scalar(0.5f)});
        if (form == 2) z = s.call("onnx.Mul", {s.call("onnx.Mul", {s.scalar(0.5f), x}), gate});
        if (form == 3) z = s.call("onnx.Mul", {x, s.call("onnx.Mul", {gate, s.scalar(0.5f)})});
        if (form == 4) z = s.call("onnx.Div", {s.call("onnx.Mul", {gate, x}), s.scalar(2)});
        expect_taken(s.finish(z), 7);
    }
    small_graph s;
    const node_id x = s.call("onnx.MatMul", {s.input({3, 16}), s.random({16, 24})});
    const node_id cube = s.call("onnx.Mul", {s.scalar(0.044715f), s.call("onnx.Pow", {x, s.scalar(3)})});
    const node_id inner =
        s.call("onnx.Mul", {s.call("onnx.Add", {x, cube}), s.scalar(static_cast<float>(std::sqrt(2 / 3.14159265358979)))});
    const node_id gate = s.call("onnx.Add", {s.call("onnx.Tanh", {inner}), s.scalar(1)});
    expect_taken(s.finish(s.call("onnx.Mul", {s.call("onnx.Mul", {x, s.scalar(0.5f)}), gate})), 9, {}, 1e-4);
}

TEST_CASE("a scaled product takes a mask that is stretched over it") {
    for (const std::string_view scale : {"onnx.Mul", "onnx.Div"}) {
        small_graph s;
        const node_id y = s.call("onnx.MatMul", {s.input({2, 3, 5, 8}), s.input({2, 3, 8, 6})});
        const node_id scaled = s.call(scale, {y, s.scalar(8)});
        expect_taken(s.finish(s.call("onnx.Add", {scaled, s.input({2, 1, 1, 6})})), 3);
    }
    small_graph s;
    const node_id y = s.call("onnx.Mul", {s.call("onnx.MatMul", {s.input({5, 8}), s.input({8, 6})}), s.scalar(0.125f)});
    expect_taken(s.finish(s.call("onnx.Add", {y, s.random({6})})), 3);
}

TEST_CASE("a bias behind a factor that it cannot be divided by is not taken along, and is computed right where it can") {
    for (const float factor : {0.0f, 1e-40f, 1e-30f, -2.0f}) {
        CAPTURE(factor);
        small_graph s;
        const node_id scaled = s.call("onnx.Mul", {s.call("onnx.MatMul", {s.input({5, 8}), s.input({8, 6})}), s.scalar(factor)});
        const ir_module g = s.finish(s.call("onnx.Add", {scaled, s.random({6})}));
        if (detail::onednn_factor_of_bias && std::abs(factor) < 1e-38f)
            CHECK(why_not(g).find("factor") != std::string::npos);
        else
            expect_taken(g, 3);
        small_graph t;
        const node_id packed = t.call("onnx.Mul", {t.call("onnx.MatMul", {t.input({5, 8}), t.random({8, 6})}), t.scalar(factor)});
        expect_taken(t.finish(t.call("onnx.Add", {packed, t.random({6})})), 3);
    }
}

TEST_CASE("operands and results that are transposed are read and written in place") {
    small_graph s;
    const node_id q = s.call("onnx.Transpose", {s.input({2, 5, 3, 8})}, {{"perm", list{0, 2, 1, 3}}});
    const node_id k = s.call("onnx.Transpose", {s.input({2, 6, 3, 8})}, {{"perm", list{0, 2, 3, 1}}});
    expect_taken(s.finish(s.call("onnx.MatMul", {q, k})), 3);
    small_graph u;
    const node_id v = u.call("onnx.Transpose", {u.input({2, 6, 3, 8})}, {{"perm", list{0, 2, 1, 3}}});
    const node_id y = u.call("onnx.MatMul", {u.input({2, 3, 5, 6}), v});
    expect_taken(u.finish(u.call("onnx.Transpose", {y}, {{"perm", list{0, 2, 1, 3}}})), 3);
    small_graph w;
    expect_taken(w.finish(w.call("onnx.MatMul", {w.call("onnx.Transpose", {w.input({7, 5})}), w.random({7, 9})})), 2);
    small_graph b;
    const node_id batched = b.call("onnx.Transpose", {b.input({5, 2, 7})}, {{"perm", list{1, 0, 2}}});
    expect_taken(b.finish(b.call("onnx.MatMul", {batched, b.random({7, 9})})), 2);
}

TEST_CASE("Gemm is taken with its factors, transpositions and every form of third operand") {
    for (const bool constant : {false, true})
        for (const std::int64_t transposed : {0, 1})
            for (const list& third : {list{}, list{9}, list{1, 9}, list{1}, list{5, 9}}) {
                small_graph s;
                const list a = transposed ? list{7, 5} : list{5, 7}, b = transposed ? list{9, 7} : list{7, 9};
                const node_id x = s.input(a), w = constant ? s.random(b) : s.input(b);
                const bool row = third == list{9} || third == list{1, 9} || third == list{1};
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
}
