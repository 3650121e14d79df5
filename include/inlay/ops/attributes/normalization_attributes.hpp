// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_NORMALIZATION_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_NORMALIZATION_ATTRIBUTES_HPP

#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

// The attributes of normalisations and of softmax and its like. Members are named as the attributes
// are, in lower case; initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's BatchNormalization.
struct batch_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.BatchNormalization"};
    double epsilon = 1e-5;
    double momentum = 0.9;
    bool training_mode = false;
    using attributes = attribute_list<attribute_member<"epsilon", &batch_normalization_attributes::epsilon>,
                                      attribute_member<"momentum", &batch_normalization_attributes::momentum>,
                                      attribute_member<"training_mode", &batch_normalization_attributes::training_mode>>;
};

/// The attributes of ONNX's InstanceNormalization.
struct instance_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.InstanceNormalization"};
    double epsilon = 1e-5;
    using attributes = attribute_list<attribute_member<"epsilon", &instance_normalization_attributes::epsilon>>;
};

/// The attributes of ONNX's LayerNormalization. Over all axes from `axis` on.
struct layer_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.LayerNormalization", "onnx.RMSNormalization"};
    std::int64_t axis = -1;
    double epsilon = 1e-5;
    std::int64_t stash_type = 1;
    using attributes = attribute_list<attribute_member<"axis", &layer_normalization_attributes::axis>,
                                      attribute_member<"epsilon", &layer_normalization_attributes::epsilon>,
                                      attribute_member<"stash_type", &layer_normalization_attributes::stash_type>>;
};

/// The attributes of ONNX's GroupNormalization. `num_groups` has no default.
struct group_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.GroupNormalization"};
    double epsilon = 1e-5;
    std::int64_t num_groups = 0;
    std::int64_t stash_type = 1;
    using attributes = attribute_list<attribute_member<"epsilon", &group_normalization_attributes::epsilon>,
                                      attribute_member<"num_groups", &group_normalization_attributes::num_groups, attribute_need::required>,
                                      attribute_member<"stash_type", &group_normalization_attributes::stash_type>>;
};

/// The attributes of ONNX's LRN. `size` has no default.
struct lrn_attributes {
    static constexpr std::string_view operators[] = {"onnx.LRN"};
    double alpha = 1e-4;
    double beta = 0.75;
    double bias = 1;
    std::int64_t size = 0;
    using attributes = attribute_list<attribute_member<"alpha", &lrn_attributes::alpha>, attribute_member<"beta", &lrn_attributes::beta>,
                                      attribute_member<"bias", &lrn_attributes::bias>,
                                      attribute_member<"size", &lrn_attributes::size, attribute_need::required>>;
};

/// The attributes of ONNX's LpNormalization.
struct lp_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.LpNormalization"};
    std::int64_t axis = -1;
    std::int64_t p = 2;
    using attributes = attribute_list<attribute_member<"axis", &lp_normalization_attributes::axis>,
                                      attribute_member<"p", &lp_normalization_attributes::p>>;
};

/// The attributes of ONNX's Softmax, LogSoftmax and Hardmax. Softmax, its logarithm, and the greatest alone.
struct softmax_attributes {
    static constexpr std::string_view operators[] = {"onnx.Softmax", "onnx.LogSoftmax", "onnx.Hardmax"};
    std::int64_t axis = -1;
    using attributes = attribute_list<attribute_member<"axis", &softmax_attributes::axis>>;
};

/// The attributes of ONNX's MeanVarianceNormalization.
struct mean_variance_normalization_attributes {
    static constexpr std::string_view operators[] = {"onnx.MeanVarianceNormalization"};
    static constexpr std::int64_t image_axes[] = {0, 2, 3};
    std::span<const std::int64_t> axes{image_axes};
    using attributes = attribute_list<attribute_member<"axes", &mean_variance_normalization_attributes::axes>>;
};

}  // namespace inlay

#endif
