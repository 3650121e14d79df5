// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_CAST_HPP
#define INLAY_OPS_ONNX_CAST_HPP

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/dropout_effect.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_cast(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const auto to = element_type_attribute<&cast_attributes::to>(*call.attributes);
    if (!to) return error{"Cast needs the attribute to, the number of an element type"};
    tensor_type result = call.type(0);
    result.element = *to;
    return node_type(std::move(result));
}

inline outcome<node_type> infer_cast_like(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    tensor_type result = call.type(0);
    result.element = call.type(1).element;
    return node_type(std::move(result));
}

inline outcome<std::vector<tensor>> converted(const call_view& call, const tensor& from, element_type to, bool saturates) {
    auto result = convert_elements(from, to, saturates);
    if (!result)
        return error{short_name(call.op) + " cannot convert " + to_string(from.type()) + " to elements of type " +
                     std::string(name_of(to))};
    return std::vector<tensor>{std::move(*result)};
}

inline outcome<std::vector<tensor>> evaluate_cast(const call_view& call, std::span<const tensor> operands) {
    const auto to = element_type_attribute<&cast_attributes::to>(*call.attributes);
    if (!to) return error{"Cast needs the attribute to, the number of an element type"};
    return converted(call, operands[0], *to, read<cast_attributes>(call).saturate);
}

inline outcome<std::vector<tensor>> evaluate_cast_like(const call_view& call, std::span<const tensor> operands) {
    return converted(call, operands[0], operands[1].element(), read<cast_like_attributes>(call).saturate);
}

inline outcome<node_type> infer_identity(const call_view& call) {
    if (call.arity() != 1) return error{"Identity takes one operand and has " + std::to_string(call.arity())};
    return *call.types[0];
}

inline outcome<std::vector<tensor>> evaluate_identity(const call_view&, std::span<const tensor> operands) {
    return std::vector<tensor>{operands[0]};
}

/// The effect of a Dropout, whose operands are these where they are known.
inline dropout_effect effect_of_dropout(const call_view& call, const tensor* ratio, const tensor* training) {
    return inlay::effect_of_dropout({call.has(1), ratio}, {call.has(2), training});
}
inline error drops_elements() {
    return error{
        "Dropout has no meaning here in training mode with a ratio above 0, since its results are random; export the model for inference"};
}

/// Dropout as it is at inference, or with a ratio of 0: the data as they are, and a mask that is true everywhere.
inline outcome<node_type> infer_dropout(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 3)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    if (effect_of_dropout(call, call.has(1) ? call.constant(1) : nullptr, call.has(2) ? call.constant(2) : nullptr) ==
        dropout_effect::drops)
        return drops_elements();
    if (call.outputs == 1) return node_type(call.type(0));
    tensor_type mask = call.type(0);
    mask.element = element_type::boolean;
    return node_type::tuple({node_type(call.type(0)), node_type(std::move(mask))});
}

inline outcome<std::vector<tensor>> evaluate_dropout(const call_view& call, std::span<const tensor> operands) {
    if (effect_of_dropout(call, call.has(1) ? &operands[1] : nullptr, call.has(2) ? &operands[2] : nullptr) != dropout_effect::keeps)
        return drops_elements();
    std::vector<tensor> results{operands[0]};
    if (call.outputs > 1) {
        tensor mask(element_type::boolean, operands[0].extents());
        if (!mask.ok()) return no_memory(call, mask.type());
        for (bool& kept : mask.as<bool>()) kept = true;
        results.push_back(std::move(mask));
    }
    return results;
}

inline op_work work_of_moving(const call_view& call, const node_type& result) { return {0, bytes_moved(call, result)}; }

}  // namespace detail

/// Conversions of elements, and what passes its operand on.
template <class = void>
struct onnx_casts {
    static constexpr auto table = with_attributes<cast_attributes, cast_like_attributes, dropout_attributes>({
        {"onnx.Cast", op_kind::elementwise, detail::infer_cast, detail::evaluate_cast, detail::work_of_moving},
        {"onnx.CastLike", op_kind::elementwise, detail::infer_cast_like, detail::evaluate_cast_like, detail::work_of_moving},
        {"onnx.Dropout", op_kind::elementwise, detail::infer_dropout, detail::evaluate_dropout, detail::work_of_moving},
        {"onnx.Identity", op_kind::elementwise, detail::infer_identity, detail::evaluate_identity, detail::work_of_moving},
    });
};

}  // namespace inlay

#endif
