// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/match_view.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

#include <inlay/candidate/region.hpp>

TEST_CASE("a match view gives captures as values of the region, and knows which of two alternatives was taken") {
    using namespace inlay;
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id sum = b.call("onnx.Add", {x, x}, {}, toys::image());
        return b.call("onnx.Relu", {sum}, {}, toys::image());
    });
    constexpr auto either = dsl::as<"sum">(dsl::op<"onnx.Add">(dsl::as<"left">, dsl::any)) | dsl::as<"product">(dsl::op<"onnx.Mul">);
    constexpr auto p = dsl::op<"onnx.Relu">(either);
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const auto found = match(p, m, users, results[0]);
    REQUIRE(found.has_value());
    const region r(m, users, results, found->nodes);
    const region_view view = r.view();
    using names = std::remove_cvref_t<decltype(*found)>::names;
    const match_view<names> seen(view, *found);
    CHECK(seen.has<"sum">());
    CHECK(seen.at<"sum">().op == "onnx.Add");
    CHECK(seen.at<"left">().kind == region_value::role::input);
    CHECK_FALSE(seen.has<"product">());
    CHECK(&seen.region() == &view);
}

namespace {
struct scaled {
    static constexpr std::string_view operators[] = {"my.Scale"};
    double by = 2;
    using attributes = inlay::attribute_list<inlay::attribute_member<"by", &scaled::by>>;
};
}  // namespace

TEST_CASE("attributes are read through a capture, whose pattern says which operator it is [candidate.match.attributes]") {
    using namespace inlay;
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        attribute_map by_five;
        by_five.set("by", 5.0);
        const node_id inner = b.call("my.Scale", {x}, by_five, toys::image());
        return b.call("my.Scale", {inner}, {}, toys::image());
    });
    constexpr auto p = dsl::as<"outer">(dsl::op<"my.Scale">(dsl::as<"inner">(dsl::op<"my.Scale">)));
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const auto found = match(p, m, users, results[0]);
    REQUIRE(found.has_value());
    const region r(m, users, results, found->nodes);
    const region_view view = r.view();
    const match_of<std::remove_cvref_t<decltype(p)>> seen(view, *found);
    CHECK(seen.attr<"inner", &scaled::by>() == 5);
    CHECK(seen.attr<"outer", &scaled::by>() == 2);
    CHECK(attr<"inner", &scaled::by>(seen) == 5);
    CHECK(&captured<"outer">(seen) == &seen.at<"outer">());
    CHECK(is_captured<"inner">(seen));
}

static_assert(
    std::same_as<inlay::match_of<std::remove_cvref_t<decltype(inlay::dsl::op<"onnx.Relu">)>>, inlay::match_view<inlay::capture_names<>>>,
    "predicates of patterns that capture nothing see one type");
