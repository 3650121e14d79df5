// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ELEMENTWISE_DEFINITION_HPP
#define INLAY_OPS_ONNX_ELEMENTWISE_DEFINITION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/ops/loops/visit_element_type.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

// An elementwise operator is an empty type with `name`, `scalars` (what its loops are written for), `flops` (per result element)
// and `apply(x)` or `apply(x, y)` on scalars of one type. It gives that type, or bool where the operator has a member type
// `predicate`. An operator with attributes has `parameters(call)`, up to four numbers, which `apply` takes as a last argument.
using parameter_array = std::array<double, 4>;

template <class Op>
inline constexpr bool has_parameters = requires(const call_view& c) {
    Op::parameters(c);
};

template <class Op>
inline constexpr bool is_predicate = requires {
    typename Op::predicate;
};

template <class Op, class T>
using result_scalar = std::conditional_t<is_predicate<Op>, bool, T>;

template <class Op>
parameter_array parameters_of([[maybe_unused]] const call_view& call) {
    if constexpr (has_parameters<Op>)
        return Op::parameters(call);
    else
        return {};
}

/// The numbers as `apply` takes them: in the operands' scalar where that is floating, else as double.
template <class T>
using typed_parameters = std::array<std::conditional_t<std::is_same_v<T, float>, float, double>, 4>;

template <class Op, class T>
typed_parameters<T> parameters_as([[maybe_unused]] const double* parameters) {
    typed_parameters<T> p{};
    if constexpr (has_parameters<Op>)
        for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<typename typed_parameters<T>::value_type>(parameters[i]);
    return p;
}

template <class Op, class T>
void unary_loop(std::size_t count, std::byte* out, const std::byte* const* in, const std::ptrdiff_t*, const double* parameters) {
    using R = result_scalar<Op, T>;
    R* const to = reinterpret_cast<R*>(out);
    const T* const x = reinterpret_cast<const T*>(in[0]);
    [[maybe_unused]] const typed_parameters<T> p = parameters_as<Op, T>(parameters);
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (has_parameters<Op>)
            to[i] = Op::apply(x[i], p);
        else
            to[i] = Op::apply(x[i]);
    }
}

template <class Op, class T>
void binary_loop(std::size_t count, std::byte* out, const std::byte* const* in, const std::ptrdiff_t* step, const double* parameters) {
    using R = result_scalar<Op, T>;
    R* const to = reinterpret_cast<R*>(out);
    [[maybe_unused]] const typed_parameters<T> p = parameters_as<Op, T>(parameters);
    const auto apply = [&](T x, T y) -> R {
        if constexpr (has_parameters<Op>)
            return Op::apply(x, y, p);
        else
            return Op::apply(x, y);
    };
    const T* const x = reinterpret_cast<const T*>(in[0]);
    const T* const y = reinterpret_cast<const T*>(in[1]);
    constexpr std::ptrdiff_t size = sizeof(T);
    if (step[0] == size && step[1] == size) {
        for (std::size_t i = 0; i < count; ++i) to[i] = apply(x[i], y[i]);
        return;
    }
    // A row is stretched or it is contiguous, for the axes with other strides are walked outside.
    const std::size_t x_step = step[0] == 0 ? 0 : static_cast<std::size_t>(step[0] / size);
    const std::size_t y_step = step[1] == 0 ? 0 : static_cast<std::size_t>(step[1] / size);
    for (std::size_t i = 0; i < count; ++i) to[i] = apply(x[i * x_step], y[i * y_step]);
}

/// A row loop per element type; null where the operator has none. Built at compile time, so that what evaluates stands once for all
/// operators and only the loops are instantiated for each.
using loop_table = std::array<strided_loop, element_table.size()>;

template <class Op, class... T>
constexpr loop_table unary_loops(scalar_list<T...>) {
    loop_table loops{};
    ((loops[static_cast<std::size_t>(element_type_of<T>)] = &unary_loop<Op, T>), ...);
    return loops;
}

template <class Op, class... T>
constexpr loop_table binary_loops(scalar_list<T...>) {
    loop_table loops{};
    ((loops[static_cast<std::size_t>(element_type_of<T>)] = &binary_loop<Op, T>), ...);
    return loops;
}

template <class Op>
inline constexpr loop_table unary_loops_of = unary_loops<Op>(typename Op::scalars());
template <class Op>
inline constexpr loop_table binary_loops_of = binary_loops<Op>(typename Op::scalars());

/// The error for operands that no loop is written for.
inline error no_loop(const call_view& call, element_type e) {
    return error{short_name(call.op) + " has no meaning for elements of type " + std::string(name_of(e))};
}

/// The type of a unary operator's result: the operand's, with element bool for predicates.
inline outcome<node_type> infer_unary_call(const call_view& call, element_mask allowed, bool predicate) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, allowed)) return std::move(*wrong);
    tensor_type result = call.type(0);
    if (predicate) result.element = element_type::boolean;
    return node_type(std::move(result));
}

inline outcome<std::vector<tensor>> evaluate_unary_call(const call_view& call, std::span<const tensor> operands, const loop_table& loops,
                                                        bool predicate, const parameter_array& parameters) {
    const element_type e = operands[0].element();
    const strided_loop loop = loops[static_cast<std::size_t>(e)];
    if (loop == nullptr) return no_loop(call, e);
    tensor result(predicate ? element_type::boolean : e, operands[0].extents());
    if (!result.ok()) return no_memory(call, operands[0].type());
    for_each_row(result, operands.first(1), loop, parameters.data());
    return std::vector<tensor>{std::move(result)};
}

