// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_PATTERNS_HPP
#define INLAY_BACKEND_REFERENCE_PATTERNS_HPP

#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/fused.hpp>
#include <inlay/backend/reference/interpreted.hpp>
#include <inlay/backend/reference/operators.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail::on_eigen {

/// The call that stands alone in a region, its projections aside; null where there are several.
[[nodiscard]] inline const region_value* only_call(const region_view& r) {
    const region_value* only = nullptr;
    for (const region_value& v : r.calls()) {
        if (v.kind != region_value::role::call) continue;
        if (only != nullptr) return nullptr;
        only = &v;
    }
    return only;
}

/// Why this back end's own kernel does not take the one call of a region, else empty.
[[nodiscard]] inline std::string refuse_own(const region_view& r) {
    const region_value* call = only_call(r);
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
        const region_value* call = only_call(m.region());
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

template <fixed_string Name, fixed_string Op>
[[nodiscard]] constexpr auto own_composite() {
    return composite<Name>(dsl::op<Op>, takes_own{});
}

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

/// The composites of the reference back end, the largest first.
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
    return pattern_table(
        composite<"written_layer_norm">(op<"onnx.Add">(op<"onnx.Mul">(normal, constant), constant) | normal, fused),
        composite<"written_gelu">(gelu, fused), composite<"conv_add_relu">(op<"onnx.Relu">(added) | added, fused),
        composite<"conv_shift_hard_swish">(hard_swish_of(shifted | conv), fused),
        composite<"conv_shift_activation">(activated(shifted | conv) | shifted, fused),
        composite<"matmul_bias_activation">(op<"onnx.Relu">(biased) | op<"onnx.Tanh">(biased) | op<"onnx.Sigmoid">(biased) | biased, fused),
        composite<"gemm_activation">(
            op<"onnx.Relu">(op<"onnx.Gemm">) | op<"onnx.Tanh">(op<"onnx.Gemm">) | op<"onnx.Sigmoid">(op<"onnx.Gemm">), fused),
        composite<"written_hard_swish">(hard_swish_of(any), fused),
        composite<"written_swish">(commutative<"onnx.Mul">(as<"x">, op<"onnx.Sigmoid">(as<"x">)), fused),
        own_composite<"relu", "onnx.Relu">(), own_composite<"leaky_relu", "onnx.LeakyRelu">(), own_composite<"clip", "onnx.Clip">(),
        own_composite<"sigmoid", "onnx.Sigmoid">(), own_composite<"hard_sigmoid", "onnx.HardSigmoid">(),
        own_composite<"hard_swish", "onnx.HardSwish">(), own_composite<"tanh", "onnx.Tanh">(), own_composite<"erf", "onnx.Erf">(),
        own_composite<"gelu", "onnx.Gelu">(), own_composite<"exp", "onnx.Exp">(), own_composite<"log", "onnx.Log">(),
        own_composite<"sqrt", "onnx.Sqrt">(), own_composite<"abs", "onnx.Abs">(), own_composite<"neg", "onnx.Neg">(),
        own_composite<"reciprocal", "onnx.Reciprocal">(), own_composite<"elu", "onnx.Elu">(), own_composite<"selu", "onnx.Selu">(),
        own_composite<"celu", "onnx.Celu">(), own_composite<"softplus", "onnx.Softplus">(), own_composite<"softsign", "onnx.Softsign">(),
        own_composite<"mish", "onnx.Mish">(), own_composite<"floor", "onnx.Floor">(), own_composite<"ceil", "onnx.Ceil">(),
        own_composite<"round", "onnx.Round">(), own_composite<"sin", "onnx.Sin">(), own_composite<"cos", "onnx.Cos">(),
        own_composite<"add", "onnx.Add">(), own_composite<"sub", "onnx.Sub">(), own_composite<"mul", "onnx.Mul">(),
        own_composite<"div", "onnx.Div">(), own_composite<"min", "onnx.Min">(), own_composite<"max", "onnx.Max">(),
        own_composite<"sum", "onnx.Sum">(), own_composite<"pow", "onnx.Pow">(), own_composite<"prelu", "onnx.PRelu">(),
        own_composite<"equal", "onnx.Equal">(), own_composite<"less", "onnx.Less">(), own_composite<"less_or_equal", "onnx.LessOrEqual">(),
        own_composite<"greater", "onnx.Greater">(), own_composite<"greater_or_equal", "onnx.GreaterOrEqual">(),
        own_composite<"and", "onnx.And">(), own_composite<"or", "onnx.Or">(), own_composite<"xor", "onnx.Xor">(),
        own_composite<"not", "onnx.Not">(), own_composite<"where", "onnx.Where">(), own_composite<"conv", "onnx.Conv">(),
        own_composite<"conv_transpose", "onnx.ConvTranspose">(), own_composite<"matmul", "onnx.MatMul">(),
        own_composite<"gemm", "onnx.Gemm">(), own_composite<"max_pool", "onnx.MaxPool">(),
        own_composite<"average_pool", "onnx.AveragePool">(), own_composite<"global_max_pool", "onnx.GlobalMaxPool">(),
        own_composite<"global_average_pool", "onnx.GlobalAveragePool">(), own_composite<"batch_normalization", "onnx.BatchNormalization">(),
        own_composite<"layer_normalization", "onnx.LayerNormalization">(),
        own_composite<"instance_normalization", "onnx.InstanceNormalization">(), own_composite<"lrn", "onnx.LRN">(),
        own_composite<"softmax", "onnx.Softmax">(), own_composite<"log_softmax", "onnx.LogSoftmax">(),
        own_composite<"reduce_sum", "onnx.ReduceSum">(), own_composite<"reduce_mean", "onnx.ReduceMean">(),
        own_composite<"reduce_max", "onnx.ReduceMax">(), own_composite<"reduce_min", "onnx.ReduceMin">(),
        own_composite<"reduce_prod", "onnx.ReduceProd">(), own_composite<"reduce_l1", "onnx.ReduceL1">(),
        own_composite<"reduce_l2", "onnx.ReduceL2">(), own_composite<"reduce_sum_square", "onnx.ReduceSumSquare">(),
        own_composite<"reduce_log_sum", "onnx.ReduceLogSum">(), own_composite<"arg_max", "onnx.ArgMax">(),
        own_composite<"arg_min", "onnx.ArgMin">(), own_composite<"reshape", "onnx.Reshape">(), own_composite<"flatten", "onnx.Flatten">(),
        own_composite<"squeeze", "onnx.Squeeze">(), own_composite<"unsqueeze", "onnx.Unsqueeze">(),
        own_composite<"identity", "onnx.Identity">(), own_composite<"dropout", "onnx.Dropout">(),
        own_composite<"transpose", "onnx.Transpose">(), own_composite<"depth_to_space", "onnx.DepthToSpace">(),
        own_composite<"space_to_depth", "onnx.SpaceToDepth">(), own_composite<"expand", "onnx.Expand">(),
        own_composite<"tile", "onnx.Tile">(), own_composite<"concat", "onnx.Concat">(), own_composite<"split", "onnx.Split">(),
        own_composite<"slice", "onnx.Slice">(), own_composite<"pad", "onnx.Pad">(), own_composite<"gather", "onnx.Gather">(),
        own_composite<"resize", "onnx.Resize">(), own_composite<"cast", "onnx.Cast">(),
        composite<"interpreted">(any_call, takes_meaning<Ops>{}));
}

}  // namespace inlay::detail::on_eigen

#endif
