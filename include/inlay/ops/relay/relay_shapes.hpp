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
#include <inlay/ops/relay/onnx_form.hpp>

// Operators of Relay that cut, join, and give tensors another shape.

namespace inlay::detail {

/// The shape that `newshape` gives a tensor: 0 keeps an extent, -1 takes what is left; nothing for the other codes.
[[nodiscard]] inline std::optional<shape> relay_reshaped(const tensor_type& x, const std::vector<std::int64_t>& codes) {
    shape made;
    std::optional<std::size_t> open;
    bool all_known = x.is_static();
    std::int64_t left = 1;
    if (all_known)
        for (const std::int64_t e : static_shape(x)) left *= e;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i] < -1) return std::nullopt;
        if (codes[i] == -1) {
            open = i;
            made.emplace_back();
            continue;
        }
        if (codes[i] == 0 && (!x.ranked || i >= x.rank())) return std::nullopt;
        made.push_back(codes[i] == 0 ? x.extents[i] : extent(codes[i]));
        if (made.back().is_known() && made.back().size != 0)
            left /= made.back().size;
        else
            all_known = false;
    }
    if (open && all_known) made[*open] = extent(left);
    return made;
}

[[nodiscard]] inline outcome<node_type> infer_relay_reshape(const call_view& call) {
    if (!call.has(0)) return wrong_arity(call, 1, 2).value();
    const auto* codes = call.attributes->get<std::vector<std::int64_t>>("newshape");
    if (codes == nullptr) {
        tensor_type open(call.type(0).element);
        if (call.has(1) && call.type(1).is_static() && call.type(1).rank() == 1)
            open = tensor_type(call.type(0).element, shape(static_cast<std::size_t>(call.type(1).extents[0].size)));
        return node_type(std::move(open));
    }
    const auto made = relay_reshaped(call.type(0), *codes);
    if (!made) return node_type(tensor_type(call.type(0).element));
    return node_type(tensor_type(call.type(0).element, *made));
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_reshape(const call_view& call, std::span<const tensor> operands) {
    std::vector<std::int64_t> extents;
    if (operands.size() > 1) {
        auto given = integers_of(operands[1]);
        if (!given) return error{short_name(call.op) + " takes a shape of integers, not " + to_string(operands[1].type())};
        extents = *std::move(given);
    } else {
        const auto made = relay_reshaped(operands[0].type(), call.attributes->integers("newshape"));
        if (!made) return error{short_name(call.op) + " knows the codes 0 and -1 in newshape"};
        extents = static_shape(tensor_type(element_type::float32, *made));
    }
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

/// A tuple of tensors side by side along an axis.
[[nodiscard]] inline outcome<node_type> infer_relay_concatenate(const call_view& call) {
    if (call.arity() != 1 || !call.types[0]->is_tuple()) return error{"concatenate takes one tuple of tensors"};
    std::vector<const node_type*> fields;
    for (const node_type& f : call.types[0]->fields) fields.push_back(&f);
    const std::vector<const tensor*> constants(fields.size());
    attribute_map how;
    how.set("axis", call.attributes->integer("axis", 0));
    return onnx_ops::find("onnx.Concat")->infer(call_view{"onnx.Concat", &how, fields, constants, 1});
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
