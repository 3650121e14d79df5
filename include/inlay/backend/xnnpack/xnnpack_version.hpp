// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_XNNPACK_VERSION_HPP
#define INLAY_BACKEND_XNNPACK_XNNPACK_VERSION_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <xnnpack.h>

#include <inlay/core/buffer.hpp>

// The operators of the library under one form. The library has no version number; a flag that came with the functions `xnn_reshape_...`
// tells the library of Debian 13 (2024) from that of Debian 12 (2022). The other headers of this back end use the operators here.

#ifdef XNN_FLAG_TRANSIENT_INDIRECTION_BUFFER
#define INLAY_XNNPACK_RESHAPES 1
#else
#define INLAY_XNNPACK_RESHAPES 0
#endif

namespace inlay::detail {

/// Returns the meaning of a status of the library.
[[nodiscard]] constexpr std::string_view xnnpack_text(xnn_status s) {
    switch (s) {
        case xnn_status_success:
            return "success";
        case xnn_status_uninitialized:
            return "the library is not initialised";
        case xnn_status_invalid_parameter:
            return "a parameter is invalid";
        case xnn_status_invalid_state:
            return "the operator is in an invalid state";
        case xnn_status_unsupported_parameter:
            return "a parameter has a value that it does not support";
        case xnn_status_unsupported_hardware:
            return "this CPU is not supported";
        case xnn_status_out_of_memory:
            return "there is no memory";
#if INLAY_XNNPACK_RESHAPES
        case xnn_status_reallocation_required:
            return "the result needs more memory";
        case xnn_status_deprecated:
            return "the function is deprecated";
#endif
    }
    return "an unknown status";
}

/// The parameters of an operator; each operator reads some of them.
struct xnnpack_parameters {
    std::size_t batch = 1, height = 1, width = 1;                   // of the input: rows, or images
    std::size_t channels = 0, input_stride = 0, output_stride = 0;  // numbers per row, and from one row to the next
    std::size_t more_height = 0, more_width = 0;             // the output's extents of a resize, the adjustment of a transposed convolution
    std::uint32_t top = 0, right = 0, bottom = 0, left = 0;  // pads of a window, or what a transposed convolution cuts off
    std::array<std::uint32_t, 2> kernel{1, 1}, strides{1, 1}, dilations{1, 1};
    std::uint32_t groups = 1;
    std::size_t group_inputs = 0, group_outputs = 0;
    const float *weights = nullptr, *bias = nullptr;                                                     // read when the operator is made
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();  // the range of the result
    float alpha = 0;
    std::uint32_t block = 0;                      // of depth to space
    std::size_t first_rank = 0, second_rank = 0;  // of operators on two tensors
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> first{}, second{};

    /// Images N C H W, whose channels are the library's last axis.
    [[nodiscard]] static xnnpack_parameters of_images(const std::vector<std::int64_t>& e) {
        xnnpack_parameters p = of_rows(static_cast<std::size_t>(e[0]), static_cast<std::size_t>(e[1]));
        p.height = static_cast<std::size_t>(e[2]);
        p.width = static_cast<std::size_t>(e[3]);
        return p;
    }
    /// Rows without gaps.
    [[nodiscard]] static xnnpack_parameters of_rows(std::size_t rows, std::size_t columns) {
        xnnpack_parameters p;
        p.batch = rows;
        p.channels = p.input_stride = p.output_stride = columns;
        return p;
    }
};

/// An operator of the library. `in` holds as many addresses as the operator reads.
struct xnnpack_operator {
    using creation = xnn_status (*)(const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made);
    using reshaping = xnn_status (*)(xnn_operator_t op, const xnnpack_parameters& p, std::size_t& workspace, pthreadpool_t pool);
    using setting = xnn_status (*)(xnn_operator_t op, const xnnpack_parameters& p, void* workspace, const float* const* in, float* out,
                                   pthreadpool_t pool);
    using counting = std::size_t (*)(const xnnpack_parameters& p);

