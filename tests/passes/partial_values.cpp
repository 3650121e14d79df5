// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/partial_values.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/joining.hpp>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Shape gives extents, as far as they are known and asked for") {
    const node_type x(f32({symbol("n"), 3, 4}));
    const node_type* const types[] = {&x};
    const attribute_map all, part{{"start", std::int64_t{-2}}, {"end", std::int64_t{9}}},
        none{{"start", std::int64_t{2}}, {"end", std::int64_t{1}}};
    CHECK(shape_value({"onnx.Shape", &all, types, {}, 1}) == partial_value{symbol("n"), extent(3), extent(4)});
    CHECK(shape_value({"onnx.Shape", &part, types, {}, 1}) == partial_value{extent(3), extent(4)});
    CHECK(shape_value({"onnx.Shape", &none, types, {}, 1}) == partial_value{});
}

TEST_CASE("Only what is all known is a tensor") {
    CHECK(elements_of<std::int64_t>(*whole_value({extent(2), extent(3)}, i64({2}))) == ints{2, 3});
    CHECK_FALSE(whole_value({extent(2), symbol("n")}, i64({2})).has_value());
    CHECK_FALSE(whole_value({extent(2), extent()}, i64({2})).has_value());
    CHECK_FALSE(whole_value({extent(2)}, f32({1})).has_value());
}

static partial_value combined(std::string_view op, const partial_value& x, const partial_value& y) {
    const node_type a(i64({static_cast<std::int64_t>(x.size())})), b(i64({static_cast<std::int64_t>(y.size())}));
    const node_type* const types[] = {&a, &b};
    const partial_value* const values[] = {&x, &y};
    const attribute_map attributes{{"axis", std::int64_t{0}}};
    const bool joins = op == "onnx.Concat";
    const op_definition& d = joins ? definition<onnx_joining<>>(op) : definition<onnx_arithmetic<>>(op);
    const auto size = static_cast<std::int64_t>(joins ? x.size() + y.size() : std::max(x.size(), y.size()));
    return partial_result(d, {op, &attributes, types, {}, 1}, values, i64({size})).value_or(partial_value{extent(-99)});
}

TEST_CASE("Arithmetic knows what it can, and moving moves what is unknown too") {
    const extent n = symbol("n"), unknown;
    CHECK(combined("onnx.Mul", {n, extent(2), n, n}, {extent(1), extent(3), extent(0), n}) ==
          partial_value{n, extent(6), extent(0), unknown});
    CHECK(combined("onnx.Add", {n, extent(2)}, {extent(0)}) == partial_value{n, extent(2)});
    CHECK(combined("onnx.Sub", {n, extent(2)}, {extent(1), extent(3)}) == partial_value{unknown, unknown});
    CHECK(combined("onnx.Div", {n, extent(7), extent(7)}, {extent(1), extent(2), extent(0)}) == partial_value{n, extent(3), unknown});
    CHECK(combined("onnx.Mul", {extent(INT64_MAX)}, {extent(2)}) == partial_value{unknown});
    CHECK(combined("onnx.Concat", {n, extent(2)}, {unknown}) == partial_value{n, extent(2), unknown});
}

TEST_CASE("A Reshape's target says unknown elements in its own way") {
    const tensor_type data = f32({symbol("n"), symbol("m"), 6});
    CHECK(reshape_target({symbol("n"), extent(2), extent(3)}, data) == ints{0, 2, 3});
    CHECK(reshape_target({symbol("m"), extent(2)}, data) == ints{-1, 2});
    CHECK(reshape_target({symbol("n"), extent(), extent(2)}, data) == ints{0, -1, 2});
    CHECK_FALSE(reshape_target({extent(), extent()}, data).has_value());
    CHECK_FALSE(reshape_target({symbol("n"), extent(0)}, data).has_value());
}
