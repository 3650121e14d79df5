// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SPELL_DEFAULTS_HPP
#define INLAY_OPS_SPELL_DEFAULTS_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/operator_attributes.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx_attributes.hpp>
#include <inlay/ops/rebuild.hpp>

namespace inlay {

namespace detail {

template <class... Structs>
struct attribute_structs {
    /// Calls `f(Struct())` for the one that names this operator.
    template <class F>
    static void visit(std::string_view op, F&& f) {
        (visit_one<Structs>(op, f), ...);
    }

private:
    template <class S, class F>
    static void visit_one(std::string_view op, F& f) {
        for (const std::string_view name : S::operators)
            if (name == op) f(S());
    }
};

using onnx_attribute_structs =
    attribute_structs<transpose_attributes, reshape_attributes, flatten_attributes, concat_attributes, split_attributes, gather_attributes,
                      gather_nd_attributes, scatter_elements_attributes, scatter_nd_attributes, pad_attributes, depth_to_space_attributes,
                      space_to_depth_attributes, trilu_attributes, one_hot_attributes, constant_of_shape_attributes, resize_attributes,
                      batch_normalization_attributes, instance_normalization_attributes, layer_normalization_attributes,
                      group_normalization_attributes, lrn_attributes, lp_normalization_attributes, softmax_attributes, reduce_attributes,
                      arg_reduce_attributes, cum_sum_attributes, top_k_attributes, gemm_attributes, einsum_attributes, elu_attributes,
                      celu_attributes, selu_attributes, leaky_relu_attributes, thresholded_relu_attributes, hard_sigmoid_attributes,
                      shrink_attributes, gelu_attributes, mod_attributes, bit_shift_attributes, is_inf_attributes, cast_attributes,
                      conv_attributes, conv_transpose_attributes, max_pool_attributes, average_pool_attributes, lp_pool_attributes,
                      global_lp_pool_attributes>;

/// Sets an attribute that is lacking to what stands in the member of a fresh struct. Lists get an entry for each of the spatial axes, or two
/// where they are paddings; what has no default stays away.
template <class T>
void spell_default(attribute_map& attributes, std::string_view name, const T& value, std::size_t spatial_axes) {
    if (attributes.find(name) != nullptr) return;
    if constexpr (is_axis_numbers<T>) {
        if (spatial_axes != 0) attributes.set(name, std::vector<std::int64_t>(name == "pads" ? 2 * spatial_axes : spatial_axes, value[0]));
    } else if constexpr (std::same_as<T, bool>) {
        attributes.set(name, std::int64_t{value});
    } else if constexpr (std::same_as<T, std::int64_t> || std::same_as<T, double>) {
        attributes.set(name, value);
    } else if constexpr (std::same_as<T, std::string_view>) {
        if (!value.empty()) attributes.set(name, std::string(value));
    }
}

}  // namespace detail

/// The module with the attributes that calls of ONNX's operators lack written out, as far as they have defaults: so a pattern that asks for
/// `group=1` finds the convolutions that leave it out. Nodes keep their numbers. `names`: of the attributes that are written out; none: of
/// all. Lists by axis need the rank of what the call reads. Linear in the module.
[[nodiscard]] inline ir_module spell_defaults(const ir_module& m, std::span<const std::string> names = {}) {
    return rebuild(m, [&](module_rebuilder& r, node_id n) {
        attribute_map attributes = m.attributes(n);
        const std::size_t given = attributes.size();
        if (m.kind(n) == node_kind::call)
            detail::onnx_attribute_structs::visit(m.op(n), [&]<class S>(const S& fresh) {
                std::size_t spatial_axes = 0;
                if (m.arity(n) != 0)
                    if (const node_type& t = m.type(m.operand(n, 0)); t.is_tensor() && t.of_tensor.ranked && t.of_tensor.rank() > 2)
                        spatial_axes = t.of_tensor.rank() - 2;
                S::attributes::for_each([&](auto one) {
                    if (names.empty() || std::find(names.begin(), names.end(), one.name) != names.end())
                        detail::spell_default(attributes, one.name, fresh.*one.member, spatial_axes);
                });
            });
        if (attributes.size() == given) {
            r.copy(n);
            return;
        }
        std::vector<node_id> operands;
        for (const node_id o : m.operands(n)) operands.push_back(r.made(o));
        const node_id now = r.builder().call(m.op(n), operands, attributes, m.type(n), m.name(n));
        if (!m.origins(n).empty()) r.builder().set_origins(now, m.origins(n));
        r.set_made(n, now);
    });
}

}  // namespace inlay

#endif