    std::string_view name;
    creation create = nullptr;
    reshaping reshape = nullptr;  // once, before the first setup; null: there is no such step
    setting setup = nullptr;      // again for other addresses
    counting uncut = nullptr;     // the number of results, if the operator does not apply the range itself
};

/// The operators. Their names are those of the functions of the library of 2022 that make them.
namespace xnnpack_operators {

/// Whether windows of the largest number may be further apart than they are long.
inline constexpr bool max_pooling_takes_gaps = !INLAY_XNNPACK_RESHAPES;

#if INLAY_XNNPACK_RESHAPES

/// Refuses a workspace that is aligned to more than a buffer is.
[[nodiscard]] constexpr xnn_status with_workspace(xnn_status answer, std::size_t alignment) {
    return answer == xnn_status_success && alignment > buffer::alignment ? xnn_status_unsupported_parameter : answer;
}

template <xnn_unary_operator Kind>
[[nodiscard]] constexpr xnnpack_operator unary(std::string_view name) {
    return {name,
            [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                xnn_unary_params more{};
                if constexpr (Kind == xnn_unary_clamp) more.clamp = {p.low, p.high};
                if constexpr (Kind == xnn_unary_elu) more.elu.alpha = p.alpha;
                if constexpr (Kind == xnn_unary_leaky_relu) more.leaky_relu.negative_slope = p.alpha;
                return xnn_create_unary_elementwise_nc(Kind, xnn_datatype_fp32, xnn_datatype_fp32, &more, nullptr, nullptr, flags, made);
            },
            [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
                return xnn_reshape_unary_elementwise_nc(op, p.batch, p.channels, p.input_stride, p.output_stride, pool);
            },
            [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
                return xnn_setup_unary_elementwise_nc(op, in[0], out);
            }};
}
inline constexpr xnnpack_operator clamp = unary<xnn_unary_clamp>("clamp_nc_f32");
inline constexpr xnnpack_operator sigmoid = unary<xnn_unary_sigmoid>("sigmoid_nc_f32");
inline constexpr xnnpack_operator hard_swish = unary<xnn_unary_hardswish>("hardswish_nc_f32");
inline constexpr xnnpack_operator leaky_relu = unary<xnn_unary_leaky_relu>("leaky_relu_nc_f32");
inline constexpr xnnpack_operator elu = unary<xnn_unary_elu>("elu_nc_f32");
inline constexpr xnnpack_operator absolute = unary<xnn_unary_abs>("abs_nc_f32");
inline constexpr xnnpack_operator negate = unary<xnn_unary_negate>("negate_nc_f32");
inline constexpr xnnpack_operator ceiling = unary<xnn_unary_ceiling>("ceiling_nc_f32");
inline constexpr xnnpack_operator floor = unary<xnn_unary_floor>("floor_nc_f32");
inline constexpr xnnpack_operator round = unary<xnn_unary_bankers_rounding>("bankers_rounding_nc_f32");
inline constexpr xnnpack_operator square_root = unary<xnn_unary_square_root>("square_root_nc_f32");

/// The number of results of an operator on two tensors.
[[nodiscard]] inline std::size_t count_combined(const xnnpack_parameters& p) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < std::max(p.first_rank, p.second_rank); ++i) {
        const std::size_t a = i < p.first_rank ? p.first[p.first_rank - 1 - i] : 1;
        const std::size_t b = i < p.second_rank ? p.second[p.second_rank - 1 - i] : 1;
        count *= a == 1 ? b : a;
    }
    return count;
}
template <xnn_binary_operator Kind>
xnn_status create_binary(const xnnpack_parameters&, std::uint32_t flags, xnn_operator_t* made) {
    return xnn_create_binary_elementwise_nd(Kind, xnn_datatype_fp32, nullptr, nullptr, nullptr, flags, made);
}
inline xnn_status setup_binary(xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
    return xnn_setup_binary_elementwise_nd(op, in[0], in[1], out);
}
template <xnn_binary_operator Kind>
[[nodiscard]] constexpr xnnpack_operator binary(std::string_view name) {
    return {name, create_binary<Kind>,
            [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
                return xnn_reshape_binary_elementwise_nd(op, p.first_rank, p.first.data(), p.second_rank, p.second.data(), pool);
            },
            setup_binary, count_combined};
}
inline constexpr xnnpack_operator add = binary<xnn_binary_add>("add_nd_f32");
inline constexpr xnnpack_operator subtract = binary<xnn_binary_subtract>("subtract_nd_f32");
inline constexpr xnnpack_operator multiply = binary<xnn_binary_multiply>("multiply_nd_f32");
inline constexpr xnnpack_operator divide = binary<xnn_binary_divide>("divide_nd_f32");
inline constexpr xnnpack_operator maximum = binary<xnn_binary_maximum>("maximum_nd_f32");
inline constexpr xnnpack_operator minimum = binary<xnn_binary_minimum>("minimum_nd_f32");
/// The slopes are the weights, and the second tensor that it reads.
inline constexpr xnnpack_operator prelu = {"prelu_nc_f32", create_binary<xnn_binary_prelu>,
                                           [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
                                               const std::size_t rows[] = {p.batch, p.channels};
                                               return xnn_reshape_binary_elementwise_nd(op, 2, rows, 1, &p.channels, pool);
                                           },
                                           setup_binary};

