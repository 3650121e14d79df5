// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/visit_element_type.hpp>

#include <doctest/doctest.h>

using namespace inlay;

static_assert((elements(floating_scalars()) & mask_of(element_type::float16)) != 0);
static_assert((elements(integer_scalars()) & mask_of(element_type::float16)) == 0);
static_assert((elements(integer_scalars()) & mask_of(element_type::none)) != 0);
static_assert((any_element & mask_of(element_type::string)) != 0);

TEST_CASE("The scalar of an element type is visited, and no other") {
    for (int i = 0; i < 15; ++i) {
        const auto e = static_cast<element_type>(i);
        element_type seen = element_type::none;
        const bool known =
            visit_element_type(all_scalars(), e, [&](auto scalar) { seen = element_type_of<typename decltype(scalar)::type>; });
        CHECK(known == (e != element_type::none && e != element_type::float16 && e != element_type::bfloat16 && e != element_type::string));
        CHECK(seen == (known ? e : element_type::none));
        std::size_t width = 0;
        CHECK(visit_element_size(e, [&](auto scalar) { width = sizeof(typename decltype(scalar)::type); }) == (size_of(e) != 0));
        CHECK(width == size_of(e));
    }
    CHECK_FALSE(visit_element_type(floating_scalars(), element_type::int8, [](auto) {}));
}
