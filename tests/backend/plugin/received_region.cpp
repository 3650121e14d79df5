// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/received_region.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/plugin/shown_region.hpp>
#include <inlay/candidate/content_key.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

/// A call with several results, of which one is read, a constant, an operand that is left out, and an attribute of every kind.
struct full_region {
    ir_module m;
    region whole;

    static ir_module program() {
        const tensor_type row(element_type::float32, {2, 3});
        ir_builder b;
        b.open_block();
        const node_id x = b.input("x", row);
        const node_id w = b.constant(tensor::of({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}), "w");
        const attribute_map all{{"a_whole", std::int64_t{-7}},
                                {"b_number", 0.25},
                                {"c_text", std::string("word")},
                                {"d_wholes", std::vector<std::int64_t>{1, -2}},
                                {"e_numbers", std::vector<double>{0.5}},
                                {"f_texts", std::vector<std::string>{"p", ""}},
                                {"g_tensor", tensor::of({2}, std::vector<std::int64_t>{8, 9})},
                                {"h_none", std::vector<std::int64_t>{}}};
        const node_id pair = b.call("my.Pair", {x, w, b.tuple({})}, all, node_type::tuple({row, row}), "pair");
        const node_id y = b.call("my.Neg", {b.projection(pair, 1)}, {}, row, "y");
        b.declare(b.function(std::span(&x, 1), y, "main"));
        return b.finish();
    }
    full_region() : m(program()), whole(made_of(m)) {}
    static region made_of(const ir_module& m) {
        const std::vector<node_id> results = results_of(m), nodes = covered(m);
        return {m, user_lists(m), results, nodes};
    }
    static std::vector<node_id> covered(const ir_module& m) {
        std::vector<node_id> nodes;
        for (node_id n = 0; n < m.size(); ++n)
            if (kind_of(m, n) == node_kind::call || kind_of(m, n) == node_kind::projection) nodes.push_back(n);
        return nodes;
    }
};

}  // namespace

TEST_CASE("a region that crosses the C interface and comes back is the same region") {
    const full_region r;
    const region_view before = r.whole.view();
    auto shown = shown_region::make(before);
    REQUIRE(shown);
    const received_region received(*shown->get());
    const region_view after = received.view();
    CHECK(content_of(after).structure == content_of(before).structure);
    REQUIRE(after.values.size() == before.values.size());
    CHECK(after.input_count == before.input_count);
    CHECK(after.constant_count == before.constant_count);
    for (std::size_t v = 0; v < after.values.size(); ++v) {
        CHECK(after.values[v].kind == before.values[v].kind);
        CHECK(after.values[v].field == before.values[v].field);
        if (before.values[v].kind != region_value::role::absent) CHECK(*after.values[v].type == *before.values[v].type);
    }
    CHECK(after.values.back().type == after.operand(after.values.back(), 0).type);  // equal ones are there once
    // Weights are not copied, small tensors of attributes are.
    const auto weights = [](const region_view& view) {
        for (const region_value& v : view.constants())
            if (v.kind == region_value::role::constant) return *v.value;
        return tensor();
    };
    REQUIRE(weights(before).count() == 6);
    CHECK(weights(after).data() == weights(before).data());
    CHECK(weights(after).content() == weights(before).content());
}

TEST_CASE("a region that was received keeps what it shows when it is moved") {
    const full_region r;
    auto shown = shown_region::make(r.whole.view());
    REQUIRE(shown);
    received_region first(*shown->get());
    const received_region second = std::move(first);
    shown = error{"gone"};
    CHECK(content_of(second.view()).structure == content_of(r.whole.view()).structure);
}
