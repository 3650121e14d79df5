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
#include <inlay/ops/relay/relay_shapes.hpp>

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

[[nodiscard]] constexpr declared_attribute relay_default(std::string_view name, std::int64_t value) {
    declared_attribute a;
    a.name = name;
    a.has_default = true;
    a.integer = value;
    return a;
}
inline constexpr declared_attribute relay_axis_0[] = {relay_default("axis", 0)};
inline constexpr declared_attribute relay_axis_1[] = {relay_default("axis", 1)};
inline constexpr declared_attribute relay_axis_last[] = {relay_default("axis", -1)};
inline constexpr declared_attribute relay_on_device[] = {relay_default("constrain_body", 1), relay_default("constrain_result", 0)};
inline constexpr declared_attribute relay_reduction_defaults[] = {relay_default("exclude", 0), relay_default("keepdims", 0)};

/// Relay's own, by name; the rest of them is read as ONNX's.
inline constexpr op_definition relay_definitions[] = {
    {"annotation.compiler_begin", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.compiler_end", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"annotation.stop_fusion", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"argmax", op_kind::reduction, infer_by_onnx, evaluate_by_onnx},
    {"argmin", op_kind::reduction, infer_by_onnx, evaluate_by_onnx},
    {"cast", op_kind::elementwise, infer_by_onnx, evaluate_by_onnx},
    {"concatenate", op_kind::injective, infer_relay_concatenate, nullptr, nullptr, relay_axis_0},
    {"device_copy", op_kind::opaque, infer_relay_same, evaluate_relay_same},
    {"expand_dims", op_kind::injective, infer_by_onnx, evaluate_by_onnx},
    {"max", op_kind::reduction, infer_by_onnx, evaluate_by_onnx, nullptr, relay_reduction_defaults},
    {"mean", op_kind::reduction, infer_by_onnx, evaluate_by_onnx, nullptr, relay_reduction_defaults},
    {"memory.alloc_storage", op_kind::opaque, infer_relay_storage},
    {"memory.alloc_tensor", op_kind::opaque, infer_relay_tensor},
    {"memory.copy", op_kind::opaque, infer_relay_unit},
    {"memory.kill", op_kind::opaque, infer_relay_unit},
    {"min", op_kind::reduction, infer_by_onnx, evaluate_by_onnx, nullptr, relay_reduction_defaults},
    {"nn.avg_pool2d", op_kind::anchor, infer_by_onnx, evaluate_by_onnx},
    {"nn.batch_flatten", op_kind::injective, infer_by_onnx, evaluate_by_onnx},
    {"nn.bias_add", op_kind::broadcast, infer_relay_same, evaluate_relay_bias, nullptr, relay_axis_1},
    {"nn.conv2d", op_kind::anchor, infer_by_onnx, evaluate_by_onnx},
    {"nn.dense", op_kind::anchor, infer_by_onnx, evaluate_by_onnx},
    {"nn.leaky_relu", op_kind::elementwise, infer_by_onnx, evaluate_by_onnx},
    {"nn.log_softmax", op_kind::opaque, infer_by_onnx, evaluate_by_onnx, nullptr, relay_axis_last},
    {"nn.matmul", op_kind::anchor, infer_by_onnx, evaluate_by_onnx},
    {"nn.max_pool2d", op_kind::anchor, infer_by_onnx, evaluate_by_onnx},
    {"nn.softmax", op_kind::opaque, infer_by_onnx, evaluate_by_onnx, nullptr, relay_axis_last},
    {"on_device", op_kind::opaque, infer_relay_same, evaluate_relay_same, nullptr, relay_on_device},
    {"prod", op_kind::reduction, infer_by_onnx, evaluate_by_onnx, nullptr, relay_reduction_defaults},
    {"reshape", op_kind::injective, infer_relay_reshape, evaluate_relay_reshape},
    {"shape_of", op_kind::opaque, infer_relay_shape_of, evaluate_relay_shape_of},
    {"split", op_kind::injective, infer_relay_split, evaluate_relay_split, nullptr, relay_axis_0},
    {"squeeze", op_kind::injective, infer_by_onnx, evaluate_by_onnx},
    {"sum", op_kind::reduction, infer_by_onnx, evaluate_by_onnx, nullptr, relay_reduction_defaults},
    {"transpose", op_kind::injective, infer_by_onnx, evaluate_by_onnx},
    {"vm.invoke_tvm_op", op_kind::opaque, infer_relay_unit},
    {"vm.reshape_tensor", op_kind::opaque, infer_relay_reshape, evaluate_relay_reshape},
    {"vm.shape_func", op_kind::opaque, infer_relay_shape_func},
    {"vm.shape_of", op_kind::opaque, infer_relay_shape_of, evaluate_relay_shape_of},
    {"vm.storage_size", op_kind::opaque, infer_relay_storage_size, evaluate_relay_storage_size},
    {"zeros_like", op_kind::elementwise, infer_relay_same, evaluate_relay_zeros},
};

/// All of Relay's, sorted: those with definitions of their own, and those that are ONNX's under another name.
inline constexpr auto relay_table = [] {
    std::array<op_definition, std::size(relay_definitions) + std::size(relay_as_onnx) + std::size(relay_also_onnx)> all{};
    std::size_t at = 0;
    for (const op_definition& d : relay_definitions) all[at++] = d;
    const auto add = [&](const auto& table) {
        for (const auto& [relay, onnx] : table) {
            all[at].name = relay;
            all[at].kind = op_kind::broadcast;
            all[at].infer = infer_by_onnx;
            all[at].evaluate = evaluate_by_onnx;
            ++at;
        }
    };
    add(relay_as_onnx);
    add(relay_also_onnx);
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
