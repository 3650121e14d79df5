// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_NN_MAPS_HPP
#define INLAY_OPS_RELAY_RELAY_NN_MAPS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>

// How Relay's operators are written in ONNX's: a map makes the nodes of one call. `Site` is `relay_site`, which rewrites a graph, or
// `relay_value_site`, which types and evaluates. Attributes are read as Relay's text has them, with the defaults of `relay_defaults`.

namespace inlay::detail {

/// How Relay writes layouts of 1, 2 and 3 spatial axes.
struct relay_layouts {
    std::string_view first, last, kernel_first, kernel_last, kernel_swapped;
};
inline constexpr relay_layouts relay_layouts_of[] = {
    {"NCW", "NWC", "OIW", "WIO", "IOW"}, {"NCHW", "NHWC", "OIHW", "HWIO", "IOHW"}, {"NCDHW", "NDHWC", "OIDHW", "DHWIO", "IODHW"}};

/// The order of axes that brings one axis behind the batch, and the order back.
[[nodiscard]] inline std::vector<std::int64_t> second_from(std::size_t axis, std::size_t rank) {
    std::vector<std::int64_t> order{0, static_cast<std::int64_t>(axis)};
    for (std::size_t i = 1; i < rank; ++i)
        if (i != axis) order.push_back(static_cast<std::int64_t>(i));
    return order;
}
[[nodiscard]] inline std::vector<std::int64_t> back_from_second(std::size_t axis, std::size_t rank) {
    std::vector<std::int64_t> order(rank);
    const std::vector<std::int64_t> there = second_from(axis, rank);
    for (std::size_t i = 0; i < rank; ++i) order[static_cast<std::size_t>(there[i])] = static_cast<std::int64_t>(i);
    return order;
}

/// Whether a call asks for results of another element type than its first operand's.
template <class Site>
[[nodiscard]] bool widens(const Site& s) {
    const std::string_view to = s.attributes().text("out_dtype", "");
    return !to.empty() && to != name_of(s.type(s.operand(0)).element);
}

/// Convolutions of one, two or three spatial axes, and transposed ones; channels last by transposes around.
struct relay_convolution {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        const std::size_t rank = s.rank();
        if (rank < 3 || rank > 5 || s.rank(1) != rank)
            return s.refuse("has data of rank " + std::to_string(rank) + ", and the rules know 3 to 5, with weights of the same");
        const relay_layouts& known = relay_layouts_of[rank - 3];
        const bool turned_round = s.op().ends_with("_transpose");
        const std::string_view layout = s.attributes().text("data_layout", known.first);
        const std::string_view kernel = s.attributes().text("kernel_layout", turned_round ? known.kernel_swapped : known.kernel_first);
        const std::string_view out = s.attributes().text("out_layout", "");
        if (layout != known.first && layout != known.last)
            return s.refuse_attribute("data_layout", std::string(known.first) + " and " + std::string(known.last));
        if (!out.empty() && out != layout) return s.refuse_attribute("out_layout", "that of the data");
        if (widens(s)) return s.refuse_attribute("out_dtype", "that of the data");
        attribute_map how;
        if (!relay_window(s.attributes(), rank - 2, how))
            return s.refuse("has strides, padding or dilation of a length that does not go with its axes");
        const std::int64_t groups = s.attributes().integer("groups", 1);
        how.set("group", groups);
        node_id x = s.operand(0), w = s.operand(1);
        if (turned_round) {
            if (kernel != known.kernel_swapped) return s.refuse_attribute("kernel_layout", known.kernel_swapped);
            std::vector<std::int64_t> more = relay_list(s.attributes(), "output_padding").value_or(std::vector<std::int64_t>{0});
            if (more.size() == 1) more.assign(rank - 2, more[0]);
            how.set("output_padding", std::move(more));
        } else {
            if (kernel.size() != rank || !std::is_permutation(kernel.begin(), kernel.end(), known.kernel_first.begin()))
                return s.refuse_attribute("kernel_layout", "orders of " + std::string(known.kernel_first));
            if (kernel != known.kernel_first) {
                std::vector<std::int64_t> order;
                for (const char letter : known.kernel_first) order.push_back(static_cast<std::int64_t>(kernel.find(letter)));
                w = s.transposed(w, std::move(order));
            }
            // The kernel of a convolution by channel has a row for each channel and a column for each of its results.
            const tensor_type kernels = s.type(w);
            const extent channels = s.extent_of(0, layout == known.first ? 1 : rank - 1);
            if (groups > 1 && channels == extent(groups) && kernels.ranked && kernels.rank() == rank && kernels.is_static() &&
                kernels.extents[0] == extent(groups) && kernels.extents[1] != extent(1)) {
                std::vector<std::int64_t> extents = static_shape(kernels);
                extents[0] *= extents[1];
                extents[1] = 1;
                w = s.reshaped(w, extents);
            }
        }
        const std::string_view made = turned_round ? "onnx.ConvTranspose" : "onnx.Conv";
        if (layout == known.first) return s.make(made, {x, w}, how);
        return s.transposed(s.make(made, {s.transposed(x, second_from(rank - 1, rank)), w}, how), back_from_second(rank - 1, rank));
    }
};

