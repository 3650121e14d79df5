// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_TYPES_ALONE_HPP
#define INLAY_OPS_RELAY_RELAY_TYPES_ALONE_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/call_view.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
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

/// The element type that an attribute names.
[[nodiscard]] inline element_type relay_element_named(const call_view& call, std::string_view name, element_type otherwise) {
    const std::string_view given = call.attributes->text(name, "");
    return given.empty() ? otherwise : element_type_named(given).value_or(otherwise);
}
/// Extent i of an operand; unknown where its rank is, or where it has no such axis.
[[nodiscard]] inline extent relay_extent(const call_view& call, std::size_t operand, std::size_t i) {
    const tensor_type* t = call.has(operand) ? &call.type(operand) : nullptr;
    return t != nullptr && t->ranked && i < t->rank() ? t->extents[i] : extent();
}
[[nodiscard]] inline extent relay_times(extent e, std::int64_t factor) {
    return e.is_known() && factor >= 0 && (factor == 0 || e.size <= std::numeric_limits<std::int64_t>::max() / factor)
               ? extent(e.size * factor)
               : extent();
}

/// The broadcast shape of operands 0 and 1, of the element type of operand 0: of `qnn.add` and others.
[[nodiscard]] inline outcome<node_type> infer_relay_quantized_broadcast(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 8, 8).value();
    const tensor_type &a = call.type(0), &b = call.type(1);
    if (!a.ranked || !b.ranked) return node_type(tensor_type(a.element));
    const std::size_t rank = std::max(a.rank(), b.rank());
    tensor_type made(a.element, shape(rank));
    for (std::size_t i = 0; i < rank; ++i) {
        const extent x = i + a.rank() < rank ? extent(1) : a.extents[i + a.rank() - rank];
        const extent y = i + b.rank() < rank ? extent(1) : b.extents[i + b.rank() - rank];
        if (x.is_known() && y.is_known() && x.size != y.size && x.size != 1 && y.size != 1)
            return error{short_name(call.op) + " has operands of " + to_string(a) + " and " + to_string(b) + ", which do not broadcast"};
        const bool of_first = x.is_known() && x.size != 1, of_second = y.is_known() && y.size != 1;
        made.extents[i] = of_first ? x : of_second ? y : x.is_known() ? y : y.is_known() ? x : extent();
    }
    return node_type(std::move(made));
}
/// A product of operand 0 by the rows of operand 1, or of batches of them.
[[nodiscard]] inline outcome<node_type> infer_relay_quantized_product(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 6, 6).value();
    const tensor_type &x = call.type(0), &w = call.type(1);
    const element_type element = relay_element_named(call, "out_dtype", element_type::int32);
    if (!x.ranked || !w.ranked || x.rank() < 2 || w.rank() < 2) return node_type(tensor_type(element));
    tensor_type made = x;
    made.element = element;
    made.extents.back() = w.extents[w.rank() - 2];
    return node_type(std::move(made));
}
/// Operands 0 and 1 of `qnn.conv2d` as `nn.conv2d` has them, in the element type that is asked for.
template <auto InferPlain>
[[nodiscard]] outcome<node_type> infer_relay_quantized_convolution(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 6, 6).value();
    attribute_map how = *call.attributes;
    how.erase("out_dtype");
    node_type x = *call.types[0], w = *call.types[1];
    x.of_tensor.element = w.of_tensor.element = element_type::float32;
    const node_type* operands[] = {&x, &w};
    const tensor* constants[] = {nullptr, nullptr};
    auto made = InferPlain(call_view{call.op == "qnn.conv2d" ? "nn.conv2d" : "nn.conv2d_transpose", &how, operands, constants, 1});
    if (made && made->is_tensor()) made->of_tensor.element = relay_element_named(call, "out_dtype", element_type::int32);
    return made;
}

/// A key, and random numbers of `out_shape`: `random.uniform` and others.
[[nodiscard]] inline outcome<node_type> infer_relay_random(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 3).value();
    const element_type element =
        call.op == "random.threefry_generate" ? element_type::uint64 : relay_element_named(call, "out_dtype", element_type::float32);
    const auto extents = relay_list(*call.attributes, "out_shape");
    const tensor_type made = extents ? tensor_type(element, shape(extents->begin(), extents->end())) : tensor_type(element);
    return node_type::tuple({*call.types[0], node_type(made)});
}
/// A key, and `num_samples` indices for each row of probabilities.
[[nodiscard]] inline outcome<node_type> infer_relay_multinomial(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 2, 2).value();
    tensor_type made = call.type(1);
    made.element = element_type::int32;
    if (made.ranked && made.rank() > 0) made.extents.back() = extent(call.attributes->integer("num_samples", 1));
    return node_type::tuple({*call.types[0], node_type(std::move(made))});
}
/// Two keys.
[[nodiscard]] inline outcome<node_type> infer_relay_key_split(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    return node_type::tuple({*call.types[0], *call.types[0]});
}

