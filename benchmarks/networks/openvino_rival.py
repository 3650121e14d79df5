# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""OpenVINO as a rival of `inlay bench --rival`: says `ready`, then answers each line `run` with the seconds of one inference.

    python openvino_rival.py MODEL --threads N [--shape NAME=1,3,224,224]... [--save FOLDER --inputs FOLDER]

With --save it runs once on the .npy files of --inputs and saves the results there instead.
"""
import rival

openvino = rival.library("openvino")

NAMES = {"boolean": "bool", "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16"} | {
    f"{sign}{bits}": f"{'u' * (sign == 'u')}int{bits}" for sign in "iu" for bits in (8, 16, 32, 64)}


def settings_of(threads):
    return {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        # Others run on the same cores in the same rounds.
        "ENABLE_CPU_PINNING": False,
        # As many threads as were asked for, also where two share a core.
        "ENABLE_HYPER_THREADING": True,
    }


class OpenVino:
    def __init__(self, path, threads, shapes):
        core = openvino.Core()
        model = core.read_model(path)
        # The node of an input has the name that the file has; its tensor may have several.
        names = [one.node.friendly_name for one in model.inputs]
        shapes.check(names, path)
        elements = [rival.element_of(name, one.element_type.get_type_name(), NAMES) for name, one in zip(names, model.inputs)]
        dimensions = [[d.get_length() if d.is_static else None for d in one.partial_shape] if one.partial_shape.rank.is_static else []
                      for one in model.inputs]
        self.inputs = [rival.Input(name, element, shapes.extents(name, known))
                       for name, element, known in zip(names, elements, dimensions)]
        model.reshape({one: openvino.PartialShape(told.extents) for one, told in zip(model.inputs, self.inputs)})
        self.outputs = [one.node.friendly_name.removesuffix("/sink_port_0") for one in model.outputs]
        self.request = core.compile_model(model, "CPU", settings_of(threads)).create_infer_request()

    def bind(self, values):
        for i, one in enumerate(self.inputs):
            value = values[one.name]
            if one.element == "bfloat16":
                bound = openvino.Tensor(value, openvino.Shape(value.shape), openvino.Type.bf16)
            else:
                bound = openvino.Tensor(value, shared_memory=True)
            self.request.set_input_tensor(i, bound)

    def run(self):
        self.request.infer(share_outputs=True)

    def results(self):
        return [(name, self.request.get_output_tensor(i).data) for i, name in enumerate(self.outputs)]


if __name__ == "__main__":
    rival.main(OpenVino)
