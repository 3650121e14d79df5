// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/shown_region.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/plugin/abi_values.hpp>

using namespace inlay;

namespace {

/// A region of one input and one call of it, of this type.
struct one_call {
    attribute_map none;
    node_type type, of_input = tensor_type(element_type::float32, {2});
    std::vector<value_id> operands{0}, results{1};
    std::vector<region_value> values;

    explicit one_call(node_type t) : type(std::move(t)) {
        values.push_back({region_value::role::input, {}, {}, &none, &of_input});
        values.push_back({region_value::role::call, "my.Op", operands, &none, &type});
    }
    [[nodiscard]] region_view view() const { return {values, 1, 0, results, {}, {}}; }
};

}  // namespace

TEST_CASE("C sees what a region shows") {
    const one_call r(tensor_type(element_type::int8, {3, 4}));
    const auto shown = shown_region::make(r.view());
    REQUIRE(shown);
    const inlay_region& c = *shown->get();
    CHECK(c.size == sizeof(inlay_region));
    REQUIRE(c.value_count == 2);
    CHECK(c.values[1].role == INLAY_CALL);
    CHECK(detail::text_in(c.values[1].op) == "my.Op");
    REQUIRE(c.values[1].type_count == 1);
    CHECK(c.values[1].types[0].element == INLAY_INT8);
    CHECK(std::vector<std::int64_t>(c.values[1].types[0].extents, c.values[1].types[0].extents + 2) == std::vector<std::int64_t>{3, 4});
    CHECK(c.values[1].operands[0] == 0);
    CHECK(c.results[0] == 1);
}

TEST_CASE("types that C has no words for are refused by name") {
    const node_type pair = node_type::tuple({tensor_type(element_type::float32, {1})});
    const one_call r(node_type::tuple({pair}));
    const auto shown = shown_region::make(r.view());
    REQUIRE(!shown);
    CHECK(shown.failure().message == "a value of type ((float32[1])) does not cross the border to a loaded back end");
}
