// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_ONNX_BOOK_HPP
#define INLAY_PASSES_BOOKS_ONNX_BOOK_HPP

#include <cstdint>
#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_builder.hpp>  // makes an ir_module rewritable
#include <inlay/ir/ir_module.hpp>
#include <inlay/rewrite/rule.hpp>
#include <inlay/rewrite/working_graph.hpp>

namespace inlay {

/// A book of the library's rules over ONNX's operators, for who chooses it while the program runs.
enum class onnx_book : std::uint8_t {
    algebra,        // `algebra_rules`
    batch_norm,     // `batch_norm_rules`
    forms,          // `fused_operator_rules`, then `attention_rules`
    normal,         // `normal_rules`
    quantization,   // `quantization_rules`
    reassociation,  // `reassociation_rules`
    transposes      // `transpose_rules`
};

/// The rules of a book in order of priority, as rows; they live for ever. Where what is no template is compiled apart, the rules are
/// compiled there, once.
INLAY_LAZY_FUNCTION [[nodiscard]] std::span<const rule_row<working_graph<ir_module>>> rows_of(onnx_book book);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/books/onnx_book.ipp>
#endif

#endif
