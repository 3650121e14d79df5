// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_MOVEMENT_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_MOVEMENT_ATTRIBUTES_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

// The attributes of operators that move elements and compute nothing, or nearly so. Members are named as the attributes
// are, in lower case; initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's Transpose. Without `perm` the axes are reversed.
struct transpose_attributes {
    static constexpr std::string_view operators[] = {"onnx.Transpose"};
    std::optional<std::span<const std::int64_t>> perm{};
    using attributes = attribute_list<attribute_member<"perm", &transpose_attributes::perm>>;
};

/// The attributes of ONNX's Reshape.
struct reshape_attributes {
    static constexpr std::string_view operators[] = {"onnx.Reshape"};
    bool allowzero = false;
    using attributes = attribute_list<attribute_member<"allowzero", &reshape_attributes::allowzero>>;
};

/// The attributes of ONNX's Flatten.
struct flatten_attributes {
    static constexpr std::string_view operators[] = {"onnx.Flatten"};
    std::int64_t axis = 1;
    using attributes = attribute_list<attribute_member<"axis", &flatten_attributes::axis>>;
};

/// The attributes of ONNX's Concat. `axis` has no default.
struct concat_attributes {
    static constexpr std::string_view operators[] = {"onnx.Concat"};
    std::optional<std::int64_t> axis{};
    using attributes = attribute_list<attribute_member<"axis", &concat_attributes::axis, attribute_need::required>>;
};

/// The attributes of ONNX's Split. Without `num_outputs` an operand says the sizes.
struct split_attributes {
    static constexpr std::string_view operators[] = {"onnx.Split"};
    std::int64_t axis = 0;
    std::optional<std::int64_t> num_outputs{};
    using attributes =
        attribute_list<attribute_member<"axis", &split_attributes::axis>, attribute_member<"num_outputs", &split_attributes::num_outputs>>;
};

/// The attributes of ONNX's Gather and GatherElements.
struct gather_attributes {
    static constexpr std::string_view operators[] = {"onnx.Gather", "onnx.GatherElements"};
    std::int64_t axis = 0;
    using attributes = attribute_list<attribute_member<"axis", &gather_attributes::axis>>;
};

/// The attributes of ONNX's GatherND.
struct gather_nd_attributes {
    static constexpr std::string_view operators[] = {"onnx.GatherND"};
    std::int64_t batch_dims = 0;
    using attributes = attribute_list<attribute_member<"batch_dims", &gather_nd_attributes::batch_dims>>;
};

/// The attributes of ONNX's ScatterElements.
struct scatter_elements_attributes {
    static constexpr std::string_view operators[] = {"onnx.ScatterElements"};
    std::int64_t axis = 0;
    std::string_view reduction = "none";
    using attributes = attribute_list<attribute_member<"axis", &scatter_elements_attributes::axis>,
                                      attribute_member<"reduction", &scatter_elements_attributes::reduction>>;
};

/// The attributes of ONNX's ScatterND.
struct scatter_nd_attributes {
    static constexpr std::string_view operators[] = {"onnx.ScatterND"};
    std::string_view reduction = "none";
    using attributes = attribute_list<attribute_member<"reduction", &scatter_nd_attributes::reduction>>;
};

/// The attributes of ONNX's Pad.
struct pad_attributes {
    static constexpr std::string_view operators[] = {"onnx.Pad"};
    std::string_view mode = "constant";
    using attributes = attribute_list<attribute_member<"mode", &pad_attributes::mode>>;
};

/// The attributes of ONNX's DepthToSpace. `blocksize` has no default; `mode` is DCR or CRD.
struct depth_to_space_attributes {
    static constexpr std::string_view operators[] = {"onnx.DepthToSpace"};
    std::int64_t blocksize = 0;
    std::string_view mode = "DCR";
    using attributes = attribute_list<attribute_member<"blocksize", &depth_to_space_attributes::blocksize, attribute_need::required>,
                                      attribute_member<"mode", &depth_to_space_attributes::mode>>;
};

/// The attributes of ONNX's SpaceToDepth. `blocksize` has no default.
struct space_to_depth_attributes {
    static constexpr std::string_view operators[] = {"onnx.SpaceToDepth"};
    std::int64_t blocksize = 0;
    std::string_view mode = "DCR";
    using attributes = attribute_list<attribute_member<"blocksize", &space_to_depth_attributes::blocksize, attribute_need::required>,
                                      attribute_member<"mode", &space_to_depth_attributes::mode, attribute_need::optional, 28>>;
};

/// The attributes of ONNX's Trilu.
struct trilu_attributes {
    static constexpr std::string_view operators[] = {"onnx.Trilu"};
    bool upper = true;
    using attributes = attribute_list<attribute_member<"upper", &trilu_attributes::upper>>;
};

/// The attributes of ONNX's OneHot.
struct one_hot_attributes {
    static constexpr std::string_view operators[] = {"onnx.OneHot"};
    std::int64_t axis = -1;
    using attributes = attribute_list<attribute_member<"axis", &one_hot_attributes::axis>>;
};

