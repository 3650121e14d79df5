// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_DEFAULTS_HPP
#define INLAY_OPS_RELAY_RELAY_DEFAULTS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/declared_attribute.hpp>

namespace inlay::detail {

inline constexpr std::int64_t relay_zeros[] = {0, 0, 0};
inline constexpr std::int64_t relay_ones[] = {1, 1, 1};

[[nodiscard]] constexpr declared_attribute relay_default(std::string_view name, std::int64_t value) {
    declared_attribute a;
    a.name = name;
    a.has_default = true;
    a.integer = value;
    return a;
}
[[nodiscard]] constexpr declared_attribute relay_default_number(std::string_view name, double value) {
    declared_attribute a = relay_default(name, 0);
    a.form = attribute_form::number;
    a.number = value;
    return a;
}
[[nodiscard]] constexpr declared_attribute relay_default_text(std::string_view name, std::string_view value) {
    declared_attribute a = relay_default(name, 0);
    a.form = attribute_form::text;
    a.text = value;
    return a;
}
/// A list of `count` times 0 or 1.
[[nodiscard]] constexpr declared_attribute relay_default_list(std::string_view name, std::int64_t value, std::size_t count) {
    declared_attribute a = relay_default(name, 0);
    a.form = attribute_form::integers;
    a.integers = std::span(value == 0 ? relay_zeros : relay_ones).first(count);
    return a;
}
/// An attribute that is undefined where the text leaves it out.
[[nodiscard]] constexpr declared_attribute relay_no_default(std::string_view name, attribute_form form) {
    declared_attribute a;
    a.name = name;
    a.form = form;
    return a;
}

/// An attribute of an operator, with its default.
struct relay_attribute_row {
    std::string_view op;
    declared_attribute attribute;
};

/// What Relay's text leaves out: an attribute is not written if it equals the default of the C++ attribute node, which may differ from the
/// default of the Python function. In ascending order of operator and attribute. Source: include/tvm/relay/attrs of TVM 0.15.
inline constexpr relay_attribute_row relay_attribute_rows[] = {
    {"all", relay_no_default("axis", attribute_form::integers)},
    {"all", relay_default("exclude", 0)},
    {"all", relay_default("keepdims", 0)},
    {"any", relay_no_default("axis", attribute_form::integers)},
    {"any", relay_default("exclude", 0)},
    {"any", relay_default("keepdims", 0)},
    {"argmax", relay_no_default("axis", attribute_form::integers)},
    {"argmax", relay_default("exclude", 0)},
    {"argmax", relay_default("keepdims", 0)},
    {"argmax", relay_default("select_last_index", 0)},
    {"argmin", relay_no_default("axis", attribute_form::integers)},
    {"argmin", relay_default("exclude", 0)},
    {"argmin", relay_default("keepdims", 0)},
    {"argmin", relay_default("select_last_index", 0)},
    {"argsort", relay_default("axis", -1)},
    {"argsort", relay_no_default("dtype", attribute_form::text)},
    {"argsort", relay_default("is_ascend", 1)},
    {"concatenate", relay_default("axis", 0)},
    {"contrib_reverse_reshape", relay_default("allowzero", 0)},
    {"cumprod", relay_no_default("axis", attribute_form::integer)},
    {"cumprod", relay_no_default("dtype", attribute_form::text)},
    {"cumprod", relay_default("exclusive", 0)},
    {"cumsum", relay_no_default("axis", attribute_form::integer)},
    {"cumsum", relay_no_default("dtype", attribute_form::text)},
    {"cumsum", relay_default("exclusive", 0)},
    {"dft", relay_default("inverse", 0)},
    {"dyn.nn.pad", relay_default_text("pad_mode", "constant")},
    {"dyn.one_hot", relay_default("axis", -1)},
    {"dyn.one_hot", relay_no_default("dtype", attribute_form::text)},
    {"dyn.reshape", relay_default("allowzero", 0)},
    {"dyn.strided_slice", relay_no_default("axes", attribute_form::integers)},
    {"dyn.strided_slice", relay_default_text("slice_mode", "end")},
    {"expand_dims", relay_default("num_newaxis", 1)},
    {"full", relay_no_default("dtype", attribute_form::text)},
    {"full", relay_no_default("shape", attribute_form::integers)},
    {"gather", relay_no_default("axis", attribute_form::integer)},
    {"gather_nd", relay_default("batch_dims", 0)},
    {"gather_nd", relay_no_default("index_rank", attribute_form::integer)},
    {"image.resize1d", relay_default_text("coordinate_transformation_mode", "half_pixel")},
    {"image.resize1d", relay_default_number("cubic_alpha", -0.5)},
    {"image.resize1d", relay_default("cubic_exclude", 0)},
    {"image.resize1d", relay_default_number("extrapolation_value", 0.0)},
    {"image.resize1d", relay_default_text("layout", "NCW")},
    {"image.resize1d", relay_default_text("method", "linear")},
    {"image.resize1d", relay_no_default("out_dtype", attribute_form::text)},
    {"image.resize1d", relay_default_text("rounding_method", "round")},
    {"image.resize1d", relay_no_default("size", attribute_form::integers)},
    {"image.resize2d", relay_default_text("coordinate_transformation_mode", "half_pixel")},
    {"image.resize2d", relay_default_number("cubic_alpha", -0.5)},
    {"image.resize2d", relay_default("cubic_exclude", 0)},
    {"image.resize2d", relay_default_number("extrapolation_value", 0.0)},
    {"image.resize2d", relay_default_text("layout", "NCHW")},
    {"image.resize2d", relay_default_text("method", "linear")},
    {"image.resize2d", relay_no_default("out_dtype", attribute_form::text)},
    {"image.resize2d", relay_default_text("rounding_method", "round")},
    {"image.resize2d", relay_no_default("size", attribute_form::integers)},
    {"image.resize3d", relay_default_text("coordinate_transformation_mode", "half_pixel")},
    {"image.resize3d", relay_default_number("cubic_alpha", -0.5)},
    {"image.resize3d", relay_default("cubic_exclude", 0)},
    {"image.resize3d", relay_default_number("extrapolation_value", 0.0)},
    {"image.resize3d", relay_default_text("layout", "NCDHW")},
    {"image.resize3d", relay_default_text("method", "linear")},
    {"image.resize3d", relay_no_default("out_dtype", attribute_form::text)},
    {"image.resize3d", relay_default_text("rounding_method", "round")},
    {"image.resize3d", relay_no_default("size", attribute_form::integers)},
    {"matrix_set_diag", relay_default("k1", 0)},
    {"matrix_set_diag", relay_default("k2", 0)},
    {"matrix_set_diag", relay_default("sub_diag_right_align", 0)},
    {"matrix_set_diag", relay_default("super_diag_right_align", 1)},
    {"max", relay_no_default("axis", attribute_form::integers)},
    {"max", relay_default("exclude", 0)},
    {"max", relay_default("keepdims", 0)},
    {"mean", relay_no_default("axis", attribute_form::integers)},
    {"mean", relay_default("exclude", 0)},
    {"mean", relay_default("keepdims", 0)},
    {"memory.alloc_storage", relay_default_text("dtype", "float32")},
    {"memory.alloc_tensor", relay_default_text("dtype", "float32")},
    {"meshgrid", relay_default_text("indexing", "ij")},
    {"min", relay_no_default("axis", attribute_form::integers)},
    {"min", relay_default("exclude", 0)},
    {"min", relay_default("keepdims", 0)},
    {"ndarray_size", relay_no_default("dtype", attribute_form::text)},
    {"nn.adaptive_avg_pool1d", relay_default_text("layout", "NCW")},
    {"nn.adaptive_avg_pool1d", relay_default_text("out_layout", "")},
    {"nn.adaptive_avg_pool1d", relay_default_list("output_size", 0, 0)},
    {"nn.adaptive_avg_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.adaptive_avg_pool2d", relay_default_text("out_layout", "")},
    {"nn.adaptive_avg_pool2d", relay_default_list("output_size", 0, 0)},
    {"nn.adaptive_avg_pool3d", relay_default_text("layout", "NCDHW")},
    {"nn.adaptive_avg_pool3d", relay_default_text("out_layout", "")},
    {"nn.adaptive_avg_pool3d", relay_default_list("output_size", 0, 0)},
    {"nn.adaptive_max_pool1d", relay_default_text("layout", "NCW")},
    {"nn.adaptive_max_pool1d", relay_default_text("out_layout", "")},
    {"nn.adaptive_max_pool1d", relay_default_list("output_size", 0, 0)},
    {"nn.adaptive_max_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.adaptive_max_pool2d", relay_default_text("out_layout", "")},
    {"nn.adaptive_max_pool2d", relay_default_list("output_size", 0, 0)},
    {"nn.adaptive_max_pool3d", relay_default_text("layout", "NCDHW")},
    {"nn.adaptive_max_pool3d", relay_default_text("out_layout", "")},
    {"nn.adaptive_max_pool3d", relay_default_list("output_size", 0, 0)},
    {"nn.avg_pool1d", relay_default("ceil_mode", 0)},
    {"nn.avg_pool1d", relay_default("count_include_pad", 0)},
    {"nn.avg_pool1d", relay_default_list("dilation", 1, 1)},
    {"nn.avg_pool1d", relay_default_text("layout", "NCW")},
    {"nn.avg_pool1d", relay_default_text("out_layout", "")},
    {"nn.avg_pool1d", relay_default_list("padding", 0, 1)},
    {"nn.avg_pool1d", relay_default_list("strides", 1, 1)},
    {"nn.avg_pool2d", relay_default("ceil_mode", 0)},
    {"nn.avg_pool2d", relay_default("count_include_pad", 0)},
    {"nn.avg_pool2d", relay_default_list("dilation", 1, 2)},
    {"nn.avg_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.avg_pool2d", relay_default_text("out_layout", "")},
    {"nn.avg_pool2d", relay_default_list("padding", 0, 2)},
    {"nn.avg_pool2d", relay_default_list("strides", 1, 2)},
    {"nn.avg_pool3d", relay_default("ceil_mode", 0)},
    {"nn.avg_pool3d", relay_default("count_include_pad", 0)},
    {"nn.avg_pool3d", relay_default_list("dilation", 1, 3)},
    {"nn.avg_pool3d", relay_default_text("layout", "NCDHW")},
    {"nn.avg_pool3d", relay_default_text("out_layout", "")},
    {"nn.avg_pool3d", relay_default_list("padding", 0, 3)},
    {"nn.avg_pool3d", relay_default_list("strides", 1, 3)},
    {"nn.batch_matmul", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.batch_matmul", relay_default("transpose_a", 0)},
    {"nn.batch_matmul", relay_default("transpose_b", 0)},
    {"nn.batch_norm", relay_default("axis", 1)},
    {"nn.batch_norm", relay_default("center", 1)},
    {"nn.batch_norm", relay_default_number("epsilon", 1e-05)},
    {"nn.batch_norm", relay_default("scale", 1)},
    {"nn.bias_add", relay_default("axis", 1)},
    {"nn.contrib_dense_pack", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.contrib_dense_pack", relay_default_text("weight_layout", "NC")},
    {"nn.conv1d", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv1d", relay_default_text("data_layout", "NCW")},
    {"nn.conv1d", relay_default_list("dilation", 1, 1)},
    {"nn.conv1d", relay_default("groups", 1)},
    {"nn.conv1d", relay_default_text("kernel_layout", "OIW")},
    {"nn.conv1d", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv1d", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv1d", relay_default_text("out_layout", "")},
    {"nn.conv1d", relay_default_list("padding", 0, 2)},
    {"nn.conv1d", relay_default_list("strides", 1, 1)},
    {"nn.conv1d_transpose", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv1d_transpose", relay_default_text("data_layout", "NCW")},
    {"nn.conv1d_transpose", relay_default_list("dilation", 1, 1)},
    {"nn.conv1d_transpose", relay_default("groups", 1)},
    {"nn.conv1d_transpose", relay_default_text("kernel_layout", "IOW")},
    {"nn.conv1d_transpose", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv1d_transpose", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv1d_transpose", relay_default_text("out_layout", "")},
    {"nn.conv1d_transpose", relay_default_list("output_padding", 0, 1)},
    {"nn.conv1d_transpose", relay_default_list("padding", 0, 1)},
    {"nn.conv1d_transpose", relay_default_list("strides", 1, 1)},
    {"nn.conv2d", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv2d", relay_default_text("data_layout", "NCHW")},
    {"nn.conv2d", relay_default_list("dilation", 1, 2)},
    {"nn.conv2d", relay_default("groups", 1)},
    {"nn.conv2d", relay_default_text("kernel_layout", "OIHW")},
    {"nn.conv2d", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv2d", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv2d", relay_default_text("out_layout", "")},
    {"nn.conv2d", relay_default_list("padding", 0, 2)},
    {"nn.conv2d", relay_default_list("strides", 1, 2)},
    {"nn.conv2d_transpose", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv2d_transpose", relay_default_text("data_layout", "NCHW")},
    {"nn.conv2d_transpose", relay_default_list("dilation", 1, 2)},
    {"nn.conv2d_transpose", relay_default("groups", 1)},
    {"nn.conv2d_transpose", relay_default_text("kernel_layout", "IOHW")},
    {"nn.conv2d_transpose", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv2d_transpose", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv2d_transpose", relay_default_text("out_layout", "")},
    {"nn.conv2d_transpose", relay_default_list("output_padding", 0, 2)},
    {"nn.conv2d_transpose", relay_default_list("padding", 0, 2)},
    {"nn.conv2d_transpose", relay_default_list("strides", 1, 2)},
    {"nn.conv3d", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv3d", relay_default_text("data_layout", "NCDHW")},
    {"nn.conv3d", relay_default_list("dilation", 1, 3)},
    {"nn.conv3d", relay_default("groups", 1)},
    {"nn.conv3d", relay_default_text("kernel_layout", "OIDHW")},
    {"nn.conv3d", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv3d", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv3d", relay_default_text("out_layout", "")},
    {"nn.conv3d", relay_default_list("padding", 0, 3)},
    {"nn.conv3d", relay_default_list("strides", 1, 3)},
    {"nn.conv3d_transpose", relay_no_default("channels", attribute_form::integer)},
    {"nn.conv3d_transpose", relay_default_text("data_layout", "NCDHW")},
    {"nn.conv3d_transpose", relay_default_list("dilation", 1, 3)},
    {"nn.conv3d_transpose", relay_default("groups", 1)},
    {"nn.conv3d_transpose", relay_default_text("kernel_layout", "IODHW")},
    {"nn.conv3d_transpose", relay_no_default("kernel_size", attribute_form::integers)},
    {"nn.conv3d_transpose", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.conv3d_transpose", relay_default_text("out_layout", "")},
    {"nn.conv3d_transpose", relay_default_list("output_padding", 0, 3)},
    {"nn.conv3d_transpose", relay_default_list("padding", 0, 3)},
    {"nn.conv3d_transpose", relay_default_list("strides", 1, 3)},
    {"nn.dense", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.depth_to_space", relay_default("block_size", 1)},
    {"nn.depth_to_space", relay_default_text("layout", "NCHW")},
    {"nn.depth_to_space", relay_default_text("mode", "DCR")},
    {"nn.dilate", relay_default_number("dilation_value", 0.0)},
    {"nn.dilate", relay_default_list("strides", 1, 2)},
    {"nn.dropout", relay_default_number("rate", 0.5)},
    {"nn.fast_softmax", relay_default("axis", -1)},
    {"nn.fifo_buffer", relay_default("axis", 0)},
    {"nn.global_avg_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.global_avg_pool2d", relay_default_text("out_layout", "")},
    {"nn.global_max_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.global_max_pool2d", relay_default_text("out_layout", "")},
    {"nn.group_norm", relay_default("axis", 1)},
    {"nn.group_norm", relay_default("center", 1)},
    {"nn.group_norm", relay_default_number("epsilon", 1e-05)},
    {"nn.group_norm", relay_default("num_groups", 0)},
    {"nn.group_norm", relay_default("scale", 1)},
    {"nn.instance_norm", relay_default("axis", 1)},
    {"nn.instance_norm", relay_default("center", 1)},
    {"nn.instance_norm", relay_default_number("epsilon", 1e-05)},
    {"nn.instance_norm", relay_default("scale", 1)},
    {"nn.l2_normalize", relay_no_default("axis", attribute_form::integers)},
    {"nn.layer_norm", relay_default("axis", -1)},
    {"nn.layer_norm", relay_default("center", 1)},
    {"nn.layer_norm", relay_default_number("epsilon", 1e-05)},
    {"nn.layer_norm", relay_default("scale", 1)},
    {"nn.leaky_relu", relay_default_number("alpha", 0.25)},
    {"nn.log_softmax", relay_default("axis", -1)},
    {"nn.lrn", relay_default_number("alpha", 0.0001)},
    {"nn.lrn", relay_default("axis", 1)},
    {"nn.lrn", relay_default_number("beta", 0.75)},
    {"nn.lrn", relay_default_number("bias", 2.0)},
    {"nn.lrn", relay_default("size", 5)},
    {"nn.matmul", relay_no_default("out_dtype", attribute_form::text)},
    {"nn.matmul", relay_default("transpose_a", 0)},
    {"nn.matmul", relay_default("transpose_b", 0)},
    {"nn.max_pool1d", relay_default("ceil_mode", 0)},
    {"nn.max_pool1d", relay_default_list("dilation", 1, 1)},
    {"nn.max_pool1d", relay_default_text("layout", "NCW")},
    {"nn.max_pool1d", relay_default_text("out_layout", "")},
    {"nn.max_pool1d", relay_default_list("padding", 0, 1)},
    {"nn.max_pool1d", relay_default_list("strides", 1, 1)},
    {"nn.max_pool2d", relay_default("ceil_mode", 0)},
    {"nn.max_pool2d", relay_default_list("dilation", 1, 2)},
    {"nn.max_pool2d", relay_default_text("layout", "NCHW")},
    {"nn.max_pool2d", relay_default_text("out_layout", "")},
    {"nn.max_pool2d", relay_default_list("padding", 0, 2)},
    {"nn.max_pool2d", relay_default_list("strides", 1, 2)},
    {"nn.max_pool3d", relay_default("ceil_mode", 0)},
    {"nn.max_pool3d", relay_default_list("dilation", 1, 3)},
    {"nn.max_pool3d", relay_default_text("layout", "NCDHW")},
    {"nn.max_pool3d", relay_default_text("out_layout", "")},
    {"nn.max_pool3d", relay_default_list("padding", 0, 3)},
    {"nn.max_pool3d", relay_default_list("strides", 1, 3)},
    {"nn.mirror_pad", relay_default_text("mode", "SYMMETRIC")},
    {"nn.pad", relay_default_text("pad_mode", "constant")},
    {"nn.prelu", relay_default("axis", 1)},
    {"nn.softmax", relay_default("axis", -1)},
    {"nn.space_to_depth", relay_default("block_size", 1)},
    {"nn.space_to_depth", relay_default_text("layout", "NCHW")},
    {"nn.space_to_depth", relay_default_text("mode", "DCR")},
    {"nn.upsampling", relay_default("align_corners", 0)},
    {"nn.upsampling", relay_default_text("layout", "NCHW")},
    {"nn.upsampling", relay_default_text("method", "nearest_neighbor")},
    {"nn.upsampling3d", relay_default_text("coordinate_transformation_mode", "half_pixel")},
    {"nn.upsampling3d", relay_default_text("layout", "NCDHW")},
    {"nn.upsampling3d", relay_default_text("method", "nearest_neighbor")},
    {"on_device", relay_default("constrain_body", 1)},
    {"on_device", relay_default("constrain_result", 0)},
    {"one_hot", relay_default("axis", -1)},
    {"one_hot", relay_default("depth", 1)},
    {"one_hot", relay_no_default("dtype", attribute_form::text)},
    {"ones", relay_no_default("dtype", attribute_form::text)},
    {"ones", relay_no_default("shape", attribute_form::integers)},
    {"prod", relay_no_default("axis", attribute_form::integers)},
    {"prod", relay_default("exclude", 0)},
    {"prod", relay_default("keepdims", 0)},
    {"repeat", relay_no_default("axis", attribute_form::integer)},
    {"reshape", relay_default("allowzero", 0)},
    {"reshape_like", relay_default("lhs_begin", 0)},
    {"reshape_like", relay_no_default("lhs_end", attribute_form::integer)},
    {"reshape_like", relay_default("rhs_begin", 0)},
    {"reshape_like", relay_no_default("rhs_end", attribute_form::integer)},
    {"reverse", relay_no_default("axis", attribute_form::integer)},
    {"reverse_sequence", relay_default("batch_axis", 0)},
    {"reverse_sequence", relay_default("seq_axis", 1)},
    {"scatter_elements", relay_default("axis", 0)},
    {"scatter_elements", relay_default_text("reduction", "update")},
    {"scatter_nd", relay_default_text("mode", "update")},
    {"searchsorted", relay_default("right", 0)},
    {"sequence_mask", relay_default("axis", 0)},
    {"sequence_mask", relay_default_number("mask_value", 0.0)},
    {"shape_of", relay_no_default("dtype", attribute_form::text)},
    {"slice_like", relay_no_default("axes", attribute_form::integers)},
    {"sort", relay_default("axis", -1)},
    {"sort", relay_no_default("dtype", attribute_form::text)},
    {"sort", relay_default("is_ascend", 1)},
    {"split", relay_default("axis", 0)},
    {"squeeze", relay_no_default("axis", attribute_form::integers)},
    {"stack", relay_default("axis", 0)},
    {"stft", relay_default("hop_length", -1)},
    {"stft", relay_default("n_fft", -1)},
    {"stft", relay_default("normalized", 0)},
    {"stft", relay_default("onesided", 1)},
    {"stft", relay_default("win_length", -1)},
    {"strided_slice", relay_no_default("axes", attribute_form::integers)},
    {"strided_slice", relay_default_text("slice_mode", "end")},
    {"sum", relay_no_default("axis", attribute_form::integers)},
    {"sum", relay_default("exclude", 0)},
    {"sum", relay_default("keepdims", 0)},
    {"take", relay_no_default("axis", attribute_form::integer)},
    {"take", relay_default("batch_dims", 0)},
    {"take", relay_default_text("mode", "clip")},
    {"topk", relay_default("axis", -1)},
    {"topk", relay_no_default("dtype", attribute_form::text)},
    {"topk", relay_default("is_ascend", 0)},
    {"topk", relay_default("k", 1)},
    {"topk", relay_default_text("ret_type", "both")},
    {"transpose", relay_no_default("axes", attribute_form::integers)},
    {"trilu", relay_default("upper", 1)},
    {"unique", relay_default("return_counts", 0)},
    {"unique", relay_default("sorted", 1)},
    {"variance", relay_no_default("axis", attribute_form::integers)},
    {"variance", relay_default("exclude", 0)},
    {"variance", relay_default("keepdims", 0)},
    {"variance", relay_default("unbiased", 0)},
    {"zeros", relay_no_default("dtype", attribute_form::text)},
    {"zeros", relay_no_default("shape", attribute_form::integers)},
};

/// The attributes of all rows, so that those of one operator are a table.
inline constexpr auto relay_all_attributes = [] {
    std::array<declared_attribute, std::size(relay_attribute_rows)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = relay_attribute_rows[i].attribute;
    return all;
}();

/// The attributes of an operator that have a row. O(log rows).
[[nodiscard]] constexpr attribute_table relay_attributes_of(std::string_view op) {
    const auto first = std::lower_bound(std::begin(relay_attribute_rows), std::end(relay_attribute_rows), op,
                                        [](const relay_attribute_row& r, std::string_view name) { return r.op < name; });
    auto last = first;
    while (last != std::end(relay_attribute_rows) && last->op == op) ++last;
    return std::span(relay_all_attributes)
        .subspan(static_cast<std::size_t>(first - std::begin(relay_attribute_rows)), static_cast<std::size_t>(last - first));
}

/// The attributes of a call with the defaults of those that the call leaves out.
[[nodiscard]] inline attribute_map with_relay_defaults(std::string_view op, const attribute_map& given) {
    attribute_map all = given;
    if (!in_force<"ops.relay.defaults">()) return all;
    for (const declared_attribute& a : relay_attributes_of(op)) {
        if (!a.has_default || all.find(a.name) != nullptr) continue;
        if (a.form == attribute_form::integer) all.set(a.name, a.integer);
        if (a.form == attribute_form::number) all.set(a.name, a.number);
        if (a.form == attribute_form::text) all.set(a.name, std::string(a.text));
        if (a.form == attribute_form::integers) all.set(a.name, std::vector<std::int64_t>(a.integers.begin(), a.integers.end()));
    }
    return all;
}

}  // namespace inlay::detail

#endif
