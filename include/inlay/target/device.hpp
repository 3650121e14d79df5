// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_DEVICE_HPP
#define INLAY_TARGET_DEVICE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace inlay {

/// A kind of processor with memory of its own. Back ends run on the first three; programs can be placed on all.
enum class device_type : std::uint8_t { cpu, cuda, ext_dev, opencl, vulkan, metal, rocm, webgpu, hexagon, aocl };

namespace detail {
inline constexpr std::array<std::string_view, 10> device_names{"cpu",   "cuda", "ext_dev", "opencl",  "vulkan",
                                                               "metal", "rocm", "webgpu",  "hexagon", "aocl"};
/// The numbers of DLPack, and TVM's beyond them, in the order of `device_type`.
inline constexpr std::array<int, device_names.size()> device_numbers{1, 2, 12, 4, 7, 8, 10, 15, 16, 32};
}  // namespace detail

[[nodiscard]] constexpr std::string_view name_of(device_type d) { return detail::device_names[static_cast<std::size_t>(d)]; }

[[nodiscard]] constexpr std::optional<device_type> device_type_named(std::string_view name) {
    for (std::size_t i = 0; i < detail::device_names.size(); ++i)
        if (detail::device_names[i] == name) return static_cast<device_type>(i);
    return std::nullopt;
}

/// DLPack's number of a device type, as TVM writes it.
[[nodiscard]] constexpr int dlpack_number_of(device_type d) { return detail::device_numbers[static_cast<std::size_t>(d)]; }
[[nodiscard]] constexpr std::optional<device_type> device_type_numbered(std::int64_t number) {
    for (std::size_t i = 0; i < detail::device_numbers.size(); ++i)
        if (detail::device_numbers[i] == number) return static_cast<device_type>(i);
    return std::nullopt;
}

/// A memory of a device. Number 0 is the device's main memory; the others belong to the target that names them.
struct memory_scope {
    device_type device = device_type::cpu;
    std::uint16_t number = 0;

    friend constexpr auto operator<=>(const memory_scope&, const memory_scope&) = default;
};

}  // namespace inlay

#endif
