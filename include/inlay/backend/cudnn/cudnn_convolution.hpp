// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_CUDNN_CONVOLUTION_HPP
#define INLAY_BACKEND_CUDNN_CUDNN_CONVOLUTION_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/backend/cuda/library_object.hpp>
#include <inlay/backend/cudnn/cudnn_session.hpp>
#include <inlay/backend/cudnn/cudnn_shape.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A convolution as cuDNN is told of it; the extents of the weights are output channels, input channels of a group, and the window.
struct convolution_layout {
    cudnn_shape x, weights, y;
    cudnn_window window;
    int groups = 1;

    /// For people: `3 x 3 convolution of 64 to 128 channels`.
    [[nodiscard]] std::string name() const {
        std::string text;
        for (const int n : window.kernel) text += (text.empty() ? "" : " x ") + std::to_string(n);
        text += " convolution of " + std::to_string(x.extents[1]) + " to " + std::to_string(y.extents[1]) + " channels";
        if (groups > 1) text += " in " + std::to_string(groups) + " groups";
        return text;
    }

    friend bool operator==(const convolution_layout&, const convolution_layout&) = default;
};

/// What a convolution on the device is made of: relu?(weights * x + bias? + addend?). `is_whole`: all of it is one call of the library,
/// which then has a Relu and a bias; else each is a call of its own.
struct cudnn_order {
    convolution_layout layout;
    bool by_tf32 = false, has_relu = false, is_whole = false;
    cuda_operand x, weights;
    std::optional<cuda_operand> bias, addend;  // one number for each channel; a tensor like the result
};

/// A convolution by cuDNN: what it was described as, and the algorithm that the library's heuristic chose when it was made. A run ends when
/// the device has ended. Addresses that it gets are the device's.
class cudnn_convolution : public started_on_cuda<cudnn_convolution> {
public:
    /// How much memory an algorithm may use besides.
    static constexpr std::size_t most_workspace = std::size_t{256} << 20;

    /// Error: what the library says.
    [[nodiscard]] static outcome<kernel> make(const cudnn_session& session, cudnn_order order) {
        const std::string name = order.layout.name() + (order.by_tf32 ? " by tf32" : "");
        cudnn_convolution made(session, std::move(order));
        bool has_algorithm = false;
        const int wrong = session.call([&](const cudnn_library& l, void* handle) { return made.describe(l, handle, has_algorithm); });
        const std::string where = "NVIDIA's cuDNN has no " + name + " on the CUDA device " + cuda_device::here()->name() + ": ";
        if (wrong != 0) return error{where + session.library().said(wrong)};
        if (!has_algorithm)
            return error{where + "its heuristic proposes no algorithm within " + std::to_string(most_workspace >> 20) + " MiB"};
        const std::size_t bytes = made.workspace_;
        const int algorithm = made.algorithm_;
        kernel k(std::move(made), bytes);
        k.note = name + ", algorithm " + std::to_string(algorithm);
        return k;
    }

    [[nodiscard]] bool start(const run_arguments& a) const {
        const float one = 1, none = 0;
        const void* const x = order_.x.at(a);
        void* const y = a.results[0];
        const void* const addend = order_.addend ? order_.addend->at(a) : nullptr;
        return session_.start([&](const cudnn_library& l, void* h) {
            if (order_.is_whole)
                return l.convolve_and_activate(h, &one, x_.get(), x, filter_.get(), order_.weights.constant(), convolution_.get(),
                                               algorithm_, a.workspace, workspace_, addend != nullptr ? &one : &none, y_.get(),
                                               addend != nullptr ? addend : y, bias_.get(), order_.bias->constant(), activation_.get(),
                                               y_.get(), y);
            int wrong = l.convolve(h, &one, x_.get(), x, filter_.get(), order_.weights.constant(), convolution_.get(), algorithm_,
                                   a.workspace, workspace_, &none, y_.get(), y);
            if (wrong == 0 && order_.bias) wrong = l.add(h, &one, bias_.get(), order_.bias->constant(), &one, y_.get(), y);
            if (wrong == 0 && addend != nullptr) wrong = l.add(h, &one, y_.get(), addend, &one, y_.get(), y);
            if (wrong == 0 && order_.has_relu) wrong = l.activate(h, activation_.get(), &one, y_.get(), y, &none, y_.get(), y);
            return wrong;
        });
    }

private:
    cudnn_convolution(const cudnn_session& session, cudnn_order order)
        : session_(session),
          order_(std::move(order)),
          filter_(session.library().destroy_filter),
          convolution_(session.library().destroy_convolution),
          activation_(session.library().destroy_activation) {}

    /// Tells the library of tensors and window, and has it choose an algorithm. 0, or the status of what failed.
    [[nodiscard]] int describe(const cudnn_library& l, void* handle, bool& has_algorithm) {
        const convolution_layout& c = order_.layout;
        int wrong = session_.describe(x_, c.x);
        const auto next = [&](auto&& step) {
            if (wrong == 0) wrong = step();
        };
        next([&] { return session_.describe(y_, c.y); });
        cudnn_shape channels{std::vector<int>(c.y.extents.size(), 1)};
        channels.extents[1] = c.y.extents[1];
        next([&] { return session_.describe(bias_, channels); });
        next([&] { return l.create_filter(filter_.made()); });
        next([&] { return l.set_filter(filter_.get(), l.element_float32, l.order_row_major, c.weights.axes(), c.weights.extents.data()); });
        next([&] { return l.create_convolution(convolution_.made()); });
        next([&] {
            return l.set_convolution(convolution_.get(), c.window.axes(), c.window.pads.data(), c.window.strides.data(),
                                     c.window.dilations.data(), l.mode_correlation, l.element_float32);
        });
        next([&] { return l.set_groups(convolution_.get(), c.groups); });
        next([&] { return l.set_math(convolution_.get(), order_.by_tf32 ? l.math_default : l.math_float32); });
        next([&] { return l.create_activation(activation_.made()); });
        next([&] { return l.set_activation(activation_.get(), l.function_relu, l.nans_pass, 0); });
        cudnn_choice choices[cudnn_library::algorithms];
        int count = 0;
        next([&] { return l.choose(handle, x_.get(), filter_.get(), convolution_.get(), y_.get(), l.algorithms, &count, choices); });
        // The quickest comes first.
        for (int i = 0; i < count && wrong == 0 && !has_algorithm; ++i) {
            if (choices[i].status != 0) continue;
            algorithm_ = choices[i].algorithm;
            const int fits = l.workspace(handle, x_.get(), filter_.get(), convolution_.get(), y_.get(), algorithm_, &workspace_);
            has_algorithm = fits == 0 && workspace_ <= most_workspace;
        }
        return wrong;
    }

    cudnn_session session_;
    cudnn_order order_;
    library_object x_, y_, bias_, filter_, convolution_, activation_;
    int algorithm_ = 0;
    std::size_t workspace_ = 0;
};

}  // namespace inlay::detail

#endif
