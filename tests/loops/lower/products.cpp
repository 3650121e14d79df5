// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/products.hpp>

#include <string>
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

TEST_CASE("products with a vector on either side or both come out alike [loops.lower.products]") {
    const bool holds = rc::check([] {
        const tensor vector = lowered::random_floats({3}), matrix = lowered::random_floats({4, 3}),
                     batches = lowered::random_floats({2, 3, 4});
        const auto product = [](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.MatMul", {in[0], in[1]}); };
        RC_ASSERT(lowered::difference({matrix, vector}, product) == "");
        RC_ASSERT(lowered::difference({vector, batches}, product) == "");
        RC_ASSERT(lowered::difference({vector, vector}, product) == "");
    });
    CHECK(holds);
}

TEST_CASE("sums of products by an equation come out alike [loops.lower.products]") {
    const auto alike = [](const std::string& equation, const std::vector<tensor>& inputs) {
        return lowered::difference(inputs, [&](ir_builder& g, const std::vector<node_id>& in) {
            return g.call("onnx.Einsum", in, {{"equation", equation}});
        });
    };
    const bool holds = rc::check([&] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 4); };
        const std::int64_t b = n(), i = n(), j = n(), k = n();
        RC_ASSERT(alike("bij,bjk->bik", {lowered::random_floats({b, i, j}), lowered::random_floats({b, j, k})}) == "");
        RC_ASSERT(alike("...ij,...kj->...ki", {lowered::random_floats({b, i, j}), lowered::random_floats({k, j})}) == "");
        RC_ASSERT(alike("ii->i", {lowered::random_floats({i, i})}) == "");
        RC_ASSERT(alike("ij->ji", {lowered::random_floats({i, j})}) == "");
        RC_ASSERT(alike("i,j,i->", {lowered::random_floats({i}), lowered::random_floats({j}), lowered::random_floats({i})}) == "");
    });
    CHECK(holds);
}
