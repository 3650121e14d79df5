// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_TENSOR_TYPE_HPP
#define INLAY_GRAPH_TENSOR_TYPE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/element_type.hpp>

namespace inlay {

/// One extent of a shape: a number, a symbol (two equal symbols are equal numbers), or nothing known.
struct extent {
    static constexpr std::int64_t unknown = -1;

    std::int64_t size = unknown;
    std::string symbol;

    extent() = default;
    extent(std::int64_t known) : size(known) {}
    explicit extent(std::string name) : symbol(std::move(name)) {}

    [[nodiscard]] bool is_known() const { return size >= 0; }

    friend bool operator==(const extent&, const extent&) = default;
};

/// The extents of a tensor, outermost first.
using shape = std::vector<extent>;

/// The element type of a tensor and, where its rank is known, its shape.
struct tensor_type {
    element_type element = element_type::none;
    bool ranked = false;
    shape extents;

    tensor_type() = default;
    explicit tensor_type(element_type e) : element(e) {}
    tensor_type(element_type e, shape s) : element(e), ranked(true), extents(std::move(s)) {}

    [[nodiscard]] std::size_t rank() const { return extents.size(); }

    /// Whether every extent is a number.
    [[nodiscard]] bool is_static() const {
        if (!ranked) return false;
        for (const extent& e : extents)
            if (!e.is_known()) return false;
        return true;
    }

    friend bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// A number that equal types share, for tables of types. O(rank).
[[nodiscard]] inline std::uint32_t hash_of(const tensor_type& type) {
    std::uint64_t hash = static_cast<std::uint64_t>(type.element) * 2 + (type.ranked ? 1 : 0);
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15ull;
        hash ^= hash >> 29;
    };
    for (const extent& e : type.extents) {
        mix(static_cast<std::uint64_t>(e.size));
        for (const char c : e.symbol) mix(static_cast<unsigned char>(c));
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

/// The extents as numbers. Precondition: `type.is_static()`.
[[nodiscard]] inline std::vector<std::int64_t> static_shape(const tensor_type& type) {
    std::vector<std::int64_t> sizes(type.extents.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = type.extents[i].size;
    return sizes;
}

/// How many elements a shape has; nothing where the product does not fit 63 bits or an extent is negative.
[[nodiscard]] inline std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& sizes) {
    std::int64_t count = 1;
    bool zero = false;
    for (const std::int64_t s : sizes) {
        if (s < 0) return std::nullopt;
        if (s == 0) {
            zero = true;
            continue;
        }
        if (count > INT64_MAX / s) return std::nullopt;
        count *= s;
    }
    return zero ? 0 : count;
}

/// `float32[1,3,?,w]`; `float32[*]` where the rank is unknown.
[[nodiscard]] inline std::string to_string(const tensor_type& type) {
    std::string text(name_of(type.element));
    text += '[';
    if (!type.ranked) text += '*';
    for (std::size_t i = 0; i < type.extents.size(); ++i) {
        if (i != 0) text += ',';
        const extent& e = type.extents[i];
        if (e.is_known())
            text += std::to_string(e.size);
        else
            text += e.symbol.empty() ? std::string("?") : escaped_text(e.symbol);
    }
    return text += ']';
}

}  // namespace inlay

#endif
