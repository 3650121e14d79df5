// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_ATTRIBUTES_HPP
#define INLAY_OPS_RELAY_RELAY_ATTRIBUTES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/attribute.hpp>

namespace inlay::detail {

/// A list of integers, or one integer as such a list; nothing where the attribute is absent or neither.
[[nodiscard]] inline std::optional<std::vector<std::int64_t>> relay_list(const attribute_map& attributes, std::string_view name) {
    if (const auto* list = attributes.get<std::vector<std::int64_t>>(name)) return *list;
    if (const auto* one = attributes.get<std::int64_t>(name)) return std::vector<std::int64_t>{*one};
    return std::nullopt;
}

/// What all windows have: strides, dilations and pads as ONNX has them. Relay's paddings are one for all, one an axis, or all begins before
/// all ends. False where the lengths are others.
[[nodiscard]] inline bool relay_window(const attribute_map& attributes, std::size_t axes, attribute_map& how) {
    const auto per_axis = [&](std::string_view name) {
        std::vector<std::int64_t> list = relay_list(attributes, name).value_or(std::vector<std::int64_t>{1});
        if (list.size() == 1) list.assign(axes, list[0]);
        return list;
    };
    std::vector<std::int64_t> pads = relay_list(attributes, "padding").value_or(std::vector<std::int64_t>{0});
    if (pads.size() == 1) pads.assign(2 * axes, pads[0]);
    if (pads.size() == axes) pads.insert(pads.end(), pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
    std::vector<std::int64_t> strides = per_axis("strides"), dilations = per_axis("dilation");
    if (pads.size() != 2 * axes || strides.size() != axes || dilations.size() != axes) return false;
    how.set("pads", std::move(pads));
    how.set("strides", std::move(strides));
    how.set("dilations", std::move(dilations));
    return true;
}

}  // namespace inlay::detail

#endif
