// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_SHAPE_MAPS_HPP
#define INLAY_OPS_RELAY_RELAY_SHAPE_MAPS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
#include <inlay/ops/relay/relay_reshaped.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>

// How Relay's operators are written in ONNX's: a map makes the nodes of one call. `Site` is `relay_site`, which rewrites a graph, or
// `relay_value_site`, which types and evaluates. Attributes are read as Relay's text has them, with the defaults of `relay_defaults`.

namespace inlay::detail {

/// The codes of a shape that is an attribute or a constant operand; nothing where it is neither.
template <class Site>
[[nodiscard]] std::optional<std::vector<std::int64_t>> relay_stated_shape(const Site& s, std::string_view attribute, std::size_t operand) {
    if (auto stated = relay_list(s.attributes(), attribute)) return stated;
    if (operand >= s.arity() || s.constant(operand) == nullptr) return std::nullopt;
    return integers_of(*s.constant(operand));
}

/// `reshape`, `contrib_reverse_reshape` and `dyn.reshape`.
struct relay_reshape {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        const auto codes = relay_stated_shape(s, "newshape", 1);
        if (!codes)
            return s.arity() == 2 ? s.make("onnx.Reshape", {s.operand(0), s.cast(s.operand(1), element_type::int64)})
                                  : s.refuse("has no newshape, and the rules read its shape there");
        const tensor_type x = s.type(s.operand(0));
        const auto to = relay_reshaped(x, *codes, {s.attributes().integer("allowzero", 0) != 0, s.op() == "contrib_reverse_reshape"});
        if (!to) return s.refuse("has a newshape with " + to.failure().message);
        // ONNX keeps extents by 0 at the same place, and finds one that is not known.
        std::vector<std::int64_t> extents;
        std::size_t open = 0;
        bool has_zero = false, keeps = false;
        for (std::size_t i = 0; i < to->size(); ++i) {
            const extent& e = (*to)[i];
            has_zero = has_zero || e == extent(0);
            const bool is_kept =
                !e.is_known() && i < x.rank() && x.extents[i] == e && (!e.symbol.empty() || (i < codes->size() && (*codes)[i] == 0));
            keeps = keeps || is_kept;
            open += e.is_known() || is_kept ? 0 : 1;
            extents.push_back(e.is_known() ? e.size : is_kept ? 0 : -1);
        }
        if (open > 1 || (has_zero && (keeps || open != 0)))
            return s.refuse("has a newshape of which several extents are not known before the run");
        attribute_map how;
        if (has_zero) how.set("allowzero", std::int64_t{1});
        return s.make("onnx.Reshape", {s.operand(0), s.list(extents)}, how);
    }
};

/// The extents between two axes of an operand, of which both may be counted from the end.
struct relay_reshape_like {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        const auto part = [&](std::size_t i, std::string_view from, std::string_view to) {
            const auto rank = static_cast<std::int64_t>(s.rank(i));
            std::int64_t begin = s.attributes().integer(from, 0), end = s.attributes().integer(to, rank);
            return std::pair(std::clamp<std::int64_t>(begin < 0 ? begin + rank : begin, 0, rank),
                             std::clamp<std::int64_t>(end < 0 ? end + rank : end, 0, rank));
        };
        const auto [x_begin, x_end] = part(0, "lhs_begin", "lhs_end");
        const auto [y_begin, y_end] = part(1, "rhs_begin", "rhs_end");
        const shape &x = s.type(s.operand(0)).extents, &y = s.type(s.operand(1)).extents;
        if (x_begin == 0 && x_end == static_cast<std::int64_t>(x.size()) && y_begin == 0 && y_end == static_cast<std::int64_t>(y.size()))
            return s.make("onnx.Reshape", {s.operand(0), s.shape_of(s.operand(1))});
        shape to(x.begin(), x.begin() + x_begin);
        if (y_begin < y_end) to.insert(to.end(), y.begin() + y_begin, y.begin() + y_end);
        if (x_end < x_begin) return s.refuse("has an lhs_end in front of its lhs_begin");
        to.insert(to.end(), x.begin() + x_end, x.end());
        if (std::any_of(to.begin(), to.end(), [](const extent& e) { return !e.is_known() || e.size == 0; }))
            return s.refuse("takes extents that are 0, or not known before the run");
        return s.reshaped(s.operand(0), static_shape(tensor_type(element_type::int64, to)));
    }
};

/// `broadcast_to` and `broadcast_to_like`.
struct relay_broadcast {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        if (s.op() == "broadcast_to_like")
            return s.arity() == 2 ? s.make("onnx.Expand", {s.operand(0), s.shape_of(s.operand(1))}) : s.refuse_arity(2);
        if (const auto extents = relay_stated_shape(s, "shape", 1)) return s.make("onnx.Expand", {s.operand(0), s.list(*extents)});
        if (s.arity() != 2) return s.refuse("has no shape, and the rules read it there");
        return s.make("onnx.Expand", {s.operand(0), s.cast(s.operand(1), element_type::int64)});
    }
};

