// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/half_float.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

static_assert(float16_bits::narrowed(1.0).bits == 0x3C00 && float16_bits::narrowed(-2.0).bits == 0xC000 &&
              float16_bits::narrowed(65504.0).bits == 0x7BFF);
static_assert(float16_bits::narrowed(65519.99).bits == 0x7BFF && float16_bits::narrowed(65520.0).bits == 0x7C00);
static_assert(float16_bits::narrowed(0x1p-24).bits == 1 && float16_bits::narrowed(0x1p-25).bits == 0 &&
              float16_bits::narrowed(0x1.8p-25).bits == 1);
static_assert(bfloat16_bits::narrowed(1.00390625).bits == 0x3F80 && bfloat16_bits::narrowed(1.01171875).bits == 0x3F82);
static_assert(bfloat16_bits::narrowed(-0.0).bits == 0x8000 && float16_bits{0x8001}.widened() == -0x1p-24);

template <class Half>
static void every_one_survives() {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const Half h{static_cast<std::uint16_t>(bits)};
        const double wide = h.widened();
        if (std::isnan(wide))
            REQUIRE(std::isnan(Half::narrowed(wide).widened()));
        else
            REQUIRE(Half::narrowed(wide).bits == bits);
    }
}

TEST_CASE("Every half survives being widened and narrowed") {
    every_one_survives<float16_bits>();
    every_one_survives<bfloat16_bits>();
}

/// The neighbour of a finite half, away from zero.
template <class Half>
static double next(double half) {
    return Half{static_cast<std::uint16_t>(Half::narrowed(half).bits + 1)}.widened();
}

TEST_CASE("Narrowing finds the nearest") {
    CHECK(rc::check("float16", [](float f) {
        const auto x = static_cast<double>(f) * (std::abs(static_cast<double>(f)) > 6e4 ? 1e-36 : 1.0);
        const double found = float16_bits::narrowed(x).widened();
        RC_PRE(std::isfinite(found));
        // No half lies between x and what was found, nearer to x.
        const double away = next<float16_bits>(found), error = std::abs(x - found);
        RC_ASSERT(error <= std::abs(x - away));
        if (found != 0)
            RC_ASSERT(error <= std::abs(x - float16_bits{static_cast<std::uint16_t>(float16_bits::narrowed(found).bits - 1)}.widened()));
    }));
}
