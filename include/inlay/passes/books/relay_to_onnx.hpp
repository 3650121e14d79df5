// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_TO_ONNX_HPP
#define INLAY_PASSES_BOOKS_RELAY_TO_ONNX_HPP

#include <algorithm>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/pattern/term/pattern_term.hpp>
#include <inlay/rewrite/fragment.hpp>

namespace inlay {

namespace detail {

/// Whether a pattern asks for an operator, wherever. O(terms).
[[nodiscard]] inline bool names_operator(const pattern_view& p, std::string_view op) {
    for (const pattern_term& t : p.terms)
        if (std::find(t.names.begin(), t.names.end(), op) != t.names.end()) return true;
    return false;
}

/// `relay_to_onnx` by a function that finds operators, and one that types calls.
INLAY_LAZY_FUNCTION [[nodiscard]] outcome<ir_module> relay_to_onnx_by(const ir_module& m, op_finder find, type_rule infer);

}  // namespace detail

/// A program of Relay's operators as one of ONNX's by `relay_to_onnx_rules`, typed and cleaned. The error names, in one sentence, the
/// operators that have no rule and why others were refused.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<ir_module> relay_to_onnx(const ir_module& m, Ops = {}) {
    return detail::relay_to_onnx_by(
        m, [](std::string_view name) { return Ops::find(name); }, &infer_call<Ops>);
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/books/relay_to_onnx.ipp>
#endif

#endif
