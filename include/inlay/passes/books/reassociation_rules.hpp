// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_REASSOCIATION_RULES_HPP
#define INLAY_PASSES_BOOKS_REASSOCIATION_RULES_HPP

#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// The condition that the root is a tensor of floating-point numbers. Integers wrap or are cut when they are divided.
struct is_floating_result {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        const node_type& type = m.graph().type(m.root());
        if (type.is_tensor() && is_floating(type.of_tensor.element)) return verdict::yes();
        return verdict::no("its type is " + to_string(type) + ", and not known to be of floating-point numbers");
    }
};

}  // namespace detail

/// Rules that hold for real numbers and lose roundings of a program in floating point: terms that cancel, and constants that are joined
/// over a sum or a product. All are of the class `cancelling`, so that they are applied only with `rewrite_options::reassociate`.
[[nodiscard]] constexpr auto reassociation_rules() {
    using namespace dsl;
    using detail::has_type_of_root;
    using detail::is_floating_result;
    constexpr auto lost = exactness::cancelling;
    constexpr auto a = as<"a">(constant);
    constexpr auto b = as<"b">(constant);
    constexpr auto sum = [](auto left, auto right) { return op<"onnx.Add">(left, right); };
    constexpr auto difference = [](auto left, auto right) { return op<"onnx.Sub">(left, right); };
    constexpr auto x = as<"x">;
    return rule_book(rule<"sub_of_add", lost>(op<"onnx.Sub">(commutative<"onnx.Add">(x, as<"y">), as<"y">), x, has_type_of_root<"x">{}),
                     rule<"add_of_sub", lost>(commutative<"onnx.Add">(op<"onnx.Sub">(x, as<"y">), as<"y">), x, has_type_of_root<"x">{}),
                     rule<"constant_of_add_add", lost>(commutative<"onnx.Add">(commutative<"onnx.Add">(x, a), b),
                                                       sum(x, sum(as<"a">, as<"b">)), is_floating_result{}),
                     rule<"constant_of_sub_add", lost>(op<"onnx.Sub">(commutative<"onnx.Add">(x, a), b),
                                                       sum(x, difference(as<"a">, as<"b">)), is_floating_result{}),
                     rule<"constant_of_add_sub", lost>(commutative<"onnx.Add">(op<"onnx.Sub">(x, a), b),
                                                       sum(x, difference(as<"b">, as<"a">)), is_floating_result{}),
                     rule<"constant_of_sub_sub", lost>(op<"onnx.Sub">(op<"onnx.Sub">(x, a), b), difference(x, sum(as<"a">, as<"b">)),
                                                       is_floating_result{}),
                     rule<"constant_less_add", lost>(op<"onnx.Sub">(b, commutative<"onnx.Add">(x, a)),
                                                     difference(difference(as<"b">, as<"a">), x), is_floating_result{}),
                     rule<"constant_less_sub", lost>(op<"onnx.Sub">(b, op<"onnx.Sub">(a, x)), sum(x, difference(as<"b">, as<"a">)),
                                                     is_floating_result{}),
                     rule<"constant_of_mul_mul", lost>(commutative<"onnx.Mul">(commutative<"onnx.Mul">(x, a), b),
                                                       op<"onnx.Mul">(x, op<"onnx.Mul">(as<"a">, as<"b">)), is_floating_result{}),
                     rule<"constant_of_div_mul", lost>(op<"onnx.Div">(commutative<"onnx.Mul">(x, a), b),
                                                       op<"onnx.Mul">(x, op<"onnx.Div">(as<"a">, as<"b">)), is_floating_result{}));
}

}  // namespace inlay

#endif
