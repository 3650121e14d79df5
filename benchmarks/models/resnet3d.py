# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""R3D-18 (Tran et al. 2018): a residual network for clips, with convolutions over time as well."""
from onnx import TensorProto

from layers import classify, convolve
from writer import Writer


def resnet3d_18(frames, size, classes):
    w = Writer("resnet3d_18")
    x, channels = convolve(w, "input", "/stem", 3, 64, [3, 7, 7], [1, 2, 2], activation="Relu"), 64
    for stage, to in enumerate([64, 128, 256, 512], 1):
        for block in range(2):
            path, stride = f"/layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            y = convolve(w, x, path + "/conv1", channels, to, [3, 3, 3], stride, activation="Relu")
            # Damped, as it is added to its own input.
            y = convolve(w, y, path + "/conv2", to, to, [3, 3, 3], gain=0.3)
            past = convolve(w, x, path + "/downsample", channels, to, [1, 1, 1], stride, gain=1.5) if stride != 1 else x
            x, channels = w.node("Relu", [w.node("Add", [y, past], path)], path), to
    x = w.node("Flatten", [w.node("GlobalAveragePool", [x], "/avgpool")], axis=1)
    x = classify(w, x, "/fc", channels, classes)
    return w.finish_static([("input", TensorProto.FLOAT, [1, 3, frames, size, size])], [(x, "output", [1, classes])])
