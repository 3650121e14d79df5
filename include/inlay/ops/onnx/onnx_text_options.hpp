// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ONNX_TEXT_OPTIONS_HPP
#define INLAY_OPS_ONNX_ONNX_TEXT_OPTIONS_HPP

#include <inlay/ops/check_call.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>

namespace inlay {

/// Patterns and rules on ONNX's operators: `Conv` is `onnx.Conv`, and an operator that ONNX does not have, or an attribute that its
/// operator does not have, is an error with its place in the text; so is what a rule makes without an attribute that it needs.
/// `parse_rules(text, "my rules", onnx_text_options())`
template <op_set Ops = onnx_ops>
[[nodiscard]] pattern_text_options onnx_text_options(Ops = {}) {
    pattern_text_options o;
    o.dialect = "onnx";
    o.check = &check_call_of<Ops>;
    o.form_of = &declared_form_of<Ops>;
    return o;
}

}  // namespace inlay

#endif
