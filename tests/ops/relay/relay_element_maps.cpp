// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_element_maps.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "sample_relay_call.hpp"

using namespace inlay;
using namespace inlay_test;
using floats = std::vector<float>;
using numbers = std::vector<std::int32_t>;

TEST_CASE("divisions and rests of both signs round as Relay's text says [ops.relay.types]") {
    const tensor a = tensor::of({4}, numbers{7, -7, 7, -7}), b = tensor::of({4}, numbers{3, 3, -3, -3});
    CHECK(relay_numbers<std::int32_t>("floor_divide", {a, b}) == numbers{2, -3, -3, 2});
    CHECK(relay_numbers<std::int32_t>("floor_mod", {a, b}) == numbers{1, 2, -2, -1});
    CHECK(relay_numbers<std::int32_t>("trunc_divide", {a, b}) == numbers{2, -2, -2, 2});
    CHECK(relay_numbers<std::int32_t>("mod", {a, b}) == numbers{1, -1, 1, -1});
    const tensor by = tensor::of({4}, numbers{1, 1, 2, 2});
    CHECK(relay_numbers<std::int32_t>("right_shift", {a, by}) == numbers{3, -4, 1, -2});
    CHECK(relay_numbers<std::int32_t>("left_shift", {a, by}) == numbers{14, -14, 28, -28});
    const tensor x = tensor::of({2}, floats{7.5f, -7.5f}), y = tensor::of({2}, floats{2, 2});
    CHECK(relay_numbers<float>("floor_divide", {x, y}) == floats{3, -4});
    CHECK(relay_numbers<float>("floor_mod", {x, y}) == floats{1.5f, 0.5f});
    CHECK(relay_numbers<float>("trunc", {x}) == floats{7, -7});
}

TEST_CASE("what is left out has Relay's default [ops.relay.defaults]") {
    const tensor x = tensor::of({2}, floats{-4, 4});
    CHECK(relay_numbers<float>("nn.leaky_relu", {x}) == floats{-1, 4});
    CHECK(relay_numbers<float>("full_like", {x, tensor::scalar(3.0f)}) == floats{3, 3});
    CHECK(relay_numbers<float>("where", {tensor::of({2}, numbers{2, 0}), x, tensor::scalar(1.0f)}) == floats{-4, 1});
    CHECK(relay_type("nn.dropout", {x.type()}) == "(float32[2], ?)");
}
