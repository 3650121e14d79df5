# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""ViT (Dosovitskiy et al. 2021) of the tiny width of DeiT (Touvron et al. 2021): patches of 16 by 16, query, key and value from one product."""
import numpy as np
from onnx import TensorProto

import weights
from layers import classify, gelu, layer_norm, linear
from writer import Writer


def vit(name, layers, width, heads, size, patch, classes):
    w = Writer(name)
    depth, places = width // heads, (size // patch) ** 2
    scale = w.number(depth ** -0.5, "scale")
    thirds, three = w.integers([1, 1, 1], "thirds"), w.integers([0], "axis_of_thirds")
    split = w.integers([1, places + 1, 3, heads, depth], "split_heads")
    merge = w.integers([1, places + 1, width], "merge_heads")

    path = "/patch_embed"
    inputs = ["input", w.random(path + ".weight", weights.normal, (width, 3, patch, patch), (3 * patch * patch) ** -0.5),
              w.random(path + ".bias", weights.normal, (width,), 0.1)]
    x = w.node("Conv", inputs, path, kernel_shape=[patch] * 2, strides=[patch] * 2, pads=[0] * 4, dilations=[1, 1], group=1)
    x = w.node("Reshape", [x, w.integers([1, width, places], "rows_of_patches")], path)
    x = w.node("Transpose", [x], path, perm=[0, 2, 1])
    x = w.node("Concat", [w.random("cls_token", weights.normal, (1, 1, width), 0.5), x], axis=1)
    x = w.node("Add", [x, w.random("pos_embed", weights.normal, (1, places + 1, width), 0.5)])

    for layer in range(layers):
        path = f"/blocks.{layer}/attn"
        y = layer_norm(w, x, f"/blocks.{layer}/norm1", width, 1e-6)
        y = w.node("Reshape", [linear(w, y, path + "/qkv", width, 3 * width), split], path)
        y = w.node("Transpose", [y], path, perm=[2, 0, 3, 1, 4])
        query, key, value = (w.node("Squeeze", [t, three], path) for t in w.split("Split", [y, thirds], 3, path, axis=0))
        scores = w.node("MatMul", [w.node("Mul", [query, scale], path), w.node("Transpose", [key], path, perm=[0, 1, 3, 2])], path)
        y = w.node("MatMul", [w.node("Softmax", [scores], path, axis=-1), value], path)
        y = w.node("Reshape", [w.node("Transpose", [y], path, perm=[0, 2, 1, 3]), merge], path)
        x = w.node("Add", [x, linear(w, y, path + "/proj", width, width)], f"/blocks.{layer}")
        path = f"/blocks.{layer}/mlp"
        y = layer_norm(w, x, f"/blocks.{layer}/norm2", width, 1e-6)
        y = gelu(w, linear(w, y, path + "/fc1", width, 4 * width), path + "/act")
        x = w.node("Add", [x, linear(w, y, path + "/fc2", 4 * width, width)], f"/blocks.{layer}")

    x = layer_norm(w, x, "/norm", width, 1e-6)
    x = w.node("Gather", [x, w.constant(np.int64(0), "first")], axis=1)
    x = classify(w, x, "/head", width, classes)
    return w.finish_static([("input", TensorProto.FLOAT, [1, 3, size, size])], [(x, "output", [1, classes])])
