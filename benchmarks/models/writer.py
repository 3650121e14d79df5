# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Nodes and initialisers of an ONNX graph, written one after the other: small operators, constants as initialisers."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

import weights


class Writer:
    """Collects nodes and initialisers; names follow from the order of writing."""

    def __init__(self, name):
        self.name, self.nodes, self.tensors, self.count, self.given = name, [], [], {}, set()

    def constant(self, values, name):
        """An initialiser; one of that name that is there already stays."""
        if name not in self.given:
            self.given.add(name)
            self.tensors.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def number(self, value, name):
        return self.constant(np.float32(value), name)

    def integers(self, values, name):
        return self.constant(np.array(values, np.int64), name)

    def random(self, name, make, *args):
        return self.constant(make(weights.generator(self.name, name), *args), name)

    def node(self, op, inputs, path="", **attributes):
        return self.split(op, inputs, 1, path, **attributes)[0]

    def split(self, op, inputs, outputs, path="", **attributes):
        """A node with several outputs."""
        number = self.count[path, op] = self.count.get((path, op), -1) + 1
        name = f"{path}/{op}" + (f"_{number}" if number else "")
        made = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, made, name=name, **attributes))
        return made

    def finish(self, inputs, outputs, opset, ir_version):
        last = {old: new for old, new, _ in outputs}
        for n in self.nodes:
            for names in (n.input, n.output):
                for i, tensor in enumerate(names):
                    names[i] = last.get(tensor, tensor)
        graph = helper.make_graph(self.nodes, self.name, inputs,
                                  [helper.make_tensor_value_info(new, TensorProto.FLOAT, shape) for _, new, shape in outputs], self.tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version, producer_name="inlay")

    def finish_static(self, inputs, outputs):
        """As an exporter does that was told no dynamic axes: a model whose shapes all are numbers, and the shapes of its inputs.

        INPUTS: name, element type, extents. OUTPUTS: tensor, name, extents.
        """
        model = self.finish([helper.make_tensor_value_info(*i) for i in inputs], outputs, 17, 8)
        return model, {name: extents for name, _, extents in inputs}
