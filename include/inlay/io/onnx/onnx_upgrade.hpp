// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_UPGRADE_HPP
#define INLAY_IO_ONNX_ONNX_UPGRADE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/onnx_call.hpp>
#include <inlay/ops/attributes/onnx_operator_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>

namespace inlay::detail {

/// What rewriting an old form gives: an error whose text follows the node's name; the value that stands for the node's output; or
/// neither, where the call itself was brought to the newer form and is still to be emitted.
using upgraded = outcome<std::optional<node_id>>;

/// A form that has no equivalent in the newest one keeps its version in its name, so that no operator has two meanings.
inline upgraded keep_old_form(onnx_call& c, std::int64_t version) {
    c.op += ".v" + std::to_string(version);
    return std::optional<node_id>();
}

inline upgraded still_to_emit() { return std::optional<node_id>(); }

/// Moves a list of integers from an attribute to operand i.
inline upgraded list_to_operand(onnx_call& c, onnx_emitter& e, std::string_view attribute, std::size_t i) {
    const auto* list = c.attributes.get<std::vector<std::int64_t>>(attribute);
    if (list == nullptr) return still_to_emit();
    if (!c.has(i)) c.set_operand(i, e.integers(*list, c.name + "/" + std::string(attribute)));
    c.attributes.erase(attribute);
    return still_to_emit();
}

/// Moves one number from an attribute to operand i, as a scalar of operand 0's element type.
inline void number_to_operand(onnx_call& c, onnx_emitter& e, std::string_view attribute, std::size_t i) {
    const auto* number = c.attributes.get<double>(attribute);
    if (number != nullptr && c.has(0) && !c.has(i))
        c.set_operand(i, e.number(*number, c.operands[0], c.name + "/" + std::string(attribute)));
    c.attributes.erase(attribute);
}

inline upgraded axes_to_operand(onnx_call& c, std::int64_t, onnx_emitter& e) { return list_to_operand(c, e, "axes", 1); }

/// Gives operand i `trailing` more axes of extent 1 behind its own. Precondition: its rank is known.
inline void append_axes(onnx_call& c, onnx_emitter& e, std::size_t i, std::size_t trailing) {
    if (trailing == 0) return;
    const node_id from = c.operands[i];
    const std::size_t rank = e.type_of(from)->rank();
    if (const tensor* value = e.value_of(from)) {
        std::vector<std::int64_t> extents = value->extents();
        extents.resize(rank + trailing, 1);
        c.operands[i] = e.builder().constant(value->reshaped(std::move(extents)), e.builder().so_far().name(from));
        return;
    }
    std::vector<std::int64_t> axes;
    for (std::size_t k = 0; k < trailing; ++k) axes.push_back(static_cast<std::int64_t>(rank + k));
    onnx_call unsqueeze;
    unsqueeze.op = "Unsqueeze";
    unsqueeze.name = c.name + "/unsqueeze";
    unsqueeze.operands = {from, e.integers(axes, c.name + "/axes")};
    c.operands[i] = e.emit(std::move(unsqueeze));
}

/// Before version 7, two operands of unequal shapes met at the axis `axis` of the first; now shapes align at their last axes.
inline upgraded align_by_axis(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    const auto* axis = c.attributes.get<std::int64_t>("axis");
    const bool broadcasts = c.attributes.integer("broadcast", 0) != 0;
    if (axis != nullptr && broadcasts && c.has(0) && c.has(1)) {
        if (!e.is_ranked(c.operands[0]) || !e.is_ranked(c.operands[1])) return keep_old_form(c, version);
        const auto a = static_cast<std::int64_t>(e.type_of(c.operands[0])->rank()),
                   b = static_cast<std::int64_t>(e.type_of(c.operands[1])->rank());
        const std::int64_t first = *axis < 0 ? *axis + a : *axis;
        if (first < 0 || first + b > a)
            return error{"aligns an operand of rank " + std::to_string(b) + " at axis " + std::to_string(*axis) + " of one of rank " +
                         std::to_string(a)};
        append_axes(c, e, 1, static_cast<std::size_t>(a - first - b));
    }
    c.attributes.erase("axis");
    c.attributes.erase("broadcast");
    return still_to_emit();
}

/// Before version 7 a slope per channel stood at axis 1.
inline upgraded align_slope(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    if (!c.has(0) || !c.has(1)) return still_to_emit();
    if (!e.is_ranked(c.operands[1])) return keep_old_form(c, version);
    const tensor_type& slope = *e.type_of(c.operands[1]);
    if (slope.rank() != 1 || slope.extents[0] == extent(1)) return still_to_emit();
    if (!e.is_ranked(c.operands[0])) return keep_old_form(c, version);
    const std::size_t rank = e.type_of(c.operands[0])->rank();
    if (rank > 2) append_axes(c, e, 1, rank - 2);
    return still_to_emit();
}

inline upgraded drop_broadcast(onnx_call& c, std::int64_t, onnx_emitter&) {
    c.attributes.erase("broadcast");
    return still_to_emit();
}

inline upgraded slice_to_operands(onnx_call& c, std::int64_t, onnx_emitter& e) {
    const char* names[] = {"starts", "ends", "axes"};
    for (std::size_t i = 0; i < 3; ++i) (void)list_to_operand(c, e, names[i], i + 1);
    return still_to_emit();
}

inline upgraded pad_to_operands(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    (void)list_to_operand(c, e, version < 2 ? "paddings" : "pads", 1);
    // Zero is the default of the attribute and of the operand.
    if (c.attributes.number("value", 0) == 0) c.attributes.erase("value");
    number_to_operand(c, e, "value", 2);
    return still_to_emit();
}

inline upgraded clip_to_operands(onnx_call& c, std::int64_t, onnx_emitter& e) {
    // The old defaults are the bounds of float32: the same as none.
    if (c.attributes.number("min", 0) == static_cast<double>(std::numeric_limits<float>::lowest())) c.attributes.erase("min");
    if (c.attributes.number("max", 0) == static_cast<double>(std::numeric_limits<float>::max())) c.attributes.erase("max");
    number_to_operand(c, e, "min", 1);
    number_to_operand(c, e, "max", 2);
    return still_to_emit();
}

/// A call of `op` that belongs to the rewriting of `c`.
inline node_id emit_beside(const onnx_call& c, onnx_emitter& e, const char* op, const char* suffix, std::vector<node_id> operands,
                           attribute_map attributes = {}) {
    onnx_call made;
    made.op = op;
    made.name = c.name + suffix;
    made.operands = std::move(operands);
    made.attributes = std::move(attributes);
    return e.emit(std::move(made));
}

/// Operand i as integers, which the first version kept as numbers of the data's type.
inline void operand_to_integers(onnx_call& c, onnx_emitter& e, std::size_t i) {
    if (!c.has(i)) return;
    const tensor_type* const type = e.type_of(c.operands[i]);
    if (type != nullptr && is_integer(type->element)) return;
    if (const tensor* value = e.value_of(c.operands[i]))
        if (const auto integers = convert_elements(*value, element_type::int64)) {
            c.operands[i] = e.builder().constant(*integers, e.builder().so_far().name(c.operands[i]));
            return;
        }
    c.operands[i] = emit_beside(c, e, "Cast", "/integers", {c.operands[i]}, {{"to", onnx_number_of(element_type::int64)}});
}

inline upgraded split_to_operand(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    if (version < 2 && in_force<"io.onnx.split-operand">()) operand_to_integers(c, e, 1);
    return list_to_operand(c, e, "split", 1);
}

inline upgraded count_split(onnx_call& c, std::int64_t, onnx_emitter&) {
    if (!c.has(1) && c.attributes.find("num_outputs") == nullptr)
        c.attributes.set("num_outputs", static_cast<std::int64_t>(c.declared_outputs));
    return still_to_emit();
}

/// The ratio has no part in what dropout means at inference, and inference is all that the old forms are read for.
inline upgraded drop_ratio(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    c.attributes.erase("ratio");
    c.attributes.erase("is_test");
    if (version >= 10 || c.outputs < 2 || !c.has(0)) return still_to_emit();
    // The mask was a tensor of the data's type before version 10.
    const tensor_type* const type = e.type_of(c.operands[0]);
    if (type == nullptr || type->element == element_type::none) return keep_old_form(c, version);
    onnx_call inner = c;
    inner.type = {};
    const attribute_map as_data{{"to", onnx_number_of(type->element)}};
    const node_id both = e.emit(std::move(inner));
    const node_id mask = emit_beside(c, e, "Cast", "/mask", {e.builder().projection(both, 1)}, as_data);
    return std::optional<node_id>(e.builder().tuple(std::vector<node_id>{e.builder().projection(both, 0), mask}));
}

inline upgraded k_to_operand(onnx_call& c, std::int64_t, onnx_emitter& e) {
    if (const auto* k = c.attributes.get<std::int64_t>("k"); k != nullptr && !c.has(1)) c.set_operand(1, e.integers({*k}, c.name + "/k"));
    c.attributes.erase("k");
    return still_to_emit();
}

/// Whether known scales, operand `i`, leave every extent of operand 0 as it is, rounded down. ONNX Runtime then copies operand 0.
inline bool keeps_extents(const onnx_call& c, const onnx_emitter& e, std::size_t i) {
    if (!c.has(0) || !c.has(i) || !e.is_ranked(c.operands[0])) return false;
    const tensor* scales = e.value_of(c.operands[i]);
    const shape& extents = e.type_of(c.operands[0])->extents;
    if (scales == nullptr || scales->element() != element_type::float32 || scales->count() != extents.size()) return false;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const auto size = static_cast<float>(extents[k].size);
        if (!extents[k].is_known() || std::floor(size * scales->as<float>()[k]) != size) return false;
    }
    return true;
}

