// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/each_clause.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;
using places = std::vector<std::vector<std::size_t>>;

namespace {

bool told(const std::vector<std::int64_t>& sizes, places& all) {
    ir_builder b;
    std::vector<node_id> operands;
    for (int i = 0; i < 6; ++i) operands.push_back(b.input("x", {}));
    const node_id match = b.add(node_kind::match, operands, 0, {}, {}, {{"clause_sizes", sizes}});
    return each_clause(b.so_far(), match, [&](std::size_t c, std::size_t first, std::size_t result) { all.push_back({c, first, result}); });
}

}  // namespace

TEST_CASE("clauses are told with their variables and results") {
    places all;
    CHECK(told({2, 0, 0}, all));
    CHECK(all == places{{0, 1, 3}, {1, 4, 4}, {2, 5, 5}});
}

TEST_CASE("sizes that do not go with the operands end it") {
    for (const std::vector<std::int64_t>& wrong : {std::vector<std::int64_t>{0, 9}, {0, -1}, {0, 3, 0}, {0, INT64_MAX}}) {
        places all;
        CHECK_FALSE(told(wrong, all));
        CHECK(all[0] == std::vector<std::size_t>{0, 1, 1});
    }
    places none;
    CHECK(told({}, none));
    CHECK(none.empty());
}
