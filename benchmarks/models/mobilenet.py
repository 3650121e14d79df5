# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""MobileNet-v2 (Sandler et al. 2018), with its batch normalisations left as nodes of their own and a symbolic batch."""
import math

from onnx import TensorProto, helper

import weights
from writer import Writer


def mobilenet_v2():
    w = Writer("mobilenet_v2")
    low, high = w.number(0, "low"), w.number(6, "high")

    def convolve(x, path, channels, to, kernel, stride=1, group=1, clip=True, damped=False):
        weight = w.random(path + ".conv.weight", weights.he_normal, (to, channels // group, kernel, kernel), channels // group * kernel * kernel)
        x = w.node("Conv", [x, weight], path, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4, dilations=[1, 1],
                   group=group)
        scale = (0.3, 0.5) if damped else (0.8, 1.2)
        x = w.node("BatchNormalization", [x, w.random(path + ".bn.weight", weights.uniform, (to,), *scale),
                                          w.random(path + ".bn.bias", weights.normal, (to,), 0.1),
                                          w.random(path + ".bn.running_mean", weights.normal, (to,), 0.1),
                                          w.random(path + ".bn.running_var", weights.uniform, (to,), 0.5, 2.0)], path, epsilon=1e-5)
        return w.node("Clip", [x, low, high], path) if clip else x

    x, channels, block = convolve("input", "/features.0", 3, 32, 3, 2), 32, 1
    for factor, to, repeats, first_stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                                              (6, 320, 1, 1)]:
        for i in range(repeats):
            stride, path, hidden = first_stride if i == 0 else 1, f"/features.{block}", channels * factor
            y = convolve(x, path + ".expand", channels, hidden, 1) if factor != 1 else x
            y = convolve(y, path + ".depthwise", hidden, hidden, 3, stride, hidden)
            adds = stride == 1 and channels == to
            y = convolve(y, path + ".project", hidden, to, 1, clip=False, damped=adds)
            x, channels, block = w.node("Add", [x, y], path) if adds else y, to, block + 1
    x = convolve(x, f"/features.{block}", channels, 1280, 1)
    x = w.node("Flatten", [w.node("GlobalAveragePool", [x])], axis=1)
    x = w.node("Gemm", [x, w.random("classifier.weight", weights.normal, (1000, 1280), math.sqrt(1 / 1280)),
                        w.random("classifier.bias", weights.normal, (1000,), 0.05)], "/classifier", transB=1)
    inputs = [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["batch", 3, 224, 224])]
    return w.finish(inputs, [(x, "output", ["batch", 1000])], 13, 7), {"input": [1, 3, 224, 224]}