/// `full`, `zeros` and `ones`, whose shape is an attribute, or an operand where they are `dyn.`
struct relay_full {
    template <class Site>
    node_id operator()(Site& s) const {
        const bool is_full = s.op() == "full" || s.op() == "dyn.full";
        const std::size_t at = is_full ? 1 : 0;
        if (s.arity() < at) return s.refuse_arity(at);
        auto element = element_type_attribute(s.attributes(), "dtype");
        if (s.attributes().find("dtype") == nullptr) element = is_full ? s.type(s.operand(0)).element : element_type::float32;
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        const node_id value = is_full ? s.cast(s.operand(0), *element) : s.filled(*element, {}, s.op().ends_with("ones") ? 1 : 0);
        if (value == no_node) return no_node;
        if (const auto extents = relay_stated_shape(s, "shape", at)) return s.make("onnx.Expand", {value, s.list(*extents)});
        if (s.arity() != at + 1) return s.refuse("has no shape, and the rules read it there");
        return s.make("onnx.Expand", {value, s.cast(s.operand(at), element_type::int64)});
    }
};

/// Numbers in steps: `arange` of start, stop and step.
struct relay_arange {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 3) return s.refuse_arity(3);
        const auto element = element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        // Constants are converted here, so that the number of steps is known.
        const auto number = [&](std::size_t i) {
            const tensor* known = s.constant(i);
            auto converted = known == nullptr ? std::nullopt : convert_elements(*known, *element);
            return converted ? s.value(*converted) : s.cast(s.operand(i), *element);
        };
        return s.make("onnx.Range", {number(0), number(1), number(2)});
    }
};

/// The shape of a tensor, and the number of its elements.
struct relay_extents {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 1) return s.refuse_arity(1);
        const bool missing = s.attributes().find("dtype") == nullptr;
        const auto element = missing ? std::optional(element_type::int32) : element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        return s.cast(s.op() == "ndarray_size" ? s.make("onnx.Size", {s.operand(0)}) : s.shape_of(s.operand(0)), *element);
    }
};

struct relay_transpose {
    template <class Site>
    node_id operator()(Site& s) const {
        std::vector<std::int64_t> order = relay_list(s.attributes(), "axes").value_or(std::vector<std::int64_t>());
        if (order.empty())
            for (std::size_t i = s.rank(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
        for (std::int64_t& axis : order)
            if (axis < 0) axis += static_cast<std::int64_t>(s.rank());
        return s.transposed(s.operand(0), std::move(order));
    }
};

struct relay_squeeze {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        const auto axes = relay_stated_shape(s, "axis", 1);
        if (!axes) return s.arity() == 1 ? s.make("onnx.Squeeze", {s.operand(0)}) : s.refuse("has axes that are not known before the run");
        return axes->empty() ? s.operand(0) : s.make("onnx.Squeeze", {s.operand(0), s.list(*axes)});
    }
};

struct relay_expand_dims {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        const auto stated = relay_stated_shape(s, "axis", 1);
        if (!stated || stated->size() != 1) return s.refuse("has no axis that is known before the run");
        std::int64_t axis = (*stated)[0];
        const std::int64_t count = s.attributes().integer("num_newaxis", 1);
        if (count == 0) return s.operand(0);
        if (count < 0 || count > 1000) return s.refuse_attribute("num_newaxis", "numbers from 0 to 1000");
        if (axis < 0) axis += static_cast<std::int64_t>(s.rank()) + 1;
        if (axis < 0 || axis > static_cast<std::int64_t>(s.rank()))
            return s.refuse_attribute("axis", "places between the axes of the operand");
        std::vector<std::int64_t> axes;
        for (std::int64_t i = 0; i < count; ++i) axes.push_back(axis + i);
        return s.make("onnx.Unsqueeze", {s.operand(0), s.list(axes)});
    }
};

/// `concatenate` joins along an axis that is there, `stack` along a new one.
struct relay_joined {
    template <class Site>
    node_id operator()(Site& s) const {
        std::int64_t axis = s.attributes().integer("axis", 0);
        std::vector<node_id> parts(s.operands().begin(), s.operands().end());
        if (s.op() == "stack") {
            if (axis < 0) axis += static_cast<std::int64_t>(s.rank()) + 1;
            for (node_id& part : parts) part = s.make("onnx.Unsqueeze", {part, s.list({axis})});
        }
        attribute_map how;
        how.set("axis", axis);
        return s.make("onnx.Concat", parts, how);
    }
};

