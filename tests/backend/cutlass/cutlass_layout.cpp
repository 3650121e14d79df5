// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "played_product.hpp"

using namespace inlay;
using namespace cutlass_test;
using detail::cutlass_layout;
using detail::matmul_layout;
using matrix = detail::cutlass_matrix;
using extents = std::vector<std::int64_t>;

namespace {

/// A product of column-major matrices.
matmul_layout product_of(std::int64_t rows, std::int64_t inner, std::int64_t columns, std::int64_t batches = 1) {
    return {{rows, inner, rows, false, batches > 1 ? rows * inner : 0},
            {inner, columns, inner, false, batches > 1 ? inner * columns : 0},
            {rows, columns, rows, false, batches > 1 ? rows * columns : 0},
            true,
            batches,
            {{}}};
}

}  // namespace

TEST_CASE("a row-major product is told as it is, and elements are read as many at once as all steps allow") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({7, 6}), t.input({6, 8})}));
    const read_product by_tf32 = read_whole(g);
    REQUIRE(by_tf32.refusal == "");
    const cutlass_layout& l = by_tf32.plan.layout;
    CHECK(std::vector{l.rows, l.columns, l.inner} == std::vector{7, 8, 6});
    CHECK(l.a == matrix{true, 6, 0, 2});
    CHECK(l.b == matrix{true, 8, 0, 4});
    CHECK(l.d == matrix{true, 8, 0, 4});
    CHECK(by_tf32.worst < 2e-6);
    const read_product exact = read_whole(g, false);
    CHECK(std::vector{exact.plan.layout.a.width, exact.plan.layout.b.width, exact.plan.layout.d.width} == std::vector{1, 1, 1});
    CHECK(exact.worst < 2e-6);
}

TEST_CASE("operands that are transposed first stay where they are, and a transposed result is written in its order") {
    const extents turned{1, 0};
    {
        small_graph t;
        const read_product m =
            read_whole(t.finish(t.call("onnx.MatMul", {t.call("onnx.Transpose", {t.input({5, 8})}, {{"perm", turned}}),
                                                       t.call("onnx.Transpose", {t.input({9, 5})}, {{"perm", turned}})})));
        REQUIRE(m.refusal == "");
        CHECK(m.plan.layout.a == matrix{false, 8, 0, 4});
        CHECK(m.plan.layout.b == matrix{false, 5, 0, 1});
        CHECK(m.worst < 2e-6);
    }
    small_graph t;
    const read_product m =
        read_whole(t.finish(t.call("onnx.Transpose", {t.call("onnx.MatMul", {t.input({7, 5}), t.input({5, 9})})}, {{"perm", turned}})));
    REQUIRE(m.refusal == "");
    CHECK(m.plan.layout.rows == 9);
    CHECK(m.plan.layout.a == matrix{false, 9, 0, 1});
    CHECK(m.worst < 2e-6);
}

TEST_CASE("where batches begin counts for how much is read at once, and so do calls") {
    matmul_layout m = product_of(8, 8, 8, 2);
    CHECK(cutlass_layout::of(m, true)->a.width == 4);
    m.b.batch_step = 6;
    CHECK(cutlass_layout::of(m, true)->a.width == 2);
    m.calls = {{0, 0, 0}, {4, 1, 2}};
    const auto l = cutlass_layout::of(m, true);
    CHECK(std::vector{l->a.width, l->b.width, l->d.width} == std::vector{1, 4, 2});
    CHECK(l->launches == std::vector<cutlass_layout::launch>{{0, 0, 0, 2}, {1, 4, 2, 2}});
}

TEST_CASE("more batches than a launch has blocks along its third axis are several launches") {
    const auto l = cutlass_layout::of(product_of(2, 3, 4, 100000), false);
    REQUIRE(l);
    const std::int64_t most = 65535;
    CHECK(l->launches == std::vector<cutlass_layout::launch>{{0, 0, 0, 65535}, {most * 12, most * 6, most * 8, 100000 - 65535}});
}

TEST_CASE("what is empty, or larger than a launch, is refused") {
    CHECK(cutlass_layout::of(product_of(3, 0, 5), false).failure().message ==
          "a product of 5 x 0 x 3 is empty, which CUTLASS does not compute");
    CHECK(cutlass_layout::of(product_of(8388608, 1, 200), false).failure().message ==
          "a product of 200 x 1 x 8388608 has more columns than one launch");
    CHECK(cutlass_layout::of(product_of(8388480, 1, 200), false));
    CHECK(cutlass_layout::of(product_of(1, 1, 2147483647), false).failure().message ==
          "a product of 2147483647 x 1 x 1 is larger than CUTLASS counts");
}

TEST_CASE("random products, transposed and in batches, are what their launches are told") {
    for (unsigned seed = 1; seed <= 120; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t rows = pick(1, 8), inner = pick(1, 8), columns = pick(1, 8);
        extents batches(static_cast<std::size_t>(pick(0, 2)));
        for (std::int64_t& n : batches) n = pick(1, 3);
        small_graph t(seed);
        const auto operand = [&](std::int64_t first, std::int64_t last, bool may_be_constant) {
            extents of = batches;
            for (std::int64_t& n : of)
                if (pick(0, 2) == 0) n = 1;
            of.push_back(first);
            of.push_back(last);
            if (pick(0, 1) == 0) return may_be_constant && pick(0, 3) == 0 ? t.random(of) : t.input(of);
            // Any two axes of it change places.
            const auto last_axis = static_cast<std::int64_t>(of.size()) - 1;
            extents order(of.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
            const auto one = static_cast<std::size_t>(pick(0, last_axis)), other = static_cast<std::size_t>(pick(0, last_axis));
            std::swap(order[one], order[other]);
            std::swap(of[one], of[other]);
            return t.call("onnx.Transpose", {t.input(of)}, {{"perm", order}});
        };
        const node_id a = operand(rows, inner, false), b = operand(inner, columns, true);
        const read_product m = read_whole(t.finish(t.call("onnx.MatMul", {a, b})), pick(0, 3) != 0);
        if (!m.refusal.empty())
            CHECK_MESSAGE(m.refusal.find("has neither its rows nor its columns in one piece") != std::string::npos, m.refusal);
        else
            CHECK(m.worst < 2e-6);
    }
}
