// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_names.hpp>

#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("inner names hide outer ones until they are left") {
    relay_names names;
    names.bind("x", 1);
    names.bind("y", 2);
    const std::size_t outer = names.count();
    names.bind("x", 3);
    CHECK(names.find("x") == 3);
    CHECK(names.is_bound_since("x", outer));
    CHECK_FALSE(names.is_bound_since("y", outer));
    CHECK_FALSE(names.is_bound_since("z", 0));
    names.leave(outer);
    CHECK(names.find("x") == 1);
    CHECK_FALSE(names.is_bound_since("x", outer));
    CHECK(names.all() == std::vector<std::string_view>{"x", "y"});
    names.leave(0);
    CHECK(names.find("x") == no_node);
    CHECK(names.all().empty());
}
