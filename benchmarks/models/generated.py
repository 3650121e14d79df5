# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""MobileNet-v2 and BERT as exporters write them: small operators, constants as initialisers, symbolic batch and sequence for BERT."""
import math

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import weights


class Writer:
    """Collects nodes and initialisers; names follow from the order of writing."""

    def __init__(self, name):
        self.name, self.nodes, self.tensors, self.count = name, [], [], {}

    def constant(self, values, name):
        self.tensors.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def random(self, name, make, *args):
        return self.constant(make(weights.generator(self.name, name), *args), name)

    def node(self, op, inputs, path="", **attributes):
        number = self.count[path, op] = self.count.get((path, op), -1) + 1
        name = f"{path}/{op}" + (f"_{number}" if number else "")
        self.nodes.append(helper.make_node(op, inputs, [name + "_output_0"], name=name, **attributes))
        return name + "_output_0"

    def finish(self, inputs, outputs, opset, ir_version):
        last = {old: new for old, new, _ in outputs}
        for n in self.nodes:
            for names in (n.input, n.output):
                for i, tensor in enumerate(names):
                    names[i] = last.get(tensor, tensor)
        graph = helper.make_graph(self.nodes, self.name, inputs,
                                  [helper.make_tensor_value_info(new, TensorProto.FLOAT, shape) for _, new, shape in outputs], self.tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version, producer_name="inlay")


def mobilenet_v2():
    w = Writer("mobilenet_v2")
    low, high = w.constant(np.float32(0), "low"), w.constant(np.float32(6), "high")

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


def bert(name, layers, width, heads, vocabulary, sequence):
    w = Writer(name)
    depth = width // heads
    number = lambda value, text: w.constant(np.float32(value), text)
    two, half, one, root2 = number(2, "two"), number(0.5, "half"), number(1, "one"), number(math.sqrt(2), "sqrt_2")
    epsilon, root_depth = number(1e-12, "epsilon"), number(math.sqrt(depth), "sqrt_depth")
    split = w.constant(np.array([0, 0, heads, depth], np.int64), "split_heads")
    merge = w.constant(np.array([0, 0, width], np.int64), "merge_heads")
    index = {i: w.constant(np.array([i], np.int64), f"index_{i}") for i in (0, 1, 2)}

    def normalise(x, path):
        centred = w.node("Sub", [x, w.node("ReduceMean", [x], path, axes=[-1])], path)
        variance = w.node("ReduceMean", [w.node("Pow", [centred, two], path)], path, axes=[-1])
        x = w.node("Div", [centred, w.node("Sqrt", [w.node("Add", [variance, epsilon], path)], path)], path)
        x = w.node("Mul", [x, w.random(path + ".weight", weights.uniform, (width,), 0.8, 1.2)], path)
        return w.node("Add", [x, w.random(path + ".bias", weights.normal, (width,), 0.1)], path)

    def linear(x, path, rows, columns):
        x = w.node("MatMul", [x, w.random(path + ".weight", weights.normal, (rows, columns), math.sqrt(1 / rows))], path)
        return w.node("Add", [w.random(path + ".bias", weights.normal, (columns,), 0.05), x], path)

    def gelu(x, path):
        y = w.node("Add", [w.node("Erf", [w.node("Div", [x, root2], path)], path), one], path)
        return w.node("Mul", [w.node("Mul", [x, y], path), half], path)

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
    mask = w.node("Mul", [mask, number(-10000, "minus_10000")])

    for layer in range(layers):
        path = f"/encoder/layer.{layer}/attention"
        query, key, value = (w.node("Reshape", [linear(x, f"{path}/{part}", width, width), split], f"{path}/{part}") for part in
                             ("query", "key", "value"))
        query, value = (w.node("Transpose", [t], path, perm=[0, 2, 1, 3]) for t in (query, value))
        scores = w.node("MatMul", [query, w.node("Transpose", [key], path, perm=[0, 2, 3, 1])], path)
        scores = w.node("Add", [w.node("Div", [scores, root_depth], path), mask], path)
        mixed = w.node("MatMul", [w.node("Softmax", [scores], path, axis=-1), value], path)
        mixed = w.node("Reshape", [w.node("Transpose", [mixed], path, perm=[0, 2, 1, 3]), merge], path)
        x = normalise(w.node("Add", [linear(mixed, path + "/output", width, width), x], path), path + "/LayerNorm")
        path = f"/encoder/layer.{layer}"
        inner = gelu(linear(x, path + "/intermediate", width, 4 * width), path + "/intermediate")
        x = normalise(w.node("Add", [linear(inner, path + "/output", 4 * width, width), x], path), path + "/LayerNorm")

    first = w.node("Gather", [x, w.constant(np.int64(0), "first")], "/pooler", axis=1)
    pooled = w.node("Gemm", [first, w.random("/pooler.weight", weights.normal, (width, width), math.sqrt(1 / width)),
                             w.random("/pooler.bias", weights.normal, (width,), 0.05)], "/pooler", transB=1)
    pooled = w.node("Tanh", [pooled], "/pooler")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in names]
    outputs = [(x, "last_hidden_state", ["batch", "sequence", width]), (pooled, "pooler_output", ["batch", width])]
    return w.finish(inputs, outputs, 14, 7), {n: [1, sequence] for n in names}


def make(name):
    if name == "mobilenet_v2":
        return mobilenet_v2()
    if name == "bert_base":
        return bert(name, 12, 768, 12, 30522, 128)
    return bert(name, 2, 64, 4, 1000, 16)