inline constexpr xnnpack_operator convolution = {
    "convolution2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_convolution2d_nhwc_f32(p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1],
                                                 p.dilations[0], p.dilations[1], p.groups, p.group_inputs, p.group_outputs, p.input_stride,
                                                 p.output_stride, p.weights, p.bias, p.low, p.high, flags, nullptr, nullptr, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t& workspace, pthreadpool_t pool) {
        std::size_t alignment = 1, rows = 0, columns = 0;
        return with_workspace(
            xnn_reshape_convolution2d_nhwc_f32(op, p.batch, p.height, p.width, &workspace, &alignment, &rows, &columns, pool), alignment);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void* workspace, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_convolution2d_nhwc_f32(op, workspace, in[0], out);
    }};
inline constexpr xnnpack_operator transposed_convolution = {
    "deconvolution2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_deconvolution2d_nhwc_f32(p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1],
                                                   p.dilations[0], p.dilations[1], p.groups, p.group_inputs, p.group_outputs,
                                                   p.input_stride, p.output_stride, p.weights, p.bias, p.low, p.high, flags, nullptr,
                                                   nullptr, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        std::size_t rows = 0, columns = 0;
        return xnn_reshape_deconvolution2d_nhwc_f32(op, p.batch, p.height, p.width, static_cast<std::uint32_t>(p.more_height),
                                                    static_cast<std::uint32_t>(p.more_width), &rows, &columns, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_deconvolution2d_nhwc_f32(op, in[0], out);
    }};
inline constexpr xnnpack_operator fully_connected = {
    "fully_connected_nc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_fully_connected_nc_f32(p.group_inputs, p.group_outputs, p.input_stride, p.output_stride, p.weights, p.bias, p.low,
                                                 p.high, flags, nullptr, nullptr, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        return xnn_reshape_fully_connected_nc_f32(op, p.batch, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_fully_connected_nc_f32(op, in[0], out);
    }};
inline constexpr xnnpack_operator global_average = {
    "global_average_pooling_nwc_f32",
    [](const xnnpack_parameters&, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_reduce_nd(xnn_reduce_mean, xnn_datatype_fp32, nullptr, nullptr, flags, made);
    },
    // The workspace is for sums in a wider type, which float32 does not have: with one, the library calls a conversion that is null.
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        const std::size_t extents[] = {p.batch, p.height * p.width, p.channels};
        const std::int64_t axis = 1;
        std::size_t bytes = 0, alignment = 1;
        return xnn_reshape_reduce_nd(op, 1, &axis, 3, extents, &bytes, &alignment, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_reduce_nd(op, nullptr, in[0], out);
    },
    [](const xnnpack_parameters& p) { return p.batch * p.channels; }};
inline constexpr xnnpack_operator average = {
    "average_pooling2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_average_pooling2d_nhwc_f32(p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1],
                                                     p.low, p.high, flags, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t& workspace, pthreadpool_t pool) {
        std::size_t alignment = 1, rows = 0, columns = 0;
        return with_workspace(xnn_reshape_average_pooling2d_nhwc_f32(op, p.batch, p.height, p.width, p.channels, p.input_stride,
                                                                     p.output_stride, &workspace, &alignment, &rows, &columns, pool),
                              alignment);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void* workspace, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_average_pooling2d_nhwc_f32(op, workspace, in[0], out);
    }};
