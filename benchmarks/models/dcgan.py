# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The generator of DCGAN (Radford et al. 2016): pictures of 64 by 64 from 100 numbers. The exporter folds no batch normalisation here."""
import math

from onnx import TensorProto

import weights
from layers import batch_norm
from writer import Writer


def dcgan(latent, width):
    w = Writer("dcgan")

    def enlarge(x, number, channels, to, stride, padding):
        # As many of the kernel's values meet in one place of the result; all inputs but the first went through a ReLU.
        meet = (4 // stride) ** 2 if padding else 1
        weight = w.random(f"/main.{number}.weight", weights.normal, (channels, to, 4, 4), math.sqrt((2 if number else 1) / (channels * meet)))
        return w.node("ConvTranspose", [x, weight], f"/main.{number}", kernel_shape=[4, 4], strides=[stride] * 2, pads=[padding] * 4,
                      dilations=[1, 1], group=1)

    x, channels = "input", latent
    for step in range(4):
        to = width * 8 >> step
        x = enlarge(x, 3 * step, channels, to, 2 if step else 1, 1 if step else 0)
        x, channels = w.node("Relu", [batch_norm(w, x, f"/main.{3 * step + 1}", to)], f"/main.{3 * step + 2}"), to
    x = w.node("Tanh", [enlarge(x, 12, channels, 3, 2, 1)], "/main.13")
    return w.finish_static([("input", TensorProto.FLOAT, [1, latent, 1, 1])], [(x, "output", [1, 3, 64, 64])])
