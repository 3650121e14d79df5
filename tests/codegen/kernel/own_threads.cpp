// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/own_threads.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct quiet {};
struct pooled {
    int threads;
    [[nodiscard]] bool wakes_own_threads(std::string_view composite) const { return threads > 1 && composite != "copy"; }
};

}  // namespace

TEST_CASE("a back end wakes threads of its own where it says so of a composite") {
    CHECK_FALSE(wakes_own_threads(quiet{}, "conv"));
    CHECK(wakes_own_threads(pooled{2}, "conv"));
    CHECK_FALSE(wakes_own_threads(pooled{2}, "copy"));
    CHECK_FALSE(wakes_own_threads(pooled{1}, "conv"));
}