inline constexpr xnnpack_operator max_pooling = {
    "max_pooling2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_max_pooling2d_nhwc_f32(p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1],
                                                 p.dilations[0], p.dilations[1], p.low, p.high, flags, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        std::size_t rows = 0, columns = 0;
        return xnn_reshape_max_pooling2d_nhwc_f32(op, p.batch, p.height, p.width, p.channels, p.input_stride, p.output_stride, &rows,
                                                  &columns, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_max_pooling2d_nhwc_f32(op, in[0], out);
    }};
inline constexpr xnnpack_operator bilinear_resize = {
    "resize_bilinear2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_resize_bilinear2d_nhwc_f32(p.more_height, p.more_width, flags, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t& workspace, pthreadpool_t pool) {
        std::size_t alignment = 1;
        return with_workspace(xnn_reshape_resize_bilinear2d_nhwc_f32(op, p.batch, p.height, p.width, p.channels, p.input_stride,
                                                                     p.output_stride, &workspace, &alignment, pool),
                              alignment);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void* workspace, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_resize_bilinear2d_nhwc_f32(op, workspace, in[0], out);
    }};
inline constexpr xnnpack_operator row_softmax = {
    "softmax_nc_f32",
    [](const xnnpack_parameters&, std::uint32_t flags, xnn_operator_t* made) { return xnn_create_softmax_nc_f32(flags, made); },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        return xnn_reshape_softmax_nc_f32(op, p.channels, p.input_stride, p.output_stride, p.batch, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_softmax_nc_f32(op, in[0], out);
    }};
inline constexpr xnnpack_operator copy = {
    "copy_nc_x32", [](const xnnpack_parameters&, std::uint32_t flags, xnn_operator_t* made) { return xnn_create_copy_nc_x32(flags, made); },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        return xnn_reshape_copy_nc_x32(op, p.batch, p.channels, p.input_stride, p.output_stride, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_copy_nc_x32(op, in[0], out);
    }};
inline constexpr xnnpack_operator channel_shuffle = {
    "channel_shuffle_nc_x32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_channel_shuffle_nc_x32(p.groups, p.channels / p.groups, p.input_stride, p.output_stride, flags, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        return xnn_reshape_channel_shuffle_nc_x32(op, p.batch, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_channel_shuffle_nc_x32(op, in[0], out);
    }};
inline constexpr xnnpack_operator depth_to_space = {
    "depth_to_space_nhwc_x32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_depth_to_space_nhwc_x32(p.block, flags, made);
    },
    [](xnn_operator_t op, const xnnpack_parameters& p, std::size_t&, pthreadpool_t pool) {
        std::size_t rows = 0, columns = 0, channels = 0;
        return xnn_reshape_depth_to_space_nhwc_x32(op, p.batch, p.height, p.width, p.channels, &rows, &columns, &channels, pool);
    },
    [](xnn_operator_t op, const xnnpack_parameters&, void*, const float* const* in, float* out, pthreadpool_t) {
        return xnn_setup_depth_to_space_nhwc_x32(op, in[0], out);
    }};

#else

/// An operator on rows, whose function takes these members of the parameters behind the channels.
template <auto Create, auto Setup, auto... Members>
[[nodiscard]] constexpr xnnpack_operator rowwise(std::string_view name) {
    return {name,
            [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                return Create(p.channels, p.input_stride, p.output_stride, p.*Members..., flags, made);
            },
            nullptr,
            [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
                return Setup(op, p.batch, in[0], out, pool);
            }};
}
inline constexpr xnnpack_operator clamp =
    rowwise<xnn_create_clamp_nc_f32, xnn_setup_clamp_nc_f32, &xnnpack_parameters::low, &xnnpack_parameters::high>("clamp_nc_f32");
