// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/generation.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::element_type;
using inlay::tensor;
using inlay::tensor_type;
using ops_under_test = inlay::onnx_generation<>;

TEST_CASE("Shape and Size tell of their operand") {
    const tensor x = counting({2, 3, 4});
    const auto shape_of = [&](std::int64_t start, std::int64_t end) {
        return elements_of<std::int64_t>(result<ops_under_test>("onnx.Shape", {x}, {{"start", start}, {"end", end}}));
    };
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Shape", {x})) == ints{2, 3, 4});
    CHECK(shape_of(1, -1) == ints{3});
    CHECK(shape_of(-1, 99) == ints{4});
    CHECK(shape_of(2, 1) == ints{});
    CHECK(shape_of(INT64_MIN, INT64_MAX) == ints{2, 3, 4});
    CHECK(inferred<ops_under_test>("onnx.Shape", {f32({symbol("n"), 3})}) == "int64[2]");
    CHECK(inferred<ops_under_test>("onnx.Shape", {tensor_type(element_type::float32)}) == "int64[?]");
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Size", {x})) == ints{24});
    CHECK(inferred<ops_under_test>("onnx.Size", {tensor_type(element_type::float32)}) == "int64[]");
}

TEST_CASE("ConstantOfShape repeats its value") {
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ConstantOfShape", {list({2})})) == floats{0, 0});
    const inlay::attribute_map seven{{"value", tensor::of<std::int64_t>({1}, ints{7})}};
    const tensor y = result<ops_under_test>("onnx.ConstantOfShape", {list({2, 2})}, seven);
    CHECK(y.extents() == ints{2, 2});
    CHECK(elements_of<std::int64_t>(y) == ints{7, 7, 7, 7});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.ConstantOfShape", {list({})}, seven)) == ints{7});
    CHECK(result<ops_under_test>("onnx.ConstantOfShape", {list({0, 2})}, seven).count() == 0);
    CHECK(inferred<ops_under_test>("onnx.ConstantOfShape", {i64({2})}, seven) == "int64[?,?]");
    CHECK(refused<ops_under_test>("onnx.ConstantOfShape", {list({-1})}, {}, "must not be negative"));
    CHECK(refused<ops_under_test>("onnx.ConstantOfShape", {list({INT64_MAX, 2})}, {}, "beyond counting"));
    CHECK(refused<ops_under_test>("onnx.ConstantOfShape", {list({1})}, {{"value", list({1, 2})}}, "one element"));
    CHECK(refused<ops_under_test>("onnx.ConstantOfShape", {list({1})}, {{"value", 2.0}}, "one element"));
    std::string reason;
    CHECK(results<ops_under_test>("onnx.ConstantOfShape", {list({std::int64_t{1} << 50})}, {}, 1, &reason).empty());
    CHECK(reason.find("cannot allocate") != std::string::npos);
}

TEST_CASE("Constant states its value by any of its attributes") {
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Constant", {}, {{"value_int", std::int64_t{3}}})) == ints{3});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Constant", {}, {{"value", list({1, 2})}})) == ints{1, 2});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Constant", {}, {{"value_floats", std::vector<double>{0.5, 2}}})) ==
          floats{0.5f, 2});
    CHECK(inferred<ops_under_test>("onnx.Constant", {}, {{"value_float", 0.5}}) == "float32[]");
    CHECK(inferred<ops_under_test>("onnx.Constant", {}, {{"value_ints", ints{1, 2, 3}}}) == "int64[3]");
    CHECK(refused<ops_under_test>("onnx.Constant", {}, {}, "needs one of"));
}

TEST_CASE("Range counts up, down, by fractions, and not at all") {
    const auto range = [](auto a, auto b, auto c) {
        return result<ops_under_test>("onnx.Range", {tensor::scalar(a), tensor::scalar(b), tensor::scalar(c)});
    };
    const std::int64_t lowest = INT64_MIN, highest = INT64_MAX;
    CHECK(elements_of<std::int64_t>(range(std::int64_t{3}, std::int64_t{9}, std::int64_t{3})) == ints{3, 6});
    CHECK(elements_of<std::int32_t>(range(10, 4, -2)) == std::vector<std::int32_t>{10, 8, 6});
    CHECK(elements_of<float>(range(0.0f, 1.1f, 0.5f)) == floats{0, 0.5f, 1});
    CHECK(range(5, 5, 1).count() == 0);
    CHECK(range(5, 4, 1).count() == 0);
    CHECK(elements_of<std::int64_t>(range(lowest, highest, highest)) == ints{lowest, -1, highest - 1});
    CHECK(elements_of<std::int64_t>(range(highest, lowest, lowest)) == ints{highest, -1});
    CHECK(!range(lowest, highest, std::int64_t{1}).ok());
    const tensor zero = tensor::scalar(0.0f), one = tensor::scalar(1.0f), bad = tensor::scalar(std::numeric_limits<float>::quiet_NaN());
    CHECK(refused<ops_under_test>("onnx.Range", {zero, one, zero}, {}, "delta of 0"));
    CHECK(refused<ops_under_test>("onnx.Range", {zero, bad, one}, {}, "counted"));
    CHECK(refused<ops_under_test>("onnx.Range", {zero, one, tensor::scalar(1e-30f)}, {}, "counted"));
    CHECK(refused<ops_under_test>("onnx.Range", {zero, one, tensor::scalar(1)}, {}, "must be one"));
    CHECK(refused<ops_under_test>("onnx.Range", {zero, one, list({1, 2})}, {}, "must be one"));
    CHECK(refused<ops_under_test>("onnx.Range", {f32({2}), one, one}, {}, "one number"));
    CHECK(inferred<ops_under_test>("onnx.Range", {f32({}), one, one}) == "float32[?]");
}

TEST_CASE("EyeLike has ones on a diagonal") {
    const tensor x = counting({2, 3});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.EyeLike", {x})) == floats{1, 0, 0, 0, 1, 0});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.EyeLike", {x}, {{"k", std::int64_t{2}}})) == floats{0, 0, 1, 0, 0, 0});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.EyeLike", {x}, {{"k", std::int64_t{-1}}})) == floats{0, 0, 0, 1, 0, 0});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.EyeLike", {x}, {{"k", INT64_MAX}})) == floats(6, 0.0f));
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.EyeLike", {x}, {{"dtype", std::int64_t{7}}})) == ints{1, 0, 0, 0, 1, 0});
    CHECK(refused<ops_under_test>("onnx.EyeLike", {x}, {{"dtype", std::int64_t{99}}}, "dtype"));
    CHECK(refused<ops_under_test>("onnx.EyeLike", {counting({3})}, {}, "a matrix"));
}
