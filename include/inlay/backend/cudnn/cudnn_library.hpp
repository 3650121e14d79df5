// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_CUDNN_LIBRARY_HPP
#define INLAY_BACKEND_CUDNN_CUDNN_LIBRARY_HPP

#include <cstddef>
#include <string>

#include <inlay/backend/cuda/found_functions.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// An algorithm for a convolution that the library's heuristic proposes, as the library writes it down.
struct cudnn_choice {
    int algorithm = 0, status = 0;
    float seconds = 0;
    std::size_t workspace_bytes = 0;
    int is_deterministic = 0, math = 0, reserved[3] = {};
};

/// The functions of cuDNN that are called here, and the numbers that it has for what they are told, declared by hand, so that a build needs
/// none of NVIDIA's headers and a program none of its libraries. All but two give 0, or a number of what failed. The library, its
/// descriptions of tensors, filters and operators, and streams are pointers.
struct cudnn_library {
    std::size_t (*version)() = nullptr;
    const char* (*error_text)(int status) = nullptr;
    int (*create)(void** library) = nullptr;
    int (*set_stream)(void* library, void* stream) = nullptr;
    int (*create_tensor)(void** tensor) = nullptr;
    int (*set_tensor)(void* tensor, int element, int axes, const int* extents, const int* strides) = nullptr;
    int (*destroy_tensor)(void* tensor) = nullptr;
    int (*create_filter)(void** filter) = nullptr;
    int (*set_filter)(void* filter, int element, int order, int axes, const int* extents) = nullptr;
    int (*destroy_filter)(void* filter) = nullptr;
    int (*create_convolution)(void** convolution) = nullptr;
    int (*set_convolution)(void* convolution, int axes, const int* pads, const int* strides, const int* dilations, int mode,
                           int element) = nullptr;
    int (*set_groups)(void* convolution, int groups) = nullptr;
    int (*set_math)(void* convolution, int math) = nullptr;
    int (*destroy_convolution)(void* convolution) = nullptr;
    int (*create_activation)(void** activation) = nullptr;
    int (*set_activation)(void* activation, int function, int nans, double coefficient) = nullptr;
    int (*destroy_activation)(void* activation) = nullptr;
    int (*create_pooling)(void** pooling) = nullptr;
    int (*set_pooling)(void* pooling, int mode, int nans, int axes, const int* window, const int* pads, const int* strides) = nullptr;
    int (*destroy_pooling)(void* pooling) = nullptr;
    int (*choose)(void* library, void* x_tensor, void* filter, void* convolution, void* y_tensor, int wanted, int* count,
                  cudnn_choice* choices) = nullptr;
    int (*workspace)(void* library, void* x_tensor, void* filter, void* convolution, void* y_tensor, int algorithm,
                     std::size_t* bytes) = nullptr;
    int (*convolve)(void* library, const void* alpha, void* x_tensor, const void* x, void* filter, const void* weights, void* convolution,
                    int algorithm, void* workspace, std::size_t workspace_bytes, const void* beta, void* y_tensor, void* y) = nullptr;
    int (*convolve_and_activate)(void* library, const void* alpha, void* x_tensor, const void* x, void* filter, const void* weights,
                                 void* convolution, int algorithm, void* workspace, std::size_t workspace_bytes, const void* addend_factor,
                                 void* addend_tensor, const void* addend, void* bias_tensor, const void* bias, void* activation,
                                 void* y_tensor, void* y) = nullptr;
    int (*add)(void* library, const void* alpha, void* from_tensor, const void* from, const void* beta, void* to_tensor,
               void* to) = nullptr;
    int (*activate)(void* library, void* activation, const void* alpha, void* x_tensor, const void* x, const void* beta, void* y_tensor,
                    void* y) = nullptr;
    int (*pool)(void* library, void* pooling, const void* alpha, void* x_tensor, const void* x, const void* beta, void* y_tensor,
                void* y) = nullptr;
    int (*softmax)(void* library, int algorithm, int mode, const void* alpha, void* x_tensor, const void* x, const void* beta,
                   void* y_tensor, void* y) = nullptr;

    // Element types and orders, how to compute, functions, windows.
    static constexpr int element_float32 = 0, order_row_major = 0, mode_correlation = 1;
    static constexpr int math_default = 0, math_float32 = 3;  // by default tf32 may stand in for float32
    static constexpr int function_relu = 1, nans_pass = 1;
    static constexpr int pool_maximum = 0, pool_average_with_pads = 1, pool_average = 2;
    static constexpr int softmax_accurate = 1, softmax_logarithm = 2, softmax_of_channels = 1;
    /// How many axes a tensor has at least, and at most here.
    static constexpr std::size_t least_axes = 4, most_axes = 5;
    /// How many algorithms there are for a convolution.
    static constexpr int algorithms = 8;

    /// What a status means, as the library says it.
    [[nodiscard]] std::string said(int status) const {
        const char* const text = error_text != nullptr ? error_text(status) : nullptr;
        return text != nullptr ? text : "status " + std::to_string(status);
    }

    /// The library of that file; where it is empty, the newest that is installed. The error says that there is none, or that it is too old.
    [[nodiscard]] static outcome<cudnn_library> open(const std::string& file) {
        constexpr const char* names[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"};
        auto found = found_functions::open("NVIDIA's cuDNN", names, file);
        if (!found) return found.failure();
        cudnn_library made;
        found->find(made.version, "cudnnGetVersion");
        found->find(made.error_text, "cudnnGetErrorString");
        found->find(made.create, "cudnnCreate");
        found->find(made.set_stream, "cudnnSetStream");
        found->find(made.create_tensor, "cudnnCreateTensorDescriptor");
        found->find(made.set_tensor, "cudnnSetTensorNdDescriptor");
        found->find(made.destroy_tensor, "cudnnDestroyTensorDescriptor");
        found->find(made.create_filter, "cudnnCreateFilterDescriptor");
        found->find(made.set_filter, "cudnnSetFilterNdDescriptor");
        found->find(made.destroy_filter, "cudnnDestroyFilterDescriptor");
        found->find(made.create_convolution, "cudnnCreateConvolutionDescriptor");
        found->find(made.set_convolution, "cudnnSetConvolutionNdDescriptor");
        found->find(made.set_groups, "cudnnSetConvolutionGroupCount");
        found->find(made.set_math, "cudnnSetConvolutionMathType");
        found->find(made.destroy_convolution, "cudnnDestroyConvolutionDescriptor");
        found->find(made.create_activation, "cudnnCreateActivationDescriptor");
        found->find(made.set_activation, "cudnnSetActivationDescriptor");
        found->find(made.destroy_activation, "cudnnDestroyActivationDescriptor");
        found->find(made.create_pooling, "cudnnCreatePoolingDescriptor");
        found->find(made.set_pooling, "cudnnSetPoolingNdDescriptor");
        found->find(made.destroy_pooling, "cudnnDestroyPoolingDescriptor");
        found->find(made.choose, "cudnnGetConvolutionForwardAlgorithm_v7");
        found->find(made.workspace, "cudnnGetConvolutionForwardWorkspaceSize");
        found->find(made.convolve, "cudnnConvolutionForward");
        found->find(made.convolve_and_activate, "cudnnConvolutionBiasActivationForward");
        found->find(made.add, "cudnnAddTensor");
        found->find(made.activate, "cudnnActivationForward");
        found->find(made.pool, "cudnnPoolingForward");
        found->find(made.softmax, "cudnnSoftmaxForward");
        if (auto whole = found->check(); !whole) return whole.failure();
        return made;
    }
};

}  // namespace inlay::detail

#endif
