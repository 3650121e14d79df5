// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/stepped_array.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Runs a product of some bytes cycle by cycle and holds the numbers against sums of products, the cycles against the formula.
void check_product(const systolic_array& a, const product_extents& p, std::mt19937& random) {
    std::vector<std::int8_t> x(static_cast<std::size_t>(p.m * p.k)), w(static_cast<std::size_t>(p.k * p.n));
    for (auto* all : {&x, &w})
        for (std::int8_t& v : *all) v = static_cast<std::int8_t>(random() % 256);
    std::vector<std::int32_t> y(static_cast<std::size_t>(p.m * p.n)), meant(y);
    for (std::int64_t i = 0; i < p.m; ++i)
        for (std::int64_t j = 0; j < p.n; ++j)
            for (std::int64_t k = 0; k < p.k; ++k)
                meant[static_cast<std::size_t>(i * p.n + j)] +=
                    x[static_cast<std::size_t>(i * p.k + k)] * w[static_cast<std::size_t>(k * p.n + j)];
    stepped_array<std::int8_t, std::int32_t> stepped(a);
    const std::int64_t cycles = stepped.run(p, x.data(), w.data(), y.data());
    CHECK(cycles == product_cycles(a, p));
    CHECK(y == meant);
}

}  // namespace

TEST_CASE("an array stepped cycle by cycle gives the product in the cycles of the formula [accelerator.array.cycles]") {
    std::mt19937 random(1);
    const auto below = [&](std::int64_t n) { return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 3000; ++i) {
        const systolic_array a{below(8), below(8), static_cast<array_flow>(random() % 3)};
        CAPTURE(a.rows);
        CAPTURE(a.columns);
        CAPTURE(name_of(a.flow));
        check_product(a, {below(20), below(20), below(20)}, random);
    }
}

TEST_CASE("a full fold takes what SCALE-Sim's formula says [accelerator.array.scale-sim]") {
    std::mt19937 random(2);
    for (std::int64_t rows = 1; rows <= 8; ++rows)
        for (std::int64_t columns = 1; columns <= 8; ++columns)
            for (const array_flow flow : {array_flow::weight_stationary, array_flow::output_stationary, array_flow::input_stationary})
                for (const std::int64_t streamed : {1, 5, 30}) {
                    const systolic_array a{rows, columns, flow};
                    CHECK(fold_cycles(a, {rows, columns, streamed}) == 2 * rows + columns + streamed - 2);
                    product_extents p{rows, streamed, columns};
                    if (flow == array_flow::weight_stationary) p = {streamed, rows, columns};
                    if (flow == array_flow::input_stationary) p = {columns, rows, streamed};
                    CHECK(product_cycles(a, p) == 2 * rows + columns + streamed - 2);
                    check_product(a, p, random);
                }
}
