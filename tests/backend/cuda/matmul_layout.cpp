// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/matmul_layout.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "played_matmul.hpp"

using namespace inlay;
using namespace cuda_test;
using matrix = detail::column_major_matrix;

TEST_CASE("a row-major product is the transposed column-major one: its factors change places and none is transposed") {
    small_graph t;
    const read_match m = read_whole(t.finish(t.call("onnx.MatMul", {t.input({7, 5}), t.input({5, 9})})));
    REQUIRE(m.refusal == "");
    CHECK(m.plan.layout == detail::matmul_layout{{9, 5, 9, false, 0}, {5, 7, 5, false, 0}, {9, 7, 9, false, 0}, true, 1, {{}}});
    CHECK(m.worst < 2e-6);
}

TEST_CASE("operands that are transposed first stay where they are, and the library turns them") {
    const extents turned{1, 0};
    small_graph t;
    const read_match m = read_whole(t.finish(t.call("onnx.MatMul", {t.call("onnx.Transpose", {t.input({5, 7})}, {{"perm", turned}}),
                                                                    t.call("onnx.Transpose", {t.input({9, 5})}, {{"perm", turned}})})));
    REQUIRE(m.refusal == "");
    CHECK(m.plan.layout.a == matrix{5, 9, 5, true, 0});
    CHECK(m.plan.layout.b == matrix{7, 5, 7, true, 0});
    CHECK(m.worst < 2e-6);
}

TEST_CASE("a result that is transposed is written in its order") {
    small_graph t;
    const read_match m = read_whole(
        t.finish(t.call("onnx.Transpose", {t.call("onnx.MatMul", {t.input({7, 5}), t.input({5, 9})})}, {{"perm", extents{1, 0}}})));
    REQUIRE(m.refusal == "");
    CHECK(!m.plan.layout.is_turned);
    CHECK(m.plan.layout.a == matrix{5, 7, 5, true, 0});
    CHECK(m.plan.layout.d == matrix{7, 9, 7, false, 0});
    CHECK(m.worst < 2e-6);
}

TEST_CASE("batches in equal steps are one call, and others are several") {
    const auto layout = [](extents a, extents b) {
        small_graph t;
        const read_match m = read_whole(t.finish(t.call("onnx.MatMul", {t.input(std::move(a)), t.input(std::move(b))})));
        CHECK(m.refusal == "");
        CHECK(m.worst < 2e-6);
        return m.plan.layout;
    };
    const auto equal = layout({2, 3, 4, 5}, {2, 3, 5, 6});
    CHECK(equal.batches == 6);
    CHECK(equal.calls.size() == 1);
    CHECK(equal.a.batch_step == 30);
    CHECK(equal.b.batch_step == 20);
    CHECK(equal.d.batch_step == 24);
    const auto one_for_all = layout({3, 4, 5}, {5, 6});
    CHECK(one_for_all.batches == 1);
    CHECK(one_for_all.d == matrix{6, 12, 6, false, 0});
    const auto stretched = layout({5, 2, 4, 5}, {2, 5, 6});
    CHECK(stretched.batches == 5);
    CHECK(stretched.calls == std::vector<detail::matmul_layout::call>{{0, 0, 0}, {30, 20, 24}});
    CHECK(stretched.a.batch_step == 0);
    CHECK(layout({1, 4, 5}, {3, 5, 6}).b.batch_step == 0);
}

TEST_CASE("random products, transposed and in batches, are what their layouts say") {
    for (unsigned seed = 1; seed <= 120; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t rows = pick(1, 6), inner = pick(1, 6), columns = pick(1, 6), axes = pick(0, 3);
        small_graph t(seed);
        const auto operand = [&](std::int64_t first, std::int64_t last, const extents& batches) {
            extents of = batches;
            of.erase(of.begin(), of.begin() + pick(0, static_cast<std::int64_t>(of.size())));
            for (std::int64_t& n : of)
                if (pick(0, 2) == 0) n = 1;
            of.push_back(first);
            of.push_back(last);
            if (pick(0, 1) == 0) return t.input(of);
            // Any two axes of it change places.
            const auto rank = static_cast<std::int64_t>(of.size());
            extents order(of.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
            const auto one = static_cast<std::size_t>(pick(0, rank - 1)), other = static_cast<std::size_t>(pick(0, rank - 1));
            std::swap(order[one], order[other]);
            std::swap(of[one], of[other]);
            return t.call("onnx.Transpose", {t.input(of)}, {{"perm", order}});
        };
        extents batches;
        for (std::int64_t i = 0; i < axes; ++i) batches.push_back(pick(1, 3));
        const node_id a = operand(rows, inner, batches), b = operand(inner, columns, batches);
        const read_match m = read_whole(t.finish(t.call("onnx.MatMul", {a, b})));
        if (!m.refusal.empty())
            CHECK(m.refusal.find("has neither its rows nor its columns in one piece") != std::string::npos);
        else
            CHECK(m.worst < 2e-6);
    }
}

TEST_CASE("matrices that are larger than the library counts are refused, and so are batches that would be too many calls") {
    CHECK(!matrix::of(std::int64_t{1} << 31, 2, 1, std::int64_t{1} << 31));
    CHECK(!matrix::of(2, std::int64_t{1} << 31, 1, 2));
    CHECK(!matrix::of(4, 5, 10, 2));
    CHECK(matrix::of(1, 5, 10, 2) == matrix{1, 5, 2, false, 0});
    CHECK(matrix::of(4, 1, 2, 7) == matrix{1, 4, 2, true, 0});
    detail::anchored_product p;
    p.extents = {600, 600, 2, 2};
    p.strides = {2400, 4, 2, 1};
    p.a.extents = {600, 1, 2, 2};
    p.a.strides = {4, 4, 2, 1};
    p.b.extents = {1, 600, 2, 2};
    p.b.strides = {2400, 4, 2, 1};
    CHECK(detail::matmul_layout::of(p).failure().message ==
          "the batches of both operands lie in no equal steps, so that the product would be more than 256 calls");
    p.extents[0] = p.a.extents[0] = 256;
    CHECK(detail::matmul_layout::of(p)->calls.size() == 256);
}