/// The attributes of ONNX's ConstantOfShape. Without `value`, a float32 zero.
struct constant_of_shape_attributes {
    static constexpr std::string_view operators[] = {"onnx.ConstantOfShape"};
    std::optional<const tensor*> value{};
    using attributes = attribute_list<attribute_member<"value", &constant_of_shape_attributes::value>>;
};

/// The attributes of ONNX's Resize.
struct resize_attributes {
    static constexpr std::string_view operators[] = {"onnx.Resize"};
    bool antialias = false;
    std::optional<std::span<const std::int64_t>> axes{};
    std::string_view coordinate_transformation_mode = "half_pixel";
    double cubic_coeff_a = -0.75;
    bool exclude_outside = false;
    double extrapolation_value = 0;
    std::string_view keep_aspect_ratio_policy = "stretch";
    std::string_view mode = "nearest";
    std::string_view nearest_mode = "round_prefer_floor";
    using attributes =
        attribute_list<attribute_member<"antialias", &resize_attributes::antialias>, attribute_member<"axes", &resize_attributes::axes>,
                       attribute_member<"coordinate_transformation_mode", &resize_attributes::coordinate_transformation_mode>,
                       attribute_member<"cubic_coeff_a", &resize_attributes::cubic_coeff_a>,
                       attribute_member<"exclude_outside", &resize_attributes::exclude_outside>,
                       attribute_member<"extrapolation_value", &resize_attributes::extrapolation_value>,
                       attribute_member<"keep_aspect_ratio_policy", &resize_attributes::keep_aspect_ratio_policy>,
                       attribute_member<"mode", &resize_attributes::mode>,
                       attribute_member<"nearest_mode", &resize_attributes::nearest_mode>>;
};

/// The attributes of ONNX's Compress. Without an axis, the tensor counts as one row.
struct compress_attributes {
    static constexpr std::string_view operators[] = {"onnx.Compress"};
    std::optional<std::int64_t> axis{};
    using attributes = attribute_list<attribute_member<"axis", &compress_attributes::axis>>;
};

/// The attributes of ONNX's Unique. Without an axis, the tensor counts as one row.
struct unique_attributes {
    static constexpr std::string_view operators[] = {"onnx.Unique"};
    std::optional<std::int64_t> axis{};
    bool sorted = true;
    using attributes =
        attribute_list<attribute_member<"axis", &unique_attributes::axis>, attribute_member<"sorted", &unique_attributes::sorted>>;
};

/// The attributes of ONNX's ReverseSequence.
struct reverse_sequence_attributes {
    static constexpr std::string_view operators[] = {"onnx.ReverseSequence"};
    std::int64_t batch_axis = 1;
    std::int64_t time_axis = 0;
    using attributes = attribute_list<attribute_member<"batch_axis", &reverse_sequence_attributes::batch_axis>,
                                      attribute_member<"time_axis", &reverse_sequence_attributes::time_axis>>;
};

/// The attributes of ONNX's Shape. Without an end, the axes to the last.
struct shape_attributes {
    static constexpr std::string_view operators[] = {"onnx.Shape"};
    std::optional<std::int64_t> end{};
    std::int64_t start = 0;
    using attributes = attribute_list<attribute_member<"end", &shape_attributes::end>, attribute_member<"start", &shape_attributes::start>>;
};

/// The attributes of ONNX's EyeLike. Without a `dtype`, the operand's element type.
struct eye_like_attributes {
    static constexpr std::string_view operators[] = {"onnx.EyeLike"};
    std::optional<std::int64_t> dtype{};
    std::int64_t k = 0;
    using attributes =
        attribute_list<attribute_member<"dtype", &eye_like_attributes::dtype>, attribute_member<"k", &eye_like_attributes::k>>;
};

/// The attributes of ONNX's Range. `stash_type` says in which precision halves are added up; here it is float64.
struct range_attributes {
    static constexpr std::string_view operators[] = {"onnx.Range"};
    std::int64_t stash_type = 1;
    using attributes = attribute_list<attribute_member<"stash_type", &range_attributes::stash_type, attribute_need::optional, 27>>;
};

/// The attributes of ONNX's Constant, one of which a call has. `holds` is what stands in for a value that tensors here do not hold.
struct constant_attributes {
    static constexpr std::string_view operators[] = {"onnx.Constant"};
    std::optional<std::string_view> holds{};
    const tensor* value = nullptr;
    std::optional<double> value_float{};
    std::optional<std::span<const double>> value_floats{};
    std::optional<std::int64_t> value_int{};
    std::optional<std::span<const std::int64_t>> value_ints{};
    std::optional<std::string_view> value_string{};
    std::optional<std::span<const std::string>> value_strings{};
    using attributes =
        attribute_list<attribute_member<"holds", &constant_attributes::holds>, attribute_member<"value", &constant_attributes::value>,
                       attribute_member<"value_float", &constant_attributes::value_float>,
                       attribute_member<"value_floats", &constant_attributes::value_floats>,
                       attribute_member<"value_int", &constant_attributes::value_int>,
                       attribute_member<"value_ints", &constant_attributes::value_ints>,
                       attribute_member<"value_string", &constant_attributes::value_string>,
                       attribute_member<"value_strings", &constant_attributes::value_strings>>;
};

}  // namespace inlay

#endif
