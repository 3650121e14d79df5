// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ONNX_ELEMENT_TYPE_HPP
#define INLAY_OPS_ONNX_ONNX_ELEMENT_TYPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>
#include <inlay/graph/element_type.hpp>

namespace inlay {

namespace detail {
/// By the numbers of TensorProto.DataType; `none` for complex numbers and types that came later.
inline constexpr std::array<element_type, 21> onnx_element_types{element_type::none,
                                                                 element_type::float32,
                                                                 element_type::uint8,
                                                                 element_type::int8,
                                                                 element_type::uint16,
                                                                 element_type::int16,
                                                                 element_type::int32,
                                                                 element_type::int64,
                                                                 element_type::string,
                                                                 element_type::boolean,
                                                                 element_type::float16,
                                                                 element_type::float64,
                                                                 element_type::uint32,
                                                                 element_type::uint64,
                                                                 element_type::none,
                                                                 element_type::none,
                                                                 element_type::bfloat16,
                                                                 element_type::float8_e4m3fn,
                                                                 element_type::float8_e4m3fnuz,
                                                                 element_type::float8_e5m2,
                                                                 element_type::float8_e5m2fnuz};
}  // namespace detail

/// The element type that ONNX writes as this number (`to` of Cast, `dtype` elsewhere).
[[nodiscard]] constexpr std::optional<element_type> element_type_numbered(std::int64_t number) {
    if (number < 0 || number >= static_cast<std::int64_t>(detail::onnx_element_types.size())) return std::nullopt;
    const element_type e = detail::onnx_element_types[static_cast<std::size_t>(number)];
    if (e == element_type::none) return std::nullopt;
    return e;
}

/// The number by which ONNX writes an element type; 0 for `none`.
[[nodiscard]] constexpr std::int64_t onnx_number_of(element_type e) {
    for (std::size_t i = 1; i < detail::onnx_element_types.size(); ++i)
        if (e != element_type::none && detail::onnx_element_types[i] == e) return static_cast<std::int64_t>(i);
    return 0;
}

/// The element type that an attribute says, as ONNX's number or as a name (`float32`); nothing where it is absent or neither.
[[nodiscard]] inline std::optional<element_type> element_type_attribute(const attribute_map& attributes, std::string_view name) {
    if (const auto* number = attributes.get<std::int64_t>(name)) return element_type_numbered(*number);
    if (const auto* text = attributes.get<std::string>(name)) return element_type_named(*text);
    return std::nullopt;
}

/// The same of the attribute that a member of a struct of attributes stands for.
template <auto Member>
[[nodiscard]] std::optional<element_type> element_type_attribute(const attribute_map& attributes) {
    return element_type_attribute(attributes, attribute_name<Member>);
}

}  // namespace inlay

#endif
