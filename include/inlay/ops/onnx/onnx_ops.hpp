// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ONNX_OPS_HPP
#define INLAY_OPS_ONNX_ONNX_OPS_HPP

#include <span>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/op_table.hpp>

namespace inlay {

/// The operators of ONNX in their newest form (opset 18), by name with dialect: `onnx_ops::find("onnx.Relu")`. Models `op_set`.
struct onnx_ops {
    /// The definition of that name, or null. O(log operators).
    INLAY_LAZY_FUNCTION [[nodiscard]] static const op_definition* find(std::string_view name);
    /// All definitions, by name.
    INLAY_LAZY_FUNCTION [[nodiscard]] static std::span<const op_definition> all();
};

static_assert(op_set<onnx_ops>);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/onnx/onnx_ops.ipp>
#endif

#endif
