// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_PATTERNS_HPP
#define INLAY_BACKEND_REFERENCE_PATTERNS_HPP

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/only_call.hpp>
#include <inlay/backend/reference/fused.hpp>
#include <inlay/backend/reference/interpreted.hpp>
#include <inlay/backend/reference/operators.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail::on_eigen {

/// Why this back end's own kernel does not take the one call of a region, else empty.
[[nodiscard]] inline std::string refuse_own(const region_view& r) {
    const region_value* call = inlay::detail::only_call(r);
    if (call == nullptr) return "it is not one call";
    const operator_entry* entry = own_operator(call->op);
    if (entry == nullptr) return "there is no kernel of its own for " + std::string(call->op);
    if (!is_static_call(r, *call)) return "a shape is not known before the run";
    return entry->refuse(site_of(r, *call, 1));
}

/// The last resort, by the meanings of an operator set: what no composite before it takes.
template <op_set Ops>
struct takes_meaning {
    template <class Backend, class Match>
    verdict operator()(const Backend&, const Match& m) const {
        if (refuse_own(m.region()).empty()) return verdict::no("the back end has a kernel of its own");
        const region_value* call = inlay::detail::only_call(m.region());
        if (call == nullptr || !is_static_call(m.region(), *call)) return verdict::no("a shape is not known before the run");
        std::string why = refuse_interpreted<Ops>(site_of(m.region(), *call, 1));
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

/// The answer for one call by a kernel of this back end's own.
struct takes_own {
    template <class Backend, class Match>
    verdict operator()(const Backend&, const Match& m) const {
        std::string why = refuse_own(m.region());
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

/// Several calls by one kernel.
struct fused {
    template <class B, class Match>
    [[nodiscard]] outcome<fused_plan> read(const B& self, const Match& m) const {
        if (m.region().results.size() != 1) return error{"a value from the middle of the composite is read outside of it"};
        auto plan = fused_plan_of(m.region(), self.most_threads());
        if (!plan) return error{"shapes, element types or constants are not those of one kernel"};
        return *std::move(plan);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const fused_plan& plan, const region_view& r) const {
        std::vector<region_step> steps;
        steps.push_back({make_fused(r, plan), plan.operands, {plan.result}});
        return with_thread_limit(detail::on_eigen::region_program::make(r, std::move(steps)), self.most_threads());
    }
};

/// Writes the name of an operator's composite, its words in lower case with lines between: `leaky_relu` of `onnx.LeakyRelu`. Where no
/// place is given it is only counted. Gives its length.
constexpr std::size_t write_composite_name(std::string_view op, char* to) {
    if (op == "onnx.MatMul") op = "onnx.Matmul";
    std::size_t length = 0;
    const auto put = [&](char c) {
        if (to != nullptr) to[length] = c;
        ++length;
    };
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    op.remove_prefix(op.find('.') + 1);
    for (std::size_t i = 0; i < op.size(); ++i) {
        if (i != 0 && is_upper(op[i]) && !is_upper(op[i - 1])) put('_');
        put(is_upper(op[i]) ? static_cast<char>(op[i] - 'A' + 'a') : op[i]);
    }
    return length;
}

/// The text of so many characters that `write(to)` writes; a text has its length in its type.
template <std::size_t Length, class Write>
[[nodiscard]] constexpr auto text_of(Write write) {
    char text[Length + 1]{};
    write(text);
    return fixed_string(text);
}

/// The composite of one operator in a table of kernels.
template <const auto& Table, std::size_t I>
[[nodiscard]] constexpr auto own_composite() {
    constexpr auto name = text_of<write_composite_name(Table[I].name, nullptr)>([](char* to) { write_composite_name(Table[I].name, to); });
    constexpr auto whole = text_of<Table[I].name.size()>([](char* to) {
        for (const char c : Table[I].name) *to++ = c;
    });
    return composite<name>(dsl::op<whole>, takes_own{});
}

/// Composites, then one for each operator of the tables, then a last one.
template <class Tables>
struct with_own_composites;
template <const auto&... Tables>
struct with_own_composites<operator_tables<Tables...>> {
    template <class... First, class Last>
    [[nodiscard]] static constexpr auto between(pattern_table<First...>, Last) {
        return [](auto... parts) { return (parts + ... + list<Last>()).table(); }(list<First...>(), of<Tables>()...);
    }

private:
    template <class... Composites>
    struct list {
        template <class... More>
        constexpr list<Composites..., More...> operator+(list<More...>) const {
            return {};
        }
        [[nodiscard]] constexpr auto table() const { return pattern_table<Composites...>(); }
    };
    template <const auto& Table>
    [[nodiscard]] static constexpr auto of() {
        return []<std::size_t... I>(std::index_sequence<I...>) { return list<decltype(own_composite<Table, I>())...>(); }
        (std::make_index_sequence<std::size(Table)>());
    }
};

// In these patterns constants stand on the right, where exporters write them: every operand order that is asked for as well doubles
// what the compiler has to build.

/// What a result may be given to at once.
template <pattern P>
[[nodiscard]] constexpr auto activated(P p) {
    using namespace dsl;
    return op<"onnx.Relu">(p) | op<"onnx.Clip">(p, rest) | op<"onnx.Sigmoid">(p) | op<"onnx.LeakyRelu">(p) | op<"onnx.HardSwish">(p);
}

/// `x min(max(x + c, 0), h) / h` as files write it out.
template <pattern P>
[[nodiscard]] constexpr auto hard_swish_of(P p) {
    using namespace dsl;
    return op<"onnx.Div">(op<"onnx.Mul">(as<"x">(p), op<"onnx.Clip">(op<"onnx.Add">(as<"x">, constant), rest)), constant);
}

/// The composites of the reference back end, the largest first, then one for each operator that it has a kernel for.
template <op_set Ops>
[[nodiscard]] constexpr auto composites() {
    using namespace dsl;
    constexpr auto conv = op<"onnx.Conv">(any, constant, rest);
    constexpr auto normal_conv = op<"onnx.BatchNormalization">(conv, constant, constant, constant, constant);
    constexpr auto shifted = normal_conv | op<"onnx.Add">(conv, constant);
    constexpr auto summed = normal_conv | conv;
    constexpr auto added = commutative<"onnx.Add">(summed, any) | commutative<"onnx.Sum">(summed, any);
    constexpr auto product = op<"onnx.MatMul">(any, constant);
    constexpr auto biased = commutative<"onnx.Add">(product, constant);
    // 0.5 x (1 + erf(x / sqrt 2)), the half before or after.
    constexpr auto one_and_erf =
        op<"onnx.Add">(op<"onnx.Erf">(op<"onnx.Div">(as<"x">, constant) | op<"onnx.Mul">(as<"x">, constant)), constant);
    constexpr auto gelu =
        op<"onnx.Mul">(op<"onnx.Mul">(as<"x">, one_and_erf), constant) | op<"onnx.Mul">(op<"onnx.Mul">(as<"x">, constant), one_and_erf);
    // The difference stands once, or twice as two calls.
    constexpr auto difference = op<"onnx.Sub">(as<"x">, op<"onnx.ReduceMean">(as<"x">, rest));
    constexpr auto square = op<"onnx.Pow">(difference, constant) | op<"onnx.Mul">(as<"d">(difference), as<"d">);
    constexpr auto normal = op<"onnx.Div">(difference, op<"onnx.Sqrt">(op<"onnx.Add">(op<"onnx.ReduceMean">(square, rest), constant)));
    constexpr fused fused{};
    constexpr auto first = pattern_table(
        composite<"written_layer_norm">(op<"onnx.Add">(op<"onnx.Mul">(normal, constant), constant) | normal, fused),
        composite<"written_gelu">(gelu, fused), composite<"conv_add_relu">(op<"onnx.Relu">(added) | added, fused),
        composite<"conv_shift_hard_swish">(hard_swish_of(shifted | conv), fused),
        composite<"conv_shift_activation">(activated(shifted | conv) | shifted, fused),
        composite<"matmul_bias_activation">(op<"onnx.Relu">(biased) | op<"onnx.Tanh">(biased) | op<"onnx.Sigmoid">(biased) | biased, fused),
        composite<"gemm_activation">(
            op<"onnx.Relu">(op<"onnx.Gemm">) | op<"onnx.Tanh">(op<"onnx.Gemm">) | op<"onnx.Sigmoid">(op<"onnx.Gemm">), fused),
        composite<"written_hard_swish">(hard_swish_of(any), fused),
        composite<"written_swish">(commutative<"onnx.Mul">(as<"x">, op<"onnx.Sigmoid">(as<"x">)), fused));
    return with_own_composites<own_operators>::between(first, composite<"interpreted">(any_call, takes_meaning<Ops>{}));
}

}  // namespace inlay::detail::on_eigen

#endif