/// One field of a split; equal splits of several fields are merged by `clean`.
struct relay_split {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto axis = s.axis("axis", 0);
        if (!axis) return s.refuse_attribute("axis", "axes of the operand");
        const extent& whole = s.extent_of(0, *axis);
        if (!whole.is_known()) return s.refuse("splits an extent that is not known before the run");
        std::vector<std::int64_t> sizes;
        if (const auto* sections = s.attributes().template get<std::int64_t>("indices_or_sections")) {
            if (*sections <= 0 || whole.size % *sections != 0)
                return s.refuse("has " + std::to_string(*sections) + " sections, which do not divide " + std::to_string(whole.size));
            sizes.assign(static_cast<std::size_t>(*sections), whole.size / *sections);
        } else {
            std::int64_t before = 0;
            for (const std::int64_t at : relay_list(s.attributes(), "indices_or_sections").value_or(std::vector<std::int64_t>())) {
                if (at < before || at > whole.size) return s.refuse("has indices that do not ascend within its extent");
                sizes.push_back(at - std::exchange(before, at));
            }
            sizes.push_back(whole.size - before);
        }
        if (s.field() >= sizes.size()) return s.refuse("has no field " + std::to_string(s.field()));
        attribute_map how;
        how.set("axis", static_cast<std::int64_t>(*axis));
        const node_id pieces = s.make("onnx.Split", {s.operand(0), s.list(sizes)}, how, sizes.size());
        return sizes.size() == 1 ? pieces : s.projection(pieces, s.field());
    }
};

struct relay_strided_slice {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        const auto begin = relay_stated_shape(s, "begin", 1), end = relay_stated_shape(s, "end", 2),
                   by = relay_stated_shape(s, "strides", 3);
        if ((s.arity() > 3 && !by) || !begin || !end || begin->size() != end->size())
            return s.refuse("has no begin and end of one length that are known before the run");
        std::vector<std::int64_t> axes = relay_list(s.attributes(), "axes").value_or(std::vector<std::int64_t>());
        if (axes.empty())
            for (std::size_t i = 0; i < begin->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
        std::vector<std::int64_t> steps = by.value_or(std::vector<std::int64_t>()), from = *begin, to = *end;
        const std::string_view mode = s.attributes().text("slice_mode", "end");
        if (mode != "end" && mode != "size") return s.refuse_attribute("slice_mode", "'end' and 'size'");
        if (mode == "size") {
            // Sizes count from the beginning, in steps of 1; -1 is all that remains.
            steps.assign(begin->size(), 1);
            for (std::size_t i = 0; i < to.size(); ++i) {
                const auto axis = i < axes.size() ? axis_of(axes[i], s.rank()) : std::nullopt;
                if (!axis) return s.refuse_attribute("axes", "axes of the operand");
                if (from[i] < 0 && s.extent_of(0, *axis).is_known()) from[i] += s.extent_of(0, *axis).size;
                if (from[i] < 0 && to[i] >= 0) return s.refuse("has slice_mode 'size' and counts from the end");
                to[i] = to[i] < 0 ? std::numeric_limits<std::int64_t>::max() : from[i] + to[i];
            }
        }
        // One stride stands for all.
        if (steps.empty()) steps.push_back(1);
        if (steps.size() == 1) steps.assign(begin->size(), steps[0]);
        if (axes.size() != begin->size() || steps.size() != begin->size())
            return s.refuse("has begin, end, strides and axes of different lengths");
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const auto axis = axis_of(axes[i], s.rank());
            if (!axis) return s.refuse_attribute("axes", "axes of the operand");
            // Backwards from before the axis TVM takes no element, and ONNX takes the first one.
            const extent e = s.extent_of(0, *axis);
            if (steps[i] < 0 && from[i] < 0 && e.is_known() && from[i] < -e.size) from[i] = to[i] = 0;
        }
        return s.make("onnx.Slice", {s.operand(0), s.list(from), s.list(to), s.list(axes), s.list(steps)});
    }
};

struct relay_pad {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() == 0) return s.refuse_arity(1);
        const bool is_dynamic = s.op() == "dyn.nn.pad", mirrors = s.op() == "nn.mirror_pad";
        const auto width = is_dynamic ? relay_stated_shape(s, "", 1) : relay_list(s.attributes(), "pad_width");
        if (!width || width->size() != 2 * s.rank())
            return s.refuse("has no pad_width of a pair for each of its " + std::to_string(s.rank()) + " axes");
        std::vector<std::int64_t> pads(width->size());
        for (std::size_t i = 0; i < s.rank(); ++i) {
            pads[i] = (*width)[2 * i];
            pads[s.rank() + i] = (*width)[2 * i + 1];
        }
        std::string_view mode = s.attributes().text("pad_mode", "constant");
        if (mirrors) {
            const std::string_view mirror = s.attributes().text("mode", "SYMMETRIC");
            if (mirror == "SYMMETRIC") return symmetric(s, pads);
            if (mirror != "REFLECT") return s.refuse_attribute("mode", "REFLECT and SYMMETRIC");
            mode = "reflect";
        }
        if (mode != "constant" && mode != "edge" && mode != "reflect")
            return s.refuse_attribute("pad_mode", "'constant', 'edge' and 'reflect'");
        attribute_map how;
        how.set("mode", std::string(mode));
        if (mode != "constant") return s.make("onnx.Pad", {s.operand(0), s.list(pads)}, how);
        const std::size_t number = is_dynamic ? 2 : 1;
        const node_id value =
            s.arity() > number ? s.scalar(s.operand(number)) : s.filled(0, {}, relay_number(s.attributes(), "pad_value", 0));
        return value == no_node ? no_node : s.make("onnx.Pad", {s.operand(0), s.list(pads), value}, how);
    }

