// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_batch.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "one_call.hpp"

using namespace inlay;
using sample_test::counted;
using sample_test::one_call;

TEST_CASE("an elementwise batch holds the wanted elements, each operand stretched to them") {
    one_call sum("onnx.Add", {counted({2, 3}), counted({3})});
    REQUIRE(detail::elementwise_batch::suits(sum.c));
    sum.want({1, 5});
    const detail::sampled_batch b = detail::elementwise_batch::of(sum.c);
    CHECK(b.operands[0].elements == std::vector<std::int64_t>{1, 5});
    CHECK(b.operands[1].elements == std::vector<std::int64_t>{1, 2});
    REQUIRE(detail::batch_evaluation(sum.c, b).run().has_value());
    CHECK(sum.c.result().value(5) == 9);
    CHECK(sum.c.result().error(5) > 0);
    CHECK(sum.c.result().error(5) < 1e-3);
}

TEST_CASE("a row batch holds the rows of the wanted elements, each once") {
    one_call soft("onnx.Softmax", {counted({2, 2, 2})}, {{"axis", std::int64_t{1}}});
    REQUIRE(detail::row_batch::suits(soft.c));
    soft.want({4, 6});
    const auto b = detail::row_batch::of(soft.c);
    REQUIRE(b.has_value());
    CHECK(b->operands[0].elements == std::vector<std::int64_t>{4, 6});
    CHECK(b->operands[0].extents == std::vector<std::int64_t>{1, 2});
    REQUIRE(detail::batch_evaluation(soft.c, *b).run().has_value());
    CHECK(soft.c.result().value(4) + soft.c.result().value(6) == doctest::Approx(1));
    one_call mean("onnx.ReduceMean", {counted({2, 3}), tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{0})});
    mean.want({2});
    const auto rows = detail::row_batch::of(mean.c);
    REQUIRE(rows.has_value());
    CHECK(rows->operands[0].elements == std::vector<std::int64_t>{2, 5});
}