/// How many windows of Relay's lie along an axis: in `ceil_mode`, the last one may begin behind the axis and its padding.
[[nodiscard]] inline std::int64_t relay_windows(std::int64_t room, std::int64_t stride, bool ceil) {
    std::int64_t above = ceil && in_force<"ops.relay.ceil">() ? room + stride - 1 : room;
    return above < 0 ? 0 : above / stride + 1;
}

/// A pool over windows of `x`, channels first; `how` has ONNX's attributes but `ceil_mode`. ONNX has no window that begins behind the axis,
/// and no padding as long as a window: there the padding is written out.
template <class Site>
[[nodiscard]] node_id relay_pooled(Site& s, node_id x, bool average, bool ceil, attribute_map how) {
    const std::string_view pool = average ? "onnx.AveragePool" : "onnx.MaxPool";
    const std::vector<std::int64_t> size = how.integers("kernel_shape"), strides = how.integers("strides"),
                                    dilations = how.integers("dilations"), pads = how.integers("pads");
    const std::size_t axes = size.size();
    const tensor_type in = s.type(x);
    bool is_plain = true, are_known = in.ranked && in.rank() == axes + 2;
    std::vector<std::int64_t> windows(axes), tails(axes);
    for (std::size_t i = 0; i < axes; ++i) {
        if (size[i] < 1 || strides[i] < 1 || dilations[i] < 1 || pads[i] < 0 || pads[axes + i] < 0 ||
            std::max({size[i], strides[i], dilations[i], pads[i], pads[axes + i]}) > largest_window)
            return s.refuse("has a pool_size, strides, padding or dilation that is not within 31 bits, or no window at all");
        const std::int64_t reach = (size[i] - 1) * dilations[i] + 1, around = pads[i] + pads[axes + i];
        is_plain = is_plain && std::max(pads[i], pads[axes + i]) < reach && (!ceil || strides[i] + pads[axes + i] <= reach);
        are_known = are_known && in.extents[2 + i].is_known() && in.extents[2 + i].size <= largest_window;
        if (!are_known) continue;
        const std::int64_t room = in.extents[2 + i].size + around - reach;
        windows[i] = relay_windows(room, strides[i], ceil);
        if (windows[i] < 1) return s.refuse("has windows that are longer than the padded axis " + std::to_string(i));
        tails[i] = std::max<std::int64_t>((windows[i] - 1) * strides[i] - room, 0);
        is_plain = is_plain && room >= 0;
    }
    if (ceil) how.set("ceil_mode", std::int64_t{1});
    if (is_plain) return s.make(pool, {x}, how);
    if (!are_known) return s.refuse("has windows that may begin behind an axis whose extent is not known before the run");
    bool agrees = true;
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t reach = (size[i] - 1) * dilations[i] + 1, end = in.extents[2 + i].size + pads[i];
        agrees =
            agrees && std::max(pads[i], pads[axes + i]) < reach && end + pads[axes + i] >= reach && (windows[i] - 1) * strides[i] < end;
    }
    if (agrees) return s.make(pool, {x}, how);

    std::vector<std::int64_t> around(2 * (axes + 2), 0);
    for (std::size_t i = 0; i < axes; ++i) {
        around[2 + i] = pads[i];
        around[axes + 4 + i] = pads[axes + i] + tails[i];
    }
    const node_id outside = average ? s.filled(in.element, {}, 0) : s.lowest(in.element);
    if (outside == no_node) return no_node;
    const node_id padded = s.make("onnx.Pad", {x, s.list(around), outside});
    const bool counts_pads = average && how.integer("count_include_pad", 0) != 0;
    how.erase("ceil_mode");
    how.set("pads", std::vector<std::int64_t>(2 * axes, 0));
    if (average) how.set("count_include_pad", std::int64_t{1});
    const node_id pooled = s.make(pool, {padded}, how);
    if (!average || (counts_pads && std::all_of(tails.begin(), tails.end(), [](std::int64_t t) { return t == 0; }))) return pooled;
    // The mean over a window has a smaller divisor where the window hangs over the end, or where paddings do not count.
    std::int64_t taps = 1;
    for (const std::int64_t k : size) taps *= k;
    std::vector<std::vector<std::int64_t>> counts(axes);
    for (std::size_t i = 0; i < axes; ++i)
        for (std::int64_t w = 0; w < windows[i]; ++w) {
            const std::int64_t begin = w * strides[i] - pads[i], first = counts_pads ? -pads[i] : 0,
                               last = in.extents[2 + i].size + (counts_pads ? pads[axes + i] : 0);
            std::int64_t count = 0;
            for (std::int64_t t = 0; t < size[i]; ++t)
                count += begin + t * dilations[i] >= first && begin + t * dilations[i] < last ? 1 : 0;
            counts[i].push_back(count);
        }
    std::vector<std::int64_t> extents{1, 1};
    extents.insert(extents.end(), windows.begin(), windows.end());
    std::vector<double> factors{static_cast<double>(taps)};
    for (const auto& along : counts) {
        std::vector<double> next;
        for (const double f : factors)
            for (const std::int64_t c : along) next.push_back(f / static_cast<double>(std::max<std::int64_t>(c, 1)));
        factors = std::move(next);
    }
    const node_id scale = s.numbers(in.element, extents, factors);
    return scale == no_node ? no_node : s.make("onnx.Mul", {pooled, scale});
}

