// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/arithmetic.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_arithmetic::pattern_of_operation())>);

TEST_CASE("operations of two tensors agree with their definition in every order, tensors stretched and constant") {
    for (const char* op : {"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Max", "onnx.Min"})
        for (unsigned seed = 1; seed <= 10; ++seed) {
            CAPTURE(op);
            CAPTURE(seed);
            std::mt19937 random(seed);
            const auto pick = [&](std::int64_t low, std::int64_t high) {
                return std::uniform_int_distribution<std::int64_t>(low, high)(random);
            };
            const std::int64_t rank = pick(0, 1) == 0 ? 4 : pick(1, 6);
            extents whole, first, second;
            for (std::int64_t i = 0; i < rank; ++i) whole.push_back(pick(1, 5));
            first = second = whole;
            for (std::size_t i = 0; i < whole.size(); ++i) {
                const std::int64_t which = pick(0, 3);
                if (which == 0) first[i] = 1;
                if (which == 1) second[i] = 1;
            }
            small_graph t(seed);
            const node_id a = t.input(first);
            // Divisors keep off zero, where the relative error has no bound.
            const node_id b = std::string(op) == "onnx.Div" || pick(0, 1) == 0 ? t.random(second, 0.5f, 2) : t.input(second);
            node_id y = t.call(op, {a, b});
            std::size_t nodes = 1;
            if (pick(0, 1) == 0 && std::string(op) != "onnx.Max" && std::string(op) != "onnx.Min") y = t.call("onnx.Relu", {y}), ++nodes;
            const taken got = expect_taken(t.finish(y), nodes);
            CHECK(got.composite == "operation");
            CHECK(got.ways.size() == (rank == 4 ? 2 : 1));
        }
}

TEST_CASE("an input of lower rank joins images only where it lies the same in both orders") {
    const auto joined = [](extents lower) {
        small_graph t;
        return expect_taken(t.finish(t.call("onnx.Mul", {t.input({2, 5, 3, 4}), t.input(std::move(lower))})), 1);
    };
    CHECK(joined({5, 1, 1}).has("channels_last,plain->channels_last"));
    CHECK(joined({3, 4}).has("channels_last,plain->channels_last"));
    CHECK(joined({5, 3, 4}).ways.size() == 1);
    small_graph t;
    const node_id x = t.input({1, 6, 5, 4});
    CHECK(expect_taken(t.finish(t.call("onnx.Mul", {x, x})), 1).has("channels_last->channels_last"));
    small_graph u;
    CHECK(expect_taken(u.finish(u.call("onnx.Sub", {u.random({6, 1, 4}), u.input({1, 6, 5, 4})})), 1).has("channels_last->channels_last"));
}

TEST_CASE("operations that are not taken say why, with the values found") {
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.Add", {t.input({1, 2, 1, 2, 1, 2, 2}), t.random({2})}))).find("rank 7") != std::string::npos);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.Sum", {u.input({2}), u.input({2}), u.input({2})}))).find("3 operands") != std::string::npos);
    small_graph v;
    CHECK(why_not(v.finish(v.call("onnx.Relu", {v.call("onnx.Max", {v.input({2}), v.input({2})})}))).find("range") != std::string::npos);
}