inline upgraded to_identity(onnx_call& c) {
    c.op = "Identity";
    c.operands.resize(1);
    c.attributes = {};
    return still_to_emit();
}

/// Upsample samples as `asymmetric` and `floor`, by scales alone.
inline upgraded upsample_to_resize(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    const auto scales_are = [&](const std::vector<double>& scales) {
        std::vector<float> values;
        for (const double s : scales) values.push_back(static_cast<float>(s));
        c.set_operand(1, e.builder().constant(tensor::of({static_cast<std::int64_t>(values.size())}, values), c.name + "/scales"));
    };
    if (version < 7) {
        // The first form has one factor for the height of images and one for their width.
        const auto *height = c.attributes.get<double>("height_scale"), *width = c.attributes.get<double>("width_scale");
        if (height == nullptr || width == nullptr) return keep_old_form(c, version);
        scales_are({1, 1, *height, *width});
        if (c.attributes.text("mode", "nearest") == "bilinear") c.attributes.set("mode", std::string("linear"));
        c.attributes.erase("height_scale");
        c.attributes.erase("width_scale");
    } else if (const auto* scales = c.attributes.get<std::vector<double>>("scales"); scales != nullptr && !c.has(1)) {
        scales_are(*scales);
    }
    c.attributes.erase("scales");
    if (keeps_extents(c, e, 1)) return to_identity(c);
    c.op = "Resize";
    if (c.operands.size() == 2) c.operands.insert(c.operands.begin() + 1, no_node);
    c.attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
    c.attributes.set("nearest_mode", std::string("floor"));
    return still_to_emit();
}

