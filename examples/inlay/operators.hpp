// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_OPERATORS_HPP
#define INLAY_EXAMPLES_INLAY_OPERATORS_HPP

#include <string>
#include <vector>

namespace tool {

/// The operators that the tool knows, by name with dialect, as `onnx.Relu`; those of Relay for programs that are written so.
[[nodiscard]] std::vector<std::string> operator_names(bool of_relay = false);

}  // namespace tool

#endif