inline constexpr xnnpack_operator sigmoid = rowwise<xnn_create_sigmoid_nc_f32, xnn_setup_sigmoid_nc_f32>("sigmoid_nc_f32");
inline constexpr xnnpack_operator hard_swish = rowwise<xnn_create_hardswish_nc_f32, xnn_setup_hardswish_nc_f32>("hardswish_nc_f32");
inline constexpr xnnpack_operator leaky_relu =
    rowwise<xnn_create_leaky_relu_nc_f32, xnn_setup_leaky_relu_nc_f32, &xnnpack_parameters::alpha>("leaky_relu_nc_f32");
inline constexpr xnnpack_operator elu = rowwise<xnn_create_elu_nc_f32, xnn_setup_elu_nc_f32, &xnnpack_parameters::alpha>("elu_nc_f32");
inline constexpr xnnpack_operator absolute = rowwise<xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32>("abs_nc_f32");
inline constexpr xnnpack_operator negate = rowwise<xnn_create_negate_nc_f32, xnn_setup_negate_nc_f32>("negate_nc_f32");
inline constexpr xnnpack_operator ceiling = rowwise<xnn_create_ceiling_nc_f32, xnn_setup_ceiling_nc_f32>("ceiling_nc_f32");
inline constexpr xnnpack_operator floor = rowwise<xnn_create_floor_nc_f32, xnn_setup_floor_nc_f32>("floor_nc_f32");
inline constexpr xnnpack_operator round =
    rowwise<xnn_create_bankers_rounding_nc_f32, xnn_setup_bankers_rounding_nc_f32>("bankers_rounding_nc_f32");
inline constexpr xnnpack_operator square_root = rowwise<xnn_create_square_root_nc_f32, xnn_setup_square_root_nc_f32>("square_root_nc_f32");
inline constexpr xnnpack_operator prelu =
    rowwise<xnn_create_prelu_nc_f32, xnn_setup_prelu_nc_f32, &xnnpack_parameters::weights>("prelu_nc_f32");
inline constexpr xnnpack_operator row_softmax = rowwise<xnn_create_softmax_nc_f32, xnn_setup_softmax_nc_f32>("softmax_nc_f32");
inline constexpr xnnpack_operator copy = rowwise<xnn_create_copy_nc_x32, xnn_setup_copy_nc_x32>("copy_nc_x32");

template <auto Create, auto Setup, auto... Members>
[[nodiscard]] constexpr xnnpack_operator binary(std::string_view name) {
    return {name,
            [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                static_cast<void>(p);  // not every one reads it
                return Create(p.*Members..., flags, made);
            },
            nullptr,
            [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
                return Setup(op, p.first_rank, p.first.data(), p.second_rank, p.second.data(), in[0], in[1], out, pool);
            }};
}
template <auto Create, auto Setup>
[[nodiscard]] constexpr xnnpack_operator cut_binary(std::string_view name) {
    return binary<Create, Setup, &xnnpack_parameters::low, &xnnpack_parameters::high>(name);
}
inline constexpr xnnpack_operator add = cut_binary<xnn_create_add_nd_f32, xnn_setup_add_nd_f32>("add_nd_f32");
inline constexpr xnnpack_operator subtract = cut_binary<xnn_create_subtract_nd_f32, xnn_setup_subtract_nd_f32>("subtract_nd_f32");
inline constexpr xnnpack_operator multiply = cut_binary<xnn_create_multiply_nd_f32, xnn_setup_multiply_nd_f32>("multiply_nd_f32");
inline constexpr xnnpack_operator divide = cut_binary<xnn_create_divide_nd_f32, xnn_setup_divide_nd_f32>("divide_nd_f32");
inline constexpr xnnpack_operator maximum = binary<xnn_create_maximum_nd_f32, xnn_setup_maximum_nd_f32>("maximum_nd_f32");
inline constexpr xnnpack_operator minimum = binary<xnn_create_minimum_nd_f32, xnn_setup_minimum_nd_f32>("minimum_nd_f32");

