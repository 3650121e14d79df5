// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_SHAPE_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_SHAPE_RULES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/passes/books/relay_site.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

struct relay_reshape {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto extents = relay_list(s.attributes(), "newshape");
        if (!extents) return s.refuse("has no newshape, and the rules read its shape there");
        for (const std::int64_t e : *extents)
            if (e < -1) return s.refuse("has " + std::to_string(e) + " in its newshape, and the rules know extents, 0 and -1");
        return s.reshaped(s.operand(0), *extents);
    }
};

struct relay_broadcast {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto extents = relay_list(s.attributes(), "shape");
        return extents ? s.make("onnx.Expand", {s.operand(0), s.list(*extents)}) : s.refuse("has no shape, and the rules read it there");
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
        const auto axes = relay_list(s.attributes(), "axis");
        return axes ? s.make("onnx.Squeeze", {s.operand(0), s.list(*axes)}) : s.make("onnx.Squeeze", {s.operand(0)});
    }
};

struct relay_expand_dims {
    template <class Site>
    node_id operator()(Site& s) const {
        std::int64_t axis = s.attributes().integer("axis", 0);
        if (axis < 0) axis += static_cast<std::int64_t>(s.rank()) + 1;
        std::vector<std::int64_t> axes;
        for (std::int64_t i = 0; i < s.attributes().integer("num_newaxis", 1); ++i) axes.push_back(axis + i);
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
        const auto begin = relay_list(s.attributes(), "begin"), end = relay_list(s.attributes(), "end");
        if (s.arity() != 1 || !begin || !end || begin->size() != end->size())
            return s.refuse("has no begin and end of one length as attributes, where the rules read them");
        std::vector<std::int64_t> axes = relay_list(s.attributes(), "axes").value_or(std::vector<std::int64_t>());
        if (axes.empty())
            for (std::size_t i = 0; i < begin->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
        std::vector<std::int64_t> steps = relay_list(s.attributes(), "strides").value_or(std::vector<std::int64_t>()), to = *end;
        const std::string_view mode = s.attributes().text("slice_mode", "end");
        if (mode != "end" && mode != "size") return s.refuse_attribute("slice_mode", "'end' and 'size'");
        if (mode == "size") {
            // Sizes count from the beginning, in steps of 1; -1 is all that remains.
            steps.assign(begin->size(), 1);
            for (std::size_t i = 0; i < to.size(); ++i) {
                if ((*begin)[i] < 0 && to[i] >= 0) return s.refuse("has slice_mode 'size' and counts from the end");
                to[i] = to[i] < 0 ? std::numeric_limits<std::int64_t>::max() : (*begin)[i] + to[i];
            }
        }
        // One stride stands for all.
        if (steps.empty()) steps.push_back(1);
        if (steps.size() == 1) steps.assign(begin->size(), steps[0]);
        if (axes.size() != begin->size() || steps.size() != begin->size())
            return s.refuse("has begin, end, strides and axes of different lengths");
        return s.make("onnx.Slice", {s.operand(0), s.list(*begin), s.list(to), s.list(axes), s.list(steps)});
    }
};

struct relay_pad {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto width = relay_list(s.attributes(), "pad_width");
        if (!width || width->size() != 2 * s.rank())
            return s.refuse("has no pad_width of a pair for each of its " + std::to_string(s.rank()) + " axes");
        std::vector<std::int64_t> pads(width->size());
        for (std::size_t i = 0; i < s.rank(); ++i) {
            pads[i] = (*width)[2 * i];
            pads[s.rank() + i] = (*width)[2 * i + 1];
        }
        const std::string_view mode = s.attributes().text("pad_mode", "constant");
        if (mode != "constant" && mode != "edge" && mode != "reflect")
            return s.refuse_attribute("pad_mode", "'constant', 'edge' and 'reflect'");
        attribute_map how;
        how.set("mode", std::string(mode));
        if (mode != "constant") return s.make("onnx.Pad", {s.operand(0), s.list(pads)}, how);
        const node_id value = s.arity() > 1 ? s.operand(1) : s.filled(0, {}, relay_number(s.attributes(), "pad_value", 0));
        return value == no_node ? no_node : s.make("onnx.Pad", {s.operand(0), s.list(pads), value}, how);
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
        if (!axes || axes->size() != 1) return s.refuse("has several axes, and the rules know one");
        const auto element =
            s.attributes().find("dtype") == nullptr ? std::optional(element_type::int32) : element_type_attribute(s.attributes(), "dtype");
        if (!element) return s.refuse_attribute("dtype", "names of element types");
        attribute_map how;
        how.set("axis", (*axes)[0]);
        how.set("keepdims", s.attributes().integer("keepdims", 0));
        how.set("select_last_index", s.attributes().integer("select_last_index", 0));
        attribute_map to;
        to.set("to", onnx_number_of(*element));
        return s.make("onnx.Cast", {s.make(s.op() == "argmax" ? "onnx.ArgMax" : "onnx.ArgMin", {s.operand(0)}, how)}, to);
    }
};

/// Indices out of range stop at the ends, as Relay has it by default; `fast` looks at no ends, so that they are in range.
struct relay_take {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        const std::string_view mode = s.attributes().text("mode", "clip");
        if (mode != "clip" && mode != "fast") return s.refuse_attribute("mode", "'clip' and 'fast'");
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
        if (mode == "clip") {
            const extent& length = s.type(data).extents[axis];
            if (!length.is_known() || length.size == 0) return s.refuse("takes from an extent that is not known before the run");
            const node_id first = s.filled(1, {}, 0), last = s.filled(1, {}, static_cast<double>(length.size - 1));
            if (first == no_node || last == no_node) return no_node;
            indices = s.make("onnx.Min", {s.make("onnx.Max", {indices, first}), last});
        }
        attribute_map how;
        how.set("axis", static_cast<std::int64_t>(axis));
        return s.make("onnx.Gather", {data, indices}, how);
    }
};

}  // namespace detail

/// Relay's operators that move elements or reduce axes, as ONNX's.
[[nodiscard]] constexpr auto relay_shape_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"reshape">(op<"reshape">, by_site<relay_reshape>{}), rule<"broadcast_to">(op<"broadcast_to">, by_site<relay_broadcast>{}),
        rule<"transpose">(op<"transpose">, by_site<relay_transpose>{}), rule<"squeeze">(op<"squeeze">, by_site<relay_squeeze>{}),
        rule<"expand_dims">(op<"expand_dims">, by_site<relay_expand_dims>{}),
        rule<"joined", overlap::duplicate>(op<"concatenate", "stack">(tuple(any_reached, rest)), by_site<relay_joined>{}),
        rule<"split", overlap::duplicate>(any_field(op<"split">(any_reached)), by_site<relay_split>{}),
        rule<"strided_slice">(op<"strided_slice">, by_site<relay_strided_slice>{}), rule<"pad">(op<"nn.pad">, by_site<relay_pad>{}),
        rule<"reduction">(op<"sum", "mean", "max", "min", "prod">, by_site<relay_reduction>{}),
        rule<"arg_reduction">(op<"argmax", "argmin">, by_site<relay_arg_reduction>{}), rule<"take">(op<"take">, by_site<relay_take>{}));
}

}  // namespace inlay

#endif
