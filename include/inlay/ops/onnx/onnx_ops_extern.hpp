// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ONNX_OPS_EXTERN_HPP
#define INLAY_OPS_ONNX_ONNX_OPS_EXTERN_HPP

#include <string_view>

#include <inlay/ops/onnx/onnx_ops.hpp>

namespace inlay {

/// A file that includes this header does not compile ONNX's operators again, though it looks them up: one file of the program does that,
/// which includes `onnx_ops.hpp` alone and says
///
///     template const inlay::op_definition* inlay::onnx_families::find<void>(std::string_view);
extern template const op_definition* onnx_families::find<void>(std::string_view);

}  // namespace inlay

#endif
