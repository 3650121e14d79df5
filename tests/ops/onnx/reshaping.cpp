// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/reshaping.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using inlay::tensor_type;
using ops_under_test = inlay::onnx_reshaping<>;

namespace {

const inlay::extent n = symbol("n"), open;
const tensor_type unranked(inlay::element_type::float32);

std::string reshaped(const tensor_type& x, const ints& target, std::int64_t allowzero = 0) {
    return inferred<ops_under_test>("onnx.Reshape", {x, list(target)}, {{"allowzero", allowzero}});
}
bool unshaped(const tensor_type& x, const ints& target, std::string_view words, std::int64_t allowzero = 0) {
    return refused<ops_under_test>("onnx.Reshape", {x, list(target)}, {{"allowzero", allowzero}}, words);
}

}  // namespace

TEST_CASE("Reshape copies an extent for 0 and computes the one for -1, with symbols too") {
    CHECK(reshaped(f32({n, 3, 4}), {0, -1}) == "float32[n,12]");
    CHECK(reshaped(f32({n, 3, 4}), {-1, 12}) == "float32[n,12]");
    CHECK(reshaped(f32({n, 3, 4}), {-1}) == "float32[?]");
    CHECK(reshaped(f32({n, symbol("s"), 768}), {0, 0, 12, 64}) == "float32[n,s,12,64]");
    CHECK(reshaped(f32({n, symbol("s"), 768}), {0, 0, 12, -1}) == "float32[n,s,12,64]");
    CHECK(reshaped(f32({open, 3, 4}), {0, -1}) == "float32[?,12]");
    CHECK(reshaped(f32({2, 3, 4}), {4, -1}) == "float32[4,6]");
    CHECK(reshaped(f32({2, 3, 4}), {}) == "error: Reshape of float32[2,3,4] to [] changes the number of elements");
    CHECK(reshaped(f32({1, 1}), {}) == "float32[]");
    CHECK(reshaped(f32({0, 3}), {0}) == "float32[0]");
    CHECK(reshaped(f32({0, 3}), {0, 7}) == "float32[0,7]");
    CHECK(reshaped(f32({0, 3}), {0, -1}) == "float32[0,3]");
    CHECK(reshaped(f32({0, 3}), {3, 0}, 1) == "float32[3,0]");
    CHECK(reshaped(f32({0, 3}), {5, -1}) == "float32[5,0]");
    CHECK(reshaped(unranked, {2, -1, 0}) == "float32[2,?,?]");
}

TEST_CASE("Reshape to a shape that is not known has what rank is known") {
    CHECK(inferred<ops_under_test>("onnx.Reshape", {f32({2, 3}), i64({4})}) == "float32[?,?,?,?]");
    CHECK(inferred<ops_under_test>("onnx.Reshape", {f32({2, 3}), i64({n})}) == "float32[*]");
}

TEST_CASE("Reshape refuses what does not fit with a sentence") {
    CHECK(unshaped(f32({2, 3}), {4, -1}, "evenly"));
    CHECK(unshaped(f32({2, 3}), {-1, -1}, "-1 twice"));
    CHECK(unshaped(f32({2, 3}), {-2, 3}, "below -1"));
    CHECK(unshaped(f32({2, 3}), {INT64_MIN}, "below -1"));
    CHECK(unshaped(f32({2, 3}), {2, 3, 0}, "no axis to copy"));
    CHECK(unshaped(f32({2, 3}), {7}, "number of elements"));
    CHECK(unshaped(f32({2, 3}), {INT64_MAX, 4}, "beyond counting"));
    CHECK(unshaped(unranked, {INT64_MAX, 4}, "beyond counting"));
    CHECK(unshaped(f32({0, 3}), {0, -1}, "beside an extent of 0", 1));
    CHECK(refused<ops_under_test>("onnx.Reshape", {f32({2, 3}), f32({2})}, {}, "list of integers"));
    CHECK(refused<ops_under_test>("onnx.Reshape", {f32({2, 3}), i64({100000})}, {}, "at most"));
    CHECK(refused<ops_under_test>("onnx.Reshape", {f32({2, 3}), i64({1, 2})}, {}, "list of integers"));
    CHECK(refused<ops_under_test>("onnx.Reshape", {f32({2, 3})}, {}, "needs operand 1"));
}

