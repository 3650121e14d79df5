// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/testing/compare.hpp>

#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
tensor floats(const std::vector<float>& values) { return tensor::of({static_cast<std::int64_t>(values.size())}, values); }
}  // namespace

TEST_CASE("an element agrees within the absolute and the relative tolerance together") {
    CHECK(compare(floats({1.0f, 100.5f}), floats({1.0f, 100.0f}), 0.01, 0).agrees);
    CHECK(compare(floats({0.05f, 100.0f}), floats({0.0f, 100.0f}), 0, 0.1).agrees);
    const comparison c = compare(floats({1.0f, 100.5f}), floats({1.0f, 100.0f}), 0.001, 0.1);
    CHECK_FALSE(c.agrees);
    CHECK(c.largest_absolute == doctest::Approx(0.5));
    CHECK(c.largest_relative == doctest::Approx(0.005));
    CHECK(c.reason.find("element 1 is 100.5") == 0);
}

TEST_CASE("what is no number agrees with itself alone") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    CHECK(compare(floats({nan, infinity, -infinity}), floats({nan, infinity, -infinity}), 0, 0).agrees);
    CHECK_FALSE(compare(floats({1.0f}), floats({nan}), 1, 1).agrees);
    CHECK_FALSE(compare(floats({nan}), floats({1.0f}), 1, 1).agrees);
    CHECK_FALSE(compare(floats({infinity}), floats({-infinity}), 0, 1e9).agrees);
    CHECK_FALSE(compare(floats({1.0f}), floats({infinity}), 0, 1).agrees);
}

TEST_CASE("types and extents must be equal, and whole numbers and bytes are compared too") {
    const comparison c = compare(floats({1.0f}), floats({1.0f, 2.0f}), 1, 1);
    CHECK_FALSE(c.agrees);
    CHECK(c.reason == "it is float32[1] and should be float32[2]");
    const tensor a = tensor::of({2}, std::vector<std::int64_t>{1, 2}), b = tensor::of({2}, std::vector<std::int64_t>{1, 3});
    CHECK(compare(a, a, 0, 0).agrees);
    CHECK_FALSE(compare(a, b, 0, 0).agrees);
    CHECK(compare(a, b, 0, 1).agrees);
    CHECK_FALSE(compare(a, floats({1.0f, 2.0f}), 0, 0).agrees);
    tensor yes(element_type::boolean, {1}), no(element_type::boolean, {1});
    yes.data()[0] = std::byte{1};
    CHECK(compare(yes, yes, 0, 0).agrees);
    CHECK(compare(yes, no, 0, 0).reason == "its bytes differ");
}

TEST_CASE("bfloat16 may be off by one unit of its rounding, no more") {
    const auto bits = [](std::uint16_t b) {
        tensor t(element_type::bfloat16, {1});
        t.as<std::uint16_t>()[0] = b;
        return t;
    };
    CHECK(compare(bits(0x3F81), bits(0x3F80), 1e-3, 1e-5).agrees);
    CHECK_FALSE(compare(bits(0x3F83), bits(0x3F80), 1e-3, 1e-5).agrees);
}
