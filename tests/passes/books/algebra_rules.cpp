// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/algebra_rules.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

#include "ops/rewritten_alike.hpp"

using namespace inlay;
using ops_here = op_table<onnx_arithmetic<>, onnx_math<>, onnx_reshaping<>, onnx_logic<>, onnx_clip_and_where<>>;

namespace {

/// The program of one parameter of shape [2,3] that a function builds, rewritten; its meaning is compared.
template <class Build>
rewritten<ir_module> after(Build&& build) {
    rewriting_program p;
    const node_id x = p.input({2, 3});
    return rewritten_alike<ops_here>(p.finish<ops_here>(build(p, x)), algebra_rules());
}

}  // namespace

TEST_CASE("what undoes itself and what is done twice goes") {
    const auto twice = [](const char* outer, const char* inner) {
        return after([&](auto& p, node_id x) { return p.call(outer, {p.call(inner, {x})}); }).report.fired;
    };
    CHECK(twice("Neg", "Neg") == 1);
    CHECK(twice("Abs", "Abs") == 1);
    CHECK(twice("Abs", "Neg") == 1);
    CHECK(twice("Floor", "Ceil") == 1);
    CHECK(twice("Round", "Floor") == 1);
    CHECK(twice("Neg", "Abs") == 0);
    CHECK(twice("Floor", "Neg") == 0);
}

TEST_CASE("neutral elements go, unless they stretch what they are combined with") {
    const auto with = [](const char* op, float number, std::vector<std::int64_t> extents, bool left) {
        return after([&](auto& p, node_id x) {
                   const node_id c = p.filled(extents, number);
                   return left ? p.call(op, {c, x}) : p.call(op, {x, c});
               })
            .report.fired;
    };
    CHECK(with("Add", 0, {}, false) == 1);
    CHECK(with("Add", 0, {1, 1}, true) == 1);
    CHECK(with("Add", 0, {1, 1, 1}, true) == 0);
    CHECK(with("Add", 1, {}, false) == 0);
    CHECK(with("Sub", 0, {}, false) == 1);
    CHECK(with("Sub", 0, {}, true) == 0);
    CHECK(with("Mul", 1, {}, true) == 1);
    CHECK(with("Div", 1, {}, false) == 1);
    CHECK(with("Div", 1, {}, true) == 0);
    CHECK(with("Pow", 1, {}, false) == 1);
}

TEST_CASE("a choice that is always the same goes, unless it stretches what it chooses") {
    const auto with = [](std::vector<std::int64_t> extents, const std::vector<char>& chosen, bool first) {
        return after([&](auto& p, node_id x) {
                   tensor condition(element_type::boolean, extents);
                   std::copy(chosen.begin(), chosen.end(), reinterpret_cast<char*>(condition.data()));
                   const node_id c = p.constant(condition), other = p.filled({1}, -9);
                   return first ? p.call("Where", {c, x, other}) : p.call("Where", {c, other, x});
               })
            .report.fired;
    };
    CHECK(with({3}, {1, 1, 1}, true) == 1);
    CHECK(with({3}, {0, 0, 0}, false) == 1);
    CHECK(with({3}, {1, 0, 1}, true) == 0);
    CHECK(with({3}, {1, 1, 1}, false) == 0);
    CHECK(with({2, 2, 3}, std::vector<char>(12, 1), true) == 0);
}

TEST_CASE("signs move into sums") {
    CHECK(after([](auto& p, node_id x) { return p.call("Sub", {x, p.call("Neg", {p.call("Exp", {x})})}); }).report.fired == 1);
    CHECK(after([](auto& p, node_id x) { return p.call("Add", {p.call("Neg", {p.call("Exp", {x})}), x}); }).report.fired == 1);
}

TEST_CASE("the second of two reshapes decides, unless it copies an extent") {
    const auto reshaped = [](std::vector<std::int64_t> second) {
        return after([&](auto& p, node_id x) {
                   return p.call("Reshape", {p.call("Reshape", {x, p.list({3, 2})}), p.list(second)});
               })
            .report.fired;
    };
    CHECK(reshaped({6}) == 1);
    CHECK(reshaped({-1, 2}) == 1);
    CHECK(reshaped({0, 2}) == 0);
}
