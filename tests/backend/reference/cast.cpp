// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/cast.hpp>

#include <limits>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::cast_operators;

namespace {

template <class From, class To>
void check_cast(unsigned seed) {
    seeded random(seed);
    const tensor x = random.integers<From>({3, 50}, 0, 100);
    const tensor got = run_call(cast_operators[0], {given(x)}, {}, {type_of<To>({3, 50})})[0];
    const std::span<const From> from = x.as<From>();
    const std::span<const To> to = got.as<To>();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < to.size(); ++i) wrong += to[i] == static_cast<To>(from[i]) ? 0 : 1;
    INFO(name_of(element_type_of<From>) << " to " << name_of(element_type_of<To>));
    CHECK(wrong == 0);
}

template <class From>
void check_from(unsigned seed) {
    check_cast<From, float>(seed);
    check_cast<From, double>(seed);
    check_cast<From, std::int64_t>(seed);
    check_cast<From, std::int32_t>(seed);
    check_cast<From, std::uint8_t>(seed);
    check_cast<From, bool>(seed);
}

}  // namespace

TEST_CASE("casts keep what both types can say") {
    check_from<float>(1001);
    check_from<double>(1002);
    check_from<std::int64_t>(1003);
    check_from<std::int32_t>(1004);
    check_from<std::uint8_t>(1005);
    check_from<bool>(1006);
}

TEST_CASE("casts to integers cut towards zero, and stop at the ends of the type") {
    const float infinity = std::numeric_limits<float>::infinity();
    const tensor x = list(std::vector<float>{1.9f, -1.9f, 1e30f, -infinity, std::numeric_limits<float>::quiet_NaN()});
    const auto got = run_call(cast_operators[0], {given(x)}, {}, {type_of<std::int32_t>({5})})[0];
    const auto values = got.as<std::int32_t>();
    CHECK(values[0] == 1);
    CHECK(values[1] == -1);
    CHECK(values[2] == std::numeric_limits<std::int32_t>::max());
    CHECK(values[3] == std::numeric_limits<std::int32_t>::min());
    CHECK(values[4] == 0);
}

TEST_CASE("casts without a kernel are refused by both names") {
    const attribute_map none;
    const tensor x(element_type::float32, {2}), y(element_type::float16, {2});
    CHECK(cast_operators[0].refuse(site("onnx.Cast", {given(x)}, none, {y.type()})) == "there is no kernel from float32 to float16");
}
