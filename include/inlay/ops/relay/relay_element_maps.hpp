// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_ELEMENT_MAPS_HPP
#define INLAY_OPS_RELAY_RELAY_ELEMENT_MAPS_HPP

#include <string>
#include <string_view>

#include <inlay/core/id.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/relay/onnx_names.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>

// How Relay's operators are written in ONNX's: a map makes the nodes of one call. `Site` is `relay_site`, which rewrites a graph, or
// `relay_value_site`, which types and evaluates. Attributes are read as Relay's text has them, with the defaults of `relay_defaults`.

namespace inlay::detail {

struct relay_renamed {
    template <class Site>
    node_id operator()(Site& s) const {
        // A condition of Relay's may be a number.
        if (s.op() == "where" && s.arity() == 3 && s.type(s.operand(0)).element != element_type::boolean)
            return s.make("onnx.Where", {s.cast(s.operand(0), element_type::boolean), s.operand(1), s.operand(2)});
        for (const auto& [relay, onnx] : relay_as_onnx)
            if (relay == s.op()) return s.make(onnx, s.operands());
        return no_node;
    }
};

/// What is two or three ONNX operators.
struct relay_few_steps {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::string_view op = s.op();
        if (s.arity() == 0) return s.refuse_arity(1);
        const node_id x = s.operand(0);
        const element_type element = s.type(x).element;
        if (op == "rsqrt") return s.make("onnx.Reciprocal", {s.make("onnx.Sqrt", {x})});
        if (op == "log2" || op == "log10") {
            const node_id base = s.filled(element, {}, op == "log2" ? 0.693147180559945309 : 2.302585092994045684);
            return base == no_node ? no_node : s.make("onnx.Div", {s.make("onnx.Log", {x}), base});
        }
        if (op == "trunc")
            return is_floating(element) ? s.make("onnx.Mul", {s.make("onnx.Sign", {x}), s.make("onnx.Floor", {s.make("onnx.Abs", {x})})})
                                        : x;
        if (op == "round") {
            // Halves go away from zero, where ONNX's Round goes to even.
            if (!is_floating(element)) return x;
            const node_id size = s.make("onnx.Abs", {x}), floor = s.make("onnx.Floor", {size}), half = s.filled(element, {}, 0.5);
            if (half == no_node) return no_node;
            const node_id goes_up = s.cast(s.make("onnx.GreaterOrEqual", {s.make("onnx.Sub", {size, floor}), half}), element);
            return s.make("onnx.Mul", {s.make("onnx.Sign", {x}), s.make("onnx.Add", {floor, goes_up})});
        }
        if (op == "isfinite") return s.make("onnx.Not", {s.make("onnx.Or", {s.make("onnx.IsNaN", {x}), s.make("onnx.IsInf", {x})})});
        if (s.arity() != 2) return s.refuse_arity(2);
        const node_id y = s.operand(1);
        if (op == "not_equal") return s.make("onnx.Not", {s.make("onnx.Equal", {x, y})});
        if (op == "left_shift" || op == "right_shift") {
            const bool left = op == "left_shift", is_unsigned = name_of(element).starts_with("uint");
            attribute_map how;
            how.set("direction", std::string(left ? "LEFT" : "RIGHT"));
            if (is_unsigned) return s.make("onnx.BitShift", {x, y}, how);
            // ONNX shifts no signed integers: shifted to the right they are rounded down.
            const node_id two = s.filled(element, {}, 2);
            if (two == no_node) return no_node;
            const node_id factor = s.make("onnx.Pow", {two, y});
            if (left) return s.make("onnx.Mul", {x, factor});
            return s.make("onnx.Div", {s.make("onnx.Sub", {x, s.make("onnx.Mod", {x, factor})}), factor});
        }
        attribute_map sign_of_dividend;
        sign_of_dividend.set("fmod", std::int64_t{1});
        if (op == "mod" || op == "trunc_mod") return s.make("onnx.Mod", {x, y}, sign_of_dividend);
        if (op == "trunc_divide" && !is_floating(element)) return s.make("onnx.Div", {x, y});
        if (op == "floor_mod" || op == "floor_divide") {
            if (!is_floating(element)) {
                const node_id rest = s.make("onnx.Mod", {x, y});
                return op == "floor_mod" ? rest : s.make("onnx.Div", {s.make("onnx.Sub", {x, rest}), y});
            }
            const node_id floor = s.make("onnx.Floor", {s.make("onnx.Div", {x, y})});
            return op == "floor_divide" ? floor : s.make("onnx.Sub", {x, s.make("onnx.Mul", {floor, y})});
        }
        return s.refuse("has operands of type " + std::string(name_of(element)) + ", and the rules know integers");
    }
};

/// A tensor of one number throughout, as large as the operand.
struct relay_filled_like {
    template <class Site>
    node_id operator()(Site& s) const {
        const bool given = s.op() == "full_like";
        if (s.arity() != (given ? 2u : 1u)) return s.refuse_arity(given ? 2 : 1);
        const tensor_type& x = s.type(s.operand(0));
        const node_id value = given ? s.cast(s.operand(1), x.element) : s.filled(x.element, {}, s.op() == "ones_like" ? 1 : 0);
        return value == no_node ? no_node : s.make("onnx.Expand", {value, s.shape_of(s.operand(0))});
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
        if (s.op() == "cast_like") return s.arity() == 2 ? s.cast(s.operand(0), s.type(s.operand(1)).element) : s.refuse_arity(2);
        const auto to = element_type_attribute(s.attributes(), "dtype");
        if (!to) return s.refuse_attribute("dtype", "names of element types");
        return s.cast(s.operand(0), *to);
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

}  // namespace inlay::detail

#endif
