// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_TO_ONNX_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_TO_ONNX_RULES_HPP

#include <inlay/passes/books/relay_element_rules.hpp>
#include <inlay/passes/books/relay_nn_rules.hpp>
#include <inlay/passes/books/relay_shape_rules.hpp>

namespace inlay {

/// Relay's operators as ONNX's. A rule waits until the types of what a call reads are known, which the types of the program's inputs and
/// constants give from there on.
[[nodiscard]] constexpr auto relay_to_onnx_rules() { return relay_element_rules() + relay_shape_rules() + relay_nn_rules(); }

}  // namespace inlay

#endif