/// Operands 0 to 2, as `nn.sparse_transpose` gives a matrix back.
[[nodiscard]] inline outcome<node_type> infer_relay_sparse_transpose(const call_view& call) {
    if (call.arity() != 3) return wrong_arity(call, 3, 3).value();
    return node_type::tuple({*call.types[0], *call.types[1], *call.types[2]});
}
/// Rows of the dense operand by rows of the sparse one. Of blocks the sparse one has as many rows as its index has blocks, times their
/// rows.
[[nodiscard]] inline outcome<node_type> infer_relay_sparse_dense(const call_view& call) {
    if (call.arity() != 4 || !call.has(3)) return wrong_arity(call, 4, 4).value();
    const bool is_first = call.attributes->integer("sparse_lhs", 0) != 0;
    const std::size_t dense = is_first ? 3 : 0, data = is_first ? 0 : 1, index = is_first ? 2 : 3;
    const tensor_type& values = call.type(data);
    extent rows = relay_extent(call, index, 0);
    rows = rows.is_known() && rows.size > 0 ? extent(rows.size - 1) : extent();
    if (values.ranked && values.rank() == 3)
        rows = values.extents[1].is_known() ? relay_times(rows, values.extents[1].size) : extent();
    else if (!values.ranked)
        rows = extent();
    const extent others = relay_extent(call, dense, 0);
    return node_type(tensor_type(call.type(dense).element, is_first ? shape{rows, others} : shape{others, rows}));
}
/// The values of operand 1 in a tensor of `output_shape`.
[[nodiscard]] inline outcome<node_type> infer_relay_sparse_to_dense(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 2, 3).value();
    const auto extents = relay_list(*call.attributes, "output_shape");
    if (!extents) return node_type(tensor_type(call.type(1).element));
    return node_type(tensor_type(call.type(1).element, shape(extents->begin(), extents->end())));
}
/// Indices with as many columns as the new shape has axes, and that shape.
[[nodiscard]] inline outcome<node_type> infer_relay_sparse_reshape(const call_view& call) {
    if (call.arity() != 3 || !call.has(2)) return wrong_arity(call, 3, 3).value();
    const tensor_type indices(call.type(0).element, shape{relay_extent(call, 0, 0), relay_extent(call, 2, 0)});
    return node_type::tuple({node_type(indices), *call.types[2]});
}

/// Boxes of an image: for each place one for each size, and one for each further ratio.
[[nodiscard]] inline outcome<node_type> infer_relay_priors(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    const auto* sizes = call.attributes->get<std::vector<double>>("sizes");
    const auto* ratios = call.attributes->get<std::vector<double>>("ratios");
    const std::size_t each = (sizes != nullptr ? sizes->size() : 1) + (ratios != nullptr ? ratios->size() : 1) - 1;
    const extent rows = relay_extent(call, 0, 2), columns = relay_extent(call, 0, 3);
    const extent places = columns.is_known() ? relay_times(rows, columns.size) : extent();
    return node_type(tensor_type(call.type(0).element, shape{extent(1), relay_times(places, static_cast<std::int64_t>(each)), extent(4)}));
}
/// Of each image, its boxes with class and score, and how many there are.
[[nodiscard]] inline outcome<node_type> infer_relay_boxes(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 3, 3).value();
    const extent images = relay_extent(call, 0, 0);
    const tensor_type boxes(call.type(0).element, shape{images, relay_extent(call, 0, 2), extent(6)});
    return node_type::tuple({node_type(boxes), node_type(tensor_type(element_type::int32, shape{images}))});
}
/// How many valid boxes there are, the boxes, and where they were.
[[nodiscard]] inline outcome<node_type> infer_relay_valid_counts(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 2, 2).value();
    const extent images = relay_extent(call, 0, 0), boxes = relay_extent(call, 0, 1);
    return node_type::tuple({node_type(tensor_type(element_type::int32, shape{images})), *call.types[0],
                             node_type(tensor_type(element_type::int32, shape{images, boxes}))});
}
/// The boxes in their order, or their indices and how many there are.
[[nodiscard]] inline outcome<node_type> infer_relay_suppressed(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 5, 5).value();
    if (call.attributes->integer("return_indices", 1) == 0) return *call.types[0];
    const extent images = relay_extent(call, 0, 0);
    return node_type::tuple({node_type(tensor_type(element_type::int32, shape{images, relay_extent(call, 0, 1)})),
                             node_type(tensor_type(element_type::int32, shape{images, extent(1)}))});
}
/// For each region of operand 1 the channels of the image, and so many rows and columns.
[[nodiscard]] inline outcome<node_type> infer_relay_regions(const call_view& call) {
    if (!call.has(1)) return wrong_arity(call, 2, 2).value();
    const auto size = relay_list(*call.attributes, "pooled_size");
    const extent rows = size && size->size() == 2 ? extent((*size)[0]) : extent(),
                 columns = size && size->size() == 2 ? extent((*size)[1]) : extent();
    const bool is_last = call.attributes->text("layout", "NCHW") == "NHWC";
    const extent regions = relay_extent(call, 1, 0), channels = relay_extent(call, 0, is_last ? 3 : 1);
    return node_type(
        tensor_type(call.type(0).element, is_last ? shape{regions, rows, columns, channels} : shape{regions, channels, rows, columns}));
}
/// Blocks of `stride` rows and columns as channels.
[[nodiscard]] inline outcome<node_type> infer_relay_reorganised(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    const std::int64_t stride = std::clamp<std::int64_t>(call.attributes->integer("stride", 1), 1, largest_window);
    const auto part = [&](std::size_t i) {
        const extent e = relay_extent(call, 0, i);
        return e.is_known() ? extent(e.size / stride) : e;
    };
    return node_type(
        tensor_type(call.type(0).element,
                    shape{relay_extent(call, 0, 0), relay_times(relay_times(relay_extent(call, 0, 1), stride), stride), part(2), part(3)}));
}

}  // namespace inlay::detail

#endif
