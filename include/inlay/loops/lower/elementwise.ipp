// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_ELEMENTWISE_IPP
#define INLAY_LOOPS_LOWER_ELEMENTWISE_IPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <inlay/loops/lower/elementwise.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/lower/half_precision.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/run/scalar_value.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/dropout_effect.hpp>

namespace inlay::detail {

/// Operands and result at one place, as expressions.
struct lowered_place {
    const lowered_call& c;
    std::vector<expression_id> operands;

    using f = scalar_function;
    [[nodiscard]] expression_id x() const { return operands[0]; }
    [[nodiscard]] expression_id y() const { return operands[1]; }
    [[nodiscard]] expression_id n(double v) const { return c.nest.number(v, c.operands[0].element); }
    [[nodiscard]] expression_id of(f g, expression_id a) const { return c.apply(g, a); }
    [[nodiscard]] expression_id of(f g, expression_id a, expression_id b) const { return c.apply(g, a, b); }
    [[nodiscard]] expression_id choose(expression_id when, expression_id a, expression_id b) const { return c.build().choose(when, a, b); }
    /// Of all operands, from the left.
    [[nodiscard]] expression_id of_all(f g) const {
        expression_id all = x();
        for (std::size_t i = 1; i < operands.size(); ++i) all = of(g, all, operands[i]);
        return all;
    }
    /// a where x is negative, else b.
    [[nodiscard]] expression_id where_negative(expression_id a, expression_id b) const { return choose(of(f::less, x(), n(0)), a, b); }
};

/// A call whose result at each place follows from its operands there.
template <class F>
[[nodiscard]] outcome<lowered_tensor> lower_place_by_place(const lowered_call& c, F f) {
    std::size_t cost = 1;
    for (const lowered_tensor& t : c.operands) cost += t.cost;
    return c.nest.computed(c.extents, c.element, cost, [kept = c, f](const std::vector<affine>& at) {
        lowered_place p{kept, {}};
        for (std::size_t i = 0; i < kept.operands.size(); ++i) p.operands.push_back(kept.has(i) ? kept.broadcast(i, at) : expression_id{});
        return f(p);
    });
}

template <scalar_function F>
[[nodiscard]] outcome<lowered_tensor> lower_unary(const lowered_call& c) {
    return lower_place_by_place(c, [](const lowered_place& p) { return p.of(F, p.x()); });
}
/// Of one or more operands, from the left.
template <scalar_function F>
[[nodiscard]] outcome<lowered_tensor> lower_variadic(const lowered_call& c) {
    return lower_place_by_place(c, [](const lowered_place& p) { return p.of_all(F); });
}

/// log(1 + exp(x)) without an infinity in between.
[[nodiscard]] inline expression_id softplus_at(const lowered_place& p) {
    const expression_id small = p.of(scalar_function::exponential, p.of(scalar_function::negate, p.of(scalar_function::absolute, p.x())));
    return p.of(scalar_function::add, p.of(scalar_function::maximum, p.x(), p.n(0)),
                p.of(scalar_function::logarithm, p.of(scalar_function::add, p.n(1), small)));
}

/// A power among the reals: of the base's element type, or of a whole base in float64, cut off.
[[nodiscard]] inline outcome<lowered_tensor> lower_real_power(const lowered_call& c) {
    lowered_call real = c;
    if (!is_floating(c.element)) real.element = element_type::float64;
    for (lowered_tensor& t : real.operands) t = cast_to(c.nest, t, real.element);
    const auto made = lower_place_by_place(real, [](const lowered_place& p) { return p.of(scalar_function::power, p.x(), p.y()); });
    return cast_to(c.nest, *made, c.element);
}

/// A power of a whole base is written out as products, where its exponent is one known number.
[[nodiscard]] inline outcome<lowered_tensor> lower_whole_power(const lowered_call& c) {
    constexpr std::int64_t most = 16;
    const tensor* const known = c.call.constant(1);
    if (known == nullptr || known->count() != 1)
        return error{"a power of whole numbers whose exponents are not one known number has no loop nest"};
    const scalar_value exponent = load_scalar(known->element(), known->data());
    if (exponent.integer < 0 || exponent.integer > most)
        return error{"a power of whole numbers has a loop nest for exponents from 0 to " + std::to_string(most)};
    return lower_place_by_place(c, [times = exponent.integer](const lowered_place& p) {
        if (times == 0) return p.n(1);
        expression_id power = p.x();
        for (std::int64_t i = 1; i < times; ++i) power = p.of(scalar_function::multiply, power, p.x());
        return power;
    });
}

inline constexpr lowering_entry elementwise_entries[] = {
    {"onnx.Abs", &lower_unary<scalar_function::absolute>},
    {"onnx.Neg", &lower_unary<scalar_function::negate>},
    {"onnx.Exp", &lower_unary<scalar_function::exponential>},
    {"onnx.Log", &lower_unary<scalar_function::logarithm>},
    {"onnx.Sqrt", &lower_unary<scalar_function::square_root>},
    {"onnx.Sin", &lower_unary<scalar_function::sine>},
    {"onnx.Cos", &lower_unary<scalar_function::cosine>},
    {"onnx.Tan", &lower_unary<scalar_function::tangent>},
    {"onnx.Asin", &lower_unary<scalar_function::arc_sine>},
    {"onnx.Acos", &lower_unary<scalar_function::arc_cosine>},
    {"onnx.Atan", &lower_unary<scalar_function::arc_tangent>},
    {"onnx.Sinh", &lower_unary<scalar_function::hyperbolic_sine>},
    {"onnx.Cosh", &lower_unary<scalar_function::hyperbolic_cosine>},
    {"onnx.Asinh", &lower_unary<scalar_function::area_hyperbolic_sine>},
    {"onnx.Acosh", &lower_unary<scalar_function::area_hyperbolic_cosine>},
    {"onnx.Atanh", &lower_unary<scalar_function::area_hyperbolic_tangent>},
    {"onnx.Tanh", &lower_unary<scalar_function::hyperbolic_tangent>},
    {"onnx.Erf", &lower_unary<scalar_function::error_function>},
    {"onnx.Floor", &lower_unary<scalar_function::floor>},
    {"onnx.Ceil", &lower_unary<scalar_function::ceiling>},
    {"onnx.Round", &lower_unary<scalar_function::round>},
    {"onnx.Not", &lower_unary<scalar_function::logical_not>},
    {"onnx.BitwiseNot", &lower_unary<scalar_function::bit_not>},
    {"onnx.BitwiseAnd", &lower_variadic<scalar_function::bit_and>},
    {"onnx.BitwiseOr", &lower_variadic<scalar_function::bit_or>},
    {"onnx.BitwiseXor", &lower_variadic<scalar_function::bit_xor>},
    {"onnx.Add", &lower_variadic<scalar_function::add>},
    {"onnx.Sub", &lower_variadic<scalar_function::subtract>},
    {"onnx.Mul", &lower_variadic<scalar_function::multiply>},
    {"onnx.Div", &lower_variadic<scalar_function::divide>},
    {"onnx.Max", &lower_variadic<scalar_function::maximum>},
    {"onnx.Min", &lower_variadic<scalar_function::minimum>},
    {"onnx.Sum", &lower_variadic<scalar_function::add>},
    {"onnx.And", &lower_variadic<scalar_function::logical_and>},
    {"onnx.Or", &lower_variadic<scalar_function::logical_or>},
    {"onnx.Equal", &lower_variadic<scalar_function::equal>},
    {"onnx.Less", &lower_variadic<scalar_function::less>},
    {"onnx.LessOrEqual", &lower_variadic<scalar_function::less_equal>},
    {"onnx.Identity", [](const lowered_call& c) { return lower_place_by_place(c, [](const lowered_place& p) { return p.x(); }); }},
    {"onnx.Greater",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.of(scalar_function::less, p.y(), p.x()); });
     }},
    {"onnx.GreaterOrEqual",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.of(scalar_function::less_equal, p.y(), p.x()); });
     }},
    {"onnx.Xor",
     [](const lowered_call& c) {
         return lower_place_by_place(
             c, [](const lowered_place& p) { return p.of(scalar_function::logical_not, p.of(scalar_function::equal, p.x(), p.y())); });
     }},
    {"onnx.BitShift",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [is_left = read<bit_shift_attributes>(c.call).direction == "LEFT"](const lowered_place& p) {
             return p.of(is_left ? scalar_function::shift_left : scalar_function::shift_right, p.x(), p.y());
         });
     }},
    {"onnx.Mod",
     [](const lowered_call& c) {
         // Of whole numbers it has the divisor's sign, unless it is asked for as C has it.
         const bool is_as_in_c = read<mod_attributes>(c.call).fmod || !is_signed_integer(c.element);
         return lower_place_by_place(c, [is_as_in_c](const lowered_place& p) {
             const expression_id rest = p.of(scalar_function::remainder, p.x(), p.y());
             if (is_as_in_c) return rest;
             const expression_id is_same_sign =
                 p.of(scalar_function::equal, p.of(scalar_function::less, rest, p.n(0)), p.of(scalar_function::less, p.y(), p.n(0)));
             const expression_id stays = p.of(scalar_function::logical_or, is_same_sign, p.of(scalar_function::equal, rest, p.n(0)));
             return p.choose(stays, rest, p.of(scalar_function::add, rest, p.y()));
         });
     }},
    {"onnx.Sign",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             const element_type e = p.c.operands[0].element;
             // What is no number stays none.
             expression_id other = p.n(0);
             if (is_floating(e)) other = p.choose(p.of(scalar_function::equal, p.x(), p.x()), other, p.x());
             if (!is_unsigned_integer(e)) other = p.where_negative(p.n(-1), other);
             return p.choose(p.of(scalar_function::less, p.n(0), p.x()), p.n(1), other);
         });
     }},
    {"onnx.IsNaN",
     [](const lowered_call& c) {
         return lower_place_by_place(
             c, [](const lowered_place& p) { return p.of(scalar_function::logical_not, p.of(scalar_function::equal, p.x(), p.x())); });
     }},
    {"onnx.IsInf",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [how = read<is_inf_attributes>(c.call)](const lowered_place& p) {
             constexpr double infinity = std::numeric_limits<double>::infinity();
             expression_id found = p.c.build().integer(0, element_type::boolean);
             if (how.detect_positive) found = p.of(scalar_function::equal, p.x(), p.n(infinity));
             if (!how.detect_negative) return found;
             return p.of(scalar_function::logical_or, found, p.of(scalar_function::equal, p.x(), p.n(-infinity)));
         });
     }},
    {"onnx.Pow",
     [](const lowered_call& c) -> outcome<lowered_tensor> {
         if (is_floating(c.element) || is_floating(c.operands[1].element)) return lower_real_power(c);
         return lower_whole_power(c);
     }},
    {"onnx.Mean",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             return p.of(scalar_function::divide, p.of_all(scalar_function::add), p.n(static_cast<double>(p.operands.size())));
         });
     }},
    {"onnx.Where",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.choose(p.x(), p.y(), p.operands[2]); });
     }},
    {"onnx.Cast",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.c.build().cast(p.x(), p.c.element); });
     }},
    {"onnx.CastLike",
     [](const lowered_call& c) -> outcome<lowered_tensor> {
         return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost,
                                [c](const std::vector<affine>& at) { return c.build().cast(c.operands[0].read(at), c.element); });
     }},
    {"onnx.Dropout",
     [](const lowered_call& c) -> outcome<lowered_tensor> {
         const auto operand = [&](std::size_t i) { return dropout_operand{c.has(i), c.has(i) ? c.call.constant(i) : nullptr}; };
         if (effect_of_dropout(operand(1), operand(2)) != dropout_effect::keeps)
             return error{"a dropout that may be one of training has no loop nest"};
         return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost, [c](const std::vector<affine>& at) {
             return c.field == 0 ? c.operands[0].read(at) : c.build().integer(1, element_type::boolean);
         });
     }},
    {"onnx.Reciprocal",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.of(scalar_function::divide, p.n(1), p.x()); });
     }},
    {"onnx.Relu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) { return p.of(scalar_function::maximum, p.x(), p.n(0)); });
     }},
    {"onnx.PRelu",
     [](const lowered_call& c) {
         return lower_place_by_place(
             c, [](const lowered_place& p) { return p.where_negative(p.of(scalar_function::multiply, p.y(), p.x()), p.x()); });
     }},
    {"onnx.LeakyRelu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [alpha = read<leaky_relu_attributes>(c.call).alpha](const lowered_place& p) {
             return p.where_negative(p.of(scalar_function::multiply, p.n(alpha), p.x()), p.x());
         });
     }},
    {"onnx.Elu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [alpha = read<elu_attributes>(c.call).alpha](const lowered_place& p) {
             return p.where_negative(p.of(scalar_function::multiply, p.n(alpha),
                                          p.of(scalar_function::subtract, p.of(scalar_function::exponential, p.x()), p.n(1))),
                                     p.x());
         });
     }},
    {"onnx.Celu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [alpha = read<celu_attributes>(c.call).alpha](const lowered_place& p) {
             const expression_id power = p.of(scalar_function::exponential, p.of(scalar_function::divide, p.x(), p.n(alpha)));
             const expression_id below = p.of(scalar_function::multiply, p.n(alpha), p.of(scalar_function::subtract, power, p.n(1)));
             return p.of(scalar_function::add, p.of(scalar_function::maximum, p.x(), p.n(0)),
                         p.of(scalar_function::minimum, below, p.n(0)));
         });
     }},
    {"onnx.Shrink",
     [](const lowered_call& c) -> outcome<lowered_tensor> {
         if (!is_floating(c.element)) return error{"a shrink of whole numbers has no loop nest"};
         return lower_place_by_place(c, [how = read<shrink_attributes>(c.call)](const lowered_place& p) {
             const expression_id above = p.choose(p.of(scalar_function::less, p.n(how.lambd), p.x()),
                                                  p.of(scalar_function::subtract, p.x(), p.n(how.bias)), p.n(0));
             return p.choose(p.of(scalar_function::less, p.x(), p.n(-how.lambd)), p.of(scalar_function::add, p.x(), p.n(how.bias)), above);
         });
     }},
    {"onnx.Softsign",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             return p.of(scalar_function::divide, p.x(), p.of(scalar_function::add, p.n(1), p.of(scalar_function::absolute, p.x())));
         });
     }},
    {"onnx.ThresholdedRelu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [alpha = read<thresholded_relu_attributes>(c.call).alpha](const lowered_place& p) {
             return p.choose(p.of(scalar_function::less, p.n(alpha), p.x()), p.x(), p.n(0));
         });
     }},
    {"onnx.Selu",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [a = read<selu_attributes>(c.call)](const lowered_place& p) {
             const expression_id below = p.of(scalar_function::multiply, p.n(a.alpha),
                                              p.of(scalar_function::subtract, p.of(scalar_function::exponential, p.x()), p.n(1)));
             return p.of(scalar_function::multiply, p.n(a.gamma), p.where_negative(below, p.x()));
         });
     }},
    {"onnx.Sigmoid",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             return p.of(scalar_function::divide, p.n(1),
                         p.of(scalar_function::add, p.n(1), p.of(scalar_function::exponential, p.of(scalar_function::negate, p.x()))));
         });
     }},
    {"onnx.HardSigmoid",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [a = read<hard_sigmoid_attributes>(c.call)](const lowered_place& p) {
             const expression_id line = p.of(scalar_function::add, p.of(scalar_function::multiply, p.n(a.alpha), p.x()), p.n(a.beta));
             return p.of(scalar_function::maximum, p.of(scalar_function::minimum, line, p.n(1)), p.n(0));
         });
     }},
    {"onnx.HardSwish",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             const expression_id line = p.of(scalar_function::add, p.of(scalar_function::divide, p.x(), p.n(6)), p.n(0.5));
             return p.of(scalar_function::multiply, p.x(),
                         p.of(scalar_function::maximum, p.of(scalar_function::minimum, line, p.n(1)), p.n(0)));
         });
     }},
    {"onnx.Softplus", [](const lowered_call& c) { return lower_place_by_place(c, [](const lowered_place& p) { return softplus_at(p); }); }},
    {"onnx.Mish",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             return p.of(scalar_function::multiply, p.x(), p.of(scalar_function::hyperbolic_tangent, softplus_at(p)));
         });
     }},
    {"onnx.Gelu",
     [](const lowered_call& c) -> outcome<lowered_tensor> {
         if (read<gelu_attributes>(c.call).approximate != "none") return error{"Gelu by tanh has no loop nest"};
         return lower_place_by_place(c, [](const lowered_place& p) {
             constexpr double root = 1.4142135623730951;
             const expression_id inside =
                 p.of(scalar_function::add, p.n(1), p.of(scalar_function::error_function, p.of(scalar_function::divide, p.x(), p.n(root))));
             return p.of(scalar_function::multiply, p.of(scalar_function::multiply, p.n(0.5), p.x()), inside);
         });
     }},
    {"onnx.Clip",
     [](const lowered_call& c) {
         return lower_place_by_place(c, [](const lowered_place& p) {
             expression_id v = p.x();
             if (p.c.has(1)) v = p.of(scalar_function::maximum, v, p.y());
             return p.c.has(2) ? p.of(scalar_function::minimum, v, p.operands[2]) : v;
         });
     }},
};

std::span<const lowering_entry> elementwise_lowerings() { return elementwise_entries; }

}  // namespace inlay::detail

#endif
