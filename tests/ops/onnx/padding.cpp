// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/padding.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_padding<>;

namespace {
inlay::attribute_map mode(const char* name) { return {{"mode", std::string(name)}}; }
floats padded(const floats& x, const ints& pads, const char* name) {
    return elements_of<float>(
        result<ops_under_test>("onnx.Pad", {tensor::of<float>({static_cast<std::int64_t>(x.size())}, x), list(pads)}, mode(name)));
}
}  // namespace

TEST_CASE("Added elements are a constant, the ends, a reflection, or the axis again") {
    const floats x{1, 2, 3};
    CHECK(padded(x, {2, 1}, "constant") == floats{0, 0, 1, 2, 3, 0});
    CHECK(padded(x, {2, 1}, "edge") == floats{1, 1, 1, 2, 3, 3});
    CHECK(padded(x, {2, 1}, "reflect") == floats{3, 2, 1, 2, 3, 2});
    CHECK(padded(x, {2, 1}, "wrap") == floats{2, 3, 1, 2, 3, 1});
    CHECK(padded(x, {5, 4}, "reflect") == floats{2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3});
    CHECK(padded(x, {4, 3}, "wrap") == floats{3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
    CHECK(padded({7}, {2, 1}, "reflect") == floats{7, 7, 7, 7});
    CHECK(padded(x, {-1, 1}, "constant") == floats{2, 3, 0});
    CHECK(padded(x, {0, -3}, "constant") == floats{});
}

TEST_CASE("Pad works along stated axes, with a stated constant, on any element") {
    const tensor y = result<ops_under_test>("onnx.Pad", {counting({2, 2}), list({1, 0}), tensor::scalar(9.0f), list({-1})});
    CHECK(y.extents() == ints{2, 3});
    CHECK(elements_of<float>(y) == floats{9, 0, 1, 9, 2, 3});
    const tensor z = result<ops_under_test>("onnx.Pad", {counting({2, 2}), list({1, 1, 0, 0})}, mode("edge"));
    CHECK(elements_of<float>(z) == floats{0, 0, 1, 0, 0, 1, 2, 2, 3});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Pad", {list({4}), list({1, 0}), tensor::scalar(std::int64_t{-1})})) ==
          ints{-1, 4});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Pad", {counting({0}), list({1, 1})})) == floats{0, 0});
}

TEST_CASE("Pad's type rule keeps symbols and refuses what does not fit") {
    const inlay::tensor_type x = f32({symbol("n"), 4, symbol("h")});
    CHECK(inferred<ops_under_test>("onnx.Pad", {x, list({0, 1, 1, 0, 1, -1})}) == "float32[n,6,h]");
    CHECK(inferred<ops_under_test>("onnx.Pad", {x, list({0, 0, 1, 0, 0, 0})}) == "float32[n,4,?]");
    CHECK(inferred<ops_under_test>("onnx.Pad", {x, i64({6})}) == "float32[?,?,?]");
    CHECK(inferred<ops_under_test>("onnx.Pad", {x, i64({2}), sample_operand(), list({1})}) == "float32[n,?,h]");
    CHECK(inferred<ops_under_test>("onnx.Pad", {inlay::tensor_type(inlay::element_type::float32), i64({2})}) == "float32[*]");
    const auto no = [](const std::vector<sample_operand>& operands, const inlay::attribute_map& a, std::string_view words) {
        return refused<ops_under_test>("onnx.Pad", operands, a, words);
    };
    CHECK(no({x, list({1, 1})}, {}, "6 are expected"));
    CHECK(no({f32({3}), list({-2, -2})}, {}, "leaves no extent"));
    CHECK(no({f32({3}), list({INT64_MAX, 1})}, {}, "too large"));
    CHECK(no({f32({3}), list({INT64_MIN, 1})}, {}, "too large"));
    CHECK(no({f32({INT64_MAX}), list({1, 1})}, {}, "extent"));
    CHECK(no({f32({0}), list({1, 1})}, mode("edge"), "no elements"));
    CHECK(no({f32({3}), list({1, 1})}, mode("mirror"), "'mirror'"));
    CHECK(no({f32({3}), list({1, 1}), tensor::scalar(std::int64_t{1})}, {}, "one element type"));
    CHECK(no({f32({3}), list({1, 1}), f32({2})}, {}, "one element is expected"));
    CHECK(no({f32({3}), list({1, 1}), sample_operand(), list({1})}, {}, "axis 1"));
    CHECK(no({f32({3, 3}), list({1, 1, 1, 1}), sample_operand(), list({1, -1})}, {}, "twice"));
}
