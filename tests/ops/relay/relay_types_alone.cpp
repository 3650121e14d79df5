// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_types_alone.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

template <class Rule>
std::string type_of(Rule rule, std::string_view op, const std::vector<node_type>& operands, const attribute_map& how = {}) {
    std::vector<const node_type*> types;
    for (const node_type& t : operands) types.push_back(&t);
    const std::vector<const tensor*> constants(types.size());
    const auto made = rule(call_view{op, &how, types, constants, 1});
    return made ? to_string(*made) : made.failure().message;
}
const node_type image = tensor_type(element_type::float32, {1, 3, 4, 6});

}  // namespace

TEST_CASE("operators without a meaning have types [ops.relay.types]") {
    CHECK(type_of(detail::infer_relay_second, "nn.fifo_buffer", {tensor_type(element_type::float32, {1, 2}), image}) == to_string(image));
    CHECK(type_of(detail::infer_relay_loss, "nn.cross_entropy", {image, image}) == "float32[]");
    CHECK(type_of(detail::infer_relay_argwhere, "argwhere", {image}) == "int32[?,4]");
    CHECK(type_of(detail::infer_relay_requantized, "qnn.quantize", {image}) == "int8[1,3,4,6]");
    CHECK(type_of(detail::infer_relay_requantized, "qnn.dequantize", {tensor_type(element_type::uint8, {2})}) == "float32[2]");
    CHECK(type_of(detail::infer_relay_upsampled, "nn.upsampling", {image}, {{"scale_h", std::int64_t{2}}, {"scale_w", 1.5}}) ==
          "float32[1,3,8,9]");
    CHECK(type_of(detail::infer_relay_searchsorted, "searchsorted", {image, tensor_type(element_type::float32, {5})}) == "int32[5]");
}
