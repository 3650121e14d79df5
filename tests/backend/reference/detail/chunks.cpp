// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/chunks.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "../run_region.hpp"

using namespace reference_test;

namespace {

using piece = std::pair<std::int64_t, std::int64_t>;

std::vector<piece> pieces(std::size_t threads, std::int64_t count, std::int64_t grain) {
    thread_executor many{threads};
    std::vector<piece> found(threads, piece{0, 0});
    on_eigen::in_numbered_chunks(executor_ref(many), count, grain, [&](std::int64_t begin, std::int64_t end, std::size_t i) {
        found[i] = {begin, end};
    });
    while (!found.empty() && found.back() == piece{0, 0}) found.pop_back();
    return found;
}

}  // namespace

TEST_CASE("pieces stand one behind the other, differ by one at most, and are no smaller than the grain") {
    CHECK(pieces(4, 10, 1) == std::vector<piece>{{0, 3}, {3, 6}, {6, 8}, {8, 10}});
    CHECK(pieces(4, 10, 4) == std::vector<piece>{{0, 5}, {5, 10}});
    CHECK(pieces(4, 10, 11) == std::vector<piece>{{0, 10}});
    CHECK(pieces(1, 10, 1) == std::vector<piece>{{0, 10}});
    CHECK(pieces(4, 0, 1).empty());
    CHECK(pieces(3, 2, 0) == std::vector<piece>{{0, 1}, {1, 2}});
}

TEST_CASE("a grain is as many units as are worth a thread") {
    CHECK(on_eigen::grain_of(1) == on_eigen::worth_a_thread);
    CHECK(on_eigen::grain_of(on_eigen::worth_a_thread) == 1);
    CHECK(on_eigen::grain_of(10 * on_eigen::worth_a_thread) == 1);
    CHECK(on_eigen::grain_of(0) == on_eigen::worth_a_thread);
}
