// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/type_size.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("the parts of a type are itself and those of its fields") {
    const node_type x = tensor_type(element_type::float32, {2});
    CHECK(detail::parts_of(x) == 1);
    CHECK(detail::parts_of(node_type::tuple({x, node_type::tuple({x, x})})) == 5);
    CHECK(detail::parts_of(node_type::function({x}, x)) == 3);
}

TEST_CASE("a type, and all types, have a bound of parts [passes.types.size]") {
    CHECK(detail::type_size::check(detail::most_parts_of_a_type));
    CHECK(detail::type_size::check(detail::most_parts_of_a_type + 1).failure().message.starts_with("has a type of more than 65536 parts"));
    detail::type_size all;
    for (std::size_t i = 0; i < detail::most_parts_of_all_types / detail::most_parts_of_a_type; ++i)
        CHECK(all.add(detail::most_parts_of_a_type));
    CHECK(all.add(1));
    CHECK(all.add(2).failure().message.find("all types of the program") != std::string::npos);
}
