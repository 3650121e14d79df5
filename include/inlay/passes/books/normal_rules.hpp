// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_NORMAL_RULES_HPP
#define INLAY_PASSES_BOOKS_NORMAL_RULES_HPP

#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/passes/books/fold_batch_norm.hpp>
#include <inlay/passes/books/transpose_rules.hpp>

namespace inlay {

/// The rules that make a program of ONNX's operators no dearer, whoever runs it: fewer nodes, or as many that meet others. Results change
/// in the last bits where a convolution takes up a batch normalisation, and zeros may change their sign.
[[nodiscard]] constexpr auto normal_rules() { return algebra_rules() + batch_norm_rules() + meeting_transpose_rules(); }

}  // namespace inlay

#endif
