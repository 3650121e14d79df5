// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_OPS_HPP
#define INLAY_OPS_RELAY_RELAY_OPS_HPP

#include <span>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// Operators of Relay, version 0.0.5, by name: `relay_ops::find("nn.relu")`; and ONNX's, by their own names. Those of Relay that ONNX has
/// in another form have its type rules and meanings. Models `op_set`.
struct relay_ops {
    /// The definition of that name, or null. O(log operators).
    INLAY_LAZY_FUNCTION [[nodiscard]] static const op_definition* find(std::string_view name);
    /// All definitions of Relay's, by name.
    INLAY_LAZY_FUNCTION [[nodiscard]] static std::span<const op_definition> all();
};

static_assert(op_set<relay_ops>);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/relay/relay_ops.ipp>
#endif

#endif
