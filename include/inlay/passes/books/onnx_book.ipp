// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_ONNX_BOOK_IPP
#define INLAY_PASSES_BOOKS_ONNX_BOOK_IPP

#include <inlay/passes/books/onnx_book.hpp>

#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/passes/books/attention_rules.hpp>
#include <inlay/passes/books/fold_batch_norm.hpp>
#include <inlay/passes/books/fused_operator_rules.hpp>
#include <inlay/passes/books/normal_rules.hpp>
#include <inlay/passes/books/quantization_rules.hpp>
#include <inlay/passes/books/reassociation_rules.hpp>
#include <inlay/passes/books/transpose_rules.hpp>

namespace inlay {

INLAY_LAZY_DEFINITION std::span<const rule_row<working_graph<ir_module>>> rows_of(onnx_book book) {
    using graph = working_graph<ir_module>;
    switch (book) {
        case onnx_book::algebra:
            return algebra_rules().all_rows<graph>();
        case onnx_book::batch_norm:
            return batch_norm_rules().all_rows<graph>();
        case onnx_book::forms:
            return (fused_operator_rules() + attention_rules()).all_rows<graph>();
        case onnx_book::normal:
            return normal_rules().all_rows<graph>();
        case onnx_book::quantization:
            return quantization_rules().all_rows<graph>();
        case onnx_book::reassociation:
            return reassociation_rules().all_rows<graph>();
        case onnx_book::transposes:
            return transpose_rules().all_rows<graph>();
    }
    return {};
}

}  // namespace inlay

#endif