TEST_CASE("Reshape keeps the elements in order") {
    const tensor y = result<ops_under_test>("onnx.Reshape", {counting({2, 3}), list({3, -1})});
    CHECK(y.extents() == ints{3, 2});
    CHECK(elements_of<float>(y) == floats{0, 1, 2, 3, 4, 5});
    CHECK(!result<ops_under_test>("onnx.Reshape", {counting({2, 3}), list({4, 2})}).ok());
}

TEST_CASE("Flatten makes a matrix around an axis") {
    const auto flat = [](const tensor_type& x, std::int64_t axis) {
        return inferred<ops_under_test>("onnx.Flatten", {x}, {{"axis", axis}});
    };
    CHECK(flat(f32({n, 3, 4}), 1) == "float32[n,12]");
    CHECK(flat(f32({2, 3, 4}), 0) == "float32[1,24]");
    CHECK(flat(f32({2, 3, 4}), 3) == "float32[24,1]");
    CHECK(flat(f32({2, 3, 4}), -1) == "float32[6,4]");
    CHECK(flat(f32({2, n, 4}), 2) == "float32[?,4]");
    CHECK(flat(f32({}), 0) == "float32[1,1]");
    CHECK(flat(unranked, 7) == "float32[?,?]");
    CHECK(flat(f32({2, 3}), 3).starts_with("error: Flatten has axis 3"));
    CHECK(flat(f32({INT64_MAX, 3}), 2).starts_with("error:"));
    CHECK(result<ops_under_test>("onnx.Flatten", {counting({2, 3, 4})}).extents() == ints{2, 12});
}

TEST_CASE("Squeeze takes axes of extent 1 out, and Unsqueeze puts them in") {
    const auto squeezed = [](const tensor_type& x, const ints& axes) { return inferred<ops_under_test>("onnx.Squeeze", {x, list(axes)}); };
    const auto unsqueezed = [](const tensor_type& x, const ints& axes) {
        return inferred<ops_under_test>("onnx.Unsqueeze", {x, list(axes)});
    };
    CHECK(squeezed(f32({1, n, 1, 4}), {0, -2}) == "float32[n,4]");
    CHECK(squeezed(f32({n, 4}), {0}) == "float32[4]");
    CHECK(squeezed(f32({2, 4}), {0}).find("not of extent 1") != std::string::npos);
    CHECK(squeezed(f32({1, 4}), {0, -2}).find("twice") != std::string::npos);
    CHECK(squeezed(f32({1, 4}), {2}).find("axis 2") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.Squeeze", {f32({1, 4, 1})}) == "float32[4]");
    CHECK(inferred<ops_under_test>("onnx.Squeeze", {f32({1, n})}) == "float32[*]");
    CHECK(inferred<ops_under_test>("onnx.Squeeze", {f32({1, 4, 1}), i64({1})}) == "float32[?,?]");
    CHECK(unsqueezed(f32({n, 4}), {0, -1}) == "float32[1,n,4,1]");
    CHECK(unsqueezed(f32({}), {0}) == "float32[1]");
    CHECK(unsqueezed(f32({3}), {2}).find("axis 2") != std::string::npos);
    CHECK(unsqueezed(f32({3}), {0, 0}).find("twice") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.Unsqueeze", {f32({3}), i64({2})}) == "float32[?,?,?]");
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Squeeze", {counting({1, 3})})) == floats{0, 1, 2});
    CHECK(result<ops_under_test>("onnx.Unsqueeze", {counting({3}), list({1})}).extents() == ints{3, 1});
}
