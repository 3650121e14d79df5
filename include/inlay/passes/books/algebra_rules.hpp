// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_ALGEBRA_RULES_HPP
#define INLAY_PASSES_BOOKS_ALGEBRA_RULES_HPP

#include <cstdint>
#include <optional>

#include <inlay/graph/tensor.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// What is captured has the type of the root, and it is known: where a number beside it would stretch or cast it, they differ.
template <fixed_string Name>
struct has_type_of_root {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        const node_type& kept = m.template type<Name>();
        const node_type& root = m.graph().type(m.root());
        if (kept.is_tensor() && kept.of_tensor.ranked && kept == root) return verdict::yes();
        return verdict::no("its type is " + to_string(kept) + " and that of the result " + to_string(root));
    }
};

/// The captured condition, a constant, says the same everywhere, so that what is chosen by it is what is captured as `Name`.
template <fixed_string Name, bool Wanted>
struct always_chooses {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        const tensor* condition = m.template constant<"condition">();
        if (condition == nullptr) return verdict::no("its condition is not known before the run");
        for (const bool chosen : condition->as<bool>())
            if (chosen != Wanted) return verdict::no("its condition chooses from both operands");
        return has_type_of_root<Name>()(m);
    }
};

/// The second reshape decides alone, unless a zero in its shape copies an extent of the first.
struct second_reshape_decides {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        const tensor* shape = m.template constant<"s">();
        const auto extents = shape == nullptr ? std::nullopt : integers_of(*shape);
        if (!extents) return verdict::no("its shape is not known before the run");
        for (const std::int64_t extent : *extents)
            if (extent == 0) return verdict::no("its shape copies an extent of what it reads");
        return verdict::yes();
    }
};

}  // namespace detail

/// Rules of ONNX's operators that hold for every number but the sign of zeros: what undoes itself, what is done twice, neutral elements,
/// choices that are always the same.
[[nodiscard]] constexpr auto algebra_rules() {
    using namespace dsl;
    using detail::has_type_of_root;
    constexpr auto condition = as<"condition">(of_element<element_type::boolean>(constant));
    // Where a rule only reads past a node, others may go on reading that: nothing is done twice.
    return rule_book(
        rule<"neg_of_neg", overlap::duplicate, exactness::exact>(op<"onnx.Neg">(op<"onnx.Neg">(as<"x">)), as<"x">),
        rule<"relu_of_relu", exactness::exact>(op<"onnx.Relu">(as<"r">(op<"onnx.Relu">)), as<"r">),
        rule<"abs_of_abs", exactness::exact>(op<"onnx.Abs">(as<"a">(op<"onnx.Abs">)), as<"a">),
        rule<"abs_of_neg", overlap::duplicate, exactness::exact>(op<"onnx.Abs">(op<"onnx.Neg">(as<"x">)), op<"onnx.Abs">(as<"x">)),
        rule<"not_of_not", overlap::duplicate, exactness::exact>(op<"onnx.Not">(op<"onnx.Not">(as<"x">)), as<"x">),
        rule<"rounded_twice", exactness::exact>(
            op<"onnx.Floor", "onnx.Ceil", "onnx.Round">(as<"r">(op<"onnx.Floor", "onnx.Ceil", "onnx.Round">)), as<"r">),
        rule<"add_zero", exactness::exact>(commutative<"onnx.Add">(as<"x">, literal<0>), as<"x">, has_type_of_root<"x">{}),
        rule<"sub_zero", exactness::exact>(op<"onnx.Sub">(as<"x">, literal<0>), as<"x">, has_type_of_root<"x">{}),
        rule<"mul_one", exactness::exact>(commutative<"onnx.Mul">(as<"x">, literal<1>), as<"x">, has_type_of_root<"x">{}),
        rule<"div_one", exactness::exact>(op<"onnx.Div">(as<"x">, literal<1>), as<"x">, has_type_of_root<"x">{}),
        rule<"pow_one", exactness::exact>(op<"onnx.Pow">(as<"x">, literal<1>), as<"x">, has_type_of_root<"x">{}),
        rule<"sub_neg", exactness::exact>(op<"onnx.Sub">(as<"x">, op<"onnx.Neg">(as<"y">)), op<"onnx.Add">(as<"x">, as<"y">)),
        rule<"add_neg", exactness::exact>(commutative<"onnx.Add">(as<"x">, op<"onnx.Neg">(as<"y">)), op<"onnx.Sub">(as<"x">, as<"y">)),
        rule<"where_all", exactness::exact>(op<"onnx.Where">(condition, as<"x">, any), as<"x">, detail::always_chooses<"x", true>{}),
        rule<"where_none", exactness::exact>(op<"onnx.Where">(condition, any, as<"y">), as<"y">, detail::always_chooses<"y", false>{}),
        rule<"reshape_of_reshape", overlap::duplicate, exactness::exact>(
            as<"r">(op<"onnx.Reshape">(op<"onnx.Reshape">(as<"x">, any), as<"s">)),
            attributes_of<"r">(op<"onnx.Reshape">(as<"x">, as<"s">)), detail::second_reshape_decides{}));
}

}  // namespace inlay

#endif
