// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_SITE_STEPS_HPP
#define INLAY_OPS_RELAY_RELAY_SITE_STEPS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_defaults.hpp>

namespace inlay::detail {

/// A number, whole or not.
[[nodiscard]] inline double relay_number(const attribute_map& attributes, std::string_view name, double otherwise) {
    if (const auto* whole = attributes.get<std::int64_t>(name)) return static_cast<double>(*whole);
    return attributes.number(name, otherwise);
}

/// Numbers as a tensor; nothing where its element type cannot represent them.
[[nodiscard]] inline std::optional<tensor> relay_tensor(element_type element, const std::vector<std::int64_t>& extents,
                                                        const std::vector<double>& values) {
    tensor numbers(element_type::float64, extents);
    if (!numbers.ok() || numbers.count() != values.size()) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) numbers.as<double>()[i] = values[i];
    auto made = convert_elements(numbers, element);
    if (!made || is_floating(element) || element == element_type::boolean) return made;
    const auto back = convert_elements(*made, element_type::float64);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!back || back->as<double>()[i] != values[i]) return std::nullopt;
    return made;
}

/// The least number of an element type that a pool ignores.
[[nodiscard]] inline double relay_lowest(element_type element) {
    switch (element) {
        case element_type::float64:
            return std::numeric_limits<double>::lowest();
        case element_type::float16:
            return -65504;
        case element_type::bfloat16:
            return -3.3895313892515355e38;
        case element_type::int8:
            return -128;
        case element_type::int16:
            return -32768;
        case element_type::int32:
            return -2147483648.0;
        case element_type::uint8:
        case element_type::uint16:
        case element_type::uint32:
            return 0;
        default:
            return static_cast<double>(std::numeric_limits<float>::lowest());
    }
}

/// What maps do at a call of Relay's, in terms of what `Site` has: `op`, `attributes`, `arity`, `operand`, `type`, `constant`, `make`,
/// `value` and `fail`.
template <class Site>
class relay_site_steps {
public:
    [[nodiscard]] std::size_t rank(std::size_t i = 0) const { return i < site().arity() ? site().type(site().operand(i)).rank() : 0; }
    [[nodiscard]] extent extent_of(std::size_t i, std::size_t axis) const { return site().type(site().operand(i)).extents[axis]; }

    /// The axis that an attribute says, counted from the front; nothing where the first operand has none such.
    [[nodiscard]] std::optional<std::size_t> axis(std::string_view name, std::int64_t otherwise) const {
        return axis_of(site().attributes().integer(name, otherwise), rank());
    }

    node_id list(const std::vector<std::int64_t>& values) {
        return site().value(tensor::of({static_cast<std::int64_t>(values.size())}, values));
    }
    /// A tensor of numbers, or of one number throughout.
    node_id numbers(element_type element, const std::vector<std::int64_t>& extents, const std::vector<double>& values) {
        const auto made = relay_tensor(element, extents, values);
        if (made) return site().value(*made);
        return refuse("has the number " + std::to_string(values.empty() ? 0.0 : values.front()) + ", which is no " +
                      std::string(name_of(element)));
    }
    node_id filled(element_type element, const std::vector<std::int64_t>& extents, double value) {
        const auto count = element_count(extents);
        if (!count || *count > (std::int64_t{1} << 28)) return refuse("has a constant that is too large");
        return numbers(element, extents, std::vector<double>(static_cast<std::size_t>(*count), value));
    }
    /// The same of the element type of operand i.
    node_id filled(std::size_t i, const std::vector<std::int64_t>& extents, double value) {
        return filled(site().type(site().operand(i)).element, extents, value);
    }
    node_id lowest(element_type element) { return filled(element, {}, relay_lowest(element)); }

    node_id cast(node_id n, element_type to) {
        if (n == no_node || site().type(n).element == to) return n;
        attribute_map how;
        how.set("to", onnx_number_of(to));
        return site().make("onnx.Cast", {n}, how);
    }
    node_id shape_of(node_id n) {
        const tensor_type t = site().type(n);
        return t.is_static() ? list(static_shape(t)) : site().make("onnx.Shape", {n});
    }
    node_id transposed(node_id n, std::vector<std::int64_t> order) {
        attribute_map how;
        how.set("perm", std::move(order));
        return site().make("onnx.Transpose", {n}, how);
    }
    node_id reshaped(node_id n, const std::vector<std::int64_t>& extents) { return site().make("onnx.Reshape", {n, list(extents)}); }
    /// A tensor of one element, without axes.
    node_id scalar(node_id n) {
        if (n == no_node) return n;
        const tensor_type t = site().type(n);
        return t.ranked && t.rank() == 0 ? n : reshaped(n, {});
    }
    /// Operand i, a row of numbers, as one that is stretched along all axes of a tensor of this rank but one.
    node_id along_axis(std::size_t i, std::size_t axis, std::size_t rank) {
        if (axis + 1 == rank) return site().operand(i);
        std::vector<std::int64_t> extents(rank - axis, 1);
        extents[0] = -1;
        return reshaped(site().operand(i), extents);
    }

    /// Says why the call has no form here: "has data_layout 'NCHW4c', and ...".
    node_id refuse(const std::string& why) {
        site().fail(std::string(site().op()) + " " + why);
        return no_node;
    }
    node_id refuse_attribute(std::string_view name, std::string_view wanted) {
        std::string has = std::to_string(site().attributes().integer(name, 0));
        if (const auto* text = site().attributes().template get<std::string>(name)) has = quoted_text(*text);
        return refuse("has " + std::string(name) + " " + has + ", and the rules know " + std::string(wanted));
    }
    node_id refuse_arity(std::size_t wanted) {
        return refuse("has " + std::to_string(site().arity()) + " operands, where " + std::to_string(wanted) + " are expected");
    }

private:
    [[nodiscard]] Site& site() { return static_cast<Site&>(*this); }
    [[nodiscard]] const Site& site() const { return static_cast<const Site&>(*this); }
};

}  // namespace inlay::detail

#endif
