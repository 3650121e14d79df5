// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/float8.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double no_number = std::nan("");

/// Checks that each number of a type is narrowed to itself, and that halves between neighbours go to the even one.
template <class T>
void check_numbers() {
    for (int i = 0; i < 256; ++i) {
        const T one{static_cast<std::uint8_t>(i)};
        if (std::isnan(one.widened())) {
            CHECK(std::isnan(T::narrowed(one.widened()).widened()));
            continue;
        }
        CHECK(T::narrowed(one.widened(), false).bits == one.bits);
        if ((i & 0x7F) == 0x7F) continue;
        const T next{static_cast<std::uint8_t>(i + 1)};
        if (!std::isfinite(next.widened()) || !std::isfinite(one.widened())) continue;
        const double middle = (one.widened() + next.widened()) / 2;
        if (middle != 0) CHECK(T::narrowed(middle).bits == (i % 2 == 0 ? one : next).bits);
    }
}

}  // namespace

TEST_CASE("every 8-bit float is narrowed to itself, and a half between two goes to the even one [ops.float8.nearest]") {
    check_numbers<float8_e4m3fn_bits>();
    check_numbers<float8_e4m3fnuz_bits>();
    check_numbers<float8_e5m2_bits>();
    check_numbers<float8_e5m2fnuz_bits>();
}

TEST_CASE("the largest and the smallest 8-bit floats are those of the definition") {
    CHECK(float8_e4m3fn_bits{0x7E}.widened() == 448);
    CHECK(float8_e4m3fnuz_bits{0x7F}.widened() == 240);
    CHECK(float8_e5m2_bits{0x7B}.widened() == 57344);
    CHECK(float8_e5m2fnuz_bits{0x7F}.widened() == 57344);
    CHECK(float8_e4m3fn_bits{1}.widened() == std::ldexp(1, -9));
    CHECK(float8_e4m3fnuz_bits{1}.widened() == std::ldexp(1, -10));
    CHECK(float8_e5m2_bits{1}.widened() == std::ldexp(1, -16));
    CHECK(float8_e5m2fnuz_bits{1}.widened() == std::ldexp(1, -17));
}

TEST_CASE("beyond the range is the largest number if it saturates, else NaN or infinity [ops.float8.range]") {
    for (const double beyond : {500.0, 1e30, infinite}) {
        CHECK(float8_e4m3fn_bits::narrowed(beyond).widened() == 448);
        CHECK(float8_e4m3fn_bits::narrowed(-beyond).widened() == -448);
        CHECK(float8_e4m3fnuz_bits::narrowed(-beyond).widened() == -240);
        CHECK(std::isnan(float8_e4m3fn_bits::narrowed(beyond, false).widened()));
        CHECK(float8_e4m3fnuz_bits::narrowed(-beyond, false).bits == 0x80);
    }
    CHECK(float8_e4m3fn_bits::narrowed(463, false).widened() == 448);
    CHECK(float8_e4m3fn_bits::narrowed(464, false).widened() == 448);
    CHECK(std::isnan(float8_e4m3fn_bits::narrowed(465, false).widened()));
    CHECK(float8_e5m2_bits::narrowed(-1e30).widened() == -57344);
    CHECK(float8_e5m2_bits::narrowed(infinite).widened() == 57344);
    CHECK(float8_e5m2_bits::narrowed(-1e30, false).widened() == -infinite);
    CHECK(float8_e5m2fnuz_bits::narrowed(infinite, false).bits == 0x80);
    CHECK(std::isnan(float8_e5m2_bits::narrowed(no_number).widened()));
    CHECK(float8_e4m3fnuz_bits::narrowed(no_number).bits == 0x80);
    CHECK(float8_e4m3fn_bits::narrowed(-0.0).bits == 0x80);
    CHECK(float8_e4m3fnuz_bits::narrowed(-0.0).bits == 0);
    CHECK(float8_e5m2fnuz_bits::narrowed(-1e-9).bits == 0);
}
