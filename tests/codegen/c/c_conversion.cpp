// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_conversion.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/codegen/c/c_kernels.hpp>
#include <inlay/runtime/convert.hpp>

using namespace inlay;

TEST_CASE("a change of layout in C is the one that the library makes [c.conversion]") {
    const std::vector<std::int64_t> shapes[] = {{2, 5, 3, 4}, {3, 9}, {4}, {1, 16, 2, 2}};
    const layout layouts[] = {layout::plain(), layout::channels_last(), layout::channels_blocked(4), layout::channels_blocked(8)};
    std::vector<c_part> parts;
    std::vector<c_borders> borders;
    for (const auto& shape : shapes)
        for (const layout& a : layouts)
            for (const layout& b : layouts) {
                if (a == b) continue;
                auto part = c_conversion(shape, {{}, a, element_type::int16}, {{}, b, element_type::int16}, "reordering");
                REQUIRE(part);
                parts.push_back(*std::move(part));
                borders.push_back({1, 1});
            }
    const auto made = c_kernels(parts, borders, nest_compiler({"-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"}));
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    std::size_t k = 0;
    for (const auto& shape : shapes)
        for (const layout& a : layouts)
            for (const layout& b : layouts) {
                if (a == b) continue;
                const format from{{}, a, element_type::int16}, to{{}, b, element_type::int16};
                const std::size_t rank = shape.size();
                std::vector<std::int16_t> x(stored_elements(shape, rank < 2 ? layout::plain() : a)),
                    y(stored_elements(shape, rank < 2 ? layout::plain() : b), -1), z(y);
                for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int16_t>(i + 1);
                REQUIRE(convert(shape, from, to, x.data(), z.data()));
                const void* const in[] = {x.data()};
                void* const out[] = {y.data()};
                REQUIRE((*made)[k++]({in, out, nullptr, {}}));
                CHECK(y == z);
            }
}

TEST_CASE("formats that differ in more than their layout are refused [c.conversion]") {
    const format a = plain_format(element_type::float32), b = plain_format(element_type::float64);
    CHECK(
        c_conversion({1}, a, b, "f").failure().message ==
        "there is no C that makes float64:plain of float32:plain; formats of one element type in one memory differ in their layout alone");
}
