// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/anchored_product.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using detail::anchored_product;
using inlay_test::small_graph;
using inlay_test::whole_region;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(anchored_product::pattern_of_matmul())>);
static_assert(pattern<decltype(anchored_product::pattern_of_gemm())>);

TEST_CASE("a product is read with its factor, its bias and what follows") {
    small_graph s;
    const node_id y = s.call("onnx.MatMul", {s.input({2, 5, 7}), s.random({7, 9})});
    const node_id scaled = s.call("onnx.Mul", {y, s.scalar(0.5f)});
    const node_id biased = s.call("onnx.Add", {s.random({9}), scaled});
    const node_id z = s.call("onnx.Add", {s.call("onnx.Relu", {biased}), s.input({2, 5, 9})});
    const whole_region whole(s.finish(z));
    const auto p = anchored_product::read(whole.view(), 8);
    REQUIRE(p.has_value());
    CHECK(p->factor == 0.5);
    CHECK(p->bias.has_value());
    CHECK(p->after.size() == 2);
    // Batches of rows are rows where the second matrix is one for all.
    CHECK(p->a.extents == list{10, 7});
    CHECK(p->extents == list{10, 9});
    CHECK(p->other_extents[1] == list{10, 9});
    const auto few = anchored_product::read(whole.view(), 2);
    REQUIRE_FALSE(few.has_value());
    CHECK(few.failure().message.find("rank 3") != std::string::npos);
}

TEST_CASE("transposed operands and results are read as strides") {
    small_graph s;
    const node_id q = s.call("onnx.Transpose", {s.input({2, 5, 3, 8})}, {{"perm", list{0, 2, 1, 3}}});
    const whole_region whole(s.finish(s.call("onnx.MatMul", {q, s.input({2, 3, 8, 6})})));
    const auto p = anchored_product::read(whole.view(), 8);
    REQUIRE(p.has_value());
    CHECK(p->a.extents == list{2, 3, 5, 8});
    CHECK(p->a.strides == list{120, 8, 24, 1});
    CHECK(p->b.strides == list{144, 48, 6, 1});
    CHECK(p->strides == list{90, 30, 6, 1});
    small_graph t;
    const node_id y = t.call("onnx.MatMul", {t.input({5, 7}), t.input({7, 9})});
    const whole_region turned(t.finish(t.call("onnx.Transpose", {y})));
    const auto r = anchored_product::read(turned.view(), 8);
    REQUIRE(r.has_value());
    CHECK(r->strides == list{1, 5});
}

TEST_CASE("Gemm's flags and factors are read, and a third operand is a bias or a tensor that follows") {
    const attribute_map flags{{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 0.5}, {"beta", 0.25}};
    small_graph s;
    const whole_region whole(s.finish(s.call("onnx.Gemm", {s.input({7, 5}), s.random({9, 7}), s.random({9})}, flags)));
    const auto p = anchored_product::read(whole.view(), 8);
    REQUIRE(p.has_value());
    CHECK(p->a.strides == list{1, 5});
    CHECK(p->b.strides == list{1, 7});
    CHECK(p->factor == 0.5);
    CHECK(p->bias_factor == 0.25);
    CHECK(p->bias.has_value());
    small_graph t;
    const whole_region column(t.finish(t.call("onnx.Gemm", {t.input({5, 7}), t.random({7, 9}), t.random({5, 1})})));
    const auto c = anchored_product::read(column.view(), 8);
    REQUIRE(c.has_value());
    CHECK_FALSE(c->bias.has_value());
    CHECK(c->after.size() == 1);
    CHECK(c->other_extents[0] == list{5, 1});
}

TEST_CASE("a permutation is applied to a list, and read off a Transpose where it is one") {
    CHECK(detail::permuted({4, 5, 6}, {2, 0, 1}) == list{6, 4, 5});
    small_graph s;
    const whole_region whole(s.finish(s.call("onnx.Transpose", {s.input({4, 5, 6})})));
    CHECK(detail::order_of_transpose(whole.view().calls()[0], 3) == list{2, 1, 0});
}

TEST_CASE("regions without a product, and products that a kernel does not take along, are refused") {
    small_graph none;
    const whole_region no_product(none.finish(none.call("onnx.Relu", {none.input({3, 3})})));
    CHECK_FALSE(anchored_product::read(no_product.view(), 8).has_value());
    small_graph vector;
    const whole_region rank(vector.finish(vector.call("onnx.MatMul", {vector.input({7}), vector.random({7, 9})})));
    const auto found = anchored_product::read(rank.view(), 8);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.failure().message.find("rank 1") != std::string::npos);
    small_graph zero;
    const whole_region nothing(zero.finish(zero.call("onnx.Gemm", {zero.input({5, 7}), zero.input({7, 9})}, {{"alpha", 0.0}})));
    CHECK_FALSE(anchored_product::read(nothing.view(), 8).has_value());
}
