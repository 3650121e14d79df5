// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/onnx_form.hpp>

#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

std::optional<detail::onnx_form> form(std::string_view op, const attribute_map& attributes, const node_type& x) {
    const node_type* types[] = {&x};
    const tensor* constants[] = {nullptr};
    return detail::onnx_form_of({op, &attributes, types, constants, 1});
}
const node_type image = tensor_type(element_type::float32, {1, 3, 8, 8});

}  // namespace

TEST_CASE("names that ONNX has too are in order, and its operators are there") {
    std::string_view before;
    for (const auto& [relay, onnx] : detail::relay_as_onnx) {
        CHECK(before < relay);
        CHECK(onnx_ops::find(onnx) != nullptr);
        before = relay;
    }
}

TEST_CASE("attributes are said as ONNX says them") {
    const auto conv = form("nn.conv2d", {{"padding", std::vector<std::int64_t>{1, 2}}, {"groups", std::int64_t{3}}}, image);
    REQUIRE(conv);
    CHECK(conv->op == "onnx.Conv");
    CHECK(conv->attributes.integers("pads") == std::vector<std::int64_t>{1, 2, 1, 2});
    CHECK(conv->attributes.integer("group", 0) == 3);
    const auto sum = form("sum", {{"axis", std::vector<std::int64_t>{0}}, {"exclude", std::int64_t{1}}}, image);
    REQUIRE(sum);
    CHECK(*integers_of(sum->more[0]) == std::vector<std::int64_t>{1, 2, 3});
    CHECK_FALSE(form("nn.conv2d", {{"data_layout", std::string("NHWC")}}, image));
    CHECK_FALSE(form("nn.unheard_of", {}, image));
}
