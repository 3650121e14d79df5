// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_SHAPES_HPP
#define INLAY_OPS_RELAY_RELAY_SHAPES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
#include <inlay/ops/relay/relay_reshaped.hpp>

// Operators of Relay that cut, join, and give tensors another shape.

namespace inlay::detail {

[[nodiscard]] inline tensor integers_as_tensor(const std::vector<std::int64_t>& values) {
    return tensor::of({static_cast<std::int64_t>(values.size())}, values);
}

/// The shape of a call of `reshape`, `contrib_reverse_reshape`, `dyn.reshape` or `vm.reshape_tensor` whose codes are known.
[[nodiscard]] inline outcome<shape> relay_reshaped_by(const call_view& call, const std::vector<std::int64_t>& codes) {
    auto made = relay_reshaped(call.type(0), codes, {call.attributes->integer("allowzero", 0) != 0, call.op == "contrib_reverse_reshape"});
    if (!made) return error{std::string(call.op) + " has a newshape with " + made.failure().message};
    return made;
}
[[nodiscard]] inline outcome<node_type> infer_relay_reshape(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 2).value();
    auto codes = relay_list(*call.attributes, "newshape");
    if (call.has(1))
        if (const tensor* known = call.constant(1)) codes = integers_of(*known);
    if (codes) {
        auto made = relay_reshaped_by(call, *codes);
        if (!made) return made.failure();
        return node_type(tensor_type(call.type(0).element, *std::move(made)));
    }
    tensor_type open(call.type(0).element);
    if (call.has(1) && call.type(1).is_static() && call.type(1).rank() == 1 && call.type(1).extents[0].size <= 64)
        open = tensor_type(call.type(0).element, shape(static_cast<std::size_t>(call.type(1).extents[0].size)));
    return node_type(std::move(open));
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_reshape(const call_view& call, std::span<const tensor> operands) {
    auto codes = relay_list(*call.attributes, "newshape");
    if (operands.size() > 1) codes = integers_of(operands[1]);
    if (!codes) return error{short_name(call.op) + " takes a shape of integers, and has none"};
    const auto made = relay_reshaped_by(call, *codes);
    if (!made) return made.failure();
    std::vector<std::int64_t> extents = static_shape(tensor_type(element_type::float32, *made));
    const auto count = element_count(extents);
    if (!count || static_cast<std::size_t>(*count) != operands[0].count())
        return error{short_name(call.op) + " gives " + to_string(operands[0].type()) + " a shape of another number of elements"};
    return std::vector<tensor>{operands[0].reshaped(std::move(extents))};
}

/// Where a split cuts: the extents of the parts along the axis; unknown ones where the axis is.
struct relay_cuts {
    std::size_t axis = 0;
    std::vector<extent> parts;
};
[[nodiscard]] inline outcome<relay_cuts> relay_cuts_of(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    const tensor_type& x = call.type(0);
    if (!x.ranked) return error{"split needs a tensor of known rank"};
    const std::int64_t stated = call.attributes->integer("axis", 0);
    const auto axis = axis_of(stated, x.rank());
    if (!axis) return no_such_axis(call, stated, x.rank());
    relay_cuts cuts;
    cuts.axis = *axis;
    const extent whole = x.extents[*axis];
    if (const auto* at = call.attributes->get<std::vector<std::int64_t>>("indices_or_sections")) {
        std::int64_t begin = 0;
        for (const std::int64_t end : *at) {
            if (end < begin || (whole.is_known() && end > whole.size))
                return error{"split cuts at " + std::to_string(end) + ", which does not lie behind " + std::to_string(begin) +
                             " in an axis of " + to_string(x)};
            cuts.parts.emplace_back(end - begin);
            begin = end;
        }
        cuts.parts.push_back(whole.is_known() ? extent(whole.size - begin) : extent());
        return cuts;
    }
    const std::int64_t sections = call.attributes->integer("indices_or_sections", 0);
    if (sections < 1 || sections > 1'000'000)
        return error{"split has indices_or_sections " + std::to_string(sections) + "; a number from 1 on was expected"};
    if (whole.is_known() && whole.size % sections != 0)
        return error{"split cannot cut axis " + std::to_string(*axis) + " of " + to_string(x) + " into " + std::to_string(sections) +
                     " equal parts"};
    cuts.parts.assign(static_cast<std::size_t>(sections), whole.is_known() ? extent(whole.size / sections) : extent());
    return cuts;
}
[[nodiscard]] inline outcome<node_type> infer_relay_split(const call_view& call) {
    const auto cuts = relay_cuts_of(call);
    if (!cuts) return cuts.failure();
    std::vector<node_type> fields;
    for (const extent& e : cuts->parts) {
        tensor_type part = call.type(0);
        part.extents[cuts->axis] = e;
        fields.emplace_back(std::move(part));
    }
    return node_type::tuple(std::move(fields));
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_split(const call_view& call, std::span<const tensor> operands) {
    const auto cuts = relay_cuts_of(call);
    if (!cuts) return cuts.failure();
    const tensor& x = operands[0];
    const axis_lines lines = axis_lines::of(x.extents(), cuts->axis);
    const std::size_t width = size_of(x.element()), row = static_cast<std::size_t>(lines.step) * width;
    std::vector<tensor> parts;
    std::size_t begin = 0;
    for (const extent& e : cuts->parts) {
        std::vector<std::int64_t> extents = x.extents();
        extents[cuts->axis] = e.size;
        tensor part(x.element(), std::move(extents));
        if (!part.ok()) return error{"split cannot allocate its parts"};
        const std::size_t bytes = row * static_cast<std::size_t>(e.size);
        for (std::size_t o = 0; bytes != 0 && o < static_cast<std::size_t>(lines.outer); ++o)
            std::memcpy(part.data() + o * bytes, x.data() + o * row * static_cast<std::size_t>(lines.length) + begin * row, bytes);
        begin += static_cast<std::size_t>(e.size);
        parts.push_back(std::move(part));
    }
    return parts;
}

/// A row of numbers, one for each place along an axis, as a tensor that is stretched over the others.
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_bias(const call_view& call, std::span<const tensor> operands) {
    const auto axis = axis_of(call.attributes->integer("axis", 1), operands[0].rank());
    if (!axis) return no_such_axis(call, call.attributes->integer("axis", 1), operands[0].rank());
    std::vector<std::int64_t> extents(operands[0].rank() - *axis, 1);
    extents[0] = static_cast<std::int64_t>(operands[1].count());
    const tensor row = operands[1].reshaped(std::move(extents));
    const node_type types[] = {operands[0].type(), row.type()};
    const node_type* pointers[] = {&types[0], &types[1]};
    const tensor* values[] = {&operands[0], &row};
    const std::vector<tensor> both{operands[0], row};
    const attribute_map none;
    return onnx_ops::find("onnx.Add")->evaluate(call_view{"onnx.Add", &none, pointers, values, 1}, both);
}

/// The extents of a tensor, as a tensor of integers.
[[nodiscard]] inline element_type relay_shape_element(const call_view& call) {
    return element_type_named(call.attributes->text("dtype", call.op == "shape_of" ? "int32" : "int64")).value_or(element_type::int64);
}
[[nodiscard]] inline outcome<node_type> infer_relay_shape_of(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 1).value();
    if (!call.type(0).ranked) return node_type(tensor_type(relay_shape_element(call), shape(1)));
    return node_type(tensor_type(relay_shape_element(call), {static_cast<std::int64_t>(call.type(0).rank())}));
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_shape_of(const call_view& call, std::span<const tensor> operands) {
    const std::vector<std::int64_t>& extents = operands[0].extents();
    if (relay_shape_element(call) == element_type::int64) return std::vector<tensor>{integers_as_tensor(extents)};
    std::vector<std::int32_t> narrow;
    for (const std::int64_t e : extents) narrow.push_back(static_cast<std::int32_t>(e));
    return std::vector<tensor>{tensor::of({static_cast<std::int64_t>(narrow.size())}, narrow)};
}

}  // namespace inlay::detail

#endif
