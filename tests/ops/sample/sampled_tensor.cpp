// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_tensor.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("marked elements are listed once, in ascending order, and keep what is set") {
    sampled_tensor t(element_type::float32, {5, 100});
    for (const std::int64_t i : {499, 0, 63, 64, 63, 128}) t.want(i);
    CHECK(t.wanted() == std::vector<std::int64_t>{0, 63, 64, 128, 499});
    for (std::size_t k = 0; k < 5; ++k) t.set(k, static_cast<double>(k), 0.5);
    CHECK(t.value(64) == 2);
    CHECK(t.value(499) == 4);
    CHECK(t.error(0) == 0.5);
    sampled_tensor all(element_type::int8, {3, 43});
    all.want_all();
    CHECK(all.wanted().size() == 129);
    CHECK(sampled_tensor(element_type::float32, {0, 4}).count() == 0);
}

TEST_CASE("a known tensor has every element of every type without error") {
    const sampled_tensor known(tensor::of<float>({2}, std::vector<float>{1.5f, -2}));
    CHECK(known.is_known());
    CHECK(known.value(1) == -2);
    CHECK(known.error(1) == 0);
    CHECK(sampled_tensor(tensor::of<std::int8_t>({1}, std::vector<std::int8_t>{-7})).value(0) == -7);
    CHECK(sampled_tensor(tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{1LL << 40})).value(0) == 1099511627776.0);
    tensor half(element_type::float16, {1});
    half.as<std::uint16_t>()[0] = 0x3C00;
    CHECK(sampled_tensor(half).value(0) == 1);
    CHECK(spacing_of(element_type::float32) == 0x1p-23);
    tensor quarter(element_type::float8_e4m3fn, {1});
    quarter.as<std::uint8_t>()[0] = 0x45;
    CHECK(sampled_tensor(quarter).value(0) == 3.25);
    CHECK(spacing_of(element_type::float8_e5m2) == 0.25);
    CHECK(spacing_of(element_type::int32) == 0);
}
