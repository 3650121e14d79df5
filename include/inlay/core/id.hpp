// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_ID_HPP
#define INLAY_CORE_ID_HPP

#include <cstdint>

namespace inlay {

/// The number of a node in its graph: dense, from 0, operands before users.
using node_id = std::uint32_t;

/// The number of a basic block of a graph; block 0 is the outermost.
using block_id = std::uint32_t;

/// The number of a back end in the list that takes part: its place in the user's order of preference.
using backend_id = std::uint32_t;

/// Stands where a node may be missing.
inline constexpr node_id no_node = 0xFFFF'FFFFu;

}  // namespace inlay

#endif
