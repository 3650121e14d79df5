// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/joining.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_joining<>;

namespace {
inlay::attribute_map axis(std::int64_t a) { return {{"axis", a}}; }
const inlay::extent n = symbol("n"), m = symbol("m");
const inlay::tensor_type unranked(inlay::element_type::float32);
}  // namespace

TEST_CASE("Concat joins along an axis and keeps what is known of the others") {
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Concat", {counting({2, 1}), counting({2, 2}, 10)}, axis(1))) ==
          floats{0, 10, 11, 1, 12, 13});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Concat", {counting({1, 2}), counting({0, 2}), counting({2, 2}, 10)}, axis(-2))) ==
          floats{0, 1, 10, 11, 12, 13});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Concat", {list({1}), list({2, 3})}, axis(0))) == ints{1, 2, 3});
    CHECK(inferred<ops_under_test>("onnx.Concat", {f32({n, 3}), f32({n, 4})}, axis(1)) == "float32[n,7]");
    CHECK(inferred<ops_under_test>("onnx.Concat", {f32({n, 3}), f32({5, 4})}, axis(1)) == "float32[5,7]");
    CHECK(inferred<ops_under_test>("onnx.Concat", {f32({n, 3}), f32({m, 3})}, axis(0)) == "float32[?,3]");
    CHECK(inferred<ops_under_test>("onnx.Concat", {f32({n, 3}), unranked}, axis(1)) == "float32[n,?]");
    CHECK(inferred<ops_under_test>("onnx.Concat", {unranked}, axis(9)) == "float32[*]");
}

TEST_CASE("Concat refuses what does not fit with a sentence") {
    CHECK(refused<ops_under_test>("onnx.Concat", {}, axis(0), "at least one"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({1})}, {}, "axis"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({1}), f32({1})}, axis(1), "axis 1"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({}), f32({})}, axis(0), "axis 0"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({2, 3}), f32({3, 3})}, axis(1), "cannot join"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({2, 3}), f32({3})}, axis(0), "cannot join"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({2}), i64({3})}, axis(0), "must be one"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({INT64_MAX}), f32({3})}, axis(0), "cannot join"));
    CHECK(refused<ops_under_test>("onnx.Concat", {f32({2}), sample_operand()}, axis(0), "left out"));
}

TEST_CASE("Split cuts into stated sizes, or even ones with a smaller last") {
    const auto parts = results<ops_under_test>("onnx.Split", {counting({2, 4}), list({1, 3})}, axis(1), 2);
    REQUIRE(parts.size() == 2);
    CHECK(elements_of<float>(parts[0]) == floats{0, 4});
    CHECK(elements_of<float>(parts[1]) == floats{1, 2, 3, 5, 6, 7});
    const auto even = results<ops_under_test>("onnx.Split", {counting({7})}, {{"num_outputs", std::int64_t{3}}}, 3);
    REQUIRE(even.size() == 3);
    CHECK(elements_of<float>(even[1]) == floats{3, 4, 5});
    CHECK(elements_of<float>(even[2]) == floats{6});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Split", {counting({2})})) == floats{0, 1});
    CHECK(inferred<ops_under_test>("onnx.Split", {f32({n, 6})}, axis(1), 2) == "(float32[n,3], float32[n,3])");
    CHECK(inferred<ops_under_test>("onnx.Split", {f32({n, 6})}, axis(0), 2) == "(float32[?,6], float32[?,6])");
    CHECK(inferred<ops_under_test>("onnx.Split", {f32({n, 6}), list({2, 3})}, axis(0), 2) == "(float32[2,6], float32[3,6])");
    CHECK(inferred<ops_under_test>("onnx.Split", {f32({n, 6}), i64({2})}, axis(1), 2) == "(float32[n,?], float32[n,?])");
    CHECK(inferred<ops_under_test>("onnx.Split", {unranked}, axis(1), 2) == "(float32[*], float32[*])");
}

TEST_CASE("Split refuses what does not fit with a sentence") {
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5}), list({2, 2})}, {}, "leaves 1", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5}), list({2, 4})}, {}, "as many left", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5}), list({6, -1})}, {}, "as many left", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({n}), list({6, -1})}, {}, "cuts -1", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5}), list({INT64_MAX, INT64_MAX})}, {}, "as many left", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5}), list({5})}, {}, "1 sizes", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5})}, {}, "into 4 parts", 4));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5})}, {{"num_outputs", std::int64_t{3}}}, "num_outputs 3", 2));
    CHECK(refused<ops_under_test>("onnx.Split", {f32({5})}, axis(1), "axis 1", 2));
}
