// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/backend_list.hpp>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

using namespace inlay;

static_assert(toys::list::size == 2 && backend_list<>::size == 0);
static_assert(toys::list::index_of("chains") == 0 && toys::list::index_of("reference") == 1);
static_assert(toys::list::index_of("absent") == toys::list::size);

TEST_CASE("a list chooses all of its back ends in list order, unless it is told otherwise") {
    toys::list backends;
    CHECK(backends.chosen() == std::vector<std::size_t>{0, 1});
    backends.choose({1});
    CHECK(backends.chosen() == std::vector<std::size_t>{1});
    backends.choose_all();
    CHECK(backends.chosen().size() == 2);
}

TEST_CASE("an instance is visited by its number and writes itself as target text") {
    toys::chains two_threads;
    two_threads.threads = 2;
    const toys::list backends(two_threads, toys::rows());
    CHECK(backends.kind(0) == "chains");
    CHECK(backends.kind(1) == "reference");
    CHECK(backends.text(0) == "chains -threads=2");
    CHECK(backends.text(1) == "reference");
    CHECK(backends.visit(1, [](const auto& b) { return b.version(); }) == "1");
}

TEST_CASE("for_each goes through all instances in list order and may change them") {
    toys::list backends;
    std::string order;
    backends.for_each([&](auto& b, std::size_t i) {
        order += std::string(b.kind) + std::to_string(i) + " ";
        if constexpr (requires { b.threads; }) b.threads = 3;
    });
    CHECK(order == "chains0 reference1 ");
    CHECK(backends.text(0) == "chains -threads=3");
}