/// The element type and shape where operands i and j meet; both must have one element type.
inline outcome<tensor_type> stretched_type(const call_view& call, std::size_t i, std::size_t j) {
    const tensor_type &a = call.type(i), &b = call.type(j);
    if (a.element != b.element && a.element != element_type::none && b.element != element_type::none)
        return error{short_name(call.op) + " has operands of element types " + std::string(name_of(a.element)) + " and " +
                     std::string(name_of(b.element)) + ", which must be one"};
    const element_type e = a.element == element_type::none ? b.element : a.element;
    if (!a.ranked || !b.ranked) return tensor_type(e);
    auto met = stretched_shape(a.extents, b.extents);
    if (!met) return error{short_name(call.op) + " cannot stretch " + to_string(a) + " and " + to_string(b) + " to one shape"};
    return tensor_type(e, std::move(*met));
}

inline outcome<node_type> infer_binary_call(const call_view& call, element_mask allowed, bool predicate) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    for (std::size_t i = 0; i < 2; ++i)
        if (auto wrong = wrong_element(call, i, allowed)) return std::move(*wrong);
    auto met = stretched_type(call, 0, 1);
    if (!met) return met.failure();
    if (predicate) met->element = element_type::boolean;
    return node_type(std::move(*met));
}

/// Two operands of one element type, stretched and combined.
inline outcome<tensor> combine(const call_view& call, const tensor& x, const tensor& y, const loop_table& loops, bool predicate,
                               const parameter_array& parameters) {
    const element_type e = x.element();
    const strided_loop loop = loops[static_cast<std::size_t>(e)];
    if (loop == nullptr || y.element() != e) return no_loop(call, y.element());
    auto extents = stretched_shape(x.extents(), y.extents());
    if (!extents)
        return error{short_name(call.op) + " cannot stretch " + to_string(x.type()) + " and " + to_string(y.type()) + " to one shape"};
    tensor result(predicate ? element_type::boolean : e, std::move(*extents));
    if (!result.ok()) return no_memory(call, x.type());
    const tensor both[] = {x, y};
    for_each_row(result, both, loop, parameters.data());
    return result;
}

inline outcome<std::vector<tensor>> evaluate_binary_call(const call_view& call, std::span<const tensor> operands, const loop_table& loops,
                                                         bool predicate, const parameter_array& parameters) {
    auto result = combine(call, operands[0], operands[1], loops, predicate, parameters);
    if (!result) return result.failure();
    return std::vector<tensor>{std::move(*result)};
}

/// Bytes of a static type.
[[nodiscard]] inline double bytes_of(const node_type& type) {
    if (type.is_tuple()) {
        double sum = 0;
        for (const node_type& f : type.fields) sum += bytes_of(f);
        return sum;
    }
    double bytes = static_cast<double>(size_of(type.of_tensor.element));
    for (const extent& e : type.of_tensor.extents) bytes *= static_cast<double>(e.size);
    return bytes;
}

/// Elements of a static tensor type.
[[nodiscard]] inline double elements_of(const tensor_type& type) {
    double count = 1;
    for (const extent& e : type.extents) count *= static_cast<double>(e.size);
    return count;
}

/// Operands and results, each moved once.
[[nodiscard]] inline double bytes_moved(const call_view& call, const node_type& result) {
    double bytes = bytes_of(result);
    for (const node_type* t : call.types) bytes += bytes_of(*t);
    return bytes;
}

/// So many flops per element of the result.
inline op_work work_per_element(const call_view& call, const node_type& result, double flops) {
    return {flops * elements_of(result.of_tensor), bytes_moved(call, result)};
}

template <class Op>
outcome<node_type> infer_unary(const call_view& call) {
    return infer_unary_call(call, elements(typename Op::scalars()), is_predicate<Op>);
}
template <class Op>
outcome<std::vector<tensor>> evaluate_unary(const call_view& call, std::span<const tensor> operands) {
    return evaluate_unary_call(call, operands, unary_loops_of<Op>, is_predicate<Op>, parameters_of<Op>(call));
}
template <class Op>
outcome<node_type> infer_binary(const call_view& call) {
    return infer_binary_call(call, elements(typename Op::scalars()), is_predicate<Op>);
}
template <class Op>
outcome<std::vector<tensor>> evaluate_binary(const call_view& call, std::span<const tensor> operands) {
    return evaluate_binary_call(call, operands, binary_loops_of<Op>, is_predicate<Op>, parameters_of<Op>(call));
}
template <class Op>
op_work work_elementwise(const call_view& call, const node_type& result) {
    return work_per_element(call, result, Op::flops);
}

template <class Op>
inline constexpr op_definition unary{Op::name, op_kind::elementwise, infer_unary<Op>, evaluate_unary<Op>, work_elementwise<Op>};

template <class Op>
inline constexpr op_definition binary{Op::name, op_kind::broadcast, infer_binary<Op>, evaluate_binary<Op>, work_elementwise<Op>};

}  // namespace inlay::detail

#endif
