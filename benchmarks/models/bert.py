# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""BERT (Devlin et al. 2019) in small operators, as exporters write it before operator set 17; batch and sequence are symbolic."""
import math

import numpy as np
from onnx import TensorProto, helper

import weights
from layers import gelu, linear
from writer import Writer


def bert(name, layers, width, heads, vocabulary, sequence):
    w = Writer(name)
    depth = width // heads
    two, one = w.number(2, "two"), w.number(1, "one")
    epsilon, root_depth = w.number(1e-12, "epsilon"), w.number(math.sqrt(depth), "sqrt_depth")
    split, merge = w.integers([0, 0, heads, depth], "split_heads"), w.integers([0, 0, width], "merge_heads")
    index = {i: w.integers([i], f"index_{i}") for i in (0, 1, 2)}

    def normalise(x, path):
        centred = w.node("Sub", [x, w.node("ReduceMean", [x], path, axes=[-1])], path)
        variance = w.node("ReduceMean", [w.node("Pow", [centred, two], path)], path, axes=[-1])
        x = w.node("Div", [centred, w.node("Sqrt", [w.node("Add", [variance, epsilon], path)], path)], path)
        x = w.node("Mul", [x, w.random(path + ".weight", weights.uniform, (width,), 0.8, 1.2)], path)
        return w.node("Add", [x, w.random(path + ".bias", weights.normal, (width,), 0.1)], path)

    path = "/embeddings"
    length = w.node("Gather", [w.node("Shape", ["input_ids"], path), w.constant(np.int64(1), "sequence_axis")], path, axis=0)
    length = w.node("Unsqueeze", [length, index[0]], path)
    positions = w.constant(np.arange(512, dtype=np.int64).reshape(1, 512), "position_ids")
    positions = w.node("Slice", [positions, index[0], length, index[1]], path)
    x = w.node("Gather", [w.random("embeddings.word", weights.normal, (vocabulary, width), 0.5), "input_ids"], path)
    x = w.node("Add", [x, w.node("Gather", [w.random("embeddings.token_type", weights.normal, (2, width), 0.5), "token_type_ids"], path)], path)
    x = w.node("Add", [x, w.node("Gather", [w.random("embeddings.position", weights.normal, (512, width), 0.5), positions], path)], path)
    x = normalise(x, path + "/LayerNorm")

    mask = w.node("Unsqueeze", [w.node("Unsqueeze", ["attention_mask", index[1]]), index[2]])
    mask = w.node("Sub", [one, w.node("Cast", [mask], to=TensorProto.FLOAT)])
    mask = w.node("Mul", [mask, w.number(-10000, "minus_10000")])

    for layer in range(layers):
        path = f"/encoder/layer.{layer}/attention"
        query, key, value = (w.node("Reshape", [linear(w, x, f"{path}/{part}", width, width), split], f"{path}/{part}") for part in
                             ("query", "key", "value"))
        query, value = (w.node("Transpose", [t], path, perm=[0, 2, 1, 3]) for t in (query, value))
        scores = w.node("MatMul", [query, w.node("Transpose", [key], path, perm=[0, 2, 3, 1])], path)
        scores = w.node("Add", [w.node("Div", [scores, root_depth], path), mask], path)
        mixed = w.node("MatMul", [w.node("Softmax", [scores], path, axis=-1), value], path)
        mixed = w.node("Reshape", [w.node("Transpose", [mixed], path, perm=[0, 2, 1, 3]), merge], path)
        x = normalise(w.node("Add", [linear(w, mixed, path + "/output", width, width), x], path), path + "/LayerNorm")
        path = f"/encoder/layer.{layer}"
        inner = gelu(w, linear(w, x, path + "/intermediate", width, 4 * width), path + "/intermediate")
        x = normalise(w.node("Add", [linear(w, inner, path + "/output", 4 * width, width), x], path), path + "/LayerNorm")

    first = w.node("Gather", [x, w.constant(np.int64(0), "first")], "/pooler", axis=1)
    pooled = w.node("Gemm", [first, w.random("/pooler.weight", weights.normal, (width, width), math.sqrt(1 / width)),
                             w.random("/pooler.bias", weights.normal, (width,), 0.05)], "/pooler", transB=1)
    pooled = w.node("Tanh", [pooled], "/pooler")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in names]
    outputs = [(x, "last_hidden_state", ["batch", "sequence", width]), (pooled, "pooler_output", ["batch", width])]
    return w.finish(inputs, outputs, 14, 7), {n: [1, sequence] for n in names}