/// The first Resize samples as `asymmetric`, by scales alone. The nearest element is above a place on axes that become shorter, and below
/// it on the others; a call with both kinds of axes becomes two. ONNX's text leaves this open, ONNX Runtime has it so.
inline upgraded first_resize(onnx_call& c, std::int64_t, onnx_emitter& e) {
    if (keeps_extents(c, e, 1)) return to_identity(c);
    c.attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
    c.attributes.set("nearest_mode", std::string("floor"));
    if (c.operands.size() == 2) c.operands.insert(c.operands.begin() + 1, no_node);
    if (!c.has(0) || !c.has(2) || c.attributes.text("mode", "nearest") != "nearest" || !in_force<"io.onnx.first-resize">())
        return still_to_emit();
    const node_id scales = c.operands[2], one = e.builder().constant(tensor::scalar(1.0f), c.name + "/one");
    node_id down = no_node, up = no_node;
    if (const tensor* known = e.value_of(scales); known != nullptr && known->element() == element_type::float32) {
        const auto values = known->as<float>();
        const auto shortens = [](float s) { return s < 1; };
        if (std::none_of(values.begin(), values.end(), shortens)) return still_to_emit();
        if (std::none_of(values.begin(), values.end(), [](float s) { return s > 1; })) {
            c.attributes.set("nearest_mode", std::string("ceil"));
            return still_to_emit();
        }
        tensor shorter(element_type::float32, known->extents()), longer(element_type::float32, known->extents());
        for (std::size_t i = 0; i < values.size(); ++i) {
            shorter.as<float>()[i] = std::min(values[i], 1.0f);
            longer.as<float>()[i] = std::max(values[i], 1.0f);
        }
        down = e.builder().constant(shorter, c.name + "/scales_down");
        up = e.builder().constant(longer, c.name + "/scales_up");
    } else {
        down = emit_beside(c, e, "Min", "/scales_down", {scales, one});
        up = emit_beside(c, e, "Max", "/scales_up", {scales, one});
    }
    onnx_call first = c;
    first.name = c.name + "/down";
    first.type = {};
    first.operands[2] = down;
    first.attributes.set("nearest_mode", std::string("ceil"));
    c.operands[0] = e.emit(std::move(first));
    c.operands[2] = up;
    return still_to_emit();
}

