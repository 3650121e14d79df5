// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/eager_priority.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

TEST_CASE("free candidates come first, then the user's order of back ends, the table's of composites, roots from the end, and formats") {
    const ir_module m = toys::random_program(5, 10);
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<double> prices(set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, set, prices, [](const tensor_type&, const format&, const format&) { return 1.0; });
    for (const std::vector<std::size_t>& backends : {std::vector<std::size_t>{0, 1}, std::vector<std::size_t>{1, 0}}) {
        const std::vector<candidate_index> order = eager_priority(set, stated, backends);
        REQUIRE(order.size() == stated.numbers.candidates.size());
        const auto key = [&](candidate_index k) {
            const std::size_t of = stated.candidate_of[k];
            if (of == selection_problem::none) return std::tuple(0, std::ptrdiff_t{0}, std::size_t{0}, 0L, k);
            const candidate& c = set.candidates[of];
            return std::tuple(1, std::find(backends.begin(), backends.end(), c.backend) - backends.begin(),
                              static_cast<std::size_t>(c.composite), -static_cast<long>(c.root), k);
        };
        std::vector<candidate_index> expected = order;
        std::sort(expected.begin(), expected.end(), [&](candidate_index a, candidate_index b) { return key(a) < key(b); });
        CHECK(order == expected);
        CHECK(stated.candidate_of[order.front()] == selection_problem::none);
        CHECK(set.candidates[stated.candidate_of[order.back()]].backend == backends.back());
    }
}
