# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""U-Net (Ronneberger et al. 2015) for one channel, half as wide as published, padded so that skipped pictures fit."""
from onnx import TensorProto

import weights
from layers import convolve
from writer import Writer


def unet(width, levels, size):
    w = Writer("unet")

    def twice(x, path, channels, to, gain=1.0):
        x = convolve(w, x, path + ".0", channels, to, 3, activation="Relu", gain=gain)
        return convolve(w, x, path + ".1", to, to, 3, activation="Relu")

    x, skipped = twice("input", "/enter", 1, width), []
    for level in range(levels):
        skipped.append(x)
        x = w.node("MaxPool", [x], f"/down.{level}", ceil_mode=0, kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4, dilations=[1, 1])
        # The larger of four has about twice the mean square, which the next convolution takes back.
        x, width = twice(x, f"/down.{level}/conv", width, 2 * width, 0.6), 2 * width
    for level in reversed(range(levels)):
        path, half = f"/up.{level}", width // 2
        x = w.node("ConvTranspose", [x, w.random(path + ".weight", weights.normal, (width, half, 2, 2), width ** -0.5),
                                     w.random(path + ".bias", weights.normal, (half,), 0.1)],
                   path, kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4, dilations=[1, 1], group=1)
        x, width = twice(w.node("Concat", [skipped[level], x], path, axis=1), path + "/conv", width, half), half
    x = w.node("Sigmoid", [convolve(w, x, "/leave", width, 1, 1)])
    return w.finish_static([("input", TensorProto.FLOAT, [1, 1, size, size])], [(x, "output", [1, 1, size, size])])
