// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx_attributes.hpp>

#include <doctest/doctest.h>

#include "attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

template <class... Structs>
struct structs {
    /// Whether every operator that they name is one that there is, and none is named by two.
    static std::string wrong() {
        std::vector<std::string_view> seen;
        std::string found;
        const auto add = [&](std::string_view op) {
            if (onnx_ops::find(op) == nullptr) found += std::string(op) + " is unknown; ";
            for (const std::string_view one : seen)
                if (one == op) found += std::string(op) + " is named twice; ";
            seen.push_back(op);
        };
        const auto all = [&]<class C>(const C*) {
            static_assert(operator_attributes<C>);
            for (const std::string_view op : C::operators) add(op);
        };
        (all(static_cast<const Structs*>(nullptr)), ...);
        return found;
    }
};

}  // namespace

TEST_CASE("each struct of attributes names operators that there are, and no two the same") {
    CHECK(structs<conv_attributes, conv_transpose_attributes, max_pool_attributes, average_pool_attributes, lp_pool_attributes,
                  global_lp_pool_attributes, gemm_attributes, einsum_attributes, elu_attributes, celu_attributes, selu_attributes,
                  leaky_relu_attributes, thresholded_relu_attributes, hard_sigmoid_attributes, shrink_attributes, gelu_attributes, mod_attributes,
                  bit_shift_attributes, is_inf_attributes, cast_attributes, batch_normalization_attributes, instance_normalization_attributes,
                  layer_normalization_attributes, group_normalization_attributes, lrn_attributes, lp_normalization_attributes, softmax_attributes,
                  reduce_attributes, arg_reduce_attributes, cum_sum_attributes, top_k_attributes, transpose_attributes, reshape_attributes,
                  flatten_attributes, concat_attributes, split_attributes, gather_attributes, gather_nd_attributes, scatter_elements_attributes,
                  scatter_nd_attributes, pad_attributes, depth_to_space_attributes, space_to_depth_attributes, trilu_attributes, one_hot_attributes,
                  constant_of_shape_attributes, resize_attributes>::wrong() == "");
}
