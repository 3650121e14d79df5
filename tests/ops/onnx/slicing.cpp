// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/slicing.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_slicing<>;

namespace {

// The places that a slice takes, by walking: an index that counts from the end is moved first, the walk begins at the nearest element, and
// stops outside the axis.
ints places_by_walking(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
    const auto moved = [&](std::int64_t at) { return at < 0 ? at + size : at; };
    ints places;
    std::int64_t first = moved(start), last = moved(end);
    if (step > 0) {
        for (std::int64_t at = std::max<std::int64_t>(first, 0); at < std::min(last, size); at += step) places.push_back(at);
    } else {
        for (std::int64_t at = std::min(std::max<std::int64_t>(first, 0), size - 1); at > std::max<std::int64_t>(last, -1); at += step)
            places.push_back(at);
    }
    return places;
}

}  // namespace

TEST_CASE("A slice of an axis takes what walking over it takes [ops.slice.backwards]") {
    for (std::int64_t size = 0; size < 6; ++size)
        for (std::int64_t start = -8; start < 9; ++start)
            for (std::int64_t end = -8; end < 9; ++end)
                for (const std::int64_t step : {-7, -2, -1, 1, 2, 3, 9}) {
                    const inlay::axis_slice s = inlay::sliced_axis(start, end, step, size);
                    ints places;
                    for (std::int64_t i = 0; i < s.count; ++i) places.push_back(s.first + i * s.step);
                    REQUIRE(places == places_by_walking(start, end, step, size));
                }
}

TEST_CASE("Slices survive the largest numbers") {
    for (const std::int64_t start : {INT64_MIN, INT64_MAX})
        for (const std::int64_t end : {INT64_MIN, INT64_MAX})
            for (const std::int64_t step : {INT64_MIN, INT64_MAX}) {
                const inlay::axis_slice s = inlay::sliced_axis(start, end, step, 5);
                // Backwards from before the first element to before it is that element.
                const bool ends_before = step < 0 && end == INT64_MIN;
                CHECK(s.count == (ends_before || (step > 0 && start < end) ? 1 : 0));
            }
    CHECK(inlay::sliced_axis(INT64_MAX, INT64_MIN, -1, 5).count == 5);
}

TEST_CASE("Slice takes parts of several axes, by any step, in any order of axes") {
    const tensor x = counting({3, 4, 5});
    const tensor y = result<ops_under_test>("onnx.Slice", {x, list({-1, 1}), list({INT64_MIN, 4}), list({2, 0}), list({-2, 1})});
    REQUIRE(y.extents() == ints{2, 4, 3});
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                CHECK(y.as<float>()[(i * 4 + j) * 3 + k] == static_cast<float>(((i + 1) * 4 + j) * 5 + 4 - 2 * k));
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Slice", {counting({4}), list({1}), list({3})})) == floats{1, 2});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Slice", {counting({4}), list({1}), list({3}), tensor(), list({2})})) ==
          floats{1});
    CHECK(result<ops_under_test>("onnx.Slice", {counting({4, 2}), list({3}), list({1})}).extents() == ints{0, 2});
    const tensor small = tensor::of<std::int32_t>({1}, std::vector<std::int32_t>{-2}),
                 last = tensor::of<std::int32_t>({1}, std::vector<std::int32_t>{INT32_MAX});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Slice", {counting({4}), small, last})) == floats{2, 3});
}

TEST_CASE("Slice's type rule keeps what no slice touches") {
    const auto typed = [](const std::vector<sample_operand>& operands) { return inferred<ops_under_test>("onnx.Slice", operands); };
    const inlay::tensor_type x = f32({symbol("n"), 8, symbol("s")});
    CHECK(typed({x, list({2}), list({5}), list({1})}) == "float32[n,3,s]");
    CHECK(typed({x, list({0}), list({INT64_MAX}), list({2})}) == "float32[n,8,s]");
    CHECK(typed({x, list({0}), list({4}), list({2})}) == "float32[n,8,?]");
    CHECK(typed({x, i64({1}), list({4}), list({2})}) == "float32[n,8,?]");
    CHECK(typed({x, i64({1}), list({4}), list({1})}) == "float32[n,?,s]");
    CHECK(typed({x, list({0}), list({4}), i64({1})}) == "float32[?,?,?]");
    CHECK(typed({x, i64({1}), i64({1})}) == "float32[?,8,s]");
    CHECK(typed({inlay::tensor_type(inlay::element_type::float32), list({0}), list({4})}) == "float32[*]");
}

TEST_CASE("Slice refuses what does not fit with a sentence") {
    const sample_operand x = f32({4, 8});
    const auto no = [&](const std::vector<sample_operand>& operands, std::string_view words) {
        return refused<ops_under_test>("onnx.Slice", operands, {}, words);
    };
    CHECK(no({x, list({0}), list({4}), list({0}), list({0})}, "step of 0"));
    CHECK(no({x, list({0}), list({4, 5})}, "1 are expected"));
    CHECK(no({x, list({0}), list({4}), list({2})}, "axis 2"));
    CHECK(no({x, list({0, 0}), list({4, 4}), list({0, -2})}, "twice"));
    CHECK(no({x, list({0, 0, 0}), list({4, 4, 4})}, "axis 2"));
    CHECK(no({x, list({0})}, "needs operand 2"));
    CHECK(no({x, f32({1}), list({0})}, "list of integers"));
}
