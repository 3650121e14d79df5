// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_METADATA_HPP
#define INLAY_IO_RELAY_RELAY_METADATA_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/placement.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// What a program in Relay's text refers to by an index.
struct relay_metadata {
    /// Values of one kind, `meta[KEY][i]`, each as an attribute's, or the reason why it is none.
    struct section {
        std::string key;
        std::vector<outcome<attribute_value>> values;
    };

    std::vector<tensor> constants;      // relay.Constant
    std::vector<placement> placements;  // VirtualDevice
    std::vector<section> others;
};

/// The metadata of a JSON text. Every index, count and size in it is checked, and what refers to itself is refused. A target of a kind that
/// `known` has is put into the form in which equal targets are equal values; options that its kind does not know follow those that it
/// knows, by name. Linear, times the logarithm of how many keys objects have.
[[nodiscard]] INLAY_FUNCTION outcome<relay_metadata> read_relay_metadata(std::string_view json, const target_schemas& known);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/relay/relay_metadata.ipp>
#endif

#endif