private:
    /// Mirrors with the border itself: along each axis what stands there backwards, the operand, and again what stands there backwards.
    template <class Site>
    static node_id symmetric(Site& s, const std::vector<std::int64_t>& pads) {
        constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min();
        node_id made = s.operand(0);
        for (std::size_t i = 0; i < s.rank(); ++i) {
            const std::int64_t before = pads[i], behind = pads[s.rank() + i];
            const extent size = s.extent_of(0, i);
            if (before < 0 || behind < 0) return s.refuse("has a pad_width below 0");
            if (size.is_known() && std::max(before, behind) > size.size)
                return s.refuse("has a pad_width of " + std::to_string(std::max(before, behind)) + " along an axis of " +
                                std::to_string(size.size));
            const auto axis = static_cast<std::int64_t>(i);
            const auto backwards = [&](std::int64_t from, std::int64_t to) {
                return s.make("onnx.Slice", {made, s.list({from}), s.list({to}), s.list({axis}), s.list({-1})});
            };
            std::vector<node_id> pieces;
            if (before > 0) pieces.push_back(backwards(before - 1, first));
            pieces.push_back(made);
            if (behind > 0) pieces.push_back(backwards(-1, -behind - 1));
            attribute_map how;
            how.set("axis", axis);
            if (pieces.size() > 1) made = s.make("onnx.Concat", pieces, how);
        }
        return made;
    }
};

/// The axes of a reduction from the front: those that it names, or all others; every axis where it names none.
template <class Site>
[[nodiscard]] std::optional<std::vector<std::int64_t>> relay_axes(const Site& s) {
    std::vector<char> named(s.rank(), 0);
    const auto list = relay_list(s.attributes(), "axis");
    const bool all = !list || list->empty(), others = s.attributes().integer("exclude", 0) != 0;
    if (!all)
        for (const std::int64_t a : *list) {
            const auto axis = axis_of(a, s.rank());
            if (!axis) return std::nullopt;
            named[*axis] = 1;
        }
    std::vector<std::int64_t> axes;
    for (std::size_t i = 0; i < s.rank(); ++i)
        if (all || (named[i] != 0) != others) axes.push_back(static_cast<std::int64_t>(i));
    return axes;
}

struct relay_reduction {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto axes = relay_axes(s);
        if (!axes) return s.refuse("reduces an axis that its operand does not have");
        if (axes->empty()) return s.operand(0);
        attribute_map how;
        how.set("keepdims", s.attributes().integer("keepdims", 0));
        const std::string_view op = s.op();
        if (op == "all" || op == "any") {
            const node_id truths = s.cast(s.cast(s.operand(0), element_type::boolean), element_type::int32);
            return s.cast(s.make(op == "all" ? "onnx.ReduceMin" : "onnx.ReduceMax", {truths, s.list(*axes)}, how), element_type::boolean);
        }
        if (op == "variance") {
            if (s.arity() != 2) return s.refuse_arity(2);
            const node_id from_mean = s.make("onnx.Sub", {s.operand(0), s.operand(1)}), square = s.make("onnx.Mul", {from_mean, from_mean});
            if (s.attributes().integer("unbiased", 0) == 0) return s.make("onnx.ReduceMean", {square, s.list(*axes)}, how);
            std::int64_t count = 1;
            for (const std::int64_t axis : *axes) {
                const extent& e = s.extent_of(0, static_cast<std::size_t>(axis));
                if (!e.is_known() || e.size > largest_window)
                    return s.refuse("is unbiased, and the extents that it reduces are not known before the run");
                count *= e.size;
            }
            const node_id others = s.filled(0, {}, static_cast<double>(count - 1));
            return others == no_node ? no_node : s.make("onnx.Div", {s.make("onnx.ReduceSum", {square, s.list(*axes)}, how), others});
        }
        return s.make(op == "sum"    ? "onnx.ReduceSum"
                      : op == "mean" ? "onnx.ReduceMean"
                      : op == "max"  ? "onnx.ReduceMax"
                      : op == "min"  ? "onnx.ReduceMin"
                                     : "onnx.ReduceProd",
                      {s.operand(0), s.list(*axes)}, how);
    }
};

/// Relay's indices are 32 bits wide unless it says otherwise, ONNX's 64.
struct relay_arg_reduction {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto axes = relay_axes(s);
        if (!axes || s.arity() != 1) return s.refuse("needs one operand, and axes that it has");
        const bool keeps = s.attributes().integer("keepdims", 0) != 0, flat = axes->size() != 1;
        // Over all axes, places are counted in the elements one after the other.
        if (flat && axes->size() != s.rank()) return s.refuse("has several axes but not all, and the rules know one or all");
        const auto element =
            s.attributes().find("dtype") == nullptr ? std::optional(element_type::int32) : element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        attribute_map how;
        how.set("axis", flat ? std::int64_t{0} : (*axes)[0]);
        how.set("keepdims", std::int64_t{keeps && !flat ? 1 : 0});
        how.set("select_last_index", s.attributes().integer("select_last_index", 0));
        const node_id x = flat ? s.reshaped(s.operand(0), {-1}) : s.operand(0);
        const node_id place = s.cast(s.make(s.op() == "argmax" ? "onnx.ArgMax" : "onnx.ArgMin", {x}, how), *element);
        return flat && keeps ? s.reshaped(place, std::vector<std::int64_t>(s.rank(), 1)) : place;
    }
};

