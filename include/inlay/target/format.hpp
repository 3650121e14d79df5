// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_FORMAT_HPP
#define INLAY_TARGET_FORMAT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/graph/tensor_type.hpp>
#include <inlay/target/device.hpp>

namespace inlay {

/// The order in which a tensor's elements lie in memory. Axis 1 is called the channels.
///
/// - `plain`: row-major in the order of the axes (N C H W).
/// - `channels_last`: row-major with the channels moved to the end (N H W C).
/// - `channels_blocked`: the channels split into blocks of `block`, the place within the block innermost (N C/b H W b); the last
///   block is filled up with zeros.
struct layout {
    enum class form : std::uint8_t { plain, channels_last, channels_blocked };

    form kind = form::plain;
    std::uint8_t block = 1;

    [[nodiscard]] static constexpr layout plain() { return {}; }
    [[nodiscard]] static constexpr layout channels_last() { return {form::channels_last, 1}; }
    [[nodiscard]] static constexpr layout channels_blocked(std::uint8_t block) { return {form::channels_blocked, block}; }

    /// As how many channels so many are stored: the last block is filled up.
    [[nodiscard]] constexpr std::size_t stored_channels(std::size_t channels) const {
        return kind == form::channels_blocked ? (channels + block - 1) / block * block : channels;
    }

    friend constexpr auto operator<=>(const layout&, const layout&) = default;
};

/// How a tensor stands at the border of a region: in which memory, in which layout, of which element type.
struct format {
    memory_scope scope;
    layout order;
    element_type element = element_type::float32;

    friend constexpr auto operator<=>(const format&, const format&) = default;
};

/// The format in which the outside world gives and takes tensors of an element type: row-major, in the CPU's main memory.
[[nodiscard]] constexpr format plain_format(element_type element) { return {{}, layout::plain(), element}; }

/// `plain`, `channels_last`, `channels_blocked16`.
[[nodiscard]] inline std::string to_string(const layout& l) {
    switch (l.kind) {
        case layout::form::plain:
            return "plain";
        case layout::form::channels_last:
            return "channels_last";
        case layout::form::channels_blocked:
            break;
    }
    return "channels_blocked" + std::to_string(l.block);
}

/// `float32:plain`, `float32:plain@cuda`, `float32:plain@ext_dev.2`: the scope is left out where it is the CPU's main memory.
[[nodiscard]] inline std::string to_string(const format& f) {
    std::string text = std::string(name_of(f.element)) + ":" + to_string(f.order);
    if (f.scope != memory_scope{}) text += "@" + std::string(name_of(f.scope.device));
    if (f.scope.number != 0) text += "." + std::to_string(f.scope.number);
    return text;
}

/// How many elements, fill included, a tensor of these extents takes in a layout. Tensors of rank below 2 know only `plain`, and
/// lie the same in every layout.
[[nodiscard]] inline std::size_t stored_elements(const std::vector<std::int64_t>& extents, const layout& l) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const auto size = static_cast<std::size_t>(extents[i]);
        count *= i == 1 ? l.stored_channels(size) : size;
    }
    return count;
}

/// Bytes of a tensor of these extents in a format.
[[nodiscard]] inline std::size_t stored_bytes(const std::vector<std::int64_t>& extents, const format& f) {
    return stored_elements(extents, f.order) * size_of(f.element);
}

}  // namespace inlay

#endif