/// An empty tensor was how version 11 left a region, scales or sizes out.
inline upgraded drop_empty_operands(onnx_call& c, std::int64_t, onnx_emitter& e) {
    for (std::size_t i = 1; i < c.operands.size(); ++i) {
        if (!c.has(i)) continue;
        const tensor_type* type = e.type_of(c.operands[i]);
        if (type != nullptr && type->ranked && type->rank() == 1 && type->extents[0] == extent(0)) c.operands[i] = no_node;
    }
    return still_to_emit();
}

/// Before version 9, `spatial` of 0 gave each element of a batch its own scale, shift, mean and variance.
inline upgraded plain_batch_normalization(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    if (c.outputs > 1) return keep_old_form(c, version);
    if (version < 9 && c.attributes.integer("spatial", 1) == 0) {
        for (std::size_t i = 0; i < 5; ++i)
            if (!c.has(i) || !e.is_ranked(c.operands[i]) ||
                e.type_of(c.operands[i])->rank() + (i == 0 ? 0 : 1) != e.type_of(c.operands[0])->rank())
                return keep_old_form(c, version);
        const node_id epsilon = e.number(c.attributes.number("epsilon", 1e-5), c.operands[4], c.name + "/epsilon");
        const node_id moved = emit_beside(c, e, "Sub", "/moved", {c.operands[0], c.operands[3]});
        const node_id deviation =
            emit_beside(c, e, "Sqrt", "/deviation", {emit_beside(c, e, "Add", "/variance", {c.operands[4], epsilon})});
        const node_id scaled =
            emit_beside(c, e, "Mul", "/scaled", {emit_beside(c, e, "Div", "/normal", {moved, deviation}), c.operands[1]});
        c.op = "Add";
        c.operands = {scaled, c.operands[2]};
        c.attributes = {};
        return still_to_emit();
    }
    c.attributes.erase("spatial");
    c.attributes.erase("is_test");
    return still_to_emit();
}

/// The first form has no `count_include_pad`, and its pads count, automatic ones too: so ONNX's reference evaluator has it.
inline upgraded count_pads(onnx_call& c, std::int64_t, onnx_emitter&) {
    if (in_force<"io.onnx.first-average-pool">())
        c.attributes.set(attribute_name<&average_pool_attributes::count_include_pad>, std::int64_t{1});
    return still_to_emit();
}

inline upgraded shape_to_operand(onnx_call& c, std::int64_t, onnx_emitter& e) { return list_to_operand(c, e, "shape", 1); }

