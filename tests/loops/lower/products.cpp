// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/products.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("products of matrices, in batches and transposed, come out alike [loops.lower.products]") {
    const bool holds = rc::check([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        const std::int64_t rows = n(), depth = n(), columns = n();
        const tensor a = lowered::random_floats({2, 3, rows, depth});
        const tensor b =
            *rc::gen::arbitrary<bool>() ? lowered::random_floats({depth, columns}) : lowered::random_floats({3, depth, columns});
        RC_ASSERT(lowered::difference({a, b}, [](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Relu", {g.call("onnx.MatMul", {g.call("onnx.Tanh", {in[0]}), in[1]})});
                  }) == "");
        const bool ta = *rc::gen::arbitrary<bool>(), tb = *rc::gen::arbitrary<bool>();
        const tensor x = lowered::random_floats(ta ? std::vector{depth, rows} : std::vector{rows, depth});
        const tensor y = lowered::random_floats(tb ? std::vector{columns, depth} : std::vector{depth, columns});
        const tensor z = lowered::random_floats({columns});
        RC_ASSERT(lowered::difference({x, y, z}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Gemm", {in[0], in[1], in[2]},
                                    {{"transA", std::int64_t{ta}}, {"transB", std::int64_t{tb}}, {"alpha", 0.5}, {"beta", 2.0}});
                  }) == "");
    });
    CHECK(holds);
}
