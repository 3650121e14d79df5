// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/gathering.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_gathering<>;

namespace {
tensor at(ints extents, const ints& values) { return tensor::of(std::move(extents), values); }
inlay::attribute_map axis(std::int64_t a) { return {{"axis", a}}; }
const inlay::extent n = symbol("n");
const inlay::tensor_type unranked(inlay::element_type::float32);

std::string why(const char* op, const std::vector<tensor>& operands, const inlay::attribute_map& attributes = {}) {
    std::string reason;
    CHECK(results<ops_under_test>(op, operands, attributes, 1, &reason).empty());
    return reason;
}
}  // namespace

TEST_CASE("Gather puts the indices' axes in place of the one it reads") {
    const tensor x = counting({2, 3, 4});
    const tensor y = result<ops_under_test>("onnx.Gather", {x, at({2, 2}, {0, -1, 1, 1})}, axis(1));
    REQUIRE(y.extents() == ints{2, 2, 2, 4});
    const std::size_t from[] = {0, 2, 1, 1};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t j = 0; j < 4; ++j) CHECK(y.as<float>()[(i * 4 + k) * 4 + j] == static_cast<float>((i * 3 + from[k]) * 4 + j));
    const tensor scalar = result<ops_under_test>("onnx.Gather", {list({5, 6, 7}), at({}, {1})});
    CHECK(scalar.rank() == 0);
    CHECK(elements_of<std::int64_t>(scalar) == ints{6});
    CHECK(result<ops_under_test>("onnx.Gather", {x, at({0}, {})}, axis(-1)).extents() == ints{2, 3, 0});
    CHECK(why("onnx.Gather", {x, at({1}, {2})}).find("index 2") != std::string::npos);
    CHECK(why("onnx.Gather", {x, at({1}, {INT64_MIN})}).find("index -9223372036854775808") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.Gather", {f32({n, 768}), i64({symbol("b"), 7})}) == "float32[b,7,768]");
    CHECK(inferred<ops_under_test>("onnx.Gather", {f32({n, 768}), inlay::tensor_type(inlay::element_type::int64)}) == "float32[*]");
    CHECK(refused<ops_under_test>("onnx.Gather", {f32({2}), i64({1})}, axis(1), "axis 1"));
    CHECK(refused<ops_under_test>("onnx.Gather", {f32({}), i64({1})}, {}, "axis 0"));
    CHECK(refused<ops_under_test>("onnx.Gather", {f32({2}), f32({1})}, {}, "float32"));
    CHECK(refused<ops_under_test>("onnx.Gather", {f32({2, INT64_MAX}), i64({9})}, {}, "beyond counting"));
}

TEST_CASE("GatherElements reads one element for each index") {
    const tensor x = counting({3, 3});
    const tensor y = result<ops_under_test>("onnx.GatherElements", {x, at({2, 3}, {0, -1, 2, 1, 0, 0})});
    CHECK(y.extents() == ints{2, 3});
    CHECK(elements_of<float>(y) == floats{0, 7, 8, 3, 1, 2});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GatherElements", {x, at({3, 2}, {0, 2, 1, -3, 2, 0})}, axis(1))) ==
          floats{0, 2, 4, 3, 8, 6});
    CHECK(why("onnx.GatherElements", {x, at({1, 1}, {3})}).find("index 3") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.GatherElements", {f32({n, 4}), i64({n, 2})}, axis(1)) == "float32[n,2]");
    CHECK(refused<ops_under_test>("onnx.GatherElements", {f32({2, 4}), i64({3, 2})}, axis(1), "reach beyond"));
    CHECK(refused<ops_under_test>("onnx.GatherElements", {f32({2, 4}), i64({2})}, {}, "reach beyond"));
    CHECK(refused<ops_under_test>("onnx.GatherElements", {f32({}), i64({})}, {}, "axis 0"));
}

TEST_CASE("GatherND reads what the last axis of the indices names") {
    const tensor x = counting({2, 2, 3});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GatherND", {x, at({2, 3}, {0, 1, 2, 1, -1, -3})})) == floats{5, 9});
    const tensor rows = result<ops_under_test>("onnx.GatherND", {x, at({1, 2, 1}, {1, 0})});
    CHECK(rows.extents() == ints{1, 2, 2, 3});
    CHECK(elements_of<float>(rows) == floats{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.GatherND", {x, at({2, 1}, {1, 0})}, {{"batch_dims", std::int64_t{1}}})) ==
          floats{3, 4, 5, 6, 7, 8});
    CHECK(why("onnx.GatherND", {x, at({1, 2}, {0, 2})}).find("index 2") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.GatherND", {f32({n, 4, 5}), i64({n, 7, 2})}) == "float32[n,7,5]");
    CHECK(inferred<ops_under_test>("onnx.GatherND", {f32({n, 4, 5}), i64({n, 7, 2})}, {{"batch_dims", std::int64_t{1}}}) == "float32[n,7]");
    CHECK(inferred<ops_under_test>("onnx.GatherND", {f32({n, 4}), i64({2, n})}) == "float32[*]");
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({2, 3})}, {}, "3 axes"));
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({2, INT64_MAX})}, {}, "axes"));
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({})}, {}, "rank of 1"));
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({2, 1})}, {{"batch_dims", std::int64_t{2}}}, "batch_dims 2"));
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({2, 1})}, {{"batch_dims", INT64_MIN}}, "batch_dims"));
    CHECK(refused<ops_under_test>("onnx.GatherND", {f32({2, 2}), i64({3, 1})}, {{"batch_dims", std::int64_t{1}}}, "first axes differ"));
}

TEST_CASE("Gathering moves half floats as they are") {
    const tensor x = *inlay::convert_elements(counting({3}), inlay::element_type::bfloat16);
    const tensor y = result<ops_under_test>("onnx.Gather", {x, list({2, 0})});
    CHECK(elements_of<float>(*inlay::convert_elements(y, inlay::element_type::float32)) == floats{2, 0});
    CHECK(inferred<ops_under_test>("onnx.Gather", {unranked, i64({1})}) == "float32[*]");
}
