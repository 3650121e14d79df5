# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""One step of GPT-2 (Radford et al. 2019) that writes a word: keys and values of the words before come in, and go out one word longer."""
import math

import numpy as np
from onnx import TensorProto

import weights
from layers import layer_norm
from writer import Writer


def gpt2(name, layers, width, heads, vocabulary, positions, past):
    w = Writer(name)
    depth = width // heads
    least = w.number(np.finfo(np.float32).min, "least")
    split = w.integers([1, 1, heads, depth], "split_heads")
    row, word = w.integers([-1, width], "row"), w.integers([1, 1, width], "word")
    wide_row, wide_word = w.integers([-1, 4 * width], "wide_row"), w.integers([1, 1, 4 * width], "wide_word")
    thirds = w.integers([width] * 3, "thirds")
    root_depth = w.number(math.sqrt(depth), "sqrt_depth")
    # The last row of the triangle of what a word may look at: the exporter has cut it out already.
    seen = w.constant(np.ones((1, 1, 1, past + 1), np.bool_), "causal")

    def linear(x, path, rows, columns, row, word, gain=1.0):
        weight = w.random(path + ".weight", weights.normal, (rows, columns), math.sqrt(gain / rows))
        bias = w.random(path + ".bias", weights.normal, (columns,), 0.05)
        x = w.node("Gemm", [w.node("Reshape", [x, row], path), weight, bias], path, alpha=1.0, beta=1.0)
        return w.node("Reshape", [x, word], path)

    def gelu(x, path):
        """By the hyperbolic tangent."""
        y = w.node("Mul", [w.node("Pow", [x, w.number(3, "three")], path), w.number(0.044715, "cubic")], path)
        y = w.node("Mul", [w.node("Add", [x, y], path), w.number(math.sqrt(2 / math.pi), "sqrt_2_over_pi")], path)
        y = w.node("Add", [w.node("Tanh", [y], path), w.number(1, "one")], path)
        return w.node("Mul", [w.node("Mul", [x, w.number(0.5, "half")], path), y], path)

    path = "/transformer"
    words = w.random("transformer.wte.weight", weights.normal, (vocabulary, width), math.sqrt(1 / width))
    places = w.random("transformer.wpe.weight", weights.normal, (positions, width), 0.3 * math.sqrt(1 / width))
    x = w.node("Add", [w.node("Gather", [words, "input_ids"], path + "/wte"), w.node("Gather", [places, "position_ids"], path + "/wpe")], path)
    mask = w.node("Unsqueeze", ["attention_mask", w.integers([1, 2], "axes_of_heads_and_words")], path)
    mask = w.node("Sub", [w.number(1, "one"), w.node("Cast", [mask], path, to=TensorProto.FLOAT)], path)
    mask = w.node("Where", [w.node("Cast", [mask], path, to=TensorProto.BOOL), least, mask], path)

    given, made = [], []
    for layer in range(layers):
        path = f"/transformer/h.{layer}/attn"
        y = layer_norm(w, x, f"/transformer/h.{layer}/ln_1", width, 1e-5)
        y = w.split("Split", [linear(y, path + "/c_attn", width, 3 * width, row, w.integers([1, 1, 3 * width], "three_words")), thirds], 3, path, axis=2)
        query, key, value = (w.node("Transpose", [w.node("Reshape", [t, split], path)], path, perm=[0, 2, 1, 3]) for t in y)
        for part, tensor in (("key", key), ("value", value)):
            before = f"past_key_values.{layer}.{part}"
            given.append((before, TensorProto.FLOAT, [1, heads, past, depth]))
            made.append((w.node("Concat", [before, tensor], path, axis=-2), f"present.{layer}.{part}", [1, heads, past + 1, depth]))
        (key, _, _), (value, _, _) = made[-2:]
        scores = w.node("MatMul", [query, w.node("Transpose", [key], path, perm=[0, 1, 3, 2])], path)
        scores = w.node("Where", [seen, w.node("Div", [scores, root_depth], path), least], path)
        shares = w.node("Softmax", [w.node("Add", [scores, mask], path)], path, axis=-1)
        y = w.node("Transpose", [w.node("MatMul", [shares, value], path)], path, perm=[0, 2, 1, 3])
        y = w.node("Reshape", [y, word], path)
        # What is added to the sum of all layers is scaled by their number, as the paper does.
        x = w.node("Add", [linear(y, path + "/c_proj", width, width, row, word, 1 / (2 * layers)), x], f"/transformer/h.{layer}")
        path = f"/transformer/h.{layer}/mlp"
        y = layer_norm(w, x, f"/transformer/h.{layer}/ln_2", width, 1e-5)
        y = gelu(linear(y, path + "/c_fc", width, 4 * width, row, wide_word), path + "/act")
        x = w.node("Add", [x, linear(y, path + "/c_proj", 4 * width, width, wide_row, word, 1 / layers)], f"/transformer/h.{layer}")

    x = layer_norm(w, x, "/transformer/ln_f", width, 1e-5)
    # Words are told by the table that they were looked up in, which stands in the file once.
    x = w.node("MatMul", [x, w.node("Transpose", [words], "/lm_head", perm=[1, 0])], "/lm_head")
    inputs = [("input_ids", TensorProto.INT64, [1, 1])] + given
    inputs += [("attention_mask", TensorProto.INT64, [1, past + 1]), ("position_ids", TensorProto.INT64, [1, 1])]
    return w.finish_static(inputs, [(x, "logits", [1, 1, vocabulary])] + made)
