// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/scattering.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_scattering<>;

namespace {
tensor at(ints extents, const ints& values) { return tensor::of(std::move(extents), values); }
tensor f(ints extents, const floats& values) { return tensor::of(std::move(extents), values); }
inlay::attribute_map rule(const char* name) { return {{"reduction", std::string(name)}}; }
}  // namespace

TEST_CASE("ScatterElements updates one element for each index") {
    const tensor x = counting({2, 3}), i = at({1, 3}, {1, 0, -1}), u = f({1, 3}, {10, 20, 30});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ScatterElements", {x, i, u})) == floats{0, 20, 2, 10, 4, 30});
    const tensor twice = at({2, 2}, {0, 0, 2, -1}), v = f({2, 2}, {5, 6, 7, -8});
    const auto joined = [&](const char* name) {
        inlay::attribute_map a = rule(name);
        a.set("axis", std::int64_t{1});
        return elements_of<float>(result<ops_under_test>("onnx.ScatterElements", {x, twice, v}, a));
    };
    CHECK(joined("none") == floats{6, 1, 2, 3, 4, -8});
    CHECK(joined("add") == floats{11, 1, 2, 3, 4, 4});
    CHECK(joined("mul") == floats{0, 1, 2, 3, 4, -280});
    CHECK(joined("max") == floats{6, 1, 2, 3, 4, 7});
    CHECK(joined("min") == floats{0, 1, 2, 3, 4, -8});
    CHECK(elements_of<float>(x) == floats{0, 1, 2, 3, 4, 5});
    std::string reason;
    CHECK(results<ops_under_test>("onnx.ScatterElements", {x, at({1, 1}, {2}), f({1, 1}, {0})}, {}, 1, &reason).empty());
    CHECK(reason.find("index 2") != std::string::npos);
}

TEST_CASE("ScatterND updates rows") {
    const tensor x = counting({3, 2}), u = f({2, 2}, {10, 11, 20, 21});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ScatterND", {x, at({2, 1}, {2, 0}), u})) == floats{20, 21, 2, 3, 10, 11});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ScatterND", {x, at({2, 1}, {1, 1}), u}, rule("add"))) ==
          floats{0, 1, 32, 35, 4, 5});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.ScatterND", {x, at({2, 2}, {0, -1, 2, 0}), f({2}, {7, 8})})) ==
          floats{0, 7, 2, 3, 8, 5});
    const tensor big = list({INT64_MAX, 2});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.ScatterND", {big, at({1, 1}, {0}), list({1})}, rule("add"))) ==
          ints{INT64_MIN, 2});
    std::string reason;
    CHECK(results<ops_under_test>("onnx.ScatterND", {x, at({1, 1}, {-4}), f({1, 2}, {0, 0})}, {}, 1, &reason).empty());
    CHECK(reason.find("index -4") != std::string::npos);
}

TEST_CASE("Scattering keeps the type of its data and refuses what does not fit") {
    const inlay::tensor_type x = f32({symbol("n"), 4});
    CHECK(inferred<ops_under_test>("onnx.ScatterElements", {x, i64({2, 4}), f32({2, 4})}) == "float32[n,4]");
    CHECK(inferred<ops_under_test>("onnx.ScatterND", {x, i64({2, 1}), f32({2, 4})}) == "float32[n,4]");
    const auto no = [](const char* op, const std::vector<sample_operand>& operands, const inlay::attribute_map& a, std::string_view words) {
        return refused<ops_under_test>(op, operands, a, words);
    };
    CHECK(no("onnx.ScatterElements", {x, i64({2, 4}), f32({2, 3})}, {}, "do not fit"));
    CHECK(no("onnx.ScatterElements", {x, i64({2, 5}), f32({2, 5})}, {}, "do not fit"));
    CHECK(no("onnx.ScatterElements", {x, i64({2}), f32({2})}, {}, "do not fit"));
    CHECK(no("onnx.ScatterElements", {x, i64({2, 4}), f32({2, 4})}, {{"axis", std::int64_t{2}}}, "axis 2"));
    CHECK(no("onnx.ScatterElements", {x, i64({2, 4}), i64({2, 4})}, {}, "must be one"));
    CHECK(no("onnx.ScatterElements", {x, f32({2, 4}), f32({2, 4})}, {}, "float32"));
    CHECK(no("onnx.ScatterElements", {x, i64({2, 4}), f32({2, 4})}, rule("mean"), "'mean'"));
    CHECK(no("onnx.ScatterND", {x, i64({2, 1}), f32({2, 3})}, {}, "is expected"));
    CHECK(no("onnx.ScatterND", {x, i64({2, 3}), f32({2})}, {}, "3 axes"));
    CHECK(no("onnx.ScatterND", {x, i64({2, 1})}, {}, "needs operand 2"));
}
