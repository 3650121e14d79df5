// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_KERNELS_QUESTION_HPP
#define INLAY_BENCHMARKS_KERNELS_QUESTION_HPP

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/target/format.hpp>

#include "bar.hpp"

namespace kernels {

using namespace inlay;
using extents = std::vector<std::int64_t>;

/// A tensor of float32 that changes its layout.
struct layout_change {
    extents shape;
    layout from, to;
};

/// One program of a few operators, or a change of layout; how many floating operations or bytes it is about, and what our kernels are to
/// reach.
struct question {
    std::string name;
    ir_module program;
    double operations = 0;
    double bytes = 0;  // where not 0, the rate is in bytes
    bool is_block = false;
    std::optional<layout_change> change = {};  // instead of a program
    double copied = 0;                         // bytes read and written: where not 0, a copy of as many runs in the same rounds
    std::vector<bar> bars = {};

    question& wants(bar b) {
        bars.push_back(std::move(b));
        return *this;
    }
};

/// Makes programs of random numbers.
class maker {
public:
    maker() { b_.open_block(); }
    node_id input(const extents& e) {
        inputs_.push_back(b_.input("x" + std::to_string(inputs_.size()), tensor_type(element_type::float32, shape(e.begin(), e.end()))));
        return inputs_.back();
    }
    node_id weights(const extents& e) {
        tensor t(element_type::float32, e);
        for (float& x : t.as<float>()) x = std::uniform_real_distribution<float>(-0.1f, 0.1f)(random_);
        return b_.constant(t);
    }
    node_id call(std::string_view op, const std::vector<node_id>& operands, const attribute_map& a, const extents& result) {
        return b_.call(op, operands, a, tensor_type(element_type::float32, shape(result.begin(), result.end())));
    }
    ir_module finish(node_id result) {
        b_.declare(b_.function(inputs_, result, "main"));
        return b_.finish();
    }

private:
    ir_builder b_;
    std::vector<node_id> inputs_;
    std::mt19937 random_{1};
};

inline question convolution(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t window, std::int64_t stride,
                            std::int64_t groups = 1) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const node_id x = m.input({1, in, size, size});
    const node_id y =
        m.call("onnx.Conv", {x, m.weights({out, in / groups, window, window}), m.weights({out})},
               {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", groups}}, {1, out, to, to});
    const node_id z = m.call("onnx.Relu", {y}, {}, {1, out, to, to});
    std::string name = (groups > 1 ? "depthwise " : "conv ") + std::to_string(window) + "x" + std::to_string(window) + " " +
                       std::to_string(in) + "->" + std::to_string(out) + " at " + std::to_string(size) +
                       (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(z), 2.0 * static_cast<double>(in / groups * out * window * window * to * to)};
}

/// An inverted residual as MobileNetV2 has them, without the first convolution where `wide` is `in`; the input is added where it fits.
inline question bottleneck(std::int64_t in, std::int64_t wide, std::int64_t out, std::int64_t size, std::int64_t window,
                           std::int64_t stride) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const auto clipped = [&](node_id x, const extents& e) { return m.call("onnx.Relu", {x}, {}, e); };
    const node_id x = m.input({1, in, size, size});
    node_id y = x;
    double operations = 2.0 * static_cast<double>(wide * to * to * (window * window + out));
    if (wide != in) {
        const extents e{1, wide, size, size};
        y = clipped(m.call("onnx.Conv", {x, m.weights({wide, in, 1, 1}), m.weights({wide})}, {}, e), e);
        operations += 2.0 * static_cast<double>(in * wide * size * size);
    }
    const extents narrow{1, wide, to, to}, result{1, out, to, to};
    y = clipped(m.call("onnx.Conv", {y, m.weights({wide, 1, window, window}), m.weights({wide})},
                       {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", wide}}, narrow),
                narrow);
    y = m.call("onnx.Conv", {y, m.weights({out, wide, 1, 1}), m.weights({out})}, {}, result);
    if (in == out && stride == 1) y = m.call("onnx.Add", {y, x}, {}, result);
    const std::string name = "block " + std::to_string(in) + "->" + std::to_string(wide) + "->" + std::to_string(out) + " at " +
                             std::to_string(size) + ", " + std::to_string(window) + "x" + std::to_string(window) +
                             (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(y), operations, 0, true};
}

/// The first half of a block of EfficientNet, up to its gate: a convolution that expands and a depthwise one, each with SiLU.
inline question expanded(std::int64_t in, std::int64_t wide, std::int64_t size, std::int64_t window, std::int64_t stride) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const auto silu = [&](node_id x, const extents& e) { return m.call("onnx.Mul", {x, m.call("onnx.Sigmoid", {x}, {}, e)}, {}, e); };
    const extents between{1, wide, size, size}, result{1, wide, to, to};
    node_id y = m.call("onnx.Conv", {m.input({1, in, size, size}), m.weights({wide, in, 1, 1}), m.weights({wide})}, {}, between);
    y = m.call("onnx.Conv", {silu(y, between), m.weights({wide, 1, window, window}), m.weights({wide})},
               {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", wide}}, result);
    const std::string name = "expanded " + std::to_string(in) + "->" + std::to_string(wide) + " at " + std::to_string(size) + ", " +
                             std::to_string(window) + "x" + std::to_string(window) +
                             (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(silu(y, result)), 2.0 * static_cast<double>(wide * (in * size * size + window * window * to * to)), 0, true};
}

inline question transposed(std::int64_t in, std::int64_t out, std::int64_t size) {
    maker m;
    const node_id x = m.input({1, in, size, size});
    const node_id y = m.call("onnx.ConvTranspose", {x, m.weights({in, out, 4, 4}), m.weights({out})},
                             {{"pads", extents{1, 1, 1, 1}}, {"strides", extents{2, 2}}}, {1, out, 2 * size, 2 * size});
    return {"transposed 4x4/2 " + std::to_string(in) + "->" + std::to_string(out) + " at " + std::to_string(size), m.finish(y),
            2.0 * static_cast<double>(in * out * 16 * size * size)};
}

inline question product(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const node_id x = m.input({rows, depth});
    const node_id y = m.call("onnx.MatMul", {x, m.weights({depth, columns})}, {}, {rows, columns});
    return {"product " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth), m.finish(y),
            2.0 * static_cast<double>(rows * columns * depth)};
}

/// A product, its bias, another tensor and the normalisation of that, as a layer of BERT ends.
inline question normalised(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const extents e{rows, columns};
    const node_id x = m.input({rows, depth}), before = m.input(e);
    node_id y = m.call("onnx.Add", {m.call("onnx.MatMul", {x, m.weights({depth, columns})}, {}, e), m.weights({columns})}, {}, e);
    y = m.call("onnx.Add", {y, before}, {}, e);
    const node_id z = m.call("onnx.LayerNormalization", {y, m.weights({columns}), m.weights({columns})}, {}, e);
    return {"normalised product " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth), m.finish(z),
            2.0 * static_cast<double>(rows * columns * depth), 0, true};
}

inline question batched(std::int64_t batches, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const node_id x = m.input({1, batches, rows, depth}), y = m.input({1, batches, depth, columns});
    const node_id z = m.call("onnx.MatMul", {x, y}, {}, {1, batches, rows, columns});
    return {
        "products " + std::to_string(batches) + " of " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth),
        m.finish(z), 2.0 * static_cast<double>(batches * rows * columns * depth)};
}

/// Operations of one element each: a factor, a term and ReLU.
inline question chain(std::int64_t channels, std::int64_t size) {
    maker m;
    const extents e{1, channels, size, size};
    node_id x = m.input(e);
    x = m.call("onnx.Mul", {x, m.weights({channels, 1, 1})}, {}, e);
    x = m.call("onnx.Add", {x, m.weights({channels, 1, 1})}, {}, e);
    const double bytes = static_cast<double>(channels * size * size) * 8;
    return {"chain of 3 over " + std::to_string(channels) + " at " + std::to_string(size),
            m.finish(m.call("onnx.Relu", {x}, {}, e)),
            0,
            bytes,
            false,
            {},
            bytes};
}

/// A tensor that is read in one layout and written in another.
inline question change_of_layout(std::int64_t channels, std::int64_t size, layout from, layout to) {
    const double bytes = static_cast<double>(channels * size * size) * 8;
    return {to_string(from) + " to " + to_string(to) + ", " + std::to_string(channels) + " at " + std::to_string(size),
            {},
            0,
            bytes,
            false,
            layout_change{{1, channels, size, size}, from, to},
            bytes};
}

inline question function(const char* op, std::int64_t count, const attribute_map& a = {}) {
    maker m;
    const node_id x = m.input({1, count});
    return {std::string(op).substr(5) + " of " + std::to_string(count), m.finish(m.call(op, {x}, a, {1, count})), 0,
            static_cast<double>(count) * 8};
}

inline question rows_of(const char* op, std::int64_t rows, std::int64_t columns) {
    maker m;
    const node_id x = m.input({rows, columns});
    std::vector<node_id> operands{x};
    if (std::string_view(op) == "onnx.LayerNormalization") operands.insert(operands.end(), {m.weights({columns}), m.weights({columns})});
    return {std::string(op).substr(5) + " " + std::to_string(rows) + "x" + std::to_string(columns),
            m.finish(m.call(op, operands, {}, {rows, columns})), 0, static_cast<double>(rows * columns) * 8};
}

}  // namespace kernels

#endif
