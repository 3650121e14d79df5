// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_TYPES_ALONE_HPP
#define INLAY_OPS_RELAY_RELAY_TYPES_ALONE_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <inlay/graph/call_view.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>

// Type rules of Relay's operators that have no meaning here.

namespace inlay::detail {

/// The type of operand 1.
[[nodiscard]] inline outcome<node_type> infer_relay_second(const call_view& call) {
    return call.arity() < 2 ? outcome<node_type>(wrong_arity(call, 2, 2).value()) : outcome<node_type>(*call.types[1]);
}
/// One number of the element type of operand 0.
[[nodiscard]] inline outcome<node_type> infer_relay_loss(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 2, 2).value();
    return node_type(tensor_type(call.type(0).element, shape()));
}
/// The places of what is not 0, a row of indices each.
[[nodiscard]] inline outcome<node_type> infer_relay_argwhere(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    const tensor_type& x = call.type(0);
    return node_type(tensor_type(element_type::int32, shape{extent(), x.ranked ? extent(static_cast<std::int64_t>(x.rank())) : extent()}));
}
/// The shape of operand 0 with the element type that is asked for, or float32 from `qnn.dequantize`.
[[nodiscard]] inline outcome<node_type> infer_relay_requantized(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 5).value();
    tensor_type x = call.type(0);
    x.element = element_type_named(call.attributes->text("out_dtype", call.op == "qnn.dequantize" ? "float32" : "int8"))
                    .value_or(element_type::none);
    return node_type(std::move(x));
}
/// An image of extents that are scaled, and rounded to the next integer.
[[nodiscard]] inline outcome<node_type> infer_relay_upsampled(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    const attribute_map given = with_relay_defaults(call.op, *call.attributes);
    tensor_type x = call.type(0);
    const std::string_view layout = given.text("layout", "");
    if (!x.ranked || layout.size() != x.rank()) return node_type(tensor_type(x.element));
    constexpr std::array<std::pair<char, std::string_view>, 3> scales{{{'D', "scale_d"}, {'H', "scale_h"}, {'W', "scale_w"}}};
    for (std::size_t i = 0; i < x.rank(); ++i)
        for (const auto& [letter, name] : scales) {
            if (layout[i] != letter) continue;
            const double scale = relay_number(given, name, 1), size = std::round(static_cast<double>(x.extents[i].size) * scale);
            const bool known = x.extents[i].is_known() && size >= 0 && size <= static_cast<double>(largest_window);
            x.extents[i] = known ? extent(static_cast<std::int64_t>(size)) : extent();
        }
    return node_type(std::move(x));
}
/// Places of the elements of operand 1 in operand 0.
[[nodiscard]] inline outcome<node_type> infer_relay_searchsorted(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 2, 2).value();
    tensor_type places = call.type(1);
    places.element = element_type_named(call.attributes->text("dtype", "int32")).value_or(element_type::int32);
    return node_type(std::move(places));
}

}  // namespace inlay::detail

#endif
