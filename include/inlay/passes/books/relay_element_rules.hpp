// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_ELEMENT_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_ELEMENT_RULES_HPP

#include <inlay/ops/relay/relay_element_maps.hpp>
#include <inlay/passes/books/relay_site.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Relay's operators that work element by element, as ONNX's.
[[nodiscard]] constexpr auto relay_element_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"renamed", exactness::exact>(
            op<"abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atanh", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor",
               "ceil", "cos", "cosh", "divide", "equal", "erf", "exp", "fast_erf", "fast_exp", "fast_tanh", "floor", "greater",
               "greater_equal", "isinf", "isnan", "less", "less_equal", "log", "logical_and", "logical_not", "logical_or", "logical_xor",
               "maximum", "minimum", "multiply", "negative", "nn.relu", "power", "sigmoid", "sign", "sin", "sinh", "sqrt", "subtract",
               "tan", "tanh", "where">,
            by_site<relay_renamed>{}),
        rule<"few_steps", exactness::bounded>(op<"round", "rsqrt", "not_equal", "log2", "log10", "trunc", "isfinite", "left_shift",
                                                 "right_shift", "mod", "trunc_mod", "trunc_divide", "floor_mod", "floor_divide">,
                                              by_site<relay_few_steps>{}),
        rule<"filled_like", exactness::exact>(op<"zeros_like", "ones_like", "full_like">, by_site<relay_filled_like>{}),
        rule<"copy", exactness::exact>(op<"copy", "annotation.stop_fusion">, by_site<relay_operand>{}),
        rule<"dropout", overlap::duplicate, exactness::exact>(any_field(op<"nn.dropout">(any_reached)), by_site<relay_operand>{}),
        rule<"clip", exactness::exact>(op<"clip">, by_site<relay_clip>{}),
        rule<"cast", exactness::exact>(op<"cast", "cast_like">, by_site<relay_cast>{}),
        rule<"leaky_relu", exactness::exact>(op<"nn.leaky_relu">, by_site<relay_leaky_relu>{}),
        rule<"prelu", exactness::exact>(op<"nn.prelu">, by_site<relay_prelu>{}));
}

}  // namespace inlay

#endif
