// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_PATTERNS_HPP
#define INLAY_BACKEND_ONEDNN_PATTERNS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/pattern/dsl.hpp>

// What this back end's patterns are made of beside the words of `dsl`.

namespace inlay::detail {

/// A call of one of several operators, one of whose first `Places` operands matches (each is tried); the others may be anything.
template <std::size_t Places, pattern Operand, fixed_string... Names>
struct onednn_call_pattern : pattern_tag {
    using binds = typename Operand::binds;

    [[nodiscard]] static std::string text() {
        std::string s;
        for (std::size_t place = 0; place < Places; ++place) {
            const std::string operands = '(' + (place == 0 ? std::string() : std::string("*, ")) + Operand::text() + ", ...)";
            ((s += (s.empty() ? "" : " | ") + std::string(Names.view()) + operands), ...);
        }
        return s;
    }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        if (kind_of(c.graph, n) != node_kind::call) return false;
        const std::string_view op = c.graph.op(n);
        if (((op != Names.view()) && ...)) return false;
        state.covered.push_back(n);
        for (std::size_t i = 0; i < c.graph.arity(n) && i < Places; ++i)
            if (Operand::match(c, c.graph.operand(n, i), state, next)) return true;
        state.covered.pop_back();
        return false;
    }
};

template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto onednn_after(P) {
    return onednn_call_pattern<Places, P, Names...>{};
}

/// A call of one of the operators on the pattern, or the pattern alone.
template <std::size_t Places, pattern P, fixed_string... Names>
struct onednn_maybe_pattern : pattern_tag {
    using binds = typename P::binds;
    using call = onednn_call_pattern<Places, P, Names...>;

    [[nodiscard]] static std::string text() { return call::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return call::match(c, n, state, next) || P::match(c, n, state, next);
    }
};
template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto onednn_maybe(P) {
    return onednn_maybe_pattern<Places, P, Names...>{};
}

/// How element-wise functions of the value captured as `Name` are spelled, as `onednn_activation_reader` reads them.
template <fixed_string Name>
struct onednn_spelling : pattern_tag {
    using binds = capture_names<Name>;
    using x = dsl::capture_pattern<Name, dsl::any_pattern>;

    [[nodiscard]] static std::string text() { return decltype(structure())::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return decltype(structure())::match(c, n, state, next);
    }

private:
    static constexpr auto structure() {
        using namespace dsl;
        constexpr auto scaled = [](auto p) { return commutative<"onnx.Mul">(p, constant) | op<"onnx.Div">(p, constant); };
        constexpr auto raised = [](auto p) { return commutative<"onnx.Add">(p, constant); };
        constexpr auto gates = onednn_call_pattern<1, x, "onnx.Sigmoid", "onnx.HardSigmoid">{} | op<"onnx.Clip">(raised(x{}), rest) |
                               raised(op<"onnx.Erf">(scaled(x{}))) | op<"onnx.Tanh">(op<"onnx.Softplus">(x{})) |
                               raised(op<"onnx.Tanh">(scaled(commutative<"onnx.Add">(x{}, scaled(op<"onnx.Pow">(x{}, constant))))));
        constexpr auto one = onednn_call_pattern<1, x, "onnx.Relu", "onnx.Clip", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.Tanh", "onnx.Elu", "onnx.HardSwish",
                                                 "onnx.HardSigmoid", "onnx.Gelu", "onnx.Softplus", "onnx.Mish">{};
        return commutative<"onnx.Mul">(x{}, gates) | scaled(commutative<"onnx.Mul">(x{}, gates)) | commutative<"onnx.Mul">(x{}, scaled(gates)) |
               commutative<"onnx.Mul">(scaled(x{}), gates) | one;
    }
};

/// An element-wise function of what matches the pattern. What stands below is compiled once, however many spellings there are.
template <fixed_string Name, pattern P>
struct onednn_activated_pattern : pattern_tag {
    using binds = inlay::joined_names<capture_names<Name>, typename P::binds>;

    [[nodiscard]] static std::string text() { return "activation(" + P::text() + ")"; }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return onednn_spelling<Name>::match(c, n, state, [&] { return P::match(c, state.template at<Name>(), state, next); });
    }
};

/// An element-wise function of what matches the pattern, or the pattern alone.
template <fixed_string Name, pattern P>
struct onednn_maybe_activated_pattern : pattern_tag {
    using activated = onednn_activated_pattern<Name, P>;
    using binds = typename activated::binds;

    [[nodiscard]] static std::string text() { return activated::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return activated::match(c, n, state, next) || P::match(c, n, state, next);
    }
};
template <fixed_string Name, pattern P>
[[nodiscard]] constexpr auto onednn_maybe_activated(P) {
    return onednn_maybe_activated_pattern<Name, P>{};
}

}  // namespace inlay::detail

#endif
