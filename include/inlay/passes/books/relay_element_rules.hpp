// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_ELEMENT_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_ELEMENT_RULES_HPP

#include <string_view>
#include <utility>

#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/relay/onnx_names.hpp>
#include <inlay/passes/books/relay_site.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

struct relay_renamed {
    template <class Site>
    node_id operator()(Site& s) const {
        for (const auto& [relay, onnx] : relay_as_onnx)
            if (relay == s.op()) return s.make(onnx, s.operands());
        return no_node;
    }
};

/// What is one ONNX operator behind another.
struct relay_two_steps {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.op() == "rsqrt") return s.make("onnx.Reciprocal", {s.make("onnx.Sqrt", s.operands())});
        return s.make("onnx.Not", {s.make("onnx.Equal", s.operands())});  // not_equal
    }
};

struct relay_operand {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.field() != 0) return s.refuse("gives its mask, which is not known here");
        return s.arity() == 1 ? s.operand(0) : s.refuse_arity(1);
    }
};

struct relay_clip {
    template <class Site>
    node_id operator()(Site& s) const {
        const node_id least = s.filled(0, {}, relay_number(s.attributes(), "a_min", 0)),
                      most = s.filled(0, {}, relay_number(s.attributes(), "a_max", 0));
        return least == no_node || most == no_node ? no_node : s.make("onnx.Clip", {s.operand(0), least, most});
    }
};

struct relay_cast {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto to = element_type_attribute(s.attributes(), "dtype");
        if (!to) return s.refuse_attribute("dtype", "names of element types");
        attribute_map how;
        how.set("to", onnx_number_of(*to));
        return s.make("onnx.Cast", {s.operand(0)}, how);
    }
};

struct relay_leaky_relu {
    template <class Site>
    node_id operator()(Site& s) const {
        attribute_map how;
        how.set("alpha", relay_number(s.attributes(), "alpha", 0));
        return s.make("onnx.LeakyRelu", {s.operand(0)}, how);
    }
};

struct relay_prelu {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto axis = s.axis("axis", 1);
        if (s.arity() != 2) return s.refuse_arity(2);
        if (!axis) return s.refuse_attribute("axis", "axes of the operand");
        return s.make("onnx.PRelu", {s.operand(0), s.along_axis(1, *axis, s.rank())});
    }
};

}  // namespace detail

/// Relay's operators that work element by element, as ONNX's.
[[nodiscard]] constexpr auto relay_element_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"renamed">(
            op<"abs", "add", "atan", "ceil", "cos", "cosh", "divide", "equal", "erf", "exp", "floor", "greater", "greater_equal", "less",
               "less_equal", "log", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative",
               "nn.relu", "power", "sigmoid", "sign", "sin", "sinh", "sqrt", "subtract", "tan", "tanh", "where">,
            by_site<relay_renamed>{}),
        rule<"two_steps">(op<"rsqrt", "not_equal">, by_site<relay_two_steps>{}), rule<"copy">(op<"copy">, by_site<relay_operand>{}),
        rule<"dropout", overlap::duplicate>(any_field(op<"nn.dropout">(any_reached)), by_site<relay_operand>{}),
        rule<"clip">(op<"clip">, by_site<relay_clip>{}), rule<"cast">(op<"cast">, by_site<relay_cast>{}),
        rule<"leaky_relu">(op<"nn.leaky_relu">, by_site<relay_leaky_relu>{}), rule<"prelu">(op<"nn.prelu">, by_site<relay_prelu>{}));
}

}  // namespace inlay

#endif