/// Pools over windows, and over whole images.
struct relay_pool {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::size_t rank = s.rank();
        if (rank < 3 || rank > 5) return s.refuse("has data of rank " + std::to_string(rank) + ", and the rules know 3 to 5");
        const relay_layouts& known = relay_layouts_of[rank - 3];
        const std::string_view layout = s.attributes().text("layout", known.first), out = s.attributes().text("out_layout", "");
        if (layout != known.first && layout != known.last)
            return s.refuse_attribute("layout", std::string(known.first) + " and " + std::string(known.last));
        if (!out.empty() && out != layout) return s.refuse_attribute("out_layout", "that of the data");
        const bool average = s.op().find("avg") != std::string_view::npos, last = layout == known.last;
        attribute_map how;
        std::string made = average ? "onnx.GlobalAveragePool" : "onnx.GlobalMaxPool";
        if (s.op().starts_with("nn.adaptive")) {
            std::vector<std::int64_t> size = relay_list(s.attributes(), "output_size").value_or(std::vector<std::int64_t>());
            if (size.empty()) return s.operand(0);
            if (size.size() == 1) size.assign(rank - 2, size[0]);
            if (size.size() != rank - 2) return s.refuse("has an output_size of a length that does not go with its axes");
            if (std::any_of(size.begin(), size.end(), [](std::int64_t e) { return e != 1; })) {
                for (std::size_t i = 0; i < size.size(); ++i) {
                    const extent& whole = s.extent_of(0, i + (last ? 1 : 2));
                    if (size[i] < 1 || !whole.is_known() || whole.size < 1 || whole.size % size[i] != 0)
                        return s.refuse("has an output_size that does not divide the extents of its image");
                    size[i] = whole.size / size[i];
                }
                made = average ? "onnx.AveragePool" : "onnx.MaxPool";
                how.set("strides", size);
                how.set("kernel_shape", std::move(size));
            }
        } else if (!s.op().starts_with("nn.global")) {
            made = average ? "onnx.AveragePool" : "onnx.MaxPool";
            std::vector<std::int64_t> size = relay_list(s.attributes(), "pool_size").value_or(std::vector<std::int64_t>());
            if (size.size() == 1) size.assign(rank - 2, size[0]);
            if (size.size() != rank - 2 || !relay_window(s.attributes(), rank - 2, how))
                return s.refuse("has a pool_size, strides, padding or dilation of a length that does not go with its axes");
            how.set("kernel_shape", std::move(size));
            if (average) how.set("count_include_pad", s.attributes().integer("count_include_pad", 0));
            const node_id x = last ? s.transposed(s.operand(0), second_from(rank - 1, rank)) : s.operand(0);
            const node_id pooled = relay_pooled(s, x, average, s.attributes().integer("ceil_mode", 0) != 0, std::move(how));
            return last && pooled != no_node ? s.transposed(pooled, back_from_second(rank - 1, rank)) : pooled;
        }
        if (!last) return s.make(made, {s.operand(0)}, how);
        return s.transposed(s.make(made, {s.transposed(s.operand(0), second_from(rank - 1, rank))}, how), back_from_second(rank - 1, rank));
    }
};