template <auto Create>
xnn_status create_convolution(const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
    return Create(p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1], p.dilations[0], p.dilations[1],
                  p.groups, p.group_inputs, p.group_outputs, p.input_stride, p.output_stride, p.weights, p.bias, p.low, p.high, flags,
                  made);
}
template <auto Setup>
xnn_status setup_images(xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
    return Setup(op, p.batch, p.height, p.width, in[0], out, pool);
}
inline constexpr xnnpack_operator convolution = {"convolution2d_nhwc_f32", create_convolution<xnn_create_convolution2d_nhwc_f32>, nullptr,
                                                 setup_images<xnn_setup_convolution2d_nhwc_f32>};
inline constexpr xnnpack_operator transposed_convolution = {
    "deconvolution2d_nhwc_f32", create_convolution<xnn_create_deconvolution2d_nhwc_f32>, nullptr,
    [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
        return xnn_setup_deconvolution2d_nhwc_f32(op, p.batch, p.height, p.width, static_cast<std::uint32_t>(p.more_height),
                                                  static_cast<std::uint32_t>(p.more_width), in[0], out, pool);
    }};
inline constexpr xnnpack_operator fully_connected = {
    "fully_connected_nc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_fully_connected_nc_f32(p.group_inputs, p.group_outputs, p.input_stride, p.output_stride, p.weights, p.bias, p.low,
                                                 p.high, flags, made);
    },
    nullptr,
    [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
        return xnn_setup_fully_connected_nc_f32(op, p.batch, in[0], out, pool);
    }};
inline constexpr xnnpack_operator global_average = {
    "global_average_pooling_nwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_global_average_pooling_nwc_f32(p.channels, p.input_stride, p.output_stride, p.low, p.high, flags, made);
    },
    nullptr,
    [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
        return xnn_setup_global_average_pooling_nwc_f32(op, p.batch, p.height * p.width, in[0], out, pool);
    }};
inline constexpr xnnpack_operator average = {"average_pooling2d_nhwc_f32",
                                             [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                                                 return xnn_create_average_pooling2d_nhwc_f32(
                                                     p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0], p.strides[1],
                                                     p.channels, p.input_stride, p.output_stride, p.low, p.high, flags, made);
                                             },
                                             nullptr, setup_images<xnn_setup_average_pooling2d_nhwc_f32>};
inline constexpr xnnpack_operator max_pooling = {"max_pooling2d_nhwc_f32",
                                                 [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                                                     return xnn_create_max_pooling2d_nhwc_f32(
                                                         p.top, p.right, p.bottom, p.left, p.kernel[0], p.kernel[1], p.strides[0],
                                                         p.strides[1], p.dilations[0], p.dilations[1], p.channels, p.input_stride,
                                                         p.output_stride, p.low, p.high, flags, made);
                                                 },
                                                 nullptr, setup_images<xnn_setup_max_pooling2d_nhwc_f32>};
inline constexpr xnnpack_operator bilinear_resize = {
    "resize_bilinear2d_nhwc_f32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_resize_bilinear2d_nhwc_f32(p.channels, p.input_stride, p.output_stride, flags, made);
    },
    nullptr,
    [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
        return xnn_setup_resize_bilinear2d_nhwc_f32(op, p.batch, p.height, p.width, p.more_height, p.more_width, in[0], out, pool);
    }};
inline constexpr xnnpack_operator channel_shuffle = {
    "channel_shuffle_nc_x32",
    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
        return xnn_create_channel_shuffle_nc_x32(p.groups, p.channels / p.groups, p.input_stride, p.output_stride, flags, made);
    },
    nullptr,
    [](xnn_operator_t op, const xnnpack_parameters& p, void*, const float* const* in, float* out, pthreadpool_t pool) {
        return xnn_setup_channel_shuffle_nc_x32(op, p.batch, in[0], out, pool);
    }};
inline constexpr xnnpack_operator depth_to_space = {"depth_to_space_nhwc_x32",
                                                    [](const xnnpack_parameters& p, std::uint32_t flags, xnn_operator_t* made) {
                                                        const std::size_t outputs = p.channels / p.block / p.block;
                                                        return xnn_create_depth_to_space_nhwc_x32(outputs, p.channels, outputs, p.block,
                                                                                                  flags, made);
                                                    },
                                                    nullptr, setup_images<xnn_setup_depth_to_space_nhwc_x32>};

#endif

}  // namespace xnnpack_operators

}  // namespace inlay::detail

#endif