/// Indices out of range stop at the ends, as Relay has it by default, or begin anew from the other end (`wrap`); `fast` looks at no ends,
/// so that they are in range. The first `batch_dims` axes of data and indices go together.
struct relay_take {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        const std::string_view mode = s.attributes().text("mode", "clip");
        if (mode != "clip" && mode != "fast" && mode != "wrap") return s.refuse_attribute("mode", "'clip', 'wrap' and 'fast'");
        node_id data = s.operand(0);
        std::size_t axis = 0;
        if (s.attributes().find("axis") == nullptr) {
            data = s.reshaped(data, {-1});
        } else {
            const auto named = s.axis("axis", 0);
            if (!named) return s.refuse_attribute("axis", "axes of the operand");
            axis = *named;
        }
        node_id indices = s.operand(1);
        const std::size_t index_rank = s.rank(1);
        std::int64_t stated = in_force<"ops.relay.batch-dims">() ? s.attributes().integer("batch_dims", 0) : 0;
        if (stated < 0) stated += static_cast<std::int64_t>(index_rank);
        if (stated < 0 || static_cast<std::size_t>(stated) > std::min(axis, index_rank))
            return s.refuse_attribute("batch_dims", "axes of the indices in front of the axis that is taken from");
        const auto batches = static_cast<std::size_t>(stated);
        if (s.type(indices).element != element_type::int32 && s.type(indices).element != element_type::int64)
            indices = s.cast(indices, element_type::int64);
        const extent length = s.type(data).ranked ? s.type(data).extents[axis] : extent();
        if (mode != "fast") {
            if (!length.is_known() || length.size == 0) return s.refuse("takes from an extent that is 0, or not known before the run");
            const element_type element = s.type(indices).element;
            const node_id first = s.filled(element, {}, 0), last = s.filled(element, {}, static_cast<double>(length.size - 1)),
                          whole = s.filled(element, {}, static_cast<double>(length.size));
            if (first == no_node || last == no_node || whole == no_node) return no_node;
            indices =
                mode == "wrap" ? s.make("onnx.Mod", {indices, whole}) : s.make("onnx.Min", {s.make("onnx.Max", {indices, first}), last});
        }
        attribute_map how;
        how.set("axis", static_cast<std::int64_t>(axis));
        if (batches == 0) return s.make("onnx.Gather", {data, indices}, how);

        // Batches of data and indices side by side: the batches as one axis, the axis behind them, and places in both as one index.
        const std::size_t rank = s.rank(0);
        const tensor_type &x = s.type(s.operand(0)), &i = s.type(s.operand(1));
        std::vector<std::int64_t> order, back, from, steps, to;
        for (std::size_t k = 0; k < batches; ++k) order.push_back(static_cast<std::int64_t>(k));
        order.push_back(static_cast<std::int64_t>(axis));
        for (std::size_t k = batches; k < rank; ++k)
            if (k != axis) order.push_back(static_cast<std::int64_t>(k));
        std::int64_t count = 1;
        for (std::size_t k = 0; k < batches; ++k) {
            if (!x.extents[k].is_known() || !i.extents[k].is_known() || x.extents[k] != i.extents[k])
                return s.refuse("has batches whose extents differ, or are not known before the run");
            count *= x.extents[k].size;
        }
        if (!x.is_static() || !i.is_static() || !length.is_known())
            return s.refuse("has batch_dims and extents that are not known before the run");
        // Each batch begins `length` rows behind the one before.
        std::vector<std::int64_t> begins, spread;
        for (std::int64_t k = 0; k < count; ++k) begins.push_back(k * length.size);
        for (std::size_t k = 0; k < batches; ++k) spread.push_back(x.extents[k].size);
        spread.resize(index_rank, 1);
        const node_id rows_of_batches = s.cast(s.reshaped(s.list(begins), spread), s.type(indices).element);
        const node_id places = s.make("onnx.Add", {indices, rows_of_batches});
        std::vector<std::int64_t> rows{count * length.size}, whole;
        for (std::size_t k = batches; k < rank; ++k)
            if (k != axis) rows.push_back(x.extents[k].size);
        const node_id flat = s.reshaped(s.transposed(data, order), rows);
        attribute_map by_row;
        by_row.set("axis", std::int64_t{0});
        const node_id taken = s.make("onnx.Gather", {flat, places}, by_row);
        // [batches..., indices..., between..., behind...] with the axes between batches and axis in front of the indices.
        const std::size_t between = axis - batches, inner = index_rank - batches;
        std::vector<std::int64_t> final_order;
        for (std::size_t k = 0; k < batches; ++k) final_order.push_back(static_cast<std::int64_t>(k));
        for (std::size_t k = 0; k < between; ++k) final_order.push_back(static_cast<std::int64_t>(index_rank + k));
        for (std::size_t k = 0; k < inner; ++k) final_order.push_back(static_cast<std::int64_t>(batches + k));
        for (std::size_t k = between; k + batches + 1 < rank; ++k) final_order.push_back(static_cast<std::int64_t>(index_rank + k));
        return between == 0 ? taken : s.transposed(taken, final_order);
    }
};

