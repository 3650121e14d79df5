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
