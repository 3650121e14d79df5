# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""VGG-16 (Simonyan and Zisserman 2014, configuration D): 3 x 3 convolutions, three products of matrices."""
from onnx import TensorProto

from layers import classify, convolve
from writer import Writer


def vgg16(size, classes):
    w = Writer("vgg16")
    x, channels = "input", 3
    for stage, (to, times) in enumerate([(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)], 1):
        for number in range(1, times + 1):
            x, channels = convolve(w, x, f"/conv{stage}_{number}", channels, to, [3, 3], activation="Relu"), to
        x = w.node("MaxPool", [x], f"/pool{stage}", kernel_shape=[2, 2], strides=[2, 2])
    x, features = w.node("Flatten", [x], axis=1), channels * (size // 32) ** 2
    for number in (6, 7):
        x, features = w.node("Relu", [classify(w, x, f"/fc{number}", features, 4096)], f"/fc{number}"), 4096
    x = classify(w, x, "/fc8", features, classes)
    return w.finish_static([("input", TensorProto.FLOAT, [1, 3, size, size])], [(x, "output", [1, classes])])