struct relay_bias_add {
    template <class Site>
    node_id operator()(Site& s) const {
        const auto axis = s.axis("axis", 1);
        if (s.arity() != 2) return s.refuse_arity(2);
        if (!axis) return s.refuse_attribute("axis", "axes of the data");
        return s.make("onnx.Add", {s.operand(0), s.along_axis(1, *axis, s.rank())});
    }
};

/// Products: `nn.dense` has its weights as rows, `nn.batch_matmul` its second operand unless it says otherwise, `nn.matmul` as it says.
struct relay_product {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 2) return s.refuse_arity(2);
        if (widens(s)) return s.refuse_attribute("out_dtype", "that of the data");
        if (s.rank(0) < (s.op() == "nn.dense" ? 1u : 2u) || s.rank(1) < 2) return s.refuse("has an operand that is no matrix");
        const bool dense = s.op() == "nn.dense", batches = s.op() == "nn.batch_matmul";
        const bool turn_a = !dense && s.attributes().integer("transpose_a", 0) != 0;
        bool turn_b = dense || s.attributes().integer("transpose_b", in_force<"ops.relay.defaults">() || !batches ? 0 : 1) != 0;
        if (s.rank(0) == 2 && s.rank(1) == 2) {
            attribute_map how;
            if (turn_a) how.set("transA", std::int64_t{1});
            if (turn_b) how.set("transB", std::int64_t{1});
            return s.make("onnx.Gemm", {s.operand(0), s.operand(1)}, how);
        }
        const auto maybe_turned = [&](std::size_t i, bool turn) {
            if (!turn) return s.operand(i);
            std::vector<std::int64_t> order;
            for (std::size_t k = 0; k < s.rank(i); ++k) order.push_back(static_cast<std::int64_t>(k));
            std::swap(order[order.size() - 1], order[order.size() - 2]);
            return s.transposed(s.operand(i), std::move(order));
        };
        return s.make("onnx.MatMul", {maybe_turned(0, turn_a), maybe_turned(1, turn_b)});
    }
};

struct relay_softmax {
    template <class Site>
    node_id operator()(Site& s) const {
        attribute_map how;
        how.set("axis", s.attributes().integer("axis", -1));
        return s.make(s.op() == "nn.log_softmax" ? "onnx.LogSoftmax" : "onnx.Softmax", {s.operand(0)}, how);
    }
};

struct relay_flatten {
    template <class Site>
    node_id operator()(Site& s) const {
        attribute_map how;
        how.set("axis", std::int64_t{1});
        return s.make("onnx.Flatten", {s.operand(0)}, how);
    }
};

/// A scale or a shift of a normalisation, or what stands for it where the call says that it does not count.
template <class Site>
[[nodiscard]] node_id relay_affine(Site& s, std::size_t i, std::string_view counts, double otherwise) {
    if (s.attributes().integer(counts, 1) != 0) return s.operand(i);
    const tensor_type& t = s.type(s.operand(i));
    if (!t.is_static()) return s.refuse("has a scale or shift whose size is not known before the run");
    return s.filled(i, static_shape(t), otherwise);
}

