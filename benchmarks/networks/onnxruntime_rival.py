# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime as a rival of `inlay bench --rival`: says `ready`, then answers each line `run` with the seconds of one inference.

    python onnxruntime_rival.py MODEL --threads N [--shape NAME=1,3,224,224]... [--save FOLDER --inputs FOLDER]

With --save it runs once on the .npy files of --inputs and saves the results there instead.
"""
import collections

import rival

onnxruntime = rival.library("onnxruntime")

NAMES = {"tensor(float)": "float32", "tensor(double)": "float64"} | {f"tensor({name})": name for name in rival.ELEMENTS}
BFLOAT16 = 16  # in ONNX's numbers of element types


def options_of(threads, optimised):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    level = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_ALL if optimised else level.ORT_DISABLE_ALL
    # Its threads spin while it runs, and let go of the cores when it is done: others run in the same rounds.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return options


def session_of(path, options):
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def named_extents(path, shapes):
    """What the dimensions that a network leaves open and names come to, where all inputs agree."""
    found = collections.defaultdict(set)
    inputs = session_of(path, options_of(1, False)).get_inputs()
    shapes.check([one.name for one in inputs], path)
    for one in inputs:
        for dimension, extent in zip(one.shape, shapes.extents(one.name, one.shape)):
            if isinstance(dimension, str):
                found[dimension].add(extent)
    return {name: extents.pop() for name, extents in found.items() if len(extents) == 1}


class OnnxRuntime:
    def __init__(self, path, threads, shapes):
        options = options_of(threads, True)
        # As for everybody else in the round, shapes are known when the network is loaded.
        for name, extent in named_extents(path, shapes).items():
            options.add_free_dimension_override_by_name(name, extent)
        self.session = session_of(path, options)
        self.inputs = [rival.Input(one.name, rival.element_of(one.name, one.type, NAMES), shapes.extents(one.name, one.shape))
                       for one in self.session.get_inputs()]
        self.binding = self.session.io_binding()

    def bind(self, values):
        make = onnxruntime.OrtValue
        for one in self.inputs:
            value = values[one.name]
            bound = make.ortvalue_from_numpy_with_onnx_type(value, BFLOAT16) if one.element == "bfloat16" else make.ortvalue_from_numpy(value)
            self.binding.bind_ortvalue_input(one.name, bound)
        for one in self.session.get_outputs():
            self.binding.bind_output(one.name)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def results(self):
        return [(one.name, value) for one, value in zip(self.session.get_outputs(), self.binding.copy_outputs_to_cpu())]


if __name__ == "__main__":
    rival.main(OnnxRuntime)