/// `gather`, `gather_nd`, `scatter_elements` and `scatter_nd`. The indices of the forms by tuple have the tuple first, ONNX's last.
struct relay_gather {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::string_view op = s.op();
        const bool scatters = op.starts_with("scatter"), by_tuple = op.ends_with("_nd");
        if (s.arity() != (scatters ? 3u : 2u)) return s.refuse_arity(scatters ? 3 : 2);
        attribute_map how;
        if (scatters) {
            const std::string_view mode = s.attributes().text(by_tuple ? "mode" : "reduction", "update");
            if (mode != "update" && mode != "add" && mode != "mul" && mode != "min" && mode != "max")
                return s.refuse_attribute(by_tuple ? "mode" : "reduction", "'update', 'add', 'mul', 'min' and 'max'");
            how.set("reduction", std::string(mode == "update" ? "none" : mode));
        }
        node_id indices = s.cast(s.operand(1), element_type::int64);
        if (by_tuple) {
            if (s.rank(1) == 0) return s.refuse("has indices of rank 0");
            std::vector<std::int64_t> order;
            for (std::size_t k = 1; k < s.rank(1); ++k) order.push_back(static_cast<std::int64_t>(k));
            order.push_back(0);
            indices = s.transposed(indices, std::move(order));
            if (!scatters) how.set("batch_dims", s.attributes().integer("batch_dims", 0));
        } else {
            const auto axis = s.axis("axis", 0);
            if (!axis || s.attributes().find("axis") == nullptr) return s.refuse_attribute("axis", "axes of the operand");
            how.set("axis", static_cast<std::int64_t>(*axis));
        }
        if (scatters) return s.make(by_tuple ? "onnx.ScatterND" : "onnx.ScatterElements", {s.operand(0), indices, s.operand(2)}, how);
        return s.make(by_tuple ? "onnx.GatherND" : "onnx.GatherElements", {s.operand(0), indices}, how);
    }
};

/// `tile`, `repeat`, `reverse` and `reverse_sequence`.
struct relay_repeated {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::string_view op = s.op();
        if (s.arity() == 0) return s.refuse_arity(1);
        node_id x = s.operand(0);
        if (op == "tile" || op == "dyn.tile") {
            auto times = relay_stated_shape(s, "reps", 1);
            if (!times) return s.refuse("has no reps that are known before the run");
            if (times->size() > s.rank()) {
                std::vector<std::int64_t> axes;
                for (std::size_t i = 0; i + s.rank() < times->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
                x = s.make("onnx.Unsqueeze", {x, s.list(axes)});
            }
            if (times->size() < s.rank()) times->insert(times->begin(), s.rank() - times->size(), 1);
            return s.make("onnx.Tile", {x, s.list(*times)});
        }
        const bool flat = op == "repeat" && s.attributes().find("axis") == nullptr;
        const auto axis = flat ? std::optional<std::size_t>(0) : s.axis("axis", 0);
        if (op == "reverse_sequence") {
            if (s.arity() != 2) return s.refuse_arity(2);
            attribute_map how;
            how.set("batch_axis", s.attributes().integer("batch_axis", 0));
            how.set("time_axis", s.attributes().integer("seq_axis", 1));
            return s.make("onnx.ReverseSequence", {x, s.cast(s.operand(1), element_type::int64)}, how);
        }
        if (!axis) return s.refuse_attribute("axis", "axes of the operand");
        const auto at = static_cast<std::int64_t>(*axis);
        if (op == "reverse")
            return s.make("onnx.Slice", {x, s.list({-1}), s.list({std::numeric_limits<std::int64_t>::min()}), s.list({at}), s.list({-1})});
        const std::int64_t times = s.attributes().integer("repeats", 1);
        const tensor_type& type = s.type(x);
        if (!type.is_static()) return s.refuse("has extents that are not known before the run");
        std::vector<std::int64_t> extents = static_shape(type);
        if (flat) {
            std::int64_t count = 1;
            for (const std::int64_t e : extents) count *= e;
            extents = {count};
            x = s.reshaped(x, {-1});
        }
        if (times < 0 || times > largest_window || extents[*axis] > largest_window)
            return s.refuse_attribute("repeats", "numbers from 0 to 31 bits");
        std::vector<std::int64_t> reps(extents.size() + 1, 1);
        reps[*axis + 1] = times;
        extents[*axis] *= times;
        attribute_map how;
        how.set("allowzero", std::int64_t{1});
        return s.make("onnx.Reshape",
                      {s.make("onnx.Tile", {s.make("onnx.Unsqueeze", {x, s.list({at + 1})}), s.list(reps)}), s.list(extents)}, how);
    }
};

