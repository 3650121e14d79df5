# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The onnx package's light models with weights: there, every float weight is one number spread by ConstantOfShape."""
import math

import numpy as np
from onnx import helper, numpy_helper

import weights

# What the inputs of an operator are for, by position.
ROLES = {
    "Conv": {1: "conv_weight", 2: "bias"},
    "Gemm": {1: "gemm_weight", 2: "bias"},
    "BatchNormalization": {1: "scale", 2: "bias", 3: "mean", 4: "variance"},
    "Mul": {1: "scale"},
    "Add": {1: "bias"},
}


def attribute(node, name, otherwise):
    for a in node.attribute:
        if a.name == name:
            return helper.get_attribute_value(a)
    return otherwise


def roles_of(graph):
    """For each tensor, the first role that a reader gives it, and that reader; reshaping hands the role on."""
    roles = {}
    for node in reversed(graph.node):
        for i, name in enumerate(node.input):
            if node.op_type in ROLES and i in ROLES[node.op_type]:
                roles[name] = (ROLES[node.op_type][i], node)
            elif node.op_type in ("Unsqueeze", "Reshape") and i == 0 and node.output[0] in roles:
                roles[name] = roles[node.output[0]]
    return roles


def values(rng, role, node, shape, joins_residual):
    if role == "conv_weight":
        return weights.he_normal(rng, shape, math.prod(shape[1:]))
    if role == "gemm_weight":
        return weights.he_normal(rng, shape, shape[-1] if attribute(node, "transB", 0) else shape[-2])
    if role == "scale":
        # A branch that is added to its own input would double the variance block after block: it is damped instead.
        spread = weights.uniform(rng, shape, 0.8, 1.2)
        return (spread * np.float32(0.4)) if joins_residual else spread
    if role == "variance":
        return weights.uniform(rng, shape, 0.5, 2.0)
    return weights.normal(rng, shape, 0.1 if role == "mean" or node.op_type != "Conv" else 0.05)


def with_seeded_weights(model, name):
    graph = model.graph
    roles = roles_of(graph)
    readers = {}
    for node in graph.node:
        for tensor in node.input:
            readers.setdefault(tensor, []).append(node)
    shapes = {t.name: tuple(t.dims) for t in graph.initializer if t.data_type == 1}
    given = {t.name: t for t in graph.initializer}
    spread = [n for n in graph.node if n.op_type == "ConstantOfShape" and n.input[0] in given]
    for node in spread:
        value = attribute(node, "value", None)
        if value is not None and value.data_type == 1:
            shapes[node.output[0]] = tuple(int(d) for d in numpy_helper.to_array(given[node.input[0]]))

    made = {}
    for tensor, shape in shapes.items():
        if tensor not in roles:
            continue
        role, node = roles[tensor]
        joins = role == "scale" and any(r.op_type == "Sum" for r in readers.get(node.output[0], []))
        made[tensor] = numpy_helper.from_array(values(weights.generator(name, tensor), role, node, shape, joins), tensor)

    kept_nodes = [n for n in graph.node if not (n.op_type == "ConstantOfShape" and n.output[0] in made)]
    read = {tensor for n in kept_nodes for tensor in n.input}
    kept_tensors = [made.pop(t.name, t) for t in graph.initializer if t.name in read] + [made[t] for t in sorted(made)]
    kept = {t.name for t in kept_tensors}
    inputs = [i for i in graph.input if i.name in kept or i.name not in given]
    listed = {i.name for i in inputs}
    # Before version 4 of the format every initialiser had to be an input too.
    inputs += [helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)) for t in kept_tensors
               if t.name not in listed and model.ir_version < 4]
    for field, items in (("node", kept_nodes), ("initializer", kept_tensors), ("input", inputs)):
        copies = [type(i).FromString(i.SerializeToString()) for i in items]
        graph.ClearField(field)
        getattr(graph, field).extend(copies)
    return model
