# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""EfficientNet-B0 (Tan and Le 2019): inverted residual blocks whose channels are weighed by squeeze and excitation."""
from onnx import TensorProto

from layers import activate, classify, convolve
from writer import Writer

# Factor of the hidden channels, kernel, stride of the first block, channels, blocks.
STAGES = [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)]


def efficientnet_b0():
    w = Writer("efficientnet_b0")

    def excite(x, path, channels, squeezed):
        """Times a weight for each channel."""
        y = w.node("GlobalAveragePool", [x], path)
        y = activate(w, convolve(w, y, path + "/fc1", channels, squeezed, 1), path, "Silu")
        y = w.node("Sigmoid", [convolve(w, y, path + "/fc2", squeezed, channels, 1)], path)
        return w.node("Mul", [y, x], path)

    x, channels, block = convolve(w, "input", "/stem", 3, 32, 3, 2, activation="Silu"), 32, 0
    for factor, kernel, first_stride, to, repeats in STAGES:
        for i in range(repeats):
            stride, path, hidden = first_stride if i == 0 else 1, f"/blocks.{block}", channels * factor
            y = convolve(w, x, path + "/expand", channels, hidden, 1, activation="Silu") if factor != 1 else x
            y = convolve(w, y, path + "/depthwise", hidden, hidden, kernel, stride, hidden, activation="Silu")
            y = excite(y, path + "/se", hidden, max(1, channels // 4))
            adds = stride == 1 and channels == to
            # Excited channels have about a quarter of the mean square; a branch that is added to its own input is damped.
            y = convolve(w, y, path + "/project", hidden, to, 1, gain=1 if adds else 4)
            x, channels, block = w.node("Add", [y, x], path) if adds else y, to, block + 1
    x = convolve(w, x, "/head", channels, 1280, 1, activation="Silu")
    x = w.node("Flatten", [w.node("GlobalAveragePool", [x])], axis=1)
    x = classify(w, x, "/classifier", 1280, 1000)
    return w.finish_static([("input", TensorProto.FLOAT, [1, 3, 224, 224])], [(x, "output", [1, 1000])])
