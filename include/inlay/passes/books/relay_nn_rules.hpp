// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_NN_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_NN_RULES_HPP

#include <cstddef>
#include <cstdint>
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
        how.set("group", s.attributes().integer("groups", 1));
        node_id x = s.operand(0), w = s.operand(1);
        if (turned_round) {
            if (kernel != known.kernel_swapped) return s.refuse_attribute("kernel_layout", known.kernel_swapped);
            std::vector<std::int64_t> more = relay_list(s.attributes(), "output_padding").value_or(std::vector<std::int64_t>{0});
            if (more.size() == 1) more.assign(rank - 2, more[0]);
            how.set("output_padding", std::move(more));
        } else if (kernel == known.kernel_last) {
            std::vector<std::int64_t> order{static_cast<std::int64_t>(rank) - 1, static_cast<std::int64_t>(rank) - 2};
            for (std::size_t i = 0; i + 2 < rank; ++i) order.push_back(static_cast<std::int64_t>(i));
            w = s.transposed(w, std::move(order));
        } else if (kernel != known.kernel_first) {
            return s.refuse_attribute("kernel_layout", std::string(known.kernel_first) + " and " + std::string(known.kernel_last));
        }
        const std::string_view made = turned_round ? "onnx.ConvTranspose" : "onnx.Conv";
        if (layout == known.first) return s.make(made, {x, w}, how);
        return s.transposed(s.make(made, {s.transposed(x, second_from(rank - 1, rank)), w}, how), back_from_second(rank - 1, rank));
    }
};

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
            for (const std::int64_t e : relay_list(s.attributes(), "output_size").value_or(std::vector<std::int64_t>()))
                if (e != 1) return s.refuse("has an output_size other than 1, and the rules know whole images");
            if (!relay_list(s.attributes(), "output_size")) return s.refuse("has no output_size, and so gives its operand");
        } else if (!s.op().starts_with("nn.global")) {
            made = average ? "onnx.AveragePool" : "onnx.MaxPool";
            std::vector<std::int64_t> size = relay_list(s.attributes(), "pool_size").value_or(std::vector<std::int64_t>());
            if (size.size() == 1) size.assign(rank - 2, size[0]);
            if (size.size() != rank - 2 || !relay_window(s.attributes(), rank - 2, how))
                return s.refuse("has a pool_size, strides, padding or dilation of a length that does not go with its axes");
            if (s.attributes().integer("ceil_mode", 0) != 0 && !divides(s, size, how, last ? 1 : 2))
                return s.refuse("has ceil_mode and windows that stand out at the end, and the rules know those that do not");
            how.set("kernel_shape", std::move(size));
            if (average) how.set("count_include_pad", s.attributes().integer("count_include_pad", 0));
        }
        if (!last) return s.make(made, {s.operand(0)}, how);
        return s.transposed(s.make(made, {s.transposed(s.operand(0), second_from(rank - 1, rank))}, how), back_from_second(rank - 1, rank));
    }

private:
    /// Whether windows end where the padded image ends, so that rounding up and down are the same.
    template <class Site>
    static bool divides(const Site& s, const std::vector<std::int64_t>& size, const attribute_map& how, std::size_t first) {
        const auto pads = how.integers("pads"), strides = how.integers("strides"), dilations = how.integers("dilations");
        for (std::size_t i = 0; i < size.size(); ++i) {
            const extent& whole = s.extent_of(0, first + i);
            if (!whole.is_known() || strides[i] <= 0 ||
                (whole.size + pads[i] + pads[size.size() + i] - dilations[i] * (size[i] - 1) - 1) % strides[i] != 0)
                return false;
        }
        return true;
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
        if (s.rank(0) < 2 || s.rank(1) < 2) return s.refuse("has an operand that is no matrix");
        const bool dense = s.op() == "nn.dense", batches = s.op() == "nn.batch_matmul";
        const bool turn_a = !dense && s.attributes().integer("transpose_a", 0) != 0;
        const bool turn_b = dense || s.attributes().integer("transpose_b", batches ? 1 : 0) != 0;
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
        return s.make(s.op() == "nn.softmax" ? "onnx.Softmax" : "onnx.LogSoftmax", {s.operand(0)}, how);
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

/// `nn.layer_norm` over the last axis, `nn.instance_norm` over all but batch and channels.
struct relay_normalization {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.arity() != 3) return s.refuse_arity(3);
        const bool rows = s.op() == "nn.layer_norm";
        const auto axis = s.axis("axis", rows ? -1 : 1);
        if (!axis || *axis != (rows ? s.rank() - 1 : 1)) return s.refuse_attribute("axis", rows ? "the last one" : "1");
        const node_id scale = relay_affine(s, 1, "scale", 1), shift = relay_affine(s, 2, "center", 0);
        if (scale == no_node || shift == no_node) return no_node;
        attribute_map how;
        how.set("epsilon", relay_number(s.attributes(), "epsilon", 1e-5));
        if (rows) how.set("axis", std::int64_t{-1});
        return s.make(rows ? "onnx.LayerNormalization" : "onnx.InstanceNormalization", {s.operand(0), scale, shift}, how);
    }
};

}  // namespace detail

/// Relay's operators of neural networks, as ONNX's, at inference.
[[nodiscard]] constexpr auto relay_nn_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"convolution">(op<"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose">,
                            by_site<relay_convolution>{}),
        rule<"pool">(op<"nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d",
                        "nn.global_max_pool2d", "nn.global_avg_pool2d", "nn.adaptive_max_pool2d", "nn.adaptive_avg_pool2d">,
                     by_site<relay_pool>{}),
        rule<"bias_add">(op<"nn.bias_add">, by_site<relay_bias_add>{}),
        rule<"product">(op<"nn.dense", "nn.batch_matmul", "nn.matmul">, by_site<relay_product>{}),
        rule<"softmax">(op<"nn.softmax", "nn.log_softmax">, by_site<relay_softmax>{}),
        rule<"batch_flatten">(op<"nn.batch_flatten">, by_site<relay_flatten>{}),
        rule<"batch_norm", overlap::duplicate>(any_field(op<"nn.batch_norm">(any_reached, rest)), by_site<relay_batch_norm>{}),
        rule<"normalization">(op<"nn.layer_norm", "nn.instance_norm">, by_site<relay_normalization>{}));
}

}  // namespace inlay

#endif
