// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/run/scalar_value.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();
double real(scalar_function f, double a, double b = 0) { return apply_scalar(f, element_type::float32, {a, 0}, {b, 0}).number; }
std::int64_t whole(scalar_function f, element_type e, std::int64_t a, std::int64_t b = 0) {
    return apply_scalar(f, e, {0, a}, {0, b}).integer;
}
std::int64_t cast(double v, element_type to) { return cast_scalar({v, 0}, element_type::float64, to).integer; }
}  // namespace

TEST_CASE("over random numbers, float32 adds, multiplies and divides as the processor does [loops.scalar.float32]") {
    const bool holds = rc::check([] {
        const auto a = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>()),
                   b = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>());
        const auto same = [](double got, float wanted) {
            return std::isnan(wanted) ? std::isnan(got) : got == static_cast<double>(wanted);
        };
        RC_ASSERT(same(real(scalar_function::add, a, b), a + b));
        RC_ASSERT(same(real(scalar_function::subtract, a, b), a - b));
        RC_ASSERT(same(real(scalar_function::multiply, a, b), a * b));
        RC_ASSERT(same(real(scalar_function::divide, a, b), a / b));
        RC_ASSERT(same(real(scalar_function::square_root, a), std::sqrt(a)));
    });
    CHECK(holds);
}

TEST_CASE("whole numbers wrap, and nothing is divided by zero [loops.scalar.whole]") {
    CHECK(whole(scalar_function::add, element_type::int8, 127, 1) == -128);
    CHECK(whole(scalar_function::multiply, element_type::uint16, 65535, 2) == 65534);
    CHECK(whole(scalar_function::negate, element_type::int64, INT64_MIN) == INT64_MIN);
    CHECK(whole(scalar_function::divide, element_type::int32, -7, 2) == -3);
    CHECK(whole(scalar_function::divide, element_type::int32, 7, 0) == 0);
    CHECK(whole(scalar_function::divide, element_type::int64, INT64_MIN, -1) == INT64_MIN);
    CHECK(whole(scalar_function::divide, element_type::uint64, -1, 2) == INT64_MAX);
    CHECK(whole(scalar_function::maximum, element_type::uint64, -1, 2) == -1);
    CHECK(whole(scalar_function::maximum, element_type::int64, -1, 2) == 2);
    CHECK(whole(scalar_function::absolute, element_type::int8, -128) == -128);
    CHECK(whole(scalar_function::less, element_type::uint64, 2, -1) == 1);
    CHECK(whole(scalar_function::logical_not, element_type::boolean, 1) == 0);
    CHECK(whole(scalar_function::remainder, element_type::int32, -7, 3) == -1);
    CHECK(whole(scalar_function::remainder, element_type::int32, 7, 0) == 0);
    CHECK(whole(scalar_function::remainder, element_type::int64, INT64_MIN, -1) == 0);
    CHECK(whole(scalar_function::remainder, element_type::uint64, -1, 10) == 5);
    CHECK(whole(scalar_function::bit_and, element_type::int8, -4, 7) == 4);
    CHECK(whole(scalar_function::bit_xor, element_type::uint8, 255, 15) == 240);
    CHECK(whole(scalar_function::bit_not, element_type::uint8, 1) == 254);
    CHECK(whole(scalar_function::bit_not, element_type::int8, 1) == -2);
    CHECK(whole(scalar_function::shift_left, element_type::uint8, 129, 1) == 2);
    CHECK(whole(scalar_function::shift_right, element_type::uint64, -1, 63) == 1);
    CHECK(whole(scalar_function::shift_left, element_type::uint32, 1, 32) == 0);
}

TEST_CASE("what is not a number stays none, and compares with nothing [loops.scalar.nan]") {
    CHECK(std::isnan(real(scalar_function::maximum, none, 1)));
    CHECK(std::isnan(real(scalar_function::maximum, 1, none)));
    CHECK(std::isnan(real(scalar_function::minimum, none, 1)));
    CHECK(std::isnan(real(scalar_function::minimum, 1, none)));
    for (const scalar_function f : {scalar_function::equal, scalar_function::less, scalar_function::less_equal})
        CHECK(apply_scalar(f, element_type::float32, {none, 0}, {none, 0}).integer == 0);
    CHECK(real(scalar_function::round, 2.5) == 2);
    CHECK(real(scalar_function::round, -3.5) == -4);
}

TEST_CASE("a cast to whole numbers goes towards zero, and ends where the type does [loops.scalar.cast]") {
    CHECK(cast(-1.9, element_type::int32) == -1);
    CHECK(cast(1e30, element_type::int32) == INT32_MAX);
    CHECK(cast(-1e30, element_type::int64) == INT64_MIN);
    CHECK(cast(1e30, element_type::int64) == INT64_MAX);
    CHECK(cast(-5, element_type::uint8) == 0);
    CHECK(cast(300, element_type::uint8) == 255);
    CHECK(static_cast<std::uint64_t>(cast(1e30, element_type::uint64)) == UINT64_MAX);
    CHECK(static_cast<std::uint64_t>(cast(0x1p63, element_type::uint64)) == std::uint64_t{1} << 63);
    CHECK(cast(none, element_type::int8) == 0);
    CHECK(cast(0.5, element_type::boolean) == 1);
    CHECK(cast_scalar({0, 300}, element_type::int64, element_type::int8).integer == 44);
    CHECK(cast_scalar({0, -1}, element_type::uint64, element_type::float64).number == 0x1p64);
    CHECK(cast_scalar({1e-9, 0}, element_type::float64, element_type::float16).number == 0);
}

TEST_CASE("what is stored is loaded again, in each element type [loops.scalar.memory]") {
    for (const element_type e : {element_type::float16, element_type::bfloat16, element_type::float32, element_type::float64}) {
        std::array<std::byte, 8> memory{};
        store_scalar(e, memory.data(), {-1.5, 0});
        CHECK(load_scalar(e, memory.data()).number == -1.5);
    }
    for (const element_type e : {element_type::int8, element_type::int16, element_type::int32, element_type::int64, element_type::uint8,
                                 element_type::uint16, element_type::uint32, element_type::uint64, element_type::boolean}) {
        std::array<std::byte, 8> memory{};
        const std::int64_t v = is_signed_integer(e) ? -1 : 1;
        store_scalar(e, memory.data(), {0, v});
        CHECK(load_scalar(e, memory.data()).integer == v);
    }
}
