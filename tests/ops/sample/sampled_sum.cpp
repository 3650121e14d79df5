// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_sum.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "one_call.hpp"

using namespace inlay;
using sample_test::counted;
using sample_test::one_call;

TEST_CASE("a product's element is the sum of its terms, with a bound that follows their absolute values") {
    one_call product("onnx.MatMul", {counted({2, 3}), counted({3, 2})});
    REQUIRE(detail::is_sum_of_products(product.c));
    product.want({0, 3});
    CHECK(*detail::want_products(product.c) == 6);
    REQUIRE(detail::sum_products(product.c).has_value());
    CHECK(product.c.result().value(0) == 1 * 1 + 2 * 3 + 3 * 5);
    CHECK(product.c.result().value(3) == 4 * 2 + 5 * 4 + 6 * 6);
    CHECK(product.c.result().error(0) >= sum_steps * 0x1p-23 * 22);
    CHECK(product.c.result().error(0) < 2 * sum_steps * 0x1p-23 * 22);
}

TEST_CASE("padding has no terms, and groups keep to their channels") {
    one_call conv("onnx.Conv", {counted({1, 2, 2, 2}), counted({2, 1, 2, 2})},
                  {{"group", std::int64_t{2}}, {"pads", std::vector<std::int64_t>{1, 1, 0, 0}}});
    conv.want({0, 7});
    REQUIRE(detail::want_products(conv.c).has_value());
    REQUIRE(detail::sum_products(conv.c).has_value());
    // The corner sees the first element alone, under the last tap.
    CHECK(conv.c.result().value(0) == 1 * 4);
    CHECK(conv.c.result().value(7) == 5 * 5 + 6 * 6 + 7 * 7 + 8 * 8);
}

TEST_CASE("a window's mean counts what the attribute says") {
    const attribute_map attributes{{"kernel_shape", std::vector<std::int64_t>{3}}, {"pads", std::vector<std::int64_t>{1, 1}}};
    one_call mean("onnx.AveragePool", {counted({1, 1, 3})}, attributes), most("onnx.MaxPool", {counted({1, 1, 3})}, attributes);
    for (one_call* pool : {&mean, &most}) {
        REQUIRE(detail::is_window_pooling(pool->c));
        pool->want({0});
        REQUIRE(detail::want_windows(pool->c).has_value());
        REQUIRE(detail::pool_windows(pool->c).has_value());
    }
    CHECK(mean.c.result().value(0) == 1.5);
    CHECK(most.c.result().value(0) == 2);
    CHECK(most.c.result().error(0) == 0);
}