inline upgraded cast_from_word(onnx_call& c, std::int64_t, onnx_emitter&) {
    const auto* word = c.attributes.get<std::string>("to");
    if (word == nullptr) return still_to_emit();
    static constexpr std::string_view words[] = {"FLOAT",  "UINT8", "INT8",    "UINT16", "INT16",  "INT32", "INT64",
                                                 "STRING", "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
    for (std::size_t i = 0; i < std::size(words); ++i)
        if (words[i] == *word) {
            c.attributes.set("to", static_cast<std::int64_t>(i + 1));
            return still_to_emit();
        }
    return error{"casts to " + quoted_text(*word, 40) + ", which is no element type"};
}

/// Element types that tensors here cannot have are refused when a file is read, as constants of them are.
inline upgraded cast_to_known_type(onnx_call& c, std::int64_t, onnx_emitter&) {
    const auto* to = c.attributes.get<std::int64_t>(attribute_name<&cast_attributes::to>);
    if (to == nullptr || element_type_numbered(*to)) return still_to_emit();
    return error{"casts to element type " + std::to_string(*to) + ", which is not supported"};
}

/// Scales of 16 bits are numbers of float32, too.
inline upgraded wide_scales(onnx_call& c, std::int64_t, onnx_emitter& e) {
    static constexpr std::pair<std::size_t, const char*> scales[] = {{1, "/a_scale"}, {4, "/b_scale"}, {6, "/y_scale"}};
    for (const auto& [i, suffix] : scales) {
        const tensor_type* type = c.has(i) ? e.type_of(c.operands[i]) : nullptr;
        if (type == nullptr || !is_half(type->element)) continue;
        c.operands[i] = emit_beside(c, e, "Cast", suffix, {c.operands[i]}, {{"to", onnx_number_of(element_type::float32)}});
    }
    return still_to_emit();
}

inline upgraded default_axis(onnx_call& c, std::int64_t, onnx_emitter&) {
    if (c.attributes.find("axis") == nullptr) c.attributes.set("axis", std::int64_t{1});
    return still_to_emit();
}

inline upgraded whole_exponent(onnx_call& c, std::int64_t, onnx_emitter&) {
    if (const auto* p = c.attributes.get<double>("p")) {
        if (*p != static_cast<double>(static_cast<std::int64_t>(std::clamp(*p, -1e15, 1e15)))) return error{"has a fractional exponent p"};
        c.attributes.set("p", static_cast<std::int64_t>(*p));
    }
    return still_to_emit();
}

/// The first form could leave its kernel out, and then said nothing.
inline upgraded first_lp_pool(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    return c.attributes.find(attribute_name<&lp_pool_attributes::kernel_shape>) == nullptr ? keep_old_form(c, version)
                                                                                           : whole_exponent(c, version, e);
}

inline upgraded to_scatter_elements(onnx_call& c, std::int64_t, onnx_emitter&) {
    c.op = "ScatterElements";
    return still_to_emit();
}

/// Repeats along one axis became repeats of every axis. Both numbers had the data's element type.
inline upgraded tiles_of_every_axis(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    const tensor* tiles = c.has(1) ? e.value_of(c.operands[1]) : nullptr;
    const tensor* axis = c.has(2) ? e.value_of(c.operands[2]) : nullptr;
    if (tiles == nullptr || axis == nullptr || tiles->count() != 1 || axis->count() != 1 || !e.is_ranked(c.operands[0]))
        return keep_old_form(c, version);
    const auto times = convert_elements(*tiles, element_type::int64), at = convert_elements(*axis, element_type::int64);
    std::vector<std::int64_t> repeats(e.type_of(c.operands[0])->rank(), 1);
    if (!times || !at) return keep_old_form(c, version);
    const std::int64_t place = at->as<std::int64_t>()[0];
    if (place < 0 || place >= static_cast<std::int64_t>(repeats.size())) return keep_old_form(c, version);
    repeats[static_cast<std::size_t>(place)] = times->as<std::int64_t>()[0];
    c.operands.resize(2);
    c.operands[1] = e.integers(repeats, c.name + "/repeats");
    return still_to_emit();
}

inline upgraded keep(onnx_call& c, std::int64_t version, onnx_emitter&) { return keep_old_form(c, version); }

/// Attention with past keys and values, or padded ones, or further results has no form here.
inline upgraded plain_attention(onnx_call& c, std::int64_t version, onnx_emitter&) {
    for (std::size_t i = 4; i < c.operands.size(); ++i)
        if (c.has(i)) return keep_old_form(c, version);
    return c.outputs > 1 ? keep_old_form(c, version) : still_to_emit();
}

/// Before version 13, all axes from `axis` on were one: the same as now where no later axis is longer than 1, else flatten,
/// apply, and shape back.
inline upgraded flattened_softmax(onnx_call& c, std::int64_t, onnx_emitter& e) {
    std::int64_t axis = c.attributes.integer("axis", 1);
    if (!c.has(0)) return still_to_emit();
    const node_id x = c.operands[0];
    if (e.is_ranked(x)) {
        const tensor_type& type = *e.type_of(x);
        const auto rank = static_cast<std::int64_t>(type.rank());
        if (axis < -rank || axis > rank)
            return error{"has the axis " + std::to_string(axis) + " where its operand has rank " + std::to_string(rank)};
        if (axis < 0) axis += rank;
        const auto rest = std::min(static_cast<std::ptrdiff_t>(axis) + 1, static_cast<std::ptrdiff_t>(rank));
        if (axis < rank && std::all_of(type.extents.begin() + rest, type.extents.end(), [](const extent& s) { return s == extent(1); })) {
            c.attributes.set("axis", axis);
            return still_to_emit();
        }
    }
    const node_id shape = emit_beside(c, e, "Shape", "/shape", {x});
    onnx_call inner = c;
    inner.type = {};
    inner.operands = {emit_beside(c, e, "Flatten", "/flatten", {x}, {{"axis", axis}})};
    inner.attributes.set("axis", std::int64_t{1});
    const node_id flat = e.emit(std::move(inner));
    onnx_call back;
    back.op = "Reshape";
    back.name = c.name + "/reshape";
    back.operands = {flat, shape};
    back.type = c.type;
    return std::optional<node_id>(e.emit(std::move(back)));
}

/// The first form scaled per group: instance normalisation over groups, which is what it was.
inline upgraded grouped_normalization(onnx_call& c, std::int64_t version, onnx_emitter& e) {
    const auto* groups = c.attributes.get<std::int64_t>("num_groups");
    if (groups == nullptr || c.operands.size() != 3 || !c.has(0)) return keep_old_form(c, version);
    const node_id x = c.operands[0];
    const node_id shape = emit_beside(c, e, "Shape", "/shape", {x});
    onnx_call inner = c;
    inner.op = "InstanceNormalization";
    inner.type = {};
    inner.attributes.erase("num_groups");
    inner.operands[0] = emit_beside(c, e, "Reshape", "/groups", {x, e.integers({0, *groups, -1}, c.name + "/group_shape")});
    onnx_call back;
    back.op = "Reshape";
    back.name = c.name + "/reshape";
    back.operands = {e.emit(std::move(inner)), shape};
    back.type = c.type;
    return std::optional<node_id>(e.emit(std::move(back)));
}

inline upgraded renamed_sampling(onnx_call& c, std::int64_t, onnx_emitter&) {
    const std::string_view mode = c.attributes.text("mode", "bilinear");
    if (mode == "bilinear") c.attributes.set("mode", std::string("linear"));
    if (mode == "bicubic") c.attributes.set("mode", std::string("cubic"));
    return still_to_emit();
}

inline upgraded axis_to_operand(onnx_call& c, std::int64_t, onnx_emitter& e) {
    const std::int64_t axis = c.attributes.integer("axis", 1);
    c.attributes.erase("axis");
    if (!c.has(2)) c.set_operand(2, e.builder().constant(tensor::scalar(axis), c.name + "/axis"));
    return still_to_emit();
}

/// The first form rounded its defaults.
inline upgraded first_selu(onnx_call& c, std::int64_t, onnx_emitter&) {
    if (c.attributes.find(attribute_name<&selu_attributes::alpha>) == nullptr)
        c.attributes.set(attribute_name<&selu_attributes::alpha>, 1.6732);
    if (c.attributes.find(attribute_name<&selu_attributes::gamma>) == nullptr)
        c.attributes.set(attribute_name<&selu_attributes::gamma>, 1.0507);
    return still_to_emit();
}

struct upgrade_step {
    std::string_view op;
    std::int64_t below;  // the version in which the form that the step makes appeared
    upgraded (*apply)(onnx_call&, std::int64_t, onnx_emitter&);
};

/// Every change of an operator's form in ONNX's history that changes how a call is written, older first for each operator.
inline constexpr upgrade_step upgrade_steps[] = {
    {"Add", 7, align_by_axis},
    {"And", 7, align_by_axis},
    {"Attention", 1000, plain_attention},
    {"AveragePool", 7, count_pads},
    {"BatchNormalization", 14, plain_batch_normalization},
    {"Cast", 6, cast_from_word},
    {"Cast", 1000, cast_to_known_type},
    {"Clip", 11, clip_to_operands},
    {"Concat", 4, default_axis},
    {"DFT", 20, axis_to_operand},
    {"Div", 7, align_by_axis},
    {"Dropout", 12, drop_ratio},
    {"Equal", 7, align_by_axis},
    {"Gemm", 7, drop_broadcast},
    {"GlobalLpPool", 2, whole_exponent},
    {"Greater", 7, align_by_axis},
    {"GridSample", 20, renamed_sampling},
    {"GroupNormalization", 21, grouped_normalization},
    {"Hardmax", 13, flattened_softmax},
    {"Less", 7, align_by_axis},
    {"LogSoftmax", 13, flattened_softmax},
    {"LpPool", 2, first_lp_pool},
    {"Mul", 7, align_by_axis},
    {"Or", 7, align_by_axis},
    {"PRelu", 7, align_slope},
    {"Pad", 11, pad_to_operands},
    {"Pow", 7, align_by_axis},
    {"QLinearMatMul", 1000, wide_scales},
    {"ReduceL1", 18, axes_to_operand},
    {"ReduceL2", 18, axes_to_operand},
    {"ReduceLogSum", 18, axes_to_operand},
    {"ReduceLogSumExp", 18, axes_to_operand},
    {"ReduceMax", 18, axes_to_operand},
    {"ReduceMean", 18, axes_to_operand},
    {"ReduceMin", 18, axes_to_operand},
    {"ReduceProd", 18, axes_to_operand},
    {"ReduceSum", 13, axes_to_operand},
    {"ReduceSumSquare", 18, axes_to_operand},
    {"Reshape", 5, shape_to_operand},
    {"Resize", 11, first_resize},
    {"Resize", 1000, drop_empty_operands},
    {"Scan", 9, keep},
    {"Scatter", 1000, to_scatter_elements},
    {"Selu", 6, first_selu},
    {"Slice", 10, slice_to_operands},
    {"Softmax", 13, flattened_softmax},
    {"Split", 13, split_to_operand},
    {"Split", 18, count_split},
    {"Squeeze", 13, axes_to_operand},
    {"Sub", 7, align_by_axis},
    {"Tile", 6, tiles_of_every_axis},
    {"TopK", 10, k_to_operand},
    {"Unsqueeze", 13, axes_to_operand},
    {"Upsample", 1000, upsample_to_resize},
    {"Xor", 7, align_by_axis},
};

/// Adds a call of the default domain, written in the given version of the operator set, to the program in the newest form, and
/// gives the node that makes its output (or the tuple of them). The error's text follows the node's name.
inline outcome<node_id> emit_upgraded(onnx_call call, std::int64_t version, onnx_emitter& e) {
    // A hint for memory reuse that the first versions carried.
    call.attributes.erase("consumed_inputs");
    const std::string op = call.op;
    for (const upgrade_step& step : upgrade_steps) {
        if (step.op != op || version >= step.below) continue;
        auto done = step.apply(call, version, e);
        if (!done) return done.failure();
        if (!*done) continue;
        if (auto known = e.check(call); !known) return known.failure();
        return **done;
    }
    if (auto known = e.check(call); !known) return known.failure();
    return e.emit(std::move(call));
}

}  // namespace inlay::detail

#endif