/// The first elements of one tensor, as many along each axis as another has.
struct relay_slice_like {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        std::vector<std::int64_t> axes = relay_list(s.attributes(), "axes").value_or(std::vector<std::int64_t>()), ends;
        if (axes.empty())
            for (std::size_t i = 0; i < s.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
        for (const std::int64_t stated : axes) {
            const auto here = axis_of(stated, s.rank()), there = axis_of(stated, s.rank(1));
            if (!here || !there) return s.refuse_attribute("axes", "axes of both operands");
            if (!s.extent_of(1, *there).is_known()) return s.refuse("takes extents that are not known before the run");
            ends.push_back(s.extent_of(1, *there).size);
        }
        return s.make("onnx.Slice", {s.operand(0), s.list(std::vector<std::int64_t>(axes.size(), 0)), s.list(ends), s.list(axes)});
    }
};

/// Rows with one number that differs, at the place that an index says.
struct relay_one_hot {
    template <class Site>
    node_id operator()(Site& s) const {
        const bool is_dynamic = s.op() == "dyn.one_hot";
        if (s.arity() != (is_dynamic ? 4u : 3u)) return s.refuse_arity(is_dynamic ? 4 : 3);
        const auto element = s.attributes().find("dtype") == nullptr ? std::optional(s.type(s.operand(1)).element)
                                                                     : element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        attribute_map how, join;
        how.set("axis", s.attributes().integer("axis", -1));
        join.set("axis", std::int64_t{0});
        const auto row = [&](std::size_t i) { return s.reshaped(s.cast(s.operand(i), *element), {1}); };
        const node_id depth = is_dynamic ? s.cast(s.operand(3), element_type::int64) : s.list({s.attributes().integer("depth", 1)});
        return s.make("onnx.OneHot", {s.operand(0), depth, s.make("onnx.Concat", {row(2), row(1)}, join)}, how);
    }
};

/// Sums of all elements up to each.
struct relay_running_sum {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 1) return s.refuse_arity(1);
        const bool flat = s.attributes().find("axis") == nullptr;
        element_type element = s.type(s.operand(0)).element;
        if (element == element_type::boolean) element = element_type::int32;
        if (s.attributes().find("dtype") != nullptr) {
            const auto named = element_type_attribute(s.attributes(), "dtype");
            if (!named) return s.refuse_attribute("dtype", "names of element types");
            element = *named;
        }
        const auto axis = flat ? std::optional<std::size_t>(0) : s.axis("axis", 0);
        if (!axis) return s.refuse_attribute("axis", "axes of the operand");
        attribute_map how;
        how.set("exclusive", s.attributes().integer("exclusive", 0));
        const node_id x = s.cast(flat ? s.reshaped(s.operand(0), {-1}) : s.operand(0), element);
        return s.make("onnx.CumSum", {x, s.scalar(s.list({static_cast<std::int64_t>(*axis)}))}, how);
    }
};

/// `topk`, `argsort` and `sort`: the best elements along an axis, and their places.
struct relay_sorted {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::string_view op = s.op();
        const bool picks = op == "topk" || op == "dyn.topk";
        if (s.arity() == 0) return s.refuse_arity(1);
        const auto axis = s.axis("axis", -1);
        if (!axis) return s.refuse_attribute("axis", "axes of the operand");
        const auto element =
            s.attributes().find("dtype") == nullptr ? std::optional(element_type::int32) : element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        const std::string_view results = picks ? s.attributes().text("ret_type", "both") : op == "sort" ? "values" : "indices";
        std::int64_t count = picks ? s.attributes().integer("k", 1) : -1;
        if (op == "dyn.topk") {
            const auto stated = s.arity() == 2 && s.constant(1) != nullptr ? integers_of(*s.constant(1)) : std::nullopt;
            if (!stated || stated->size() != 1) return s.refuse("has a k that is not known before the run");
            count = (*stated)[0];
        }
        if (count < 1) {
            if (!s.extent_of(0, *axis).is_known()) return s.refuse("takes all along an axis whose extent is not known before the run");
            count = s.extent_of(0, *axis).size;
        }
        attribute_map how;
        how.set("axis", static_cast<std::int64_t>(*axis));
        how.set("largest", std::int64_t{s.attributes().integer("is_ascend", picks ? 0 : 1) != 0 ? 0 : 1});
        const node_id best = s.make("onnx.TopK", {s.operand(0), s.list({count})}, how, 2);
        const bool values = results == "values" || (results == "both" && s.field() == 0);
        return values ? s.projection(best, 0) : s.cast(s.projection(best, 1), *element);
    }
};

/// `topk` that gives only values or only indices, so that its result is no tuple.
struct relay_sorted_alone {
    template <class Site>
    node_id operator()(Site& s) const {
        return s.attributes().text("ret_type", "both") == "both" ? no_node : relay_sorted{}(s);
    }
};