/// A field of `nn.batch_norm`: what is normalised, or a statistic, which stays as it is at inference.
struct relay_batch_norm {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 5) return s.refuse_arity(5);
        if (s.field() > 2) return s.refuse("has no field " + std::to_string(s.field()));
        if (s.field() != 0) return s.operand(2 + s.field());
        const auto axis = s.axis("axis", 1);
        if (!axis || *axis == 0) return s.refuse_attribute("axis", "axes behind the batch");
        const node_id scale = relay_affine(s, 1, "scale", 1), shift = relay_affine(s, 2, "center", 0);
        if (scale == no_node || shift == no_node) return no_node;
        attribute_map how;
        how.set("epsilon", relay_number(s.attributes(), "epsilon", 1e-5));
        const node_id x = *axis == 1 ? s.operand(0) : s.transposed(s.operand(0), second_from(*axis, s.rank()));
        const node_id normal = s.make("onnx.BatchNormalization", {x, scale, shift, s.operand(3), s.operand(4)}, how);
        return *axis == 1 ? normal : s.transposed(normal, back_from_second(*axis, s.rank()));
    }
};

/// `nn.layer_norm` over one axis, `nn.instance_norm` and `nn.group_norm` over all but batch and channels.
struct relay_normalization {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 3) return s.refuse_arity(3);
        const bool rows = s.op() == "nn.layer_norm", groups = s.op() == "nn.group_norm";
        const std::size_t rank = s.rank();
        const auto axis = s.axis("axis", rows ? -1 : 1);
        if (!axis || (!rows && *axis == 0)) return s.refuse_attribute("axis", "axes of the data, and not the batch");
        const node_id scale = relay_affine(s, 1, "scale", 1), shift = relay_affine(s, 2, "center", 0);
        if (scale == no_node || shift == no_node) return no_node;
        attribute_map how;
        how.set("epsilon", relay_number(s.attributes(), "epsilon", 1e-5));
        if (rows) how.set("axis", std::int64_t{-1});
        if (groups) how.set("num_groups", s.attributes().integer("num_groups", 0));
        // The axis goes where ONNX has it, and back.
        const std::size_t wanted = rows ? rank - 1 : 1;
        std::vector<std::int64_t> there, back(rank);
        for (std::size_t i = 0; i < rank; ++i)
            if (i != *axis) there.push_back(static_cast<std::int64_t>(i));
        there.insert(there.begin() + static_cast<std::ptrdiff_t>(wanted), static_cast<std::int64_t>(*axis));
        for (std::size_t i = 0; i < rank; ++i) back[static_cast<std::size_t>(there[i])] = static_cast<std::int64_t>(i);
        const bool turns = wanted != *axis;
        const node_id x = turns ? s.transposed(s.operand(0), there) : s.operand(0);
        const node_id normal = s.make(rows     ? "onnx.LayerNormalization"
                                      : groups ? "onnx.GroupNormalization"
                                               : "onnx.InstanceNormalization",
                                      {x, scale, shift}, how);
        return turns ? s.transposed(normal, back) : normal;
    }
};

/// `nn.lrn` over channels, and `nn.l2_normalize`, which divides by the root of a sum that is not below `eps`.
struct relay_local_norm {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 1) return s.refuse_arity(1);
        attribute_map how;
        if (s.op() == "nn.lrn") {
            const auto axis = s.axis("axis", 1);
            if (!axis || *axis == 0) return s.refuse_attribute("axis", "axes behind the batch");
            how.set("size", s.attributes().integer("size", 5));
            for (const std::string_view name : {"alpha", "beta", "bias"}) how.set(name, relay_number(s.attributes(), name, 0));
            if (*axis == 1) return s.make("onnx.LRN", {s.operand(0)}, how);
            return s.transposed(s.make("onnx.LRN", {s.transposed(s.operand(0), second_from(*axis, s.rank()))}, how),
                                back_from_second(*axis, s.rank()));
        }
        const node_id least = s.filled(0, {}, relay_number(s.attributes(), "eps", 0));
        if (least == no_node) return no_node;
        how.set("keepdims", std::int64_t{1});
        const auto axes = relay_list(s.attributes(), "axis");
        const node_id square = s.make("onnx.Mul", {s.operand(0), s.operand(0)});
        const node_id sum =
            axes && !axes->empty() ? s.make("onnx.ReduceSum", {square, s.list(*axes)}, how) : s.make("onnx.ReduceSum", {square}, how);
        return s.make("onnx.Div", {s.operand(0), s.make("onnx.Sqrt", {s.make("onnx.Max", {sum, least})})});
    }
};

