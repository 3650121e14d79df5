# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Layers that several networks are built of, as PyTorch's exporter writes them for inference.

A batch normalisation right after a convolution is folded into it, which leaves a convolution with a bias. After anything else, a transposed
convolution too, it stays a node of its own. Weights are scaled so that what a layer gives has a mean square of about one where what it
takes has.
"""
import math

import weights

# The variance before an activation for which what follows has a mean square of one.
VARIANCE_BEFORE = {None: 1, "Relu": 2, "Silu": 2.43}


def activate(w, x, path, activation):
    if activation == "Silu":
        return w.node("Mul", [x, w.node("Sigmoid", [x], path)], path)
    return w.node(activation, [x], path) if activation else x


def convolve(w, x, path, channels, to, kernel, stride=1, group=1, activation=None, gain=1.0, bias=True, padding=None):
    """A convolution with a folded batch normalisation. KERNEL and STRIDE: a number for pictures, or one per dimension.

    GAIN is a factor on the variance of the result before the activation.
    """
    kernel = [kernel] * 2 if isinstance(kernel, int) else kernel
    stride = [stride] * len(kernel) if isinstance(stride, int) else stride
    padding = [k // 2 for k in kernel] if padding is None else padding
    fan_in = channels // group * math.prod(kernel)
    deviation = math.sqrt(gain * VARIANCE_BEFORE[activation] / fan_in)
    inputs = [x, w.random(path + ".weight", weights.normal, (to, channels // group, *kernel), deviation)]
    if bias:
        inputs.append(w.random(path + ".bias", weights.normal, (to,), 0.1))
    x = w.node("Conv", inputs, path, kernel_shape=kernel, strides=stride, pads=padding * 2, dilations=[1] * len(kernel), group=group)
    return activate(w, x, path, activation)


def batch_norm(w, x, path, channels):
    """One that could not be folded."""
    parameters = [w.random(path + ".weight", weights.uniform, (channels,), 0.8, 1.2),
                  w.random(path + ".bias", weights.normal, (channels,), 0.1),
                  w.random(path + ".running_mean", weights.normal, (channels,), 0.1),
                  w.random(path + ".running_var", weights.uniform, (channels,), 0.7, 1.4)]
    return w.node("BatchNormalization", [x, *parameters], path, epsilon=1e-5, momentum=0.9)


def layer_norm(w, x, path, width, epsilon):
    parameters = [w.random(path + ".weight", weights.uniform, (width,), 0.8, 1.2), w.random(path + ".bias", weights.normal, (width,), 0.1)]
    return w.node("LayerNormalization", [x, *parameters], path, axis=-1, epsilon=epsilon)


def linear(w, x, path, rows, columns):
    """A fully connected layer for more than two dimensions."""
    x = w.node("MatMul", [x, w.random(path + ".weight", weights.normal, (rows, columns), math.sqrt(1 / rows))], path)
    return w.node("Add", [w.random(path + ".bias", weights.normal, (columns,), 0.05), x], path)


def classify(w, x, path, width, classes):
    """Scores from one vector."""
    return w.node("Gemm", [x, w.random(path + ".weight", weights.normal, (classes, width), math.sqrt(1 / width)),
                           w.random(path + ".bias", weights.normal, (classes,), 0.05)], path, alpha=1.0, beta=1.0, transB=1)


def pool(w, x, path, op, kernel, stride=1, **attributes):
    """A MaxPool, or an AveragePool that leaves its padding out of the mean."""
    if op == "MaxPool":
        attributes["dilations"] = [1, 1]
    else:
        attributes["count_include_pad"] = 0
    return w.node(op, [x], path, ceil_mode=0, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4, **attributes)


def gelu(w, x, path):
    """By the error function."""
    y = w.node("Div", [x, w.number(math.sqrt(2), "sqrt_2")], path)
    y = w.node("Add", [w.node("Erf", [y], path), w.number(1, "one")], path)
    return w.node("Mul", [w.node("Mul", [x, y], path), w.number(0.5, "half")], path)
