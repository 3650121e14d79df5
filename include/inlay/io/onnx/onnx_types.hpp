// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_TYPES_HPP
#define INLAY_IO_ONNX_ONNX_TYPES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>

namespace inlay {

namespace detail {

/// The element type by ONNX's number; `none` for those that inlay has not: complex, 8-bit floats, 4-bit integers.
[[nodiscard]] constexpr element_type known_element(std::int32_t number) {
    return element_type_numbered(number).value_or(element_type::none);
}

/// One dimension: -1, an empty name and `?` are how exporters say that they do not know; a name of digits is that number.
inline outcome<extent> extent_of_onnx(const onnx::TensorShapeProto_Dimension& d) {
    if (d.has_dim_value()) {
        if (d.dim_value() < -1) return error{"has the negative extent " + std::to_string(d.dim_value())};
        return d.dim_value() == -1 ? extent() : extent(d.dim_value());
    }
    const std::string& name = d.dim_param();
    if (name.empty() || name == "?" || name == "-1") return extent();
    std::int64_t number = 0;
    for (const char c : name) {
        if (c < '0' || c > '9') return extent(name);
        if (number > (INT64_MAX - 9) / 10) return error{"has the extent " + quoted_text(name) + ", which is no 64-bit number"};
        number = 10 * number + (c - '0');
    }
    return extent(number);
}

/// Extents whose product no memory can hold are refused where they enter, so that sizes may be multiplied freely later.
inline bool has_size(const tensor_type& type) {
    std::vector<std::int64_t> known;
    for (const extent& e : type.extents) known.push_back(e.is_known() ? e.size : 1);
    const auto count = element_count(known);
    return count && *count <= (std::int64_t{1} << 56);
}

inline constexpr int most_axes = 64;

/// Sequences, optionals and maps are data types by those names; what has no type here is unknown. The error's text follows the
/// name of the value.
inline outcome<node_type> type_of_onnx(const onnx::TypeProto& type) {
    using field = onnx::TypeProto;
    const auto wrapped = [](const char* name, const onnx::TypeProto& inner) -> outcome<node_type> {
        auto content = type_of_onnx(inner);
        if (!content) return content;
        return node_type::data(name, {*content});
    };
    switch (type.value_case()) {
        case field::kTensorType:
            break;
        case field::kSequenceType:
            return wrapped("Sequence", type.sequence_type().elem_type());
        case field::kOptionalType:
            return wrapped("Optional", type.optional_type().elem_type());
        case field::kMapType: {
            auto value = type_of_onnx(type.map_type().value_type());
            if (!value) return value;
            return node_type::data("Map", {tensor_type(known_element(type.map_type().key_type()), {}), *value});
        }
        default:
            return node_type();
    }
    const element_type element = known_element(type.tensor_type().elem_type());
    if (element == element_type::none) return node_type();
    if (!type.tensor_type().has_shape()) return node_type(tensor_type(element));
    if (type.tensor_type().shape().dim_size() > most_axes)
        return error{"has " + std::to_string(type.tensor_type().shape().dim_size()) + " axes, more than " + std::to_string(most_axes)};
    shape extents;
    for (const auto& d : type.tensor_type().shape().dim()) {
        auto e = extent_of_onnx(d);
        if (!e) return e.failure();
        extents.push_back(*std::move(e));
    }
    tensor_type made(element, std::move(extents));
    if (!has_size(made)) return error{"has the extents " + quoted_text(to_string(made)) + ", more than any memory holds"};
    return node_type(std::move(made));
}

/// Writes a tensor's type; false for what ONNX has no word for.
inline bool write_type(const node_type& type, onnx::TypeProto& out) {
    if (!type.is_tensor() || onnx_number_of(type.of_tensor.element) == 0) return false;
    auto* made = out.mutable_tensor_type();
    made->set_elem_type(static_cast<std::int32_t>(onnx_number_of(type.of_tensor.element)));
    if (!type.of_tensor.ranked) return true;
    auto* dims = made->mutable_shape();
    for (const extent& e : type.of_tensor.extents) {
        auto* d = dims->add_dim();
        if (e.is_known())
            d->set_dim_value(e.size);
        else if (!e.symbol.empty())
            d->set_dim_param(e.symbol);
    }
    return true;
}

}  // namespace detail

}  // namespace inlay

#endif
