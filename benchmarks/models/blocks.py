# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Single blocks of networks, which show what one kernel for a whole block is worth."""
from onnx import TensorProto

from layers import convolve, layer_norm, linear
from writer import Writer


def mobilenet_block(channels, factor, size):
    """The inverted residual of MobileNet-v2, batch normalisations folded, with ReLU."""
    w = Writer("mobilenet_block")
    y = convolve(w, "input", "/expand", channels, factor * channels, 1, activation="Relu")
    y = convolve(w, y, "/depthwise", factor * channels, factor * channels, 3, group=factor * channels, activation="Relu")
    y = w.node("Add", ["input", convolve(w, y, "/project", factor * channels, channels, 1)])
    extents = [1, channels, size, size]
    return w.finish_static([("input", TensorProto.FLOAT, extents)], [(y, "output", extents)])


def attention_layer(width, heads, sequence):
    """Attention of BERT with its products, mask, residual and normalisation."""
    w = Writer("attention_layer")
    depth = width // heads
    scale = w.number(depth ** -0.5, "scale")
    split, merge = w.integers([1, sequence, heads, depth], "split_heads"), w.integers([1, sequence, width], "merge_heads")
    query, key, value = (w.node("Transpose", [w.node("Reshape", [linear(w, "input", f"/{part}", width, width), split], f"/{part}")], f"/{part}",
                                perm=[0, 2, 3, 1] if part == "key" else [0, 2, 1, 3]) for part in ("query", "key", "value"))
    scores = w.node("Add", [w.node("Mul", [w.node("MatMul", [query, key]), scale]), "mask"])
    y = w.node("MatMul", [w.node("Softmax", [scores], axis=-1), value])
    y = w.node("Reshape", [w.node("Transpose", [y], perm=[0, 2, 1, 3]), merge])
    y = layer_norm(w, w.node("Add", [linear(w, y, "/output", width, width), "input"]), "/norm", width, 1e-12)
    extents = [1, sequence, width]
    return w.finish_static([("input", TensorProto.FLOAT, extents), ("mask", TensorProto.FLOAT, [1, 1, 1, sequence])], [(y, "output", extents)])
