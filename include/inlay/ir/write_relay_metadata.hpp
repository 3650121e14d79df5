// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_WRITE_RELAY_METADATA_HPP
#define INLAY_IR_WRITE_RELAY_METADATA_HPP

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/placement.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

namespace detail {

/// DLPack's numbers of device types.
inline constexpr std::array<std::pair<int, device_type>, 3> relay_devices{
    {{1, device_type::cpu}, {2, device_type::cuda}, {12, device_type::ext_dev}}};

[[nodiscard]] inline int relay_number_of(device_type d) {
    for (const auto& [number, device] : relay_devices)
        if (device == d) return number;
    return -1;
}

}  // namespace detail

/// The JSON text that `read_relay_metadata` reads these constants and placements from. Linear, times the logarithm of how many nodes it
/// has. Keys of targets that are their kinds' own, and the defaults of their options, are written as `known` has them.
[[nodiscard]] INLAY_FUNCTION std::string write_relay_metadata(const std::vector<tensor>& constants,
                                                              const std::vector<placement>& placements, const target_schemas& known);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ir/write_relay_metadata.ipp>
#endif

#endif
