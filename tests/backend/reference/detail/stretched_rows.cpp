// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/stretched_rows.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "../run_region.hpp"

using namespace reference_test;

TEST_CASE("rows reach every element once, with the places that stretching gives the operands") {
    seeded random(9);
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        const shape64 whole = random.shape(static_cast<std::size_t>(random.integer(0, 5)), 4);
        std::array<shape64, 2> operands;
        for (shape64& s : operands) {
            s.assign(whole.begin() + random.integer(0, static_cast<std::int64_t>(whole.size())), whole.end());
            for (std::int64_t& e : s) e = random.coin() ? e : 1;
        }
        const on_eigen::stretched_rows<2> rows(whole, {&operands[0], &operands[1]});
        std::int64_t count = 1;
        for (const std::int64_t e : whole) count *= e;
        std::vector<int> seen(static_cast<std::size_t>(count), 0);
        bool right = true;
        rows.for_each({}, [&](std::int64_t place, const std::array<std::int64_t, 2>& at, std::int64_t elements) {
            for (std::int64_t i = 0; i < elements; ++i) {
                const auto flat = static_cast<std::size_t>(place + i);
                ++seen[flat];
                for (std::size_t k = 0; k < 2; ++k)
                    right =
                        right && static_cast<std::size_t>(at[k] + i * rows.row_step[k]) == stretched(index_of(flat, whole), operands[k]);
            }
        });
        CHECK(right);
        CHECK(seen == std::vector<int>(seen.size(), 1));
    }
}

TEST_CASE("axes along which all operands go on are one long row") {
    const shape64 whole{2, 3, 4}, last{4};
    const on_eigen::stretched_rows<2> even(whole, {&whole, &whole}), stretched_last(whole, {&whole, &last});
    CHECK(even.row == 24);
    CHECK(even.rows == 1);
    CHECK(stretched_last.row == 4);
    CHECK(stretched_last.rows == 6);
    const shape64 none{3, 0};
    int calls = 0;
    on_eigen::stretched_rows<1>(none, {&none}).for_each({}, [&](auto...) { ++calls; });
    CHECK(calls == 0);
}