/// Half of a matrix above or below a diagonal, and sums of products by a formula.
struct relay_trilu {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        attribute_map how;
        how.set("upper", s.attributes().integer("upper", 1));
        return s.make("onnx.Trilu", {s.operand(0), s.scalar(s.cast(s.operand(1), element_type::int64))}, how);
    }
};
struct relay_einsum {
    template <class Site>
    node_id operator()(Site& s) const {
        attribute_map how;
        how.set("equation", std::string(s.attributes().text("equation", "")));
        return s.make("onnx.Einsum", s.operands(), how);
    }
};

/// One axis of a layout: capital letters are whole axes, small ones with a number in front are blocks of them.
struct relay_layout_axis {
    char letter = 0;
    std::int64_t block = 0;  // 0: a whole axis, or what its blocks leave of it
};
[[nodiscard]] inline std::optional<std::vector<relay_layout_axis>> relay_layout_of(std::string_view text) {
    std::vector<relay_layout_axis> axes;
    std::int64_t block = 0;
    std::string seen;
    for (const char c : text) {
        const bool is_small = c >= 'a' && c <= 'z', is_capital = c >= 'A' && c <= 'Z';
        if (c >= '0' && c <= '9') {
            block = block * 10 + (c - '0');
            if (block > largest_window) return std::nullopt;
            continue;
        }
        if (!(is_capital && block == 0) && !(is_small && block > 0)) return std::nullopt;
        if (seen.find(c) != std::string::npos) return std::nullopt;
        seen += c;
        axes.push_back({is_small ? static_cast<char>(c - 'a' + 'A') : c, block});
        block = 0;
    }
    if (block != 0) return std::nullopt;
    for (const relay_layout_axis& a : axes)
        if (seen.find(a.letter) == std::string::npos) return std::nullopt;
    return axes;
}

/// `layout_transform`: blocks of axes are joined to axes, axes are put in another order, and axes are cut into blocks.
struct relay_layout_transform {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 1) return s.refuse_arity(1);
        const auto from = relay_layout_of(s.attributes().text("src_layout", "")),
                   to = relay_layout_of(s.attributes().text("dst_layout", ""));
        if (!from || from->size() != s.rank()) return s.refuse_attribute("src_layout", "layouts of the rank of the data, as NCHW4c");
        if (!to) return s.refuse_attribute("dst_layout", "layouts as NCHW4c");
        const auto place = [](const std::vector<relay_layout_axis>& all, char letter, bool is_block) {
            std::size_t i = 0;
            while (i < all.size() && (all[i].letter != letter || (all[i].block != 0) != is_block)) ++i;
            return i;
        };
        const auto turned = [&](node_id n, const std::vector<std::int64_t>& order) {
            return std::is_sorted(order.begin(), order.end()) ? n : s.transposed(n, order);
        };
        std::vector<std::int64_t> order, whole, cut, final_order;
        std::string letters;
        bool joins = false, cuts = false;
        for (const relay_layout_axis& a : *from) {
            if (a.block != 0) continue;
            const std::size_t outer = place(*from, a.letter, false), inner = place(*from, a.letter, true);
            const extent e = s.extent_of(0, outer);
            if (inner < from->size() && s.extent_of(0, inner) != extent((*from)[inner].block))
                return s.refuse("has data whose blocks are not those of its src_layout");
            order.push_back(static_cast<std::int64_t>(outer));
            if (inner < from->size()) order.push_back(static_cast<std::int64_t>(inner));
            joins = joins || inner < from->size();
            letters += a.letter;
            if (!e.is_known() || e.size > largest_window) {
                whole.push_back(-1);
                continue;
            }
            whole.push_back(inner < from->size() ? e.size * (*from)[inner].block : e.size);
        }
        std::vector<std::int64_t> axis_of_cut(to->size());
        std::int64_t at = 0;
        for (std::size_t i = 0; i < letters.size(); ++i) {
            const std::size_t outer = place(*to, letters[i], false), inner = place(*to, letters[i], true);
            if (outer == to->size()) return s.refuse_attribute("dst_layout", "layouts with the axes of src_layout");
            axis_of_cut[outer] = at++;
            const std::int64_t block = inner < to->size() ? (*to)[inner].block : 1;
            if (inner < to->size()) axis_of_cut[inner] = at++;
            if (block > 1 && (whole[i] < 0 || whole[i] % block != 0))
                return s.refuse("cuts an axis into blocks that do not divide it, or whose extent is not known before the run");
            cut.push_back(whole[i] < 0 ? -1 : whole[i] / block);
            if (inner < to->size()) cut.push_back(block);
            cuts = cuts || inner < to->size();
        }
        if (static_cast<std::size_t>(at) != to->size()) return s.refuse_attribute("dst_layout", "layouts with the axes of src_layout");
        if ((joins || cuts) && std::count(cut.begin(), cut.end(), -1) > 1) return s.refuse("has extents that are not known before the run");
        for (const std::int64_t a : axis_of_cut) final_order.push_back(a);
        node_id x = turned(s.operand(0), order);
        attribute_map how;
        if (std::count(cut.begin(), cut.end(), 0) > 0) how.set("allowzero", std::int64_t{1});
        if (joins || cuts) x = s.make("onnx.Reshape", {x, s.list(cut)}, how);
        return turned(x, final_order);
    }
};

}  // namespace inlay::detail

#endif
