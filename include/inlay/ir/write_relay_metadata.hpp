// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_WRITE_RELAY_METADATA_HPP
#define INLAY_IR_WRITE_RELAY_METADATA_HPP

#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/placement.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// The JSON text that `read_relay_metadata` reads these constants and placements from. Linear, times the logarithm of how many nodes it
/// has. Keys of targets that are their kinds' own, and the defaults of their options, are written as `known` has them.
[[nodiscard]] INLAY_FUNCTION std::string write_relay_metadata(const std::vector<tensor>& constants,
                                                              const std::vector<placement>& placements, const target_schemas& known);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ir/write_relay_metadata.ipp>
#endif

#endif
