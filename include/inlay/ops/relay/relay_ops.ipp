// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_OPS_IPP
#define INLAY_OPS_RELAY_RELAY_OPS_IPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/ops/relay/relay_ops.hpp>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/relay/relay_defaults.hpp>
#include <inlay/ops/relay/relay_element_maps.hpp>
#include <inlay/ops/relay/relay_nn_maps.hpp>
#include <inlay/ops/relay/relay_shape_maps.hpp>
#include <inlay/ops/relay/relay_shapes.hpp>
#include <inlay/ops/relay/relay_types_alone.hpp>
#include <inlay/ops/relay/relay_value_site.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline outcome<node_type> infer_relay_same(const call_view& call) {
    if (call.arity() == 0) return error{short_name(call.op) + " needs operand 0, which is left out"};
    return *call.types[0];
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_same(const call_view&, std::span<const tensor> operands) {
    return std::vector<tensor>{operands[0]};
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_zeros(const call_view& call, std::span<const tensor> operands) {
    tensor made(operands[0].element(), operands[0].extents());
    if (!made.ok()) return no_memory(call, operands[0].type());
    std::memset(made.data(), 0, made.bytes());
    return std::vector<tensor>{std::move(made)};
}
[[nodiscard]] inline outcome<node_type> infer_relay_storage(const call_view&) { return node_type::data("Storage", {}); }
[[nodiscard]] inline outcome<node_type> infer_relay_tensor(const call_view& call) {
    const auto element = element_type_named(call.attributes->text("dtype", "float32"));
    if (!element) return error{"alloc_tensor has a dtype that is no element type"};
    const auto* extents = call.attributes->get<std::vector<std::int64_t>>("assert_shape");
    if (extents == nullptr || extents->empty()) extents = call.attributes->get<std::vector<std::int64_t>>("const_shape");
    if (extents == nullptr) return node_type(tensor_type(*element));
    return node_type(tensor_type(*element, shape(extents->begin(), extents->end())));
}
[[nodiscard]] inline outcome<node_type> infer_relay_unit(const call_view&) { return node_type::tuple({}); }

/// The shapes of what a function gives: of each tensor its own.
[[nodiscard]] inline outcome<node_type> infer_relay_shape_func(const call_view& call) {
    if (call.arity() == 0 || !call.types[0]->is_function()) return error{"vm.shape_func needs a function as operand 0"};
    const auto of_tensor = [](const node_type& t) {
        tensor_type extents(element_type::int64, shape(1));
        if (t.is_tensor() && t.of_tensor.ranked) extents.extents[0] = extent(static_cast<std::int64_t>(t.of_tensor.rank()));
        return node_type(std::move(extents));
    };
    const node_type& result = call.types[0]->fields.back();
    if (!result.is_tuple()) return of_tensor(result);
    std::vector<node_type> fields;
    for (const node_type& f : result.fields) fields.push_back(of_tensor(f));
    return node_type::tuple(std::move(fields));
}
/// The bytes of a tensor of that shape and of the element type `dtype`.
[[nodiscard]] inline outcome<node_type> infer_relay_storage_size(const call_view&) {
    return node_type(tensor_type(element_type::int64, shape()));
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_relay_storage_size(const call_view& call, std::span<const tensor> operands) {
    const auto element = element_type_named(call.attributes->text("dtype", "float32"));
    const auto extents = operands.empty() ? std::nullopt : integers_of(operands[0]);
    const auto count = extents ? element_count(*extents) : std::nullopt;
    if (!element || !count || static_cast<std::uint64_t>(*count) > (std::uint64_t{1} << 60))
        return error{"vm.storage_size needs a shape of integers and a dtype"};
    return std::vector<tensor>{tensor::scalar(*count * static_cast<std::int64_t>(size_of(*element)))};
}

/// Fields of `topk`: one where only values or only indices are asked for.
[[nodiscard]] inline std::size_t relay_sorted_fields(const call_view& call) {
    return call.attributes->text("ret_type", "both") == "both" ? 2 : 0;
}

/// Relay's own, by name; the rest of them is read as ONNX's.
inline constexpr op_definition relay_definitions[] = {
    {"all", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"annotation.bitpack_end", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.bitpack_start", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.cast_hint", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.checkpoint", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.compiler_begin", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.compiler_end", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.force_cast", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.stop_fusion", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"any", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"arange", op_kind::opaque, infer_by_map<relay_arange>, evaluate_by_map<relay_arange>},
    {"argmax", op_kind::reduction, infer_by_map<relay_arg_reduction>, evaluate_by_map<relay_arg_reduction>},
    {"argmin", op_kind::reduction, infer_by_map<relay_arg_reduction>, evaluate_by_map<relay_arg_reduction>},
    {"argsort", op_kind::opaque, infer_by_map<relay_sorted>, evaluate_by_map<relay_sorted>},
    {"argwhere", op_kind::opaque, infer_relay_argwhere},
    {"broadcast_to", op_kind::broadcast, infer_by_map<relay_broadcast>, evaluate_by_map<relay_broadcast>},
    {"broadcast_to_like", op_kind::broadcast, infer_by_map<relay_broadcast>, evaluate_by_map<relay_broadcast>},
    {"cast", op_kind::elementwise, infer_by_map<relay_cast, true>, evaluate_by_map<relay_cast>},
    {"cast_like", op_kind::elementwise, infer_by_map<relay_cast, true>, evaluate_by_map<relay_cast>},
    {"clip", op_kind::elementwise, infer_by_map<relay_clip, true>, evaluate_by_map<relay_clip>},
    {"concatenate", op_kind::injective, infer_by_map<relay_joined>, evaluate_by_map<relay_joined>},
    {"contrib_reverse_reshape", op_kind::injective, infer_relay_reshape, evaluate_relay_reshape},
    {"copy", op_kind::elementwise, infer_by_map<relay_operand, true>, evaluate_by_map<relay_operand>},
    {"cumprod", op_kind::opaque, infer_by_map<relay_running_sum>},
    {"cumsum", op_kind::opaque, infer_by_map<relay_running_sum>, evaluate_by_map<relay_running_sum>},
    {"debug", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"device_copy", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"dyn.broadcast_to", op_kind::broadcast, infer_by_map<relay_broadcast>, evaluate_by_map<relay_broadcast>},
    {"dyn.expand_dims", op_kind::injective, infer_by_map<relay_expand_dims>, evaluate_by_map<relay_expand_dims>},
    {"dyn.full", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"dyn.nn.pad", op_kind::injective, infer_by_map<relay_pad>, evaluate_by_map<relay_pad>},
    {"dyn.one_hot", op_kind::opaque, infer_by_map<relay_one_hot>, evaluate_by_map<relay_one_hot>},
    {"dyn.ones", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"dyn.reshape", op_kind::injective, infer_relay_reshape, evaluate_relay_reshape},
    {"dyn.squeeze", op_kind::injective, infer_by_map<relay_squeeze>, evaluate_by_map<relay_squeeze>},
    {"dyn.strided_slice", op_kind::injective, infer_by_map<relay_strided_slice>, evaluate_by_map<relay_strided_slice>},
    {"dyn.tile", op_kind::injective, infer_by_map<relay_repeated>, evaluate_by_map<relay_repeated>},
    {"dyn.topk", op_kind::opaque, infer_by_map<relay_sorted, false, relay_sorted_fields>,
     evaluate_by_map<relay_sorted, relay_sorted_fields>},
    {"dyn.zeros", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"einsum", op_kind::opaque, infer_by_map<relay_einsum>, evaluate_by_map<relay_einsum>},
    {"expand_dims", op_kind::injective, infer_by_map<relay_expand_dims>, evaluate_by_map<relay_expand_dims>},
    {"fixed_point_multiply", op_kind::opaque, infer_relay_same},
    {"fixed_point_multiply_per_axis", op_kind::opaque, infer_relay_same},
    {"floor_divide", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"floor_mod", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"full", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"full_like", op_kind::elementwise, infer_by_map<relay_filled_like, true>, evaluate_by_map<relay_filled_like>},
    {"gather", op_kind::injective, infer_by_map<relay_gather>, evaluate_by_map<relay_gather>},
    {"gather_nd", op_kind::injective, infer_by_map<relay_gather>, evaluate_by_map<relay_gather>},
    {"image.resize1d", op_kind::injective, infer_by_map<relay_resize>, evaluate_by_map<relay_resize>},
    {"image.resize2d", op_kind::injective, infer_by_map<relay_resize>, evaluate_by_map<relay_resize>},
    {"image.resize3d", op_kind::injective, infer_by_map<relay_resize>, evaluate_by_map<relay_resize>},
    {"invert_permutation", op_kind::opaque, infer_relay_same},
    {"isfinite", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"layout_transform", op_kind::injective, infer_by_map<relay_layout_transform>, evaluate_by_map<relay_layout_transform>},
    {"left_shift", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"log10", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"log2", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"matrix_set_diag", op_kind::opaque, infer_relay_same},
    {"max", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"mean", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"memory.alloc_storage", op_kind::opaque, infer_relay_storage},
    {"memory.alloc_tensor", op_kind::opaque, infer_relay_tensor},
    {"memory.copy", op_kind::opaque, infer_relay_unit},
    {"memory.kill", op_kind::opaque, infer_relay_unit},
    {"min", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"mod", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"ndarray_size", op_kind::opaque, infer_by_map<relay_extents, true>, evaluate_by_map<relay_extents>},
    {"nn.adaptive_avg_pool1d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.adaptive_avg_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.adaptive_avg_pool3d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.adaptive_max_pool1d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.adaptive_max_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.adaptive_max_pool3d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.avg_pool1d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.avg_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.avg_pool2d_grad", op_kind::opaque, infer_relay_second},
    {"nn.avg_pool3d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.batch_flatten", op_kind::injective, infer_by_map<relay_flatten, true>, evaluate_by_map<relay_flatten>},
    {"nn.batch_matmul", op_kind::anchor, infer_by_map<relay_product>, evaluate_by_map<relay_product>},
    {"nn.batch_norm", op_kind::opaque, infer_by_map<relay_batch_norm, false, relay_fields<3>>,
     evaluate_by_map<relay_batch_norm, relay_fields<3>>},
    {"nn.bias_add", op_kind::broadcast, infer_relay_same, evaluate_relay_bias},
    {"nn.conv1d", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.conv1d_transpose", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.conv2d", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.conv2d_transpose", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.conv3d", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.conv3d_transpose", op_kind::anchor, infer_by_map<relay_convolution>, evaluate_by_map<relay_convolution>},
    {"nn.cross_entropy", op_kind::opaque, infer_relay_loss},
    {"nn.cross_entropy_with_logits", op_kind::opaque, infer_relay_loss},
    {"nn.dense", op_kind::anchor, infer_by_map<relay_product>, evaluate_by_map<relay_product>},
    {"nn.depth_to_space", op_kind::injective, infer_by_map<relay_blocks>, evaluate_by_map<relay_blocks>},
    {"nn.dropout", op_kind::elementwise, infer_by_map<relay_operand, true, relay_fields<2>>,
     evaluate_by_map<relay_operand, relay_fields<2>>},
    {"nn.fast_softmax", op_kind::opaque, infer_by_map<relay_softmax, true>, evaluate_by_map<relay_softmax>},
    {"nn.fifo_buffer", op_kind::opaque, infer_relay_second},
    {"nn.global_avg_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.global_max_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.group_norm", op_kind::opaque, infer_by_map<relay_normalization>, evaluate_by_map<relay_normalization>},
    {"nn.instance_norm", op_kind::opaque, infer_by_map<relay_normalization>, evaluate_by_map<relay_normalization>},
    {"nn.l2_normalize", op_kind::opaque, infer_by_map<relay_local_norm>, evaluate_by_map<relay_local_norm>},
    {"nn.layer_norm", op_kind::opaque, infer_by_map<relay_normalization>, evaluate_by_map<relay_normalization>},
    {"nn.leaky_relu", op_kind::elementwise, infer_by_map<relay_leaky_relu, true>, evaluate_by_map<relay_leaky_relu>},
    {"nn.log_softmax", op_kind::opaque, infer_by_map<relay_softmax, true>, evaluate_by_map<relay_softmax>},
    {"nn.lrn", op_kind::opaque, infer_by_map<relay_local_norm>, evaluate_by_map<relay_local_norm>},
    {"nn.matmul", op_kind::anchor, infer_by_map<relay_product>, evaluate_by_map<relay_product>},
    {"nn.max_pool1d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.max_pool2d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.max_pool2d_grad", op_kind::opaque, infer_relay_second},
    {"nn.max_pool3d", op_kind::anchor, infer_by_map<relay_pool>, evaluate_by_map<relay_pool>},
    {"nn.mirror_pad", op_kind::injective, infer_by_map<relay_pad>, evaluate_by_map<relay_pad>},
    {"nn.pad", op_kind::injective, infer_by_map<relay_pad>, evaluate_by_map<relay_pad>},
    {"nn.prelu", op_kind::broadcast, infer_by_map<relay_prelu>, evaluate_by_map<relay_prelu>},
    {"nn.softmax", op_kind::opaque, infer_by_map<relay_softmax, true>, evaluate_by_map<relay_softmax>},
    {"nn.space_to_depth", op_kind::injective, infer_by_map<relay_blocks>, evaluate_by_map<relay_blocks>},
    {"nn.sparse_add", op_kind::opaque, infer_relay_same},
    {"nn.sparse_dense", op_kind::opaque, infer_relay_sparse_dense},
    {"nn.sparse_transpose", op_kind::opaque, infer_relay_sparse_transpose},
    {"nn.upsampling", op_kind::injective, infer_relay_upsampled},
    {"nn.upsampling3d", op_kind::injective, infer_relay_upsampled},
    {"not_equal", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"on_device", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"one_hot", op_kind::opaque, infer_by_map<relay_one_hot>, evaluate_by_map<relay_one_hot>},
    {"ones", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"ones_like", op_kind::elementwise, infer_by_map<relay_filled_like, true>, evaluate_by_map<relay_filled_like>},
    {"prod", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"qnn.abs", op_kind::opaque, infer_relay_same},
    {"qnn.add", op_kind::opaque, infer_relay_quantized_broadcast},
    {"qnn.batch_matmul", op_kind::opaque, infer_relay_quantized_product},
    {"qnn.conv2d", op_kind::opaque, infer_relay_quantized_convolution<&infer_by_map<relay_convolution>>},
    {"qnn.conv2d_transpose", op_kind::opaque, infer_relay_quantized_convolution<&infer_by_map<relay_convolution>>},
    {"qnn.dense", op_kind::opaque, infer_relay_quantized_product},
    {"qnn.dequantize", op_kind::opaque, infer_relay_requantized},
    {"qnn.erf", op_kind::opaque, infer_relay_same},
    {"qnn.exp", op_kind::opaque, infer_relay_same},
    {"qnn.hardswish", op_kind::opaque, infer_relay_same},
    {"qnn.leaky_relu", op_kind::opaque, infer_relay_same},
    {"qnn.log", op_kind::opaque, infer_relay_same},
    {"qnn.mul", op_kind::opaque, infer_relay_quantized_broadcast},
    {"qnn.quantize", op_kind::opaque, infer_relay_requantized},
    {"qnn.requantize", op_kind::opaque, infer_relay_requantized},
    {"qnn.rsqrt", op_kind::opaque, infer_relay_same},
    {"qnn.sigmoid", op_kind::opaque, infer_relay_same},
    {"qnn.simulated_dequantize", op_kind::opaque, infer_relay_same},
    {"qnn.simulated_quantize", op_kind::opaque, infer_relay_same},
    {"qnn.softmax", op_kind::opaque, infer_relay_same},
    {"qnn.sqrt", op_kind::opaque, infer_relay_same},
    {"qnn.subtract", op_kind::opaque, infer_relay_quantized_broadcast},
    {"qnn.tanh", op_kind::opaque, infer_relay_same},
    {"random.multinomial", op_kind::opaque, infer_relay_multinomial},
    {"random.normal", op_kind::opaque, infer_relay_random},
    {"random.threefry_generate", op_kind::opaque, infer_relay_random},
    {"random.threefry_split", op_kind::opaque, infer_relay_key_split},
    {"random.uniform", op_kind::opaque, infer_relay_random},
    {"repeat", op_kind::injective, infer_by_map<relay_repeated>, evaluate_by_map<relay_repeated>},
    {"reshape", op_kind::injective, infer_relay_reshape, evaluate_relay_reshape},
    {"reshape_like", op_kind::injective, infer_by_map<relay_reshape_like>, evaluate_by_map<relay_reshape_like>},
    {"reverse", op_kind::injective, infer_by_map<relay_repeated>, evaluate_by_map<relay_repeated>},
    {"reverse_sequence", op_kind::opaque, infer_by_map<relay_repeated>, evaluate_by_map<relay_repeated>},
    {"right_shift", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"round", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"rsqrt", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"scatter_elements", op_kind::opaque, infer_by_map<relay_gather>, evaluate_by_map<relay_gather>},
    {"scatter_nd", op_kind::opaque, infer_by_map<relay_gather>, evaluate_by_map<relay_gather>},
    {"searchsorted", op_kind::opaque, infer_relay_searchsorted},
    {"sequence_mask", op_kind::opaque, infer_relay_same},
    {"shape_of", op_kind::opaque, infer_relay_shape_of, evaluate_relay_shape_of},
    {"slice_like", op_kind::injective, infer_by_map<relay_slice_like>, evaluate_by_map<relay_slice_like>},
    {"sort", op_kind::opaque, infer_by_map<relay_sorted>, evaluate_by_map<relay_sorted>},
    {"sparse_reshape", op_kind::opaque, infer_relay_sparse_reshape},
    {"sparse_to_dense", op_kind::opaque, infer_relay_sparse_to_dense},
    {"split", op_kind::injective, infer_relay_split, evaluate_relay_split},
    {"squeeze", op_kind::injective, infer_by_map<relay_squeeze>, evaluate_by_map<relay_squeeze>},
    {"stack", op_kind::injective, infer_by_map<relay_joined>, evaluate_by_map<relay_joined>},
    {"strided_set", op_kind::opaque, infer_relay_same},
    {"strided_slice", op_kind::injective, infer_by_map<relay_strided_slice>, evaluate_by_map<relay_strided_slice>},
    {"sum", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"take", op_kind::injective, infer_by_map<relay_take>, evaluate_by_map<relay_take>},
    {"tile", op_kind::injective, infer_by_map<relay_repeated>, evaluate_by_map<relay_repeated>},
    {"topk", op_kind::opaque, infer_by_map<relay_sorted, false, relay_sorted_fields>, evaluate_by_map<relay_sorted, relay_sorted_fields>},
    {"transpose", op_kind::injective, infer_by_map<relay_transpose>, evaluate_by_map<relay_transpose>},
    {"trilu", op_kind::injective, infer_by_map<relay_trilu>, evaluate_by_map<relay_trilu>},
    {"trunc", op_kind::elementwise, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"trunc_divide", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"trunc_mod", op_kind::broadcast, infer_by_map<relay_few_steps, true>, evaluate_by_map<relay_few_steps>},
    {"variance", op_kind::reduction, infer_by_map<relay_reduction>, evaluate_by_map<relay_reduction>},
    {"vision.get_valid_counts", op_kind::opaque, infer_relay_valid_counts},
    {"vision.multibox_prior", op_kind::opaque, infer_relay_priors},
    {"vision.multibox_transform_loc", op_kind::opaque, infer_relay_boxes},
    {"vision.non_max_suppression", op_kind::opaque, infer_relay_suppressed},
    {"vision.roi_align", op_kind::opaque, infer_relay_regions},
    {"vision.roi_pool", op_kind::opaque, infer_relay_regions},
    {"vision.yolo_reorg", op_kind::opaque, infer_relay_reorganised},
    {"vm.invoke_tvm_op", op_kind::opaque, infer_relay_unit},
    {"vm.reshape_tensor", op_kind::opaque, infer_relay_reshape, evaluate_relay_reshape},
    {"vm.shape_func", op_kind::opaque, infer_relay_shape_func},
    {"vm.shape_of", op_kind::opaque, infer_relay_shape_of, evaluate_relay_shape_of},
    {"vm.storage_size", op_kind::opaque, infer_relay_storage_size, evaluate_relay_storage_size},
    {"zeros", op_kind::opaque, infer_by_map<relay_full>, evaluate_by_map<relay_full>},
    {"zeros_like", op_kind::elementwise, infer_relay_same, evaluate_relay_zeros},
};

/// All of Relay's, sorted, with what their calls leave out: those with definitions here, and those that are ONNX's under another name.
inline constexpr auto relay_table = [] {
    std::array<op_definition, std::size(relay_definitions) + std::size(relay_as_onnx)> all{};
    std::size_t at = 0;
    for (const op_definition& d : relay_definitions) all[at++] = d;
    for (const auto& [relay, onnx] : relay_as_onnx) {
        all[at].name = relay;
        all[at].kind = op_kind::broadcast;
        all[at].infer = infer_by_map<relay_renamed, true>;
        all[at].evaluate = evaluate_by_map<relay_renamed>;
        ++at;
    }
    for (op_definition& d : all) d.attributes = relay_attributes_of(d.name);
    std::sort(all.begin(), all.end(), [](const op_definition& a, const op_definition& b) { return a.name < b.name; });
    return all;
}();

}  // namespace detail

INLAY_LAZY_DEFINITION const op_definition* relay_ops::find(std::string_view name) {
    if (name.starts_with("onnx.")) return onnx_ops::find(name);
    const auto at = std::lower_bound(detail::relay_table.begin(), detail::relay_table.end(), name,
                                     [](const op_definition& d, std::string_view n) { return d.name < n; });
    return at != detail::relay_table.end() && at->name == name ? &*at : nullptr;
}

INLAY_LAZY_DEFINITION std::span<const op_definition> relay_ops::all() { return detail::relay_table; }

}  // namespace inlay

#endif
