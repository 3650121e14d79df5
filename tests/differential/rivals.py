# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Results of ONNX Runtime and of ONNX's reference evaluator, from another Python that has them.

As a program (`rivals.py`, run by that Python) it reads lines `MODEL FOLDER INPUT=FILE...` of JSON and answers each with one of JSON.
"""
import json
import os
import subprocess
import sys
import threading

KINDS = ("onnxruntime", "reference")


class Rivals:
    """Processes with the rivals, one for each thread."""

    def __init__(self, python):
        self.python, self.local = python, threading.local()

    def process(self):
        if getattr(self.local, "process", None) is None or self.local.process.poll() is not None:
            # The process ends with this one, as its standard input does.
            self.local.process = subprocess.Popen([self.python, os.path.abspath(__file__)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                  stderr=subprocess.DEVNULL, text=True)
        return self.local.process

    def run(self, files):
        """{rival: results of the only program, or a sentence}."""
        from ways import Failure, read_npy
        process = self.process()
        try:
            process.stdin.write(json.dumps({"model": files.model, "inputs": files.inputs, "folder": files.folder}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            process.wait()
            return {kind: "it ended" for kind in KINDS}
        answer, program = json.loads(line), files.programs[0]
        for kind in KINDS:
            if answer[kind] is None:
                try:
                    answer[kind] = {r: read_npy(os.path.join(files.folder, kind, f"p0_{r}.npy"), program.values[r].element) for r in program.results}
                except (Failure, OSError) as failure:
                    answer[kind] = str(failure)
        return answer


def serve():
    import numpy
    import onnx
    import onnx.numpy_helper
    import onnx.reference
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)

    def by_onnxruntime(model, inputs):
        how = onnxruntime.SessionOptions()
        how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        how.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), how, providers=["CPUExecutionProvider"])
        return session.run(None, inputs)

    def by_reference(model, inputs):
        return onnx.reference.ReferenceEvaluator(model).run(None, inputs)

    for line in sys.stdin:
        request = json.loads(line)
        model = onnx.load(request["model"])
        inputs = {name: onnx.numpy_helper.to_array(onnx.load_tensor(path)) for name, path in request["inputs"].items()}
        answer = {}
        for kind, of in (("onnxruntime", by_onnxruntime), ("reference", by_reference)):
            try:
                folder = os.path.join(request["folder"], kind)
                os.makedirs(folder, exist_ok=True)
                with numpy.errstate(all="ignore"):
                    results = of(model, inputs)
                for output, value in zip(model.graph.output, results):
                    numpy.save(os.path.join(folder, output.name + ".npy"), numpy.ascontiguousarray(value).reshape(numpy.shape(value)))
                answer[kind] = None
            except Exception as fault:  # What a rival refuses is no answer.
                answer[kind] = str(fault)[-300:] or type(fault).__name__
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
