// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_WINDOW_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_WINDOW_ATTRIBUTES_HPP

#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

// The attributes of operators that move a window: convolutions and poolings. Members are named as the attributes
// are, in lower case; initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's Conv. A convolution. `kernel_shape` is empty where the weights alone say it; with another `auto_pad` than
/// NOTSET, `pads` do not count.
struct conv_attributes {
    static constexpr std::string_view operators[] = {"onnx.Conv"};
    std::string_view auto_pad = "NOTSET";
    axis_numbers<1> dilations{};
    std::int64_t group = 1;
    std::span<const std::int64_t> kernel_shape{};
    axis_numbers<0> pads{};
    axis_numbers<1> strides{};
    using attributes =
        attribute_list<attribute_member<"auto_pad", &conv_attributes::auto_pad>, attribute_member<"dilations", &conv_attributes::dilations>,
                       attribute_member<"group", &conv_attributes::group>, attribute_member<"kernel_shape", &conv_attributes::kernel_shape>,
                       attribute_member<"pads", &conv_attributes::pads>, attribute_member<"strides", &conv_attributes::strides>>;
};

/// The attributes of ONNX's ConvTranspose. A transposed convolution. With an `output_shape`, `pads` follow from it.
struct conv_transpose_attributes {
    static constexpr std::string_view operators[] = {"onnx.ConvTranspose"};
    std::string_view auto_pad = "NOTSET";
    axis_numbers<1> dilations{};
    std::int64_t group = 1;
    std::span<const std::int64_t> kernel_shape{};
    axis_numbers<0> output_padding{};
    std::optional<std::span<const std::int64_t>> output_shape{};
    axis_numbers<0> pads{};
    axis_numbers<1> strides{};
    using attributes = attribute_list<
        attribute_member<"auto_pad", &conv_transpose_attributes::auto_pad>,
        attribute_member<"dilations", &conv_transpose_attributes::dilations>, attribute_member<"group", &conv_transpose_attributes::group>,
        attribute_member<"kernel_shape", &conv_transpose_attributes::kernel_shape>,
        attribute_member<"output_padding", &conv_transpose_attributes::output_padding>,
        attribute_member<"output_shape", &conv_transpose_attributes::output_shape>,
        attribute_member<"pads", &conv_transpose_attributes::pads>, attribute_member<"strides", &conv_transpose_attributes::strides>>;
};

/// The attributes of ONNX's MaxPool.
struct max_pool_attributes {
    static constexpr std::string_view operators[] = {"onnx.MaxPool"};
    std::string_view auto_pad = "NOTSET";
    bool ceil_mode = false;
    axis_numbers<1> dilations{};
    std::span<const std::int64_t> kernel_shape{};
    axis_numbers<0> pads{};
    std::int64_t storage_order = 0;
    axis_numbers<1> strides{};
    using attributes = attribute_list<
        attribute_member<"auto_pad", &max_pool_attributes::auto_pad>, attribute_member<"ceil_mode", &max_pool_attributes::ceil_mode>,
        attribute_member<"dilations", &max_pool_attributes::dilations>,
        attribute_member<"kernel_shape", &max_pool_attributes::kernel_shape, attribute_need::required>,
        attribute_member<"pads", &max_pool_attributes::pads>, attribute_member<"storage_order", &max_pool_attributes::storage_order>,
        attribute_member<"strides", &max_pool_attributes::strides>>;
};

/// The attributes of ONNX's AveragePool.
struct average_pool_attributes {
    static constexpr std::string_view operators[] = {"onnx.AveragePool"};
    std::string_view auto_pad = "NOTSET";
    bool ceil_mode = false;
    bool count_include_pad = false;
    axis_numbers<1> dilations{};
    std::span<const std::int64_t> kernel_shape{};
    axis_numbers<0> pads{};
    axis_numbers<1> strides{};
    using attributes = attribute_list<attribute_member<"auto_pad", &average_pool_attributes::auto_pad>,
                                      attribute_member<"ceil_mode", &average_pool_attributes::ceil_mode>,
                                      attribute_member<"count_include_pad", &average_pool_attributes::count_include_pad>,
                                      attribute_member<"dilations", &average_pool_attributes::dilations>,
                                      attribute_member<"kernel_shape", &average_pool_attributes::kernel_shape, attribute_need::required>,
                                      attribute_member<"pads", &average_pool_attributes::pads>,
                                      attribute_member<"strides", &average_pool_attributes::strides>>;
};

/// The attributes of ONNX's LpPool.
struct lp_pool_attributes {
    static constexpr std::string_view operators[] = {"onnx.LpPool"};
    std::string_view auto_pad = "NOTSET";
    bool ceil_mode = false;
    axis_numbers<1> dilations{};
    std::span<const std::int64_t> kernel_shape{};
    std::int64_t p = 2;
    axis_numbers<0> pads{};
    axis_numbers<1> strides{};
    using attributes = attribute_list<attribute_member<"auto_pad", &lp_pool_attributes::auto_pad>,
                                      attribute_member<"ceil_mode", &lp_pool_attributes::ceil_mode>,
                                      attribute_member<"dilations", &lp_pool_attributes::dilations>,
                                      attribute_member<"kernel_shape", &lp_pool_attributes::kernel_shape, attribute_need::required>,
                                      attribute_member<"p", &lp_pool_attributes::p>, attribute_member<"pads", &lp_pool_attributes::pads>,
                                      attribute_member<"strides", &lp_pool_attributes::strides>>;
};

/// The attributes of ONNX's GlobalLpPool.
struct global_lp_pool_attributes {
    static constexpr std::string_view operators[] = {"onnx.GlobalLpPool"};
    std::int64_t p = 2;
    using attributes = attribute_list<attribute_member<"p", &global_lp_pool_attributes::p>>;
};

}  // namespace inlay

#endif