/// Blocks of an image as channels, and channels as blocks.
struct relay_blocks {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 1 || s.rank() != 4) return s.refuse("needs one operand of rank 4");
        const std::string_view layout = s.attributes().text("layout", ""), mode = s.attributes().text("mode", "");
        if (layout != "NCHW" && layout != "NHWC") return s.refuse_attribute("layout", "NCHW and NHWC");
        const bool deep = s.op() == "nn.depth_to_space";
        attribute_map how;
        how.set("blocksize", s.attributes().integer("block_size", 1));
        if (deep) how.set("mode", std::string(mode == "CDR" ? "CRD" : "DCR"));
        const std::string_view made = deep ? "onnx.DepthToSpace" : "onnx.SpaceToDepth";
        if (layout == "NCHW") return s.make(made, {s.operand(0)}, how);
        return s.transposed(s.make(made, {s.transposed(s.operand(0), second_from(3, 4))}, how), back_from_second(3, 4));
    }
};

/// Images of another size by linear interpolation.
struct relay_resize {
    template <class Site>
    node_id operator()(Site& s) const {
        const std::size_t rank = s.rank();
        if (s.arity() != 1 || rank < 3 || rank > 5) return s.refuse("needs one operand of rank 3 to 5");
        const relay_layouts& known = relay_layouts_of[rank - 3];
        const std::string_view layout = s.attributes().text("layout", ""), mode = s.attributes().text("coordinate_transformation_mode", "");
        if (layout != known.first && layout != known.last)
            return s.refuse_attribute("layout", std::string(known.first) + " and " + std::string(known.last));
        const std::string_view method = s.attributes().text("method", "linear");
        if (method != "linear" && method != "nearest_neighbor" && method != "cubic")
            return s.refuse_attribute("method", "linear, nearest_neighbor and cubic");
        if (mode != "half_pixel" && mode != "align_corners" && mode != "asymmetric" && mode != "pytorch_half_pixel")
            return s.refuse_attribute("coordinate_transformation_mode", "half_pixel, align_corners, asymmetric and pytorch_half_pixel");
        if (widens(s)) return s.refuse_attribute("out_dtype", "that of the data");
        const auto size = relay_list(s.attributes(), "size");
        if (!size || size->size() != rank - 2) return s.refuse("has no size of one number for each axis of the image");
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < size->size(); ++i) axes.push_back(static_cast<std::int64_t>(i + (layout == known.first ? 2 : 1)));
        attribute_map how;
        how.set("mode", std::string(method == "nearest_neighbor" ? "nearest" : method));
        if (method == "nearest_neighbor") {
            // Of places between two elements `round` takes the second one, as they are not below 0.
            const std::string_view rounding = s.attributes().text("rounding_method", "round");
            const bool is_left_out = rounding.empty(), is_floor = rounding == "floor" || (is_left_out && mode != "align_corners");
            if (!is_left_out && !is_floor && rounding != "ceil" && rounding != "round" && rounding != "round_prefer_floor" &&
                rounding != "round_prefer_ceil")
                return s.refuse_attribute("rounding_method", "round, floor, ceil, round_prefer_floor and round_prefer_ceil");
            how.set("nearest_mode", std::string(is_floor ? "floor" : is_left_out || rounding == "round" ? "round_prefer_ceil" : rounding));
        }
        if (method == "cubic") {
            how.set("cubic_coeff_a", relay_number(s.attributes(), "cubic_alpha", -0.5));
            how.set("exclude_outside", s.attributes().integer("cubic_exclude", 0));
        }
        how.set("coordinate_transformation_mode", std::string(mode));
        how.set("axes", axes);
        return s.make("onnx.Resize", {s.operand(0), s.none(), s.none(), s.list(*size)}, how);
    }
};

}  // namespace inlay::detail

#endif
