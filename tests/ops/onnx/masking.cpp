// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/masking.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_masking<>;

TEST_CASE("Trilu keeps what is above or below a diagonal") {
    const tensor x = counting({2, 3, 4}, 1);
    for (std::int64_t k = -5; k < 6; ++k)
        for (const bool upper : {false, true}) {
            const tensor y = result<ops_under_test>("onnx.Trilu", {x, tensor::scalar(k)}, {{"upper", std::int64_t{upper}}});
            REQUIRE(y.ok());
            std::size_t at = 0;
            for (int m = 0; m < 2; ++m)
                for (std::int64_t i = 0; i < 3; ++i)
                    for (std::int64_t j = 0; j < 4; ++j, ++at)
                        CHECK(y.as<float>()[at] == ((upper ? j >= i + k : j <= i + k) ? x.as<float>()[at] : 0));
        }
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Trilu", {counting({2, 2}, 1)})) == floats{1, 2, 0, 4});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Trilu", {counting({2, 2}, 1), tensor::scalar(INT64_MAX)})) == floats(4, 0.0f));
    CHECK(inferred<ops_under_test>("onnx.Trilu", {f32({symbol("n"), 3})}) == "float32[n,3]");
    CHECK(refused<ops_under_test>("onnx.Trilu", {f32({3})}, {}, "a matrix"));
    CHECK(refused<ops_under_test>("onnx.Trilu", {f32({3, 3}), list({1, 2})}, {}, "one number"));
}

TEST_CASE("OneHot sets the place that an index names, and none for an index outside") {
    const tensor depth = tensor::scalar(std::int64_t{3}), values = tensor::of<float>({2}, floats{-1, 5});
    const tensor y = result<ops_under_test>("onnx.OneHot", {list({0, -1, 3}), depth, values});
    CHECK(y.extents() == ints{3, 3});
    CHECK(elements_of<float>(y) == floats{5, -1, -1, -1, -1, 5, -1, -1, -1});
    const tensor z = result<ops_under_test>("onnx.OneHot", {list({0, 2}), depth, values}, {{"axis", std::int64_t{0}}});
    CHECK(z.extents() == ints{3, 2});
    CHECK(elements_of<float>(z) == floats{5, -1, -1, -1, -1, 5});
    CHECK(inferred<ops_under_test>("onnx.OneHot", {i64({symbol("n")}), depth, values}) == "float32[n,3]");
    CHECK(inferred<ops_under_test>("onnx.OneHot", {i64({symbol("n")}), i64({}), values}) == "float32[n,?]");
    CHECK(refused<ops_under_test>("onnx.OneHot", {i64({2}), tensor::scalar(std::int64_t{-3}), values}, {}, "depth -3"));
    CHECK(refused<ops_under_test>("onnx.OneHot", {i64({2}), list({1, 2}), values}, {}, "one number"));
    CHECK(refused<ops_under_test>("onnx.OneHot", {i64({2}), depth, f32({3})}, {}, "off and on"));
    CHECK(refused<ops_under_test>("onnx.OneHot", {i64({2}), depth, values}, {{"axis", std::int64_t{2}}}, "axis 2"));
    CHECK(refused<ops_under_test>("onnx.OneHot", {i64({9}), tensor::scalar(INT64_MAX), values}, {}, "beyond counting"));
}

TEST_CASE("ReverseSequence turns the first steps of each batch round") {
    const tensor x = counting({4, 2});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ReverseSequence", {x, list({4, 2})})) == floats{6, 3, 4, 1, 2, 5, 0, 7});
    const inlay::attribute_map rows{{"batch_axis", std::int64_t{0}}, {"time_axis", std::int64_t{1}}};
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ReverseSequence", {counting({2, 3}), list({0, 2})}, rows)) ==
          floats{0, 1, 2, 4, 3, 5});
    std::string reason;
    CHECK(results<ops_under_test>("onnx.ReverseSequence", {x, list({5, 0})}, {}, 1, &reason).empty());
    CHECK(reason.find("length of 5") != std::string::npos);
    CHECK(refused<ops_under_test>("onnx.ReverseSequence", {f32({4, 2}), i64({3})}, {}, "lengths"));
    CHECK(refused<ops_under_test>("onnx.ReverseSequence", {f32({4}), i64({4})}, {}, "rank of 2"));
    CHECK(refused<ops_under_test>("onnx.ReverseSequence", {f32({4, 2}), i64({2})}, {{"time_axis", std::int64_t{1}}}, "batch_axis"));
}
