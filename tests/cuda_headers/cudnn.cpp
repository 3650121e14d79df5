// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cudnn.h>

#include <cstddef>

#include <inlay/backend/cudnn/cudnn_library.hpp>

#include "called_alike.hpp"

using namespace cuda_headers_test;
using ours = inlay::detail::cudnn_library;
using choice = inlay::detail::cudnn_choice;

static_assert(is_called_alike<decltype(ours::version), decltype(&cudnnGetVersion)>);
static_assert(is_called_alike<decltype(ours::error_text), decltype(&cudnnGetErrorString)>);
static_assert(is_called_alike<decltype(ours::create), decltype(&cudnnCreate)>);
static_assert(is_called_alike<decltype(ours::set_stream), decltype(&cudnnSetStream)>);
static_assert(is_called_alike<decltype(ours::create_tensor), decltype(&cudnnCreateTensorDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_tensor), decltype(&cudnnSetTensorNdDescriptor)>);
static_assert(is_called_alike<decltype(ours::destroy_tensor), decltype(&cudnnDestroyTensorDescriptor)>);
static_assert(is_called_alike<decltype(ours::create_filter), decltype(&cudnnCreateFilterDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_filter), decltype(&cudnnSetFilterNdDescriptor)>);
static_assert(is_called_alike<decltype(ours::destroy_filter), decltype(&cudnnDestroyFilterDescriptor)>);
static_assert(is_called_alike<decltype(ours::create_convolution), decltype(&cudnnCreateConvolutionDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_convolution), decltype(&cudnnSetConvolutionNdDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_groups), decltype(&cudnnSetConvolutionGroupCount)>);
static_assert(is_called_alike<decltype(ours::set_math), decltype(&cudnnSetConvolutionMathType)>);
static_assert(is_called_alike<decltype(ours::destroy_convolution), decltype(&cudnnDestroyConvolutionDescriptor)>);
static_assert(is_called_alike<decltype(ours::create_activation), decltype(&cudnnCreateActivationDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_activation), decltype(&cudnnSetActivationDescriptor)>);
static_assert(is_called_alike<decltype(ours::destroy_activation), decltype(&cudnnDestroyActivationDescriptor)>);
static_assert(is_called_alike<decltype(ours::create_pooling), decltype(&cudnnCreatePoolingDescriptor)>);
static_assert(is_called_alike<decltype(ours::set_pooling), decltype(&cudnnSetPoolingNdDescriptor)>);
static_assert(is_called_alike<decltype(ours::destroy_pooling), decltype(&cudnnDestroyPoolingDescriptor)>);
static_assert(is_called_alike<decltype(ours::choose), decltype(&cudnnGetConvolutionForwardAlgorithm_v7)>);
static_assert(is_called_alike<decltype(ours::workspace), decltype(&cudnnGetConvolutionForwardWorkspaceSize)>);
static_assert(is_called_alike<decltype(ours::convolve), decltype(&cudnnConvolutionForward)>);
static_assert(is_called_alike<decltype(ours::convolve_and_activate), decltype(&cudnnConvolutionBiasActivationForward)>);
static_assert(is_called_alike<decltype(ours::add), decltype(&cudnnAddTensor)>);
static_assert(is_called_alike<decltype(ours::activate), decltype(&cudnnActivationForward)>);
static_assert(is_called_alike<decltype(ours::pool), decltype(&cudnnPoolingForward)>);
static_assert(is_called_alike<decltype(ours::softmax), decltype(&cudnnSoftmaxForward)>);

static_assert(CUDNN_STATUS_SUCCESS == 0 && ours::element_float32 == CUDNN_DATA_FLOAT && ours::order_row_major == CUDNN_TENSOR_NCHW);
static_assert(ours::mode_correlation == CUDNN_CROSS_CORRELATION);
static_assert(ours::math_default == CUDNN_DEFAULT_MATH && ours::math_float32 == CUDNN_FMA_MATH);
static_assert(ours::function_relu == CUDNN_ACTIVATION_RELU && ours::nans_pass == CUDNN_PROPAGATE_NAN);
static_assert(ours::pool_maximum == CUDNN_POOLING_MAX && ours::pool_average == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING);
static_assert(ours::pool_average_with_pads == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING);
static_assert(ours::softmax_accurate == CUDNN_SOFTMAX_ACCURATE && ours::softmax_logarithm == CUDNN_SOFTMAX_LOG);
static_assert(ours::softmax_of_channels == CUDNN_SOFTMAX_MODE_CHANNEL);
static_assert(ours::algorithms == CUDNN_CONVOLUTION_FWD_ALGO_COUNT && ours::most_axes <= CUDNN_DIM_MAX);

static_assert(sizeof(choice) == sizeof(cudnnConvolutionFwdAlgoPerf_t));
static_assert(offsetof(choice, algorithm) == offsetof(cudnnConvolutionFwdAlgoPerf_t, algo));
static_assert(offsetof(choice, status) == offsetof(cudnnConvolutionFwdAlgoPerf_t, status));
static_assert(offsetof(choice, workspace_bytes) == offsetof(cudnnConvolutionFwdAlgoPerf_t, memory));
static_assert(offsetof(choice, math) == offsetof(cudnnConvolutionFwdAlgoPerf_t, mathType));
